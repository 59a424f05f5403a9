package io.postbox.outbox.ops;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Spreads the due times of one redrive's letters: a fixed number each second. Not thread-safe. */
final class RedriveRateLimit {
  private final int perSecond;
  private final Instant start;
  private long given;

  /**
   * @param start the first due time
   */
  RedriveRateLimit(int perSecond, Instant start) {
    this.perSecond = perSecond;
    this.start = start;
  }

  /** The due times for the next letters. */
  SortedMap<Instant, List<Long>> of(List<Long> seqs) {
    SortedMap<Instant, List<Long>> byDueTime = new TreeMap<>();
    long place = given;
    for (Long seq : seqs) {
      Instant due = start.plusSeconds(place++ / perSecond);
      byDueTime.computeIfAbsent(due, time -> new ArrayList<>()).add(seq);
    }
    return byDueTime;
  }

  /** When the letter after those that have their due times is due. */
  Instant nextDue() {
    return start.plusNanos(Duration.ofSeconds(1).toNanos() * given / perSecond);
  }

  /** Commits the due times of this many letters. */
  void advance(long letters) {
    given += letters;
  }
}
