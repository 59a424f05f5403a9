package io.postbox.outbox.testing;

import io.postbox.common.OperatorAction;
import io.postbox.common.RedrivePace;
import io.postbox.common.ops.ActionControl;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.ops.BackgroundActions;
import io.postbox.outbox.ops.OutboxTables;
import java.time.InstantSource;
import javax.sql.DataSource;

/** Starts actions and waits for their end, on a node that takes their steps on its own thread. */
public final class Operator {
  /** That of the service. */
  public static final byte[] KEY = {1, 2, 3};

  private final BackgroundActions actions;

  /**
   * @param dataSource of the node
   */
  public Operator(Dialect dialect, OutboxConfig config, DataSource dataSource) {
    actions =
        new BackgroundActions(
            new OutboxTables(dialect, config, dataSource),
            KEY,
            false,
            lanes -> {},
            InstantSource.system());
    actions.runner().runIfDue(Runnable::run); // from now on it is woken
  }

  /** Puts a plan on record. */
  public DeadLetterPlan plan(DeadLetterPlan counted, String principal) {
    return actions.plan(counted, principal);
  }

  /** Returns how many letters were put back to work. */
  public long redrive(DeadLetterPlan plan, String principal, String reason) {
    return done(
        actions.redrive(
            plan.token().id(), new RedrivePace(plan.perSecond(), 0), principal, reason));
  }

  /** Returns how many letters were discarded. */
  public long discard(DeadLetterPlan plan, String principal, String reason) {
    return done(actions.discard(plan.token().id(), principal, reason));
  }

  /** Returns how many messages were discarded. */
  public long discard(WaitingPlan plan, String principal, String reason) {
    return done(actions.discardWaiting(plan.token().id(), principal, reason));
  }

  /** The actions. */
  public ActionControl control() {
    return actions.control();
  }

  private long done(OperatorAction started) {
    return actions.control().untilDone(started).done();
  }
}
