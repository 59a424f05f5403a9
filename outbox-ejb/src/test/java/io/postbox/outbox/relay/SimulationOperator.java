package io.postbox.outbox.relay;

import io.postbox.outbox.relay.SimulationTables.Key;
import io.postbox.outbox.relay.SimulationTables.Row;
import io.postbox.outbox.relay.SimulationTables.Status;
import io.postbox.outbox.relay.SimulationTransaction.ModelClaim;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A person who decides about dead letters, and pauses destinations. */
final class SimulationOperator {
  private final Simulation simulation;
  private final SimulationScheduler scheduler;

  SimulationOperator(Simulation simulation) {
    this.simulation = simulation;
    scheduler = simulation.scheduler;
  }

  /** Decides about some of the dead letters. */
  void decide(double share) {
    List<Row> dead =
        simulation.tables.rows.values().stream()
            .filter(row -> row.status() == Status.DEAD)
            .filter(row -> scheduler.chance(share))
            .toList();
    for (Row row : dead) {
      scheduler.step();
      Optional<ModelClaim> claim = simulation.tables.claim(row.partition(), "operator");
      if (claim.isPresent()) {
        decide(claim.get().transaction(), row.seq());
      }
    }
  }

  private void decide(SimulationTransaction transaction, long seq) {
    scheduler.step();
    Optional<Row> row = transaction.row(seq).filter(it -> it.status() == Status.DEAD);
    if (row.isPresent() && transaction.isOpen()) {
      transaction.decided = row.get().envelope().id();
      if (scheduler.chance(row.get().expiresAt() != null ? 0.7 : 0.2)) {
        discard(transaction, row.get());
      } else {
        redrive(transaction, row.get());
      }
      scheduler.step();
      if (transaction.isOpen()) {
        transaction.commit();
      }
    }
    transaction.rollback();
  }

  private void discard(SimulationTransaction transaction, Row row) {
    UUID id = row.envelope().id();
    transaction.discard(row);
    row.key()
        .filter(key -> transaction.head(key).filter(id::equals).isPresent())
        .ifPresent(
            key -> {
              transaction.waitAgain(key, row);
              transaction.release(key);
              transaction.notePutBack(row.partition());
            });
  }

  /** A letter whose key another message holds waits behind that. */
  private void redrive(SimulationTransaction transaction, Row row) {
    UUID id = row.envelope().id();
    Optional<Key> key = row.key();
    Optional<UUID> head = key.flatMap(transaction::head);
    try {
      if (key.isPresent() && head.isEmpty()) {
        transaction.holdKey(key.get(), id);
      }
    } catch (SQLException impossible) {
      throw new IllegalStateException(impossible);
    }
    boolean behind = head.filter(it -> !it.equals(id)).isPresent();
    if (head.filter(id::equals).isPresent()) {
      transaction.waitAgain(key.orElseThrow(), row);
    }
    Status status = behind ? Status.HELD : Status.PENDING;
    transaction.put(row.with(status, 0, row.dueAt()).withoutLimit());
    transaction.notePutBack(row.partition());
  }
}
