package io.postbox.outbox.ops;

import io.postbox.common.PlanRefusedException;
import io.postbox.common.ops.PlanStart;
import io.postbox.common.ops.Reasons;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.ops.DeadLetterBatches.Batch;
import io.postbox.outbox.store.DeadLetterStore;
import io.postbox.outbox.store.OperatorActionStore;
import java.util.Set;
import java.util.function.Predicate;
import javax.sql.DataSource;

/** Redrives or discards dead letters, and audits that. Thread-safe. */
public final class DeadLetterActions {
  private final OutboxConfig config;
  private final LocalTransactions transactions;
  private final DeadLetterStore letters;
  private final OperatorActionStore decisions;
  private final AuditStore audit;
  private final Plans plans;
  private final PlanStart start;

  /** To which destinations followers of a dead letter wait until an operator decides. */
  private final Predicate<String> holds;

  /**
   * @param dialect the database's
   * @param config where the tables are, and which service owns them
   * @param dataSource its connections must not be part of a transaction
   * @param plans checks the service's plans
   */
  public DeadLetterActions(
      Dialect dialect, OutboxConfig config, DataSource dataSource, Plans plans) {
    this.config = config;
    this.plans = plans;
    transactions = new LocalTransactions(dataSource);
    letters = new DeadLetterStore(dialect, config.tables());
    decisions = new OperatorActionStore(dialect, config.tables());
    holds = config::holds;
    audit = new AuditStore("outbox", config.tables(), config.service());
    start = plans.start(transactions, audit);
  }

  /**
   * The result of an action.
   *
   * @param letters how many were changed
   * @param lanes the lanes that may have work now
   */
  public record Done(long letters, Set<Lane> lanes) {
    /** Keeps a copy. */
    public Done {
      lanes = Set.copyOf(lanes);
    }
  }

  /**
   * Makes the letters of a plan pending again.
   *
   * @throws IllegalArgumentException if there is no reason
   * @throws PlanRefusedException if the plan is invalid
   * @throws OutboxException if the database failed
   * @throws UnsupportedOperationException if no node relays
   */
  public Done redrive(DeadLetterPlan plan, String principal, String reason) {
    RelayOnly.check(
        config,
        "The dead letters cannot be redriven",
        "They are from the time when nodes relayed: set postbox.outbox.relay.mode=polling to redrive them, or discard them");
    Entry entry = entry("redrive", plan, principal, reason);
    start.begin(plan.token(), entry);
    DeadLetterBatches walk = new DeadLetterBatches(transactions, letters, audit, plan, entry);
    walk.forEachBatch(
        new Redrive(letters, decisions, new RedriveRateLimit(plan.perSecond()), holds));
    OutboxLog.redriven(walk.done(), entry.subject(), entry.principal(), entry.reason());
    return new Done(walk.done(), walk.lanes());
  }

  /**
   * Moves the letters of a plan to the archive.
   *
   * @throws IllegalArgumentException if there is no reason
   * @throws PlanRefusedException if the plan is invalid
   * @throws OutboxException if the database failed
   */
  public Done discard(DeadLetterPlan plan, String principal, String reason) {
    Entry entry = entry("discard", plan, principal, reason);
    start.begin(plan.token(), entry);
    DeadLetterBatches walk = new DeadLetterBatches(transactions, letters, audit, plan, entry);
    walk.forEachBatch(
        (Batch it) -> decisions.discard(it.connection(), it.partition(), it.letters(), holds));
    OutboxLog.discarded(walk.done(), entry.subject(), entry.principal(), entry.reason());
    return new Done(walk.done(), walk.lanes());
  }

  private Entry entry(String action, DeadLetterPlan plan, String principal, String reason) {
    String checked = Reasons.checked(reason);
    plans.check(plan, principal);
    return of(action, plan, principal, checked);
  }

  /** The record of an action on the letters of a plan. */
  static Entry of(String action, DeadLetterPlan plan, String principal, String reason) {
    return new Entry(
        plan.token().id(),
        action,
        principal,
        reason,
        "dead letters as of %s: %s".formatted(plan.asOf(), plan.filter()));
  }
}
