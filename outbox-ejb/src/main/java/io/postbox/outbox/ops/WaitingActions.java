package io.postbox.outbox.ops;

import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanToken;
import io.postbox.common.ops.PlanStart;
import io.postbox.common.ops.Reasons;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.ops.DeadLetterActions.Done;
import io.postbox.outbox.store.DeadLetterStore;
import io.postbox.outbox.store.DeadLetterStore.DeadLetterRow;
import io.postbox.outbox.store.DeadLetterStore.Place;
import io.postbox.outbox.store.OperatorActionStore;
import io.postbox.outbox.store.WaitingStore;
import io.postbox.outbox.store.WaitingStore.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;

/** Discards the messages that wait for a destination, and audits that. Thread-safe. */
public final class WaitingActions {
  private static final int LONGEST_NAME = 100;

  /** How many messages one transaction changes. */
  static final int BATCH = 1_000;

  private final LocalTransactions transactions;
  private final WaitingStore waiting;
  private final DeadLetterStore claims;
  private final OperatorActionStore decisions;
  private final AuditStore audit;
  private final Plans plans;
  private final PlanStart start;
  private final int partitions;

  /**
   * @param dialect the database's
   * @param config where the tables are, and which service owns them
   * @param dataSource its connections must not be part of a transaction
   * @param plans checks the service's plans
   */
  public WaitingActions(Dialect dialect, OutboxConfig config, DataSource dataSource, Plans plans) {
    this.plans = plans;
    transactions = new LocalTransactions(dataSource);
    waiting = new WaitingStore(dialect, config.tables());
    claims = new DeadLetterStore(dialect, config.tables());
    decisions = OperatorActionStore.aboutWaiting(dialect, config.tables());
    audit = new AuditStore("outbox", config.tables(), config.service());
    start = plans.start(transactions, audit);
    partitions = config.partitions();
  }

  /** A plan of the messages that wait for a destination. */
  public WaitingPlan plan(String destination, String principal) {
    if (destination.isBlank() || destination.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          "A destination's name has 1 to %d characters: '%s'".formatted(LONGEST_NAME, destination));
    }
    try {
      WaitingPlan counted =
          transactions.commit(connection -> waiting.count(connection, destination, PlanToken.NONE));
      return plans.of(counted, principal);
    } catch (SQLException failed) {
      throw new OutboxException(
          "The waiting messages cannot be counted: " + OutboxLog.EXCEPTIONS.of(failed), failed);
    }
  }

  /**
   * Moves the messages of a plan to the archive: first the held ones, so that none of them becomes
   * pending only to be discarded.
   *
   * @throws IllegalArgumentException if there is no reason
   * @throws PlanRefusedException if the plan is invalid
   * @throws OutboxException if the database failed
   */
  public Done discard(WaitingPlan plan, String principal, String reason) {
    String checked = Reasons.checked(reason);
    plans.check(plan, principal);
    Entry entry = entry(plan, principal, checked);
    start.begin(plan.token(), entry);
    Run run = new Run(plan, entry);
    try {
      long before;
      do { // the next round finds messages that have changed their state meanwhile
        before = run.done;
        for (int partition = 0; partition < partitions; partition++) {
          run.discardAll(State.HELD, partition);
        }
        run.discardAll(State.DELAYED, 0);
        for (int partition = 0; partition < partitions; partition++) {
          run.discardAll(State.PENDING, partition);
        }
      } while (run.done > before);
    } catch (SQLException failed) {
      throw new OutboxException(
          "The discard stopped after %d messages (%s). These are discarded and audited; the others still wait: make another plan for them. Reason: %s"
              .formatted(run.done, entry.subject(), OutboxLog.EXCEPTIONS.of(failed)),
          failed);
    }
    OutboxLog.waitingDiscarded(run.done, entry.subject(), entry.principal(), entry.reason());
    return new Done(run.done, run.lanes);
  }

  /**
   * Moves one message that waits to the archive.
   *
   * @throws IllegalArgumentException if there is no reason
   * @throws OutboxException if the database failed
   */
  public Done cancel(UUID id, String principal, String reason) {
    String checked = Reasons.checked(reason);
    Entry entry =
        new Entry(UUID.randomUUID(), "cancel-message", principal, checked, "message " + id);
    try {
      Done done = transactions.commit(connection -> cancel(connection, id, entry));
      if (done.letters() > 0) {
        OutboxLog.waitingDiscarded(1, entry.subject(), entry.principal(), entry.reason());
      }
      return done;
    } catch (SQLException failed) {
      throw new OutboxException(
          "The message %s was not cancelled: %s".formatted(id, OutboxLog.EXCEPTIONS.of(failed)),
          failed);
    }
  }

  private Done cancel(Connection connection, UUID id, Entry entry) throws SQLException {
    Optional<Place> place = waiting.place(connection, id);
    if (place.isEmpty()) {
      return new Done(0, Set.of());
    }
    int partition = place.get().partition();
    claims.lock(connection, partition);
    Optional<DeadLetterRow> message = waiting.message(connection, place.get());
    if (message.isEmpty()) {
      return new Done(0, Set.of()); // it was sent meanwhile, or has died
    }
    audit.write(connection, entry, 1);
    int gone =
        decisions.discard(connection, partition, List.of(message.get()), destination -> false);
    return new Done(gone, Set.of(new Lane(partition, message.get().destination())));
  }

  /** The record of a discard. */
  static Entry entry(WaitingPlan plan, String principal, String reason) {
    return new Entry(
        plan.token().id(),
        "discard-waiting",
        principal,
        reason,
        "messages waiting for '%s' as of %s".formatted(plan.destination(), plan.asOf()));
  }

  /** One discard. */
  private final class Run {
    private final WaitingPlan plan;
    private final Entry entry;
    private final Set<Lane> lanes = new HashSet<>();
    private long done;

    Run(WaitingPlan plan, Entry entry) {
      this.plan = plan;
      this.entry = entry;
    }

    /** Discards one page before it reads the next one. */
    void discardAll(State state, int partition) throws SQLException {
      long before;
      List<Place> some;
      do {
        before = done;
        some =
            transactions.commit(
                connection -> waiting.some(connection, state, partition, plan, BATCH));
        for (var each : Place.byPartition(some).entrySet()) {
          done +=
              transactions.commit(
                  connection -> discard(connection, each.getKey(), each.getValue()));
        }
      } while (some.size() == BATCH && done > before);
    }

    private long discard(Connection connection, int partition, List<Long> seqs)
        throws SQLException {
      claims.lock(connection, partition);
      List<DeadLetterRow> messages = waiting.messages(connection, partition, seqs, plan);
      if (messages.isEmpty()) {
        return 0;
      }
      lanes.add(new Lane(partition, plan.destination()));
      audit.add(connection, entry, messages.size());
      return decisions.discard(connection, partition, messages, destination -> false);
    }
  }
}
