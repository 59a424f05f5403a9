package io.postbox.benchmark;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** When messages arrived, by the clock of this process. Thread-safe. */
final class Arrivals {
  private static final Map<String, CompletableFuture<Long>> AWAITED = new ConcurrentHashMap<>();

  private Arrivals() {}

  /** Before it is sent. */
  static CompletableFuture<Long> expect(String id) {
    return AWAITED.computeIfAbsent(id, key -> new CompletableFuture<>());
  }

  static void arrived(String id, long nanoTime) {
    CompletableFuture<Long> awaited = AWAITED.remove(id);
    if (awaited != null) {
      awaited.complete(nanoTime);
    }
  }

  static long await(CompletableFuture<Long> arrival) throws Exception {
    return arrival.get(30, TimeUnit.SECONDS);
  }
}
