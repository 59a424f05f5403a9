package io.postbox.common.ops;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A health check that takes a connection: made once a second at most, and by one caller at a time,
 * however many ask. So health requests can exhaust neither the pool nor, while the database hangs,
 * the server's threads. Thread-safe.
 */
public final class CachedCheck {
  /** How long a result is fresh. */
  static final Duration KEPT_FOR = Duration.ofSeconds(1);

  /** How long a result is returned while the next check is still running. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Supplier<Optional<String>> check;
  private final InstantSource clock;
  private @Nullable Answer last;
  private Instant lastAt = Instant.MIN;
  private @Nullable Instant runningSince;

  /**
   * @param check makes the check and returns the problem, if there is one
   * @param clock never set back
   */
  public CachedCheck(Supplier<Optional<String>> check, InstantSource clock) {
    this.check = check;
    this.clock = clock;
  }

  private record Answer(Optional<String> problem) {}

  /** The problem, if there is one, at most a second old. */
  public Optional<String> problem() {
    Answer known = knownOrBegin();
    if (known != null) {
      return known.problem();
    }
    Answer found = null;
    try {
      found = new Answer(check.get());
      return found.problem();
    } finally {
      end(found);
    }
  }

  private synchronized @Nullable Answer knownOrBegin() {
    Instant now = clock.instant();
    if (last != null && Duration.between(lastAt, now).compareTo(KEPT_FOR) < 0) {
      return last;
    }
    if (runningSince == null) {
      runningSince = now;
      return null;
    }
    Duration running = Duration.between(runningSince, now);
    return last != null && running.compareTo(PATIENCE) < 0
        ? last
        : new Answer(
            Optional.of(
                "the database was asked %s s ago and has not answered yet"
                    .formatted(running.toSeconds())));
  }

  private synchronized void end(@Nullable Answer found) {
    last = found;
    lastAt = clock.instant();
    runningSince = null;
  }
}
