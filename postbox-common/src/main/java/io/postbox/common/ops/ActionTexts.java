package io.postbox.common.ops;

import io.postbox.common.OperatorAction;
import java.util.Optional;
import java.util.UUID;

/**
 * The sentences that both modules log about actions in the background. Those with a total have the
 * subject, which says so if not all were counted. Thread-safe.
 */
public final class ActionTexts {
  private ActionTexts() {}

  /** An operator started an action. */
  public static String started(OperatorAction action) {
    return "%s started the action %s, which goes on in the background: %s of %s messages (%s): %s"
        .formatted(
            action.principal(),
            action.id(),
            action.kind(),
            action.total(),
            action.subject(),
            action.reason());
  }

  /**
   * An operator paused, resumed or cancelled an action.
   *
   * @param how which of these
   */
  public static String changed(OperatorAction action, String how, String who, String why) {
    return "%s %s the action %s (%s) after %s of %s messages (%s): %s"
        .formatted(
            who,
            how,
            action.id(),
            action.kind(),
            action.done(),
            action.total(),
            action.subject(),
            why);
  }

  /** An action has stopped by itself before its end. */
  public static String stopped(OperatorAction action) {
    return "The action %s (%s) of %s is %s after %s of %s messages (%s); those are done, the others are as they were. Resume or cancel it. Reason: %s"
        .formatted(
            action.id(),
            action.kind(),
            action.principal(),
            action.state(),
            action.done(),
            action.total(),
            action.subject(),
            action.note());
  }

  /**
   * A step failed, or the look for one; the reason follows.
   *
   * @param action whose step failed; empty if the look failed
   * @param verb what a step does to a message, once
   */
  public static String failed(Optional<UUID> action, String verb) {
    return action
        .map(
            id ->
                "A step of the operators' action %s failed and was rolled back; it is repeated, on this node or another, and no message is %s twice. If the database answers and refuses it again and again, the action fails. Check the database. Reason: "
                    .formatted(id, verb))
        .orElse(
            "The look for operators' actions failed; it is repeated, and actions that run go on"
                + " then. Check the database. Reason: ");
  }
}
