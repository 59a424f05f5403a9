package io.postbox.inbox.message;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The recorded failures of a handler with a message.
 *
 * @param total how often it was rolled back; grows with each time
 * @param counted how many of these are charged
 * @param transients how many are transient, as deadlocks and time-outs are
 * @param last the last error, or that of the rejection; empty if there was none
 * @param signature of the last error
 * @param lastPause the delay that the handler asked for the last time, if it did
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
