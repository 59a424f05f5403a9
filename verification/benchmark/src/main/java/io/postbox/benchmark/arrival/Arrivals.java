package io.postbox.benchmark.arrival;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** When messages arrived, by the clock of this process. Thread-safe. */
public final class Arrivals {
  private static final Map<String, CompletableFuture<Long>> AWAITED = new ConcurrentHashMap<>();

  private Arrivals() {}

  /** Before it is sent. */
  public static CompletableFuture<Long> expect(String id) {
    return AWAITED.computeIfAbsent(id, key -> new CompletableFuture<>());
  }

  /** Notes when a message arrived, if it is awaited. */
  public static void arrived(String id, long nanoTime) {
    CompletableFuture<Long> awaited = AWAITED.remove(id);
    if (awaited != null) {
      awaited.complete(nanoTime);
    }
  }

  /** When it arrived; waits until it has. */
  public static long await(CompletableFuture<Long> arrival) throws Exception {
    return arrival.get(30, TimeUnit.SECONDS);
  }
}
