package io.postbox.inbox.gate;

import io.postbox.common.config.Durations;
import io.postbox.common.log.Throttle;
import io.postbox.common.time.Timing;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.receiver.RetryThrottle;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Throttles messages on this node that should be retried later and could not be stored until then,
 * because there is no route back, or no room. Throttles messages too that fail before their handler
 * is called, because no retry time is recorded for them. A broker that redelivers at once would
 * deliver such messages hundreds of times a second. Copies of stored messages are not throttled,
 * unless they too have to wait at their broker. Thread-safe.
 */
public final class HoldingThrottle implements RetryThrottle {
  /** Short, because it blocks one of the listener's few threads. */
  static final Duration LONGEST_HOLD = Duration.ofSeconds(1);

  /**
   * The most deferred messages; beyond that the oldest are forgotten and redelivered once without a
   * delay.
   */
  static final int MOST = 10_000;

  private final Timing timing;
  private final Map<Message, Wait> deferred = new LinkedHashMap<>();
  private final Throttle lines;
  private boolean stopped;

  private record Message(String consumer, String messageId) {}

  /** The end of the delay, and the retry that is then due. */
  private record Wait(long end, DelayedRetry retry) {

    private boolean isOverWith(History history) {
      return history.waitedFor() >= retry.waitedFor() && history.waits() >= retry.waits();
    }

    private DelayedRetry left(Duration delay) {
      return new DelayedRetry(retry.messageId(), delay, retry.waitedFor(), retry.waits());
    }
  }

  /** Uses the machine's clock. */
  public HoldingThrottle() {
    this(Timing.SYSTEM);
  }

  HoldingThrottle(Timing timing) {
    this.timing = timing;
    lines = new Throttle(timing::nanos);
  }

  @Override
  public synchronized void defer(String consumer, DelayedRetry retry) {
    Message message = new Message(consumer, retry.messageId());
    deferred.remove(message); // otherwise it would stay among the oldest
    deferred.put(message, new Wait(timing.nanos() + retry.delay().toNanos(), retry));
    if (deferred.size() > MOST) {
      deferred.remove(deferred.keySet().iterator().next());
    }
  }

  /** Waits until the retry is due, but at most for {@link #LONGEST_HOLD}. */
  @Override
  public synchronized Optional<DelayedRetry> hold(Delivery delivery) {
    Message message = new Message(delivery.consumer(), delivery.knownId().orElse(""));
    Wait wait = deferred.get(message);
    if (wait == null) {
      return Optional.empty();
    }
    if (wait.isOverWith(delivery.history())) {
      deferred.remove(message);
      return Optional.empty();
    }
    if (left(wait).compareTo(Duration.ZERO) > 0) {
      lines.tell(
          times -> WatchLog.notSentAway(message.consumer(), message.messageId(), LONGEST_HOLD));
      await(left(wait));
    }
    Duration left = left(wait);
    if (left.compareTo(Duration.ZERO) > 0) {
      return Optional.of(wait.left(left));
    }
    deferred.remove(message, wait);
    return Optional.of(wait.left(Duration.ZERO));
  }

  /** Waits for {@link #LONGEST_HOLD}. */
  @Override
  public synchronized void pause() {
    await(LONGEST_HOLD);
  }

  /** Ends all throttling. */
  synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  private Duration left(Wait wait) {
    return Duration.ofNanos(wait.end() - timing.nanos());
  }

  private void await(Duration wanted) {
    Duration longest = Durations.shorter(wanted, LONGEST_HOLD);
    long start = timing.nanos();
    try {
      for (Duration left = longest;
          !stopped && left.compareTo(Duration.ZERO) > 0;
          left = timing.left(start, longest)) {
        timing.await(this, left);
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
