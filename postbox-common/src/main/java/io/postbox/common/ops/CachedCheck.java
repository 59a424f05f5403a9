package io.postbox.common.ops;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A check that takes a connection, made for whoever asks about health: once a second at most, and
 * by one of them at a time, however many ask. So nobody who may ask can use up the pool, nor the
 * server's threads while the database hangs. Thread-safe.
 */
public final class CachedCheck {
  /** How long an answer is good for. */
  static final Duration KEPT_FOR = Duration.ofSeconds(1);

  /** How long an answer stands while the next one has not come. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Supplier<Optional<String>> check;
  private final InstantSource clock;
  private @Nullable Answer last;
  private Instant lastAt = Instant.MIN;
  private @Nullable Instant runningSince;

  /**
   * @param check makes it, and says what is wrong, if anything is
   * @param clock never set back
   */
  public CachedCheck(Supplier<Optional<String>> check, InstantSource clock) {
    this.check = check;
    this.clock = clock;
  }

  private record Answer(Optional<String> problem) {}

  /** What is wrong, if anything is, as of a second ago at most. */
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
                "the database was asked %d s ago and has not answered yet"
                    .formatted(running.toSeconds())));
  }

  private synchronized void end(@Nullable Answer found) {
    last = found;
    lastAt = clock.instant();
    runningSince = null;
  }
}
