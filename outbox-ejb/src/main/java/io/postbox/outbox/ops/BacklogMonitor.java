package io.postbox.outbox.ops;

import io.postbox.common.config.Durations;
import io.postbox.outbox.BacklogFullException;
import io.postbox.outbox.config.OutboxConfig.Backlog;
import io.postbox.outbox.log.WatchLog;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares the backlog with the limits. It uses the last count, so a check is cheap, but a limit
 * can be exceeded within one counting interval.
 *
 * <p>A limit that was reached stays in force until the value has fallen a tenth below it, so that a
 * value that hovers there is reported once and not with every count. An old count is ignored: a
 * node that cannot count, because the database fails or the timer has stopped, must not refuse
 * messages for ever. An estimate is treated like a count. Thread-safe.
 */
public final class BacklogMonitor {
  private static final Duration TRUSTED_AT_LEAST = Duration.ofMinutes(1);

  private final Backlog limits;
  private final InstantSource clock;
  private volatile State state = State.UNKNOWN;

  /**
   * @param limits the configured limits
   * @param clock the node's clock, which never goes back
   */
  public BacklogMonitor(Backlog limits, InstantSource clock) {
    this.limits = limits;
    this.clock = clock;
  }

  /** The last result; the text of a limit is present while the limit is in force. */
  private record State(
      @Nullable String warnCount,
      @Nullable String warnAge,
      @Nullable String fullCount,
      @Nullable String fullAge,
      Instant until) {
    static final State UNKNOWN = new State(null, null, null, null, Instant.MIN);

    Optional<String> warning() {
      return joined(warnCount, warnAge);
    }

    Optional<String> refusal() {
      return joined(fullCount, fullAge);
    }

    private static Optional<String> joined(@Nullable String one, @Nullable String other) {
      String all = Stream.of(one, other).filter(it -> it != null).collect(Collectors.joining("; "));
      return all.isEmpty() ? Optional.empty() : Optional.of(all);
    }
  }

  /**
   * Takes over a count, and logs changes.
   *
   * @param counted its result
   * @param age how long ago it began
   * @param interval from its beginning to the next count
   */
  synchronized void counted(Snapshot counted, Duration age, Duration interval) {
    State before = state;
    Duration oldest = counted.oldestPending();
    Duration trusted = Durations.longer(TRUSTED_AT_LEAST, interval.multipliedBy(3));
    Instant until = clock.instant().minus(age).plus(trusted);
    if (!clock.instant().isBefore(until)) {
      return; // too old to use; the earlier result expires by itself
    }
    State after =
        new State(
            count("backlog.warn-count", before.warnCount(), counted, limits.warnCount()),
            age("backlog.warn-age", before.warnAge(), oldest, limits.warnAge()),
            count("backlog.max-count", before.fullCount(), counted, limits.maxCount()),
            age("backlog.max-age", before.fullAge(), oldest, limits.maxAge()),
            until);
    state = after;
    tell(before, after);
  }

  /** Drops an old result; call it periodically. */
  synchronized void refreshed() {
    State known = state;
    if (!clock.instant().isBefore(known.until())) {
      state = State.UNKNOWN;
      if (known.refusal().isPresent()) {
        WatchLog.backlogUnknown();
      }
    }
  }

  private static @Nullable String count(
      String key, @Nullable String before, Snapshot counted, long limit) {
    long messages = counted.pending();
    if (!isInForce(before != null, messages, limit)) {
      return null;
    }
    return (counted.estimated().isEmpty()
            ? "%s messages wait, and postbox.outbox.%s=%s"
            : "about %s messages wait (an estimate), and postbox.outbox.%s=%s")
        .formatted(messages, key, limit);
  }

  private static @Nullable String age(
      String key, @Nullable String before, Duration oldest, Duration limit) {
    if (!isInForce(before != null, oldest.toMillis(), limit.toMillis())) {
      return null;
    }
    return "the oldest message has waited for %s, and postbox.outbox.%s=%s"
        .formatted(
            Durations.text(Duration.ofSeconds(oldest.toSeconds())), key, Durations.text(limit));
  }

  private static boolean isInForce(boolean before, long value, long limit) {
    return before ? value >= limit - limit / 10 : value >= limit;
  }

  private static void tell(State before, State after) {
    if (before.warning().isEmpty() && after.warning().isPresent()) {
      WatchLog.backlogWarning(after.warning().get());
    } else if (before.warning().isPresent() && after.warning().isEmpty()) {
      WatchLog.backlogIsFineAgain();
    }
    if (before.refusal().isEmpty() && after.refusal().isPresent()) {
      WatchLog.backlogFull(after.refusal().get());
    } else if (before.refusal().isPresent() && after.refusal().isEmpty()) {
      WatchLog.backlogTakesAgain();
    }
  }

  /** The warning for the operator, if a limit is in force. */
  public Optional<String> warning() {
    return state.warning();
  }

  /** Why enqueue refuses messages, if it does. */
  public Optional<String> refusal() {
    State known = state;
    return clock.instant().isBefore(known.until()) ? known.refusal() : Optional.empty();
  }

  /**
   * Throws if enqueue has to refuse messages. Runs no statement.
   *
   * @throws BacklogFullException if a hard limit is in force
   */
  public void refuseIfFull() {
    Optional<String> full = refusal();
    if (full.isPresent()) {
      throw new BacklogFullException(
          "The outbox takes no more messages, nothing was written: "
              + full.get()
              + ". It takes messages again when the value has fallen a tenth below the limit. Find"
              + " out why messages wait (health data of postbox-outbox, log OBX0004), or raise the"
              + " limit.");
    }
  }
}
