package io.postbox.outbox.ops;

import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanToken;
import io.postbox.common.ops.Plans;
import io.postbox.common.ops.Plans.Order;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.Partitioning;
import io.postbox.outbox.store.ResendStore;
import io.postbox.outbox.store.ResendStore.Archived;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** Enqueues archived messages again, and audits that. Thread-safe. */
public final class Resend {
  private final OutboxConfig config;
  private final ResendStore store;
  private final Plans plans;
  private final Partitioning partitioning;

  public Resend(OutboxTables tables) {
    config = tables.config();
    plans = tables.plans();
    store = new ResendStore(config.tables());
    partitioning = new Partitioning(config.partitions());
  }

  /** A plan to resend one message under an id. */
  public PlanToken plan(UUID id, UUID newId, String principal) {
    return plans.keep(principal, subject(id, newId), planned(id, newId), 1);
  }

  private static String planned(UUID id, UUID newId) {
    return "resend %s %s".formatted(id, newId);
  }

  private static String subject(UUID id, UUID newId) {
    return id.equals(newId) ? "message " + id : "message %s as %s".formatted(id, newId);
  }

  /**
   * Enqueues an archived message under an id, its own or a new one.
   *
   * @param plan the id of its plan, if it has one
   * @return its lane; empty if it is not in the archive
   * @throws IllegalArgumentException if there is no reason, or it cannot have another id
   * @throws PlanRefusedException if the plan is invalid, or for something else
   * @throws IllegalStateException if a message with this id is in the outbox
   * @throws OutboxException if the database failed
   * @throws UnsupportedOperationException if no node relays
   */
  public Optional<Lane> resend(
      Optional<UUID> plan, UUID id, UUID newId, String principal, String reason) {
    RelayOnly.check(
        config,
        "The message %s cannot be resent".formatted(id),
        "Enqueue it again in the application");
    Order order = new Order(plan.orElseGet(UUID::randomUUID), "resend", principal, reason);
    Entry entry = order.entry(subject(id, newId));
    Optional<Lane> lane =
        plans.once(
            "The message %s was not resent".formatted(id),
            order,
            plan.map(it -> planned(id, newId)),
            connection -> resend(connection, id, newId, entry));
    lane.ifPresent(
        it ->
            OutboxLog.resent(entry.subject(), it.destination(), entry.principal(), entry.reason()));
    return lane;
  }

  private Optional<Lane> resend(Connection connection, UUID id, UUID newId, Entry entry)
      throws SQLException {
    Optional<Archived> found = store.find(connection, id);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Archived message = found.get();
    if (message.isEncrypted() && !id.equals(newId)) {
      throw new IllegalArgumentException(
          "The message %s is encrypted, and its cipher text is bound to its id; nothing was changed. Resend it under its own id, or have the application enqueue it again."
              .formatted(id));
    }
    if (store.isInOutbox(connection, newId)) {
      throw new IllegalStateException(
          "A message with the id %s is in the outbox; nothing was changed. Wait until it is sent, or resend the archived one under another id."
              .formatted(newId));
    }
    int partition = partitioning.of(message.destination(), message.key());
    plans.audit().write(connection, entry, 0); // first: the transaction must have its number
    if (!store.enqueue(connection, message, partition, newId)) {
      return Optional.empty(); // past its retention meanwhile
    }
    plans.audit().add(connection, entry.id(), 1);
    return Optional.of(new Lane(partition, message.destination()));
  }
}
