package io.postbox.crash.faults;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** When things are done, and for how long. */
public final class FaultTiming {
  private FaultTiming() {}

  /**
   * @param low in milliseconds, included
   * @param high in milliseconds, excluded
   */
  public static Duration between(Random random, int low, int high) {
    return Duration.ofMillis(low + random.nextInt(high - low));
  }

  /** Lets that much time pass: the tested code needs it, and gives no sign when it is over. */
  public static void pause(Duration length) {
    CompletableFuture.runAsync(
            () -> {}, CompletableFuture.delayedExecutor(length.toMillis(), TimeUnit.MILLISECONDS))
        .join();
  }
}
