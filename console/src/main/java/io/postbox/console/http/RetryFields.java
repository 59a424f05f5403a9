package io.postbox.console.http;

import io.postbox.common.RetryPolicy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Policies of retries, as fields of requests and answers. */
public final class RetryFields {
  private static final String ATTEMPTS = "maxAttempts";
  private static final String FIRST = "backoffFirstSeconds";
  private static final String MAX = "backoffMaxSeconds";
  private static final int MOST_ATTEMPTS = 1_000_000;
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(1);

  private RetryFields() {}

  /** The policy that a request has, within the bounds of the configuration's keys. */
  public static RetryPolicy read(Fields fields) {
    RetryPolicy policy =
        new RetryPolicy(
            fields.whole(ATTEMPTS, 1, MOST_ATTEMPTS),
            fields.seconds(FIRST, SHORTEST, LONGEST),
            fields.seconds(MAX, SHORTEST, LONGEST));
    if (policy.firstBackoff().isPresent()
        && policy
            .maxBackoff()
            .filter(it -> it.compareTo(policy.firstBackoff().get()) < 0)
            .isPresent()) {
      throw Problem.invalid(
          "%s is below %s; nothing was changed.".formatted(MAX, FIRST),
          "Let the longest wait be at least the first.");
    }
    return policy;
  }

  /** An answer's fields of what a policy says. */
  public static Json json(RetryPolicy policy) {
    Json json = Json.object();
    policy.maxAttempts().ifPresent(it -> json.put(ATTEMPTS, (long) it));
    policy.firstBackoff().ifPresent(it -> json.put(FIRST, it));
    policy.maxBackoff().ifPresent(it -> json.put(MAX, it));
    return json;
  }

  /** The values of a policy, by the ends of the configuration's keys. */
  public static Map<String, String> byKey(RetryPolicy policy) {
    Map<String, String> values = new LinkedHashMap<>();
    policy.maxAttempts().ifPresent(it -> values.put("max-attempts", String.valueOf(it)));
    policy.firstBackoff().ifPresent(it -> values.put("backoff.first", written(it)));
    policy.maxBackoff().ifPresent(it -> values.put("backoff.max", written(it)));
    return values;
  }

  private static String written(Duration wait) {
    return wait.toMillisPart() == 0 ? wait.toSeconds() + "s" : wait.toMillis() + "ms";
  }

  /** Calls a module, which refuses what only it can know. */
  public static void set(String name, Runnable module) {
    try {
      module.run();
    } catch (IllegalArgumentException refused) {
      throw Problem.invalid(
          "%s can have no such policy; nothing was changed.".formatted(Fields.quoted(name)),
          "Use a name that the application has, set at least one value, and let backoffMaxSeconds"
              + " be no less than the first wait that is configured.");
    } catch (IllegalStateException full) {
      throw Problem.conflict(
          "policies-full",
          "There are too many policies",
          "There are 1,000 policies for other names; nothing was changed.",
          "End those that are not needed any more.");
    }
  }
}
