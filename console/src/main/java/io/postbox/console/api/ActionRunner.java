package io.postbox.console.api;

import io.postbox.common.Erasure;
import io.postbox.common.OperatorActions;
import io.postbox.console.http.PlanId;
import java.util.Optional;

/** A module's actions. A bean where the module is there. */
public interface ActionRunner {
  /** {@code outbox} or {@code inbox}. */
  String module();

  /** Its actions. */
  OperatorActions actions();

  /** Plans, starts and reports its erasures. */
  Erasure erasure();

  /**
   * Starts what a plan is for, or does it at once.
   *
   * @param plan the module's own
   * @param perSecond the rate of a redrive
   * @param first how many of a redrive go ahead of the others
   * @param reason why
   * @return empty if it is for something else
   */
  Optional<Outcome> start(
      PlanId plan, Optional<Integer> perSecond, Optional<Integer> first, String reason);
}
