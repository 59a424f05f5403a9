package io.postbox.common;

import java.util.UUID;

/**
 * A plan was not carried out, and nothing was changed. Make another one; it shows what there is
 * now.
 */
public class PlanRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Why why;

  /** What is wrong with a plan. */
  public enum Why {
    /** Nobody made it here, or it was changed since. */
    UNKNOWN("was not made by this service, or was changed since"),
    /** Somebody else made it. */
    FOREIGN("was made by somebody else"),
    /** It is older than an hour. */
    EXPIRED("is older than an hour, and may no longer show what there is"),
    /** It was carried out, or was begun and broke off. */
    USED("was carried out already, or was begun and broke off");

    private final String words;

    Why(String words) {
      this.words = words;
    }
  }

  /**
   * @param plan which
   * @param why what is wrong with it
   */
  public PlanRefusedException(UUID plan, Why why) {
    super("The plan %s %s; nothing was changed. Make another plan.".formatted(plan, why.words));
    this.why = why;
  }

  /** What is wrong with the plan. */
  public Why why() {
    return why;
  }
}
