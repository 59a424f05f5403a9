package io.postbox.inbox.message;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The recorded failures of a handler with a message.
 *
 * @param total how often it was rolled back
 * @param counted how many of these are charged
 * @param transients how many are transient, such as deadlocks and time-outs
 * @param last the last error, or that of the rejection; empty if there is none
 * @param signature the signature of the last error
 * @param lastPause the delay that the handler asked for after the last failure, if any
 * @param rejected whether the handler has rejected it
 * @param sinceLast how long ago the last failure was, by the database's clock
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
  /** No failure yet. */
  public static final Failures NONE = new Failures(0, 0, 0, "", "", null, false, Duration.ZERO);
}
