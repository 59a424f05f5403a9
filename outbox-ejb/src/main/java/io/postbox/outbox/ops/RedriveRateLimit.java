package io.postbox.outbox.ops;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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

  /** Commits the due times of this many letters. */
  void advance(long letters) {
    given += letters;
  }
}
