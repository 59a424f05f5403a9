package io.postbox.inbox.log;

import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Failure.Kind;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Logs failing handlers without filling the log. In a burst of one consumer's failures it logs the
 * first ones and the first one of each further cause, and counts the others. It logs their number
 * when the burst has ended or has lasted for a minute; then another burst begins. Thread-safe.
 */
public final class FailureLines extends HeldBackLines<FailureLines.Burst> {
  /** How many failures of a burst are logged, independent of their causes. */
  static final int FIRST = 10;

  /** How many causes of a burst are distinguished. */
  static final int CAUSES = 20;

  /** The longest time of a burst. */
  static final Duration LONGEST = Duration.ofMinutes(1);

  /** A burst ends after this time without a failure. */
  static final Duration QUIET = Duration.ofSeconds(10);

  /** Failures of one consumer in quick succession. */
  static final class Burst implements HeldBackLines.Burst {
    private final long beganAt;
    private final Set<String> causes = new HashSet<>();
    private final Map<Kind, Long> heldBack = new EnumMap<>(Kind.class);
    private long lastAt;
    private Failure last;
    private int told;
    private long ofUntoldCauses;

    Burst(Failure first, long now) {
      beganAt = now;
      lastAt = now;
      last = first;
    }

    @Override
    public boolean hasEnded(long now) {
      return now - lastAt >= QUIET.toNanos() || now - beganAt >= LONGEST.toNanos();
    }

    /** Whether to log a failure. */
    boolean tells(Failure failure, long now) {
      last = failure;
      lastAt = now;
      String cause = failure.kind() + failure.error().signature();
      boolean isNew = causes.size() < CAUSES && causes.add(cause);
      if (isNew || told < FIRST) {
        told++;
        return true;
      }
      heldBack.merge(failure.kind(), 1L, Long::sum);
      ofUntoldCauses += causes.contains(cause) ? 0 : 1;
      return false;
    }

    @Override
    public void tellHeldBack() {
      if (!heldBack.isEmpty()) {
        InboxLog.failuresHeldBack(
            heldBack.values().stream().mapToLong(Long::longValue).sum(),
            heldBack.entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue())
                .collect(Collectors.joining(", ")),
            Duration.ofSeconds(Duration.ofNanos(lastAt - beganAt).toSeconds() + 1),
            ofUntoldCauses,
            last);
      }
    }
  }

  /**
   * @param nanos a monotonic clock in nanoseconds
   */
  public FailureLines(LongSupplier nanos) {
    super(nanos);
  }

  /** Logs a failure, or counts it. */
  public void tell(Failure failure) {
    if (tells(
        failure.consumer(),
        now -> new Burst(failure, now),
        burst -> burst.tells(failure, nanos.getAsLong()))) {
      InboxLog.failed(failure);
    }
  }
}
