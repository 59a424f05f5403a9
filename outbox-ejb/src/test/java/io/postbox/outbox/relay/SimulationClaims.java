package io.postbox.outbox.relay;

import io.postbox.common.log.RecordedError;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.SimulationTables.Held;
import io.postbox.outbox.relay.SimulationTables.Key;
import io.postbox.outbox.relay.SimulationTables.Row;
import io.postbox.outbox.relay.SimulationTransaction.ModelClaim;
import io.postbox.outbox.store.ClaimStore.Batch;
import io.postbox.outbox.store.PollStore.Poll;
import io.postbox.outbox.store.PollStore.Woken;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One node's way to the tables: others may go on before and after every statement, statements fail,
 * and a commit that fails may have been one.
 */
final class SimulationClaims implements PartitionClaims {
  private final Simulation simulation;
  private final String node;
  private final SimulationScheduler.Life life;
  private final InstantSource clock;
  private final Set<Taken> open = new LinkedHashSet<>();
  private final Map<Lane, Long> readUpTo = new HashMap<>();
  private Instant pollEnded = Instant.MIN;
  private Duration pollTook = Duration.ZERO;
  private boolean pollFailed;

  SimulationClaims(
      Simulation simulation, String node, SimulationScheduler.Life life, InstantSource clock) {
    this.clock = clock;
    this.simulation = simulation;
    this.node = node;
    this.life = life;
  }

  private interface Statement<T> {
    T run() throws SQLException;
  }

  private <T> T statement(String what, Statement<T> statement) throws SQLException {
    SimulationScheduler scheduler = simulation.scheduler;
    scheduler.step();
    if (scheduler.chance(simulation.weather.stalls)) {
      scheduler.sleep(scheduler.upTo(simulation.weather.longestStall));
    }
    if (simulation.weather.databaseDown || scheduler.chance(simulation.weather.statementsFail)) {
      throw SimulationTables.lost(what);
    }
    T answer = statement.run();
    scheduler.step();
    return answer;
  }

  /** The node is gone, or its connections are: the database ends its transactions. */
  void loseConnections() {
    List.copyOf(open).forEach(Taken::lose);
  }

  /** One connection is gone. */
  void loseOne() {
    open.stream().findFirst().ifPresent(Taken::lose);
  }

  @Override
  public Optional<Claim> claim(int partition) throws SQLException {
    SimulationTables tables = simulation.tables;
    Collection<Row> rows = List.of();
    Map<Key, Held> held = Map.of();
    boolean stale = tables.has(SimulationBug.ONE_SNAPSHOT_FOR_CLAIM_AND_READ);
    if (stale) {
      rows = List.copyOf(tables.rows.values());
      held = Map.copyOf(tables.held);
    }
    Collection<Row> seenRows = rows;
    Map<Key, Held> seenHeld = held;
    return statement(
        "claim",
        () -> {
          Optional<ModelClaim> claim = tables.claim(partition, node);
          simulation.history.count(claim.isPresent() ? "claims" : "busy");
          Optional<Taken> taken =
              claim.map(it -> new Taken(partition, it, stale, seenRows, seenHeld));
          taken.ifPresent(open::add);
          return taken.map(it -> it);
        });
  }

  @Override
  public Poll poll() throws SQLException {
    Instant start = clock.instant();
    Duration longest = pollFailed ? AdaptivePolling.LONGEST : AdaptivePolling.LONGEST_AFTER_COSTLY;
    Duration pause = pollTook.multipliedBy(10);
    if (start.isBefore(pollEnded.plus(pause.compareTo(longest) < 0 ? pause : longest))) {
      simulation.history.fail(
          "%s polls again after %s, and the last poll took %s"
              .formatted(node, Duration.between(pollEnded, start), pollTook));
    }
    pollFailed = true;
    try {
      Poll poll =
          statement(
              "look",
              () -> {
                simulation.scheduler.sleep(
                    simulation.scheduler.upTo(simulation.weather.longestPoll));
                return simulation.tables.poll();
              });
      pollFailed = false;
      return poll;
    } finally {
      pollEnded = clock.instant();
      pollTook = Duration.between(start, pollEnded);
    }
  }

  @Override
  public Woken wakeDelayed() throws SQLException {
    return statement("wakeDelayed", simulation.tables::wakeDelayed);
  }

  @Override
  public OptionalLong first(Lane lane) throws SQLException {
    return statement("first", () -> simulation.tables.first(lane));
  }

