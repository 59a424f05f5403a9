package io.postbox.outbox.payload;

import io.postbox.common.config.Durations;
import io.postbox.common.log.RecordedError;
import io.postbox.common.ops.ApplicationCalls;
import io.postbox.outbox.store.StoredErrors;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Converts the errors of a batch to what is stored, before anything of the batch is written. With a
 * cipher that is the application's code, which gets a thread of its own, and a time limit: the
 * broker has committed the batch, and the claim is held. Each error is encrypted once, however many
 * messages have it. An error that is not encrypted in time is left out, because the attempt must be
 * counted in any case. Thread-safe.
 */
public final class ErrorSealer {
  /** Added to what opening and sending may take, it must stay below the longest silence. */
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private final StoredErrors errors;
  private final ApplicationCalls calls;
  private final Duration limit;

  /**
   * @param errors converts an error
   * @param calls runs the application's code; apart from loads, for where those hang, the errors
   *     that say so can be encrypted all the same
   * @param sendTimeout how long a batch may take to send; converting its errors takes no longer
   */
  public ErrorSealer(StoredErrors errors, ApplicationCalls calls, Duration sendTimeout) {
    this.errors = errors;
    this.calls = calls.apart();
    limit = Durations.shorter(sendTimeout, LIMIT);
  }

  /**
   * The texts to store.
   *
   * @param of errors of messages to this destination
   * @return a text for each error
   */
  public Map<RecordedError, String> seal(String destination, Collection<RecordedError> of) {
    Set<RecordedError> distinct = Set.copyOf(of);
    Map<RecordedError, String> texts = new ConcurrentHashMap<>();
    String left = "";
    if (errors.cipher().isEmpty()) {
      distinct.forEach(error -> texts.put(error, error.text()));
    } else if (!distinct.isEmpty()) {
      left =
          calls
              .attempt(
                  destination,
                  limit,
                  () ->
                      distinct.forEach(error -> texts.put(error, errors.seal(destination, error))))
              .orElse("");
    }
    Map<RecordedError, String> complete = new HashMap<>(texts);
    for (RecordedError error : distinct) {
      complete.putIfAbsent(error, StoredErrors.leftOut(left));
    }
    return complete;
  }
}
