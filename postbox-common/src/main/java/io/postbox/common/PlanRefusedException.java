package io.postbox.common;

import java.util.UUID;

/**
 * A plan was not carried out, and nothing was changed. Make another one; it shows the present
 * messages.
 */
public class PlanRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Why why;

  /** Why a plan is refused. */
  public enum Why {
    /**
     * This service has no such plan on record: it did not make it, or for something else, or has
     * forgotten it.
     */
    UNKNOWN("is not on record for this: a plan is forgotten after an hour, or 50 newer ones"),
    /** Another principal made it. */
    FOREIGN("was made by another principal"),
    /** It is older than an hour. */
    EXPIRED("is older than an hour, and may no longer show the present messages"),
    /** It was carried out, or was begun and broke off. */
    USED("was carried out already, or was begun and broke off");

    private final String words;

    Why(String words) {
      this.words = words;
    }
  }

  /**
   * @param plan which
   * @param why the reason
   */
  public PlanRefusedException(UUID plan, Why why) {
    super("The plan %s %s; nothing was changed. Make another plan.".formatted(plan, why.words));
    this.why = why;
  }

  /** Why the plan is refused. */
  public Why why() {
    return why;
  }
}