  @Override
  public String holderQuery(int partition) {
    return "nobody runs a query here";
  }

  private final class Taken implements Claim {
    private final int partition;
    private final ModelClaim claim;
    private final boolean stale;
    private final Collection<Row> rows;
    private final Map<Key, Held> held;
    private final List<StoredMessage> read = new ArrayList<>();
    private final Set<Long> firstLoads = new HashSet<>();
    private boolean over;

    private Taken(
        int partition, ModelClaim claim, boolean stale, Collection<Row> rows, Map<Key, Held> held) {
      this.partition = partition;
      this.claim = claim;
      this.stale = stale;
      this.rows = rows;
      this.held = held;
      claim.transaction().onLost(() -> end("claim lost"));
    }

    /** The messages that it read may be sent again. */
    private void lose() {
      claim.transaction().lose();
    }

    private void end(String why) {
      if (!over) {
        over = true;
        open.remove(this);
        read.forEach(it -> simulation.history.fault(it.envelope().id(), why + " by " + node));
      }
    }

    @Override
    public long putBack() {
      return claim.putBack();
    }

    @Override
    public Batch read(String destination, long after, int limit) throws SQLException {
      Lane lane = new Lane(partition, destination);
      boolean buggy = simulation.tables.has(SimulationBug.FLOOR_NEVER_RESET);
      long from = buggy ? Math.max(after, readUpTo.getOrDefault(lane, 0L)) : after;
      Batch batch =
          statement(
              "read",
              () -> {
                Batch found =
                    stale
                        ? simulation.tables.read(rows, held, lane, from, limit, 0)
                        : claim.read(destination, from, limit);
                read.addAll(found.messages());
                return found;
              });
      batch.messages().forEach(it -> readUpTo.merge(lane, it.seq(), Math::max));
      simulation.history.count(after > 0 ? "short reads" : "reads");
      if (simulation.tables.has(SimulationBug.COMPLETED_BEFORE_SENT)) {
        claim.complete(
            destination,
            new BatchSettlement(
                batch.messages().stream()
                    .filter(it -> it.heldBy() == null)
                    .map(StoredMessage::seq)
                    .toList(),
                List.of(),
                List.of(),
                List.of()),
            Map.of());
        claim.transaction().commitAndGoOn();
      }
      return batch;
    }

    @Override
    public void hold(String destination, Collection<Long> seqs) throws SQLException {
      if (!seqs.isEmpty()) {
        simulation.history.count("holds");
        statement(
            "hold",
            () -> {
              claim.hold(destination, seqs);
              return 0;
            });
      }
    }

    @Override
    public void keepHashes(Map<Long, byte[]> hashes) throws SQLException {
      if (!hashes.isEmpty()) {
        simulation.history.count("first loads");
        statement("keepHashes", () -> firstLoads.addAll(hashes.keySet()));
        if (simulation.scheduler.chance(simulation.weather.firstLoadsLost)) {
          simulation.history.count("first loads lost");
          throw SimulationTables.lost("keepHashes");
        }
      }
    }

    @Override
    public void complete(
        String destination, BatchSettlement settlement, Map<RecordedError, String> texts)
        throws SQLException {
      if (simulation.tables.has(SimulationBug.COMPLETED_BEFORE_SENT)) {
        return;
      }
      boolean careless = simulation.tables.has(SimulationBug.KEYS_NOT_HELD);
      statement(
          "complete",
          () -> {
            claim.complete(
                destination,
                new BatchSettlement(
                    settlement.sent(),
                    settlement.failures(),
                    careless ? List.of() : settlement.hold(),
                    settlement.release()),
                texts);
            return 0;
          });
    }

    @Override
    public void commit() throws SQLException {
      SimulationScheduler scheduler = simulation.scheduler;
      statement(
          "commit",
          () -> {
            boolean fails = scheduler.chance(simulation.weather.commitsFail);
            if (!fails || scheduler.chance(0.5)) {
              claim.commit();
              simulation.tables.loaded.addAll(firstLoads);
            }
            if (fails) {
              simulation.history.count("lost commits");
              throw SimulationTables.lost("commit, with unknown outcome");
            }
            over = true;
            open.remove(this);
            return 0;
          });
    }

    @Override
    public void close() {
      if (!life.isOver()) {
        claim.close();
        end("claim ended without a commit");
      }
    }
  }
}
