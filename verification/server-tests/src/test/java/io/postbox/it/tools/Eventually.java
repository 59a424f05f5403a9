package io.postbox.it.tools;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.awaitility.core.ThrowingRunnable;

/** Waits, on the calling thread: on another one the server's names are not there. */
public final class Eventually {
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private Eventually() {}

  /** Until an assertion holds. */
  public static void eventually(ThrowingRunnable assertion) {
    patience(LONGEST).untilAsserted(assertion);
  }

  /** With another limit. */
  public static ConditionFactory patience(Duration atMost) {
    return Awaitility.with()
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(50))
        .await()
        .atMost(atMost);
  }
}
