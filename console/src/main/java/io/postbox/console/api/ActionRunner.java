package io.postbox.console.api;

import io.postbox.common.OperatorActions;
import io.postbox.console.http.Fields;

/** A module's actions in the background. A bean where the module is there. */
public interface ActionRunner {
  /** {@code outbox} or {@code inbox}. */
  String module();

  /** Its actions. */
  OperatorActions actions();

  /** Whether this module made the plan, and carries it out in the background. */
  boolean isOwn(String action, Object plan);

  /**
   * Starts what a plan is for, or does it at once.
   *
   * @param action the action that it is for
   * @param plan the module's own
   * @param how how, and why
   */
  Outcome start(String action, Object plan, Fields how);
}
