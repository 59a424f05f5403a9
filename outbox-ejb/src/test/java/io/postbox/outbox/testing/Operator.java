package io.postbox.outbox.testing;

import io.postbox.common.OperatorAction;
import io.postbox.common.ops.ActionControl;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.ops.BackgroundActions;
import io.postbox.outbox.ops.Plans;
import java.time.InstantSource;
import java.util.Optional;
import javax.sql.DataSource;

/** Starts actions and waits for their end, on a node that takes their steps on its own thread. */
public final class Operator {
  private final BackgroundActions actions;

  /**
   * @param dataSource of the node
   * @param plans made the plans
   */
  public Operator(Dialect dialect, OutboxConfig config, DataSource dataSource, Plans plans) {
    actions =
        new BackgroundActions(
            dialect, config, dataSource, plans, false, lanes -> {}, InstantSource.system());
    actions.runner().runIfDue(Runnable::run); // from now on it is woken
  }

  /** Returns how many letters were put back to work. */
  public long redrive(DeadLetterPlan plan, String principal, String reason) {
    return done(actions.redrive(plan, Optional.empty(), principal, reason));
  }

  /** Returns how many letters were discarded. */
  public long discard(DeadLetterPlan plan, String principal, String reason) {
    return done(actions.discard(plan, principal, reason));
  }

  /** Returns how many messages were discarded. */
  public long discard(WaitingPlan plan, String principal, String reason) {
    return done(actions.discard(plan, principal, reason));
  }

  /** The actions. */
  public ActionControl control() {
    return actions.control();
  }

  private long done(OperatorAction started) {
    return actions.control().untilDone(started).done();
  }
}
