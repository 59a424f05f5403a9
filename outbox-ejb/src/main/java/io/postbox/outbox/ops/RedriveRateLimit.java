package io.postbox.outbox.ops;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Spreads the due times of one redrive's letters: a fixed number each second. Not thread-safe. */
final class RedriveRateLimit {
  private final int perSecond;
  private @Nullable Instant start;
  private long given;

  RedriveRateLimit(int perSecond) {
    this.perSecond = perSecond;
  }

  /**
   * @param start the first due time
   */
  RedriveRateLimit(int perSecond, Instant start) {
    this(perSecond);
    this.start = start;
  }

  /**
   * The due times for the next letters.
   *
   * @param now the first due time
   */
  SortedMap<Instant, List<Long>> of(List<Long> seqs, Instant now) {
    if (start == null) {
      start = now;
    }
    SortedMap<Instant, List<Long>> byDueTime = new TreeMap<>();
    long place = given;
    for (Long seq : seqs) {
      Instant due = start.plusSeconds(place++ / perSecond);
      byDueTime.computeIfAbsent(due, time -> new ArrayList<>()).add(seq);
    }
    return byDueTime;
  }

  /** When the letter after those that have their due times is due, after {@link #of}. */
  Instant nextDue() {
    return Objects.requireNonNull(start)
        .plusNanos(Duration.ofSeconds(1).toNanos() * given / perSecond);
  }

  /** Commits the due times of this many letters. */
  void advance(long letters) {
    given += letters;
  }
}
