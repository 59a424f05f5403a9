package io.postbox.outbox.ops;

import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanToken;
import io.postbox.common.ops.Plans;
import io.postbox.common.ops.Plans.Order;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.ops.ActionPlan.Waiting;
import io.postbox.outbox.store.DeadLetterStore;
import io.postbox.outbox.store.DeadLetterStore.DeadLetterRow;
import io.postbox.outbox.store.DeadLetterStore.Place;
import io.postbox.outbox.store.OperatorActionStore;
import io.postbox.outbox.store.WaitingStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Plans what is to be done about messages that wait, and cancels single ones. Thread-safe. */
public final class WaitingActions {
  private static final int LONGEST_NAME = 100;
  private static final String CANCEL = "cancel ";

  private final LocalTransactions transactions;
  private final WaitingStore waiting;
  private final DeadLetterStore claims;
  private final OperatorActionStore decisions;
  private final AuditStore audit;
  private final Plans plans;

  /**
   * @param dialect the database's
   * @param config where the tables are, and which service owns them
   * @param dataSource its connections must not be part of a transaction
   */
  public WaitingActions(Dialect dialect, OutboxConfig config, DataSource dataSource) {
    plans = BackgroundActions.plans(dialect, config, dataSource);
    transactions = new LocalTransactions(dataSource);
    waiting = new WaitingStore(dialect, config.tables());
    claims = new DeadLetterStore(dialect, config.tables());
    decisions = OperatorActionStore.aboutWaiting(dialect, config.tables());
    audit = new AuditStore("outbox", config.tables(), config.service());
  }

  /** A plan of the messages that wait for a destination. */
  public WaitingPlan plan(String destination, String principal) {
    if (destination.isBlank() || destination.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "A destination's name has 1 to %s characters: '%s'".formatted(LONGEST_NAME, destination));
    }
    try {
      WaitingPlan counted =
          transactions.commit(connection -> waiting.count(connection, destination, PlanToken.NONE));
      Waiting plan = new Waiting(destination, counted.asOf(), counted.estimated());
      PlanToken token =
          plans.keep(
              principal,
              "messages waiting for '%s' as of %s%s"
                  .formatted(destination, plan.asOf(), plan.leastNumber(counted.messages())),
              plan.toJson(),
              counted.messages());
      return new WaitingPlan(
          token, destination, counted.asOf(), counted.pending(), counted.delayed(), counted.held());
    } catch (SQLException failed) {
      throw new OutboxException(
          "The waiting messages cannot be counted: " + OutboxLog.EXCEPTIONS.of(failed), failed);
    }
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
    try {
      Optional<Lane> cancelled =
          plans.once(
              order, plan.map(it -> CANCEL + id), connection -> cancel(connection, id, entry));
      if (cancelled.isPresent()) {
        OutboxLog.waitingDiscarded(1, entry.subject(), entry.principal(), entry.reason());
      }
      return cancelled;
    } catch (SQLException failed) {
      throw new OutboxException(
          "The message %s was not cancelled: %s".formatted(id, OutboxLog.EXCEPTIONS.of(failed)),
          failed);
    }
  }

  private Optional<Lane> cancel(Connection connection, UUID id, Entry entry) throws SQLException {
    Optional<Place> place = waiting.place(connection, id);
    if (place.isEmpty()) {
      return Optional.empty();
    }
    int partition = place.get().partition();
    claims.lock(connection, partition);
    Optional<DeadLetterRow> message = waiting.message(connection, place.get());
    if (message.isEmpty()) {
      return Optional.empty(); // it was sent meanwhile, or has died
    }
    audit.write(connection, entry, 1);
    decisions.discard(connection, partition, List.of(message.get()));
    return Optional.of(new Lane(partition, message.get().destination()));
  }
}
