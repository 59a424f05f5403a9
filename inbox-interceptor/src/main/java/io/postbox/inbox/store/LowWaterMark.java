package io.postbox.inbox.store;

import io.postbox.common.ops.StartReads;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The place in a queue below which nothing is left, so that a read need not step over the entries
 * of what is done. There is one only while reads from the start are costly.
 *
 * <p>Transactions commit out of order. So a place becomes the mark when a read from the start, at
 * least a second later, has found nothing below it; what comes below the mark all the same is found
 * by the next read from the start, within ten seconds. Thread-safe.
 */
final class LowWaterMark {
  /** The start of the queue. */
  static final long START = 0;

  private boolean isCostly;
  private long mark = START;
  private long lowered = Long.MAX_VALUE;
  private @Nullable Candidate candidate;
  private long again;

  /** A place that may become the mark. */
  private record Candidate(long place, long since) {
    private boolean isOld(long now) {
      return now - since >= StartReads.SHORTEST.toNanos();
    }
  }

  /** The place from which the next read is to begin. */
  synchronized long from(long now) {
    if (!isCostly || again - now <= 0) {
      return START;
    }
    long from = Math.min(mark, lowered);
    lowered = Long.MAX_VALUE;
    return from;
  }

  /**
   * Notes a read.
   *
   * @param from where it began
   * @param lowest the lowest place that it found; if none, one above all that were ever found
   * @param begun when its statement was sent, in nanoseconds
   * @param ended when its rows were there
   */
  synchronized void read(long from, long lowest, long begun, long ended) {
    if (from != START) {
      return;
    }
    Duration took = Duration.ofNanos(ended - begun);
    isCostly = StartReads.isCostly(took);
    again = ended + StartReads.pause(took).toNanos();
    if (candidate == null) {
      candidate = new Candidate(lowest, begun);
    } else if (candidate.isOld(begun)) {
      mark = Math.min(candidate.place(), lowest);
      candidate = new Candidate(Math.max(candidate.place(), lowest), begun);
    }
  }

  /** Has the next read begin at a place at the latest, because something may be due from there. */
  synchronized void lower(long place) {
    lowered = Math.min(lowered, place);
  }

  /** Whether the last read from the start was costly. */
  synchronized boolean isCostly() {
    return isCostly;
  }
}
