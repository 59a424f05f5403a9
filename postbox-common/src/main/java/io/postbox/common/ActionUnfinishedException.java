package io.postbox.common;

import io.postbox.common.OperatorAction.State;

/**
 * A caller waited for the end of an operator's action in vain: it has not ended in time, or it has
 * stopped before its end. What is done stays done and audited. An action that runs goes on in the
 * background; {@link OperatorActions} shows, pauses, resumes and cancels it by its id, which is
 * that of its plan.
 */
public class ActionUnfinishedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final OperatorAction action;

  /**
   * @param action as it was read last
   * @param why nobody waits any longer, a clause
   */
  public ActionUnfinishedException(OperatorAction action, String why) {
    super(
        "The %s %s (%s) is not done: %s. %s of %s messages were changed, and stay so. %s"
            .formatted(
                action.kind(),
                action.id(),
                action.subject(),
                why,
                action.done(),
                action.total(),
                wayOut(action)));
    this.action = action;
  }

  /** The action, as it was read last. */
  public OperatorAction action() {
    return action;
  }

  private static String wayOut(OperatorAction action) {
    if (action.state() == State.RUNNING) {
      return "It goes on in the background: follow, pause or cancel it by its id.";
    }
    String note = action.note() == null ? "" : " Its note: " + action.note();
    return action.state().isResumable()
        ? "Resume it by its id once its cause is mended, or cancel it." + note
        : "Make another plan for the others." + note;
  }
}
