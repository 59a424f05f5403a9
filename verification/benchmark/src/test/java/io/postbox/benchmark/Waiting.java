package io.postbox.benchmark;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits closely enough for what is measured by its end. */
final class Waiting {
  private static final Duration LONGEST = Duration.ofHours(2);
  private static final Duration INTERVAL = Duration.ofMillis(5);

  private Waiting() {}

  static void until(String what, Callable<Boolean> condition) {
    await(what).atMost(LONGEST).pollDelay(Duration.ZERO).pollInterval(INTERVAL).until(condition);
  }
}
