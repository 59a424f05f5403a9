package io.postbox.outbox.ops;

import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanToken;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.ops.Plans;
import io.postbox.common.ops.Plans.Order;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.store.LocalTransactions;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.OperatorStore;
import io.postbox.outbox.store.OperatorStore.Decided;
import io.postbox.outbox.store.OperatorStore.Place;
import io.postbox.outbox.store.OperatorStore.Row;
import io.postbox.outbox.store.OperatorStore.Those;
import io.postbox.outbox.store.WaitingStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Plans what is to be done about messages that wait, and cancels single ones. Thread-safe. */
public final class WaitingActions {
  private static final int LONGEST_NAME = 100;
  private static final String CANCEL = "cancel ";

  private final OperatorCalls calls;
  private final WaitingStore counts;
  private final OperatorStore messages;
  private final Plans plans;

  public WaitingActions(OutboxTables tables) {
    plans = tables.plans();
    calls = tables.calls();
    counts = new WaitingStore(tables.dialect(), tables.config().tables());
    messages = new OperatorStore(tables.dialect(), tables.config().tables());
  }

  /** A plan of the messages that wait for a destination. */
  public WaitingPlan plan(String destination, String principal) {
    if (destination.isBlank() || destination.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "A destination's name has 1 to %s characters: '%s'".formatted(LONGEST_NAME, destination));
    }
    WaitingPlan counted =
        calls.commit(
            "The waiting messages cannot be counted",
            LocalTransactions.brief(
                connection -> counts.count(connection, destination, PlanToken.NONE),
                BackgroundActions.LONGEST_COUNT));
    MessagePlan plan = MessagePlan.ofWaiting(destination, counted.asOf(), counted.estimated());
    PlanToken token =
        plans.keep(
            principal,
            "messages waiting for '%s' as of %s%s"
                .formatted(destination, counted.asOf(), plan.leastNumber(counted.messages())),
            plan.toJson(),
            counted.messages());
    return new WaitingPlan(
        token, destination, counted.asOf(), counted.pending(), counted.delayed(), counted.held());
  }

  /** A plan to cancel one message. */
  public PlanToken planCancel(UUID id, String principal) {
    return plans.keep(principal, "message " + id, CANCEL + id, 1);
  }

  /**
   * Moves one message that waits to the archive, at once, in one transaction.
   *
   * @param plan the id of its plan, if it has one
   * @return its lane, which may have work now; empty if it does not wait (any more)
   * @throws IllegalArgumentException if there is no reason
   * @throws PlanRefusedException if the plan is invalid, or for something else
   * @throws OutboxException if the database failed
   */
  public Optional<Lane> cancel(Optional<UUID> plan, UUID id, String principal, String reason) {
    Order order = new Order(plan.orElseGet(UUID::randomUUID), "cancel-message", principal, reason);
    Entry entry = order.entry("message " + id);
    Optional<Lane> cancelled =
        plans.once(
            "The message %s was not cancelled".formatted(id),
            order,
            plan.map(it -> CANCEL + id),
            connection -> cancel(connection, id, entry));
    if (cancelled.isPresent()) {
      OutboxLog.waitingDiscarded(1, entry.subject(), entry.principal(), entry.reason());
    }
    return cancelled;
  }

  private Optional<Lane> cancel(Connection connection, UUID id, Entry entry) throws SQLException {
    Optional<Place> place = messages.place(connection, id);
    if (place.isEmpty()) {
      return Optional.empty();
    }
    int partition = place.get().partition();
    messages.lock(connection, partition);
    List<Row> message =
        messages.rows(connection, Those.WAITING, partition, List.of(place.get().seq()));
    if (message.isEmpty()) {
      return Optional.empty(); // it was sent meanwhile, or has died
    }
    plans.audit().write(connection, entry, 1);
    messages.discard(connection, Those.WAITING, partition, new Decided(message, List.of()));
    return Optional.of(new Lane(partition, message.get(0).destination()));
  }
}
