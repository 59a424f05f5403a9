package io.postbox.inbox.log;

import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Failure.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Tells of handlers that fail, without filling the log when all of them do. Of each consumer's
 * burst it tells the first failures, and the first one of each further cause; what it holds back it
 * counts, and tells the number when the burst has ended, or has lasted for a minute, after which
 * another one begins. Thread-safe.
 */
public final class FailureLines {
  /** How many of a burst are told, whatever their causes. */
  static final int FIRST = 10;

  /** How many causes of a burst are told apart. */
  static final int CAUSES = 20;

  /** So long a burst lasts at most. */
  static final Duration LONGEST = Duration.ofMinutes(1);

  /** After so long without a failure it has ended. */
  static final Duration QUIET = Duration.ofSeconds(10);

  private final LongSupplier nanos;
  private final Map<String, Burst> bursts = new HashMap<>();
  private boolean stopped;

  /** Failures of one consumer, one soon after the other. */
  private static final class Burst {
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

    boolean hasEnded(long now) {
      return now - lastAt >= QUIET.toNanos() || now - beganAt >= LONGEST.toNanos();
    }

    /** Whether this one is to be told. */
    boolean tells(Failure failure, long now) {
      last = failure;
      lastAt = now;
      String cause = failure.kind() + failure.signature();
      boolean isNew = causes.size() < CAUSES && causes.add(cause);
      if (isNew || told < FIRST) {
        told++;
        return true;
      }
      heldBack.merge(failure.kind(), 1L, Long::sum);
      ofUntoldCauses += causes.contains(cause) ? 0 : 1;
      return false;
    }

    void tellHeldBack() {
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
   * @param nanos the time in nanoseconds, since some moment or other
   */
  public FailureLines(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Tells of a failure, or counts it. */
  public void tell(Failure failure) {
    List<Burst> ended = new ArrayList<>();
    boolean tells = take(failure, ended);
    ended.forEach(Burst::tellHeldBack);
    if (tells) {
      InboxLog.failed(failure);
    }
  }

  private synchronized boolean take(Failure failure, List<Burst> ended) {
    if (stopped) {
      return true; // nobody would tell the number
    }
    long now = nanos.getAsLong();
    Burst burst = bursts.get(failure.consumer());
    if (burst != null && burst.hasEnded(now)) {
      ended.add(burst);
      burst = null;
    }
    if (burst == null) {
      burst = new Burst(failure, now);
      bursts.put(failure.consumer(), burst);
    }
    return burst.tells(failure, now);
  }

  /** Tells how many were held back in bursts that have ended. To be called every few seconds. */
  public void tellHeldBack() {
    ended(false).forEach(Burst::tellHeldBack);
  }

  /** Tells how many were held back so far. From now on all are told. */
  public void stop() {
    ended(true).forEach(Burst::tellHeldBack);
  }

  private synchronized List<Burst> ended(boolean stops) {
    stopped |= stops;
    long now = nanos.getAsLong();
    List<Burst> ended = new ArrayList<>();
    for (Iterator<Burst> all = bursts.values().iterator(); all.hasNext(); ) {
      Burst burst = all.next();
      if (stops || burst.hasEnded(now)) {
        ended.add(burst);
        all.remove();
      }
    }
    return ended;
  }
}
