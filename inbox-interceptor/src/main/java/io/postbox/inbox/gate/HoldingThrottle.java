package io.postbox.inbox.gate;

import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.receiver.DelayedRetry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The messages that should stay away and that this node could not send away: there is no way back,
 * the way leads nowhere, the broker failed; or nothing says when they should come again, for they
 * fail without their handler. A broker that brings what is rolled back at once would bring them
 * hundreds of times a second; so they are held up. A copy that comes, of an earlier sending or
 * another node's, is not. Thread-safe.
 */
final class HoldingThrottle {
  /** Short, because it keeps one of the listener's few threads from other messages. */
  static final Duration LONGEST_HOLD = Duration.ofSeconds(1);

  /** Beyond that the oldest are forgotten, and come back unhindered once. */
  static final int MOST = 10_000;

  private static final Duration BETWEEN_LINES = Duration.ofMinutes(1);

  private final Timing timing;
  private final Map<Absentee, Absence> absences = new LinkedHashMap<>();
  private @Nullable Long lastLine;
  private boolean stopped;

  private record Absentee(String consumer, String messageId) {}

  /** Until when, and what the copy that comes then says of itself. */
  private record Absence(long end, DelayedRetry retry) {

    private boolean isOverWith(History history) {
      return history.waitedFor() >= retry.waitedFor() && history.waits() >= retry.waits();
    }

    private DelayedRetry left(Duration delay) {
      return new DelayedRetry(retry.messageId(), delay, retry.waitedFor(), retry.waits());
    }
  }

  HoldingThrottle(Timing timing) {
    this.timing = timing;
  }

  synchronized void begin(String consumer, DelayedRetry retry) {
    Absentee absentee = new Absentee(consumer, retry.messageId());
    absences.remove(absentee); // or it would keep its place among the oldest
    absences.put(absentee, new Absence(timing.nanos() + retry.delay().toNanos(), retry));
    if (absences.size() > MOST) {
      absences.remove(absences.keySet().iterator().next());
    }
  }

  /** Waits for the end of the absence, and for {@link #LONGEST_HOLD} at most. */
  synchronized Optional<DelayedRetry> holdUp(Delivery delivery) {
    Absentee absentee = new Absentee(delivery.consumer(), delivery.knownId().orElse(""));
    Absence absence = absences.get(absentee);
    if (absence == null) {
      return Optional.empty();
    }
    if (absence.isOverWith(delivery.history())) {
      absences.remove(absentee);
      return Optional.empty();
    }
    if (left(absence).compareTo(Duration.ZERO) > 0) {
      tell(absentee);
      await(left(absence));
    }
    Duration left = left(absence);
    if (left.compareTo(Duration.ZERO) > 0) {
      return Optional.of(absence.left(left));
    }
    absences.remove(absentee, absence);
    return Optional.of(absence.left(Duration.ZERO));
  }

  /** Waits for {@link #LONGEST_HOLD}. */
  synchronized void rest() {
    await(LONGEST_HOLD);
  }

  /** Nobody is held up any longer. */
  synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  private Duration left(Absence absence) {
    return Duration.ofNanos(absence.end() - timing.nanos());
  }

  private void await(Duration wanted) {
    Duration wait = wanted.compareTo(LONGEST_HOLD) < 0 ? wanted : LONGEST_HOLD;
    long start = timing.nanos();
    try {
      for (Duration left = wait;
          !stopped && left.compareTo(Duration.ZERO) > 0;
          left = timing.left(start, wait)) {
        timing.await(this, left);
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  private void tell(Absentee absentee) {
    long now = timing.nanos();
    if (lastLine == null || now - lastLine >= BETWEEN_LINES.toNanos()) {
      lastLine = now;
      WatchLog.notSentAway(absentee.consumer(), absentee.messageId(), LONGEST_HOLD);
    }
  }
}
