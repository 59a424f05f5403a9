package io.postbox.inbox.receiver;

import io.postbox.common.config.Durations;
import io.postbox.common.log.Throttle;
import io.postbox.inbox.RetryLaterException;
import io.postbox.inbox.config.ConsumerConfig.Capture;
import io.postbox.inbox.log.CaptureLog;
import io.postbox.inbox.receiver.Limits.Kind;
import java.time.Duration;

/**
 * Slows down whoever brings messages to be captured while too many wait to be handled.
 *
 * @param parts its collaborators
 * @param lines limits how often a refusal is logged
 */
record BackPressure(ReceiverParts parts, Throttle lines) {
  /** When to bring a refused message again. */
  static final Duration PAUSE = Duration.ofSeconds(1);

  /**
   * Returns at once if there is room. Otherwise delays a delivery for a moment, until its endpoint
   * is paused or as long as it cannot be; a message whose source can be asked to redeliver it is
   * refused.
   *
   * @throws RetryLaterException if it is refused; its transaction can only roll back
   */
  void await(Invocation invocation) {
    String consumer = invocation.consumer();
    if (!invocation.captures() || !parts.limits().isFull(consumer, Kind.CAPTURED)) {
      return;
    }
    if (!invocation.route().canBeRefused()) {
      parts.throttle().pause();
      return;
    }
    Capture limit = parts.consumers().apply(consumer).capture();
    lines.tell(times -> CaptureLog.refused(consumer, limit.limit(), limit.bytes(), times));
    invocation.transaction().setRollbackOnly();
    throw new RetryLaterException(
        PAUSE,
        "A message for the consumer '%s' was not captured, because as many of its messages wait to be handled as postbox.inbox.capture.limit allows, %s, or as large ones as capture.bytes allows, %s, or a tenth of that is not free again yet. Bring it again after %s."
            .formatted(consumer, limit.limit(), limit.bytes(), Durations.text(PAUSE)));
  }
}
