package io.postbox.common;

/**
 * How a redrive in the background goes on. Immutable and thread-safe.
 *
 * @param perSecond how many messages the inbox sends in a second, at most, or how many dead letters
 *     become due: 1 to {@value OperatorActions#HIGHEST_RATE}. Up to a second's share may go at once
 * @param first how many are sent ahead of the others, 0 to {@value OperatorActions#MOST_FIRST}.
 *     Once all of them were handled (dead letters: sent) or discarded, the others follow; if one
 *     fails again before, the action is paused. 0: none
 */
public record RedrivePace(int perSecond, int first) {
  /** As fast as it goes, and all in a row. */
  public static final RedrivePace FASTEST = new RedrivePace(OperatorActions.HIGHEST_RATE, 0);

  /** Checks the bounds. */
  public RedrivePace {
    checkRate(perSecond);
    if (first < 0 || first > OperatorActions.MOST_FIRST) {
      throw new IllegalArgumentException(
          "A redrive tries 0 to %s messages first, and not %s"
              .formatted(OperatorActions.MOST_FIRST, first));
    }
  }

  /**
   * Checks a rate.
   *
   * @throws IllegalArgumentException if it is out of bounds
   */
  public static void checkRate(int perSecond) {
    if (perSecond < 1 || perSecond > OperatorActions.HIGHEST_RATE) {
      throw new IllegalArgumentException(
          "A redrive goes at 1 to %s messages per second, and not %s"
              .formatted(OperatorActions.HIGHEST_RATE, perSecond));
    }
  }

  /** The same with another rate. */
  public RedrivePace atRate(int messagesPerSecond) {
    return new RedrivePace(messagesPerSecond, first);
  }

  /** The same with others that go first. */
  public RedrivePace first(int messages) {
    return new RedrivePace(perSecond, messages);
  }

  /** Whether it has no limit. */
  public boolean isUnlimited() {
    return perSecond == OperatorActions.HIGHEST_RATE;
  }
}
