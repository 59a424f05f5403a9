package io.postbox.inbox.interceptor;

import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The consumers with a running handler on this node. Thread-safe. */
final class BusyConsumers {
  private final Map<String, Integer> numbers = new ConcurrentHashMap<>();

  /** Runs a consumer's handler, and counts it as running until it returns or throws. */
  @Nullable Object during(String consumer, Callable<@Nullable Object> handler) throws Exception {
    numbers.merge(consumer, 1, Integer::sum);
    try {
      return handler.call();
    } finally {
      numbers.computeIfPresent(consumer, (name, number) -> number == 1 ? null : number - 1);
    }
  }

  /** The consumers with a running handler, and how many run. */
  Map<String, Integer> numbers() {
    return Map.copyOf(numbers);
  }

  /** Whether a handler of a matching consumer runs. */
  boolean isAny(Predicate<String> consumer) {
    return numbers.keySet().stream().anyMatch(consumer);
  }
}
