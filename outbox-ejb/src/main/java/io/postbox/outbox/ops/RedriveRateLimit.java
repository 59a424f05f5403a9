package io.postbox.outbox.ops;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** When the letters of one redrive become due: so many at once each second. Not thread-safe. */
final class RedriveRateLimit {
  private final int perSecond;
  private @Nullable Instant start;
  private long given;

  RedriveRateLimit(int perSecond) {
    this.perSecond = perSecond;
  }

  /**
   * The times for these letters, if they are the next.
   *
   * @param now the first time that is given
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

  /** So many letters were given a time for good. */
  void advance(long letters) {
    given += letters;
  }
}
