package io.postbox.inbox.message;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a handler has fared with a message so far.
 *
 * @param total how often it was rolled back; grows with each time
 * @param counted how many of these count against the handler
 * @param transients how many might pass by themselves, as deadlocks and time-outs do
 * @param last what was said the last time, or when it was rejected; empty if there was none
 * @param signature of what was said
 * @param lastPause how long the handler wants to wait since the last time, if it said so
 * @param rejected whether the handler has rejected it
 * @param sinceLast how long ago the last time was, by the database's clock
 */
public record Failures(
    int total,
    int counted,
    int transients,
    String last,
    String signature,
    @Nullable Duration lastPause,
    boolean rejected,
    Duration sinceLast) {
  /** None yet. */
  public static final Failures NONE = new Failures(0, 0, 0, "", "", null, false, Duration.ZERO);
}
