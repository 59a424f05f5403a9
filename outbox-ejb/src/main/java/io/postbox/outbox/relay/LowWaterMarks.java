package io.postbox.outbox.relay;

import io.postbox.common.ops.StartReads;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.ClaimStore.Batch;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The sequence number below which each lane stays empty, so that a read need not step over deleted
 * rows: a database keeps their index entries as long as an old snapshot is open.
 *
 * <p>Messages commit out of order. So a place becomes the low-water mark only after every
 * transaction that could have written a message before it has ended, and a later read has found
 * none. A message that becomes due later, such as a retry or a released one, may be below the mark.
 * So the relay reads from the start again when messages were put back, when the database has
 * failed, and after a time ({@link StartReads}).
 *
 * <p>If a read from the start is costly, it must not be repeated each time. If the last one was
 * not, another follows each read from the mark that is not full, and the mark of an empty lane is
 * forgotten. If it was, the mark is kept, and messages below it wait until the next read from the
 * start. A mark whose lane has had no pass for ten seconds after that is forgotten too.
 * Thread-safe.
 */
final class LowWaterMarks {
  private static final int MOST = 10_000;

  private final Map<Lane, LowWaterMark> byLane = new ConcurrentHashMap<>();

  /**
   * How a batch was read.
   *
   * @param after the place after which; zero is the start of the lane
   * @param putBack how often messages of the partition had been put back
   * @param begun when the statement was sent
   * @param ended when its rows were there
   */
  record Read(long after, long putBack, Instant begun, Instant ended) {
    /** Whether it took so long that it must not be repeated for each batch. */
    boolean isCostly() {
      return StartReads.isCostly(Duration.between(begun, ended));
    }

    /** When to read from the start again. */
    private Instant again() {
      return ended.plus(StartReads.pause(Duration.between(begun, ended)));
    }
  }

  /** A place that becomes the mark once all transactions before this one have ended. */
  private record Candidate(long seq, long writer) {}

  /**
   * Valid until a message is put back.
   *
   * @param last the last place that was read
   * @param fromStart the last read from the start
   */
  private record LowWaterMark(
      long seq, @Nullable Candidate next, long last, long putBack, Read fromStart) {}

  /** The place after which to read; zero is the start of the lane. */
  long after(Lane lane, long putBack, Instant now) {
    LowWaterMark mark = byLane.get(lane);
    if (mark == null
        || mark.putBack() != putBack
        || now.isAfter(mark.fromStart().again().plus(StartReads.LONGEST))) {
      byLane.remove(lane);
      return 0;
    }
    return now.isBefore(mark.fromStart().again()) ? mark.seq() : 0;
  }

  /** How long until the lane is read from its start again. */
  Duration untilFromStart(Lane lane, Instant now) {
    LowWaterMark mark = byLane.get(lane);
    return mark == null ? Duration.ZERO : Duration.between(now, mark.fromStart().again());
  }

  /** Whether the last read of a lane from its start was costly, so that its mark is kept. */
  boolean isCostly(Lane lane) {
    LowWaterMark mark = byLane.get(lane);
    return mark != null && mark.fromStart().isCostly();
  }

  /** Notes that no message of a batch is left. */
  void emptied(Lane lane, Batch batch, Read read) {
    LowWaterMark before = byLane.get(lane);
    Read fromStart = read.after() == 0 || before == null ? read : before.fromStart();
    if (!batch.full() && !fromStart.isCostly()) {
      byLane.remove(lane);
    } else if (before == null) {
      if (!batch.messages().isEmpty() && byLane.size() < MOST) {
        byLane.put(lane, unproved(batch, read.putBack(), fromStart));
      }
    } else {
      byLane.put(lane, next(before, batch, fromStart));
    }
  }

  private static LowWaterMark unproved(Batch batch, long putBack, Read fromStart) {
    return new LowWaterMark(0, null, last(batch), putBack, fromStart);
  }

  private static LowWaterMark next(LowWaterMark before, Batch batch, Read fromStart) {
    if (batch.messages().isEmpty()) {
      return new LowWaterMark(
          before.seq(), before.next(), before.last(), before.putBack(), fromStart);
    }
    long first = batch.messages().get(0).seq();
    if (first <= before.seq()) {
      return unproved(batch, before.putBack(), fromStart);
    }
    // Every message up to that place got its number, and its transaction an id, before this
    // claim began.
    Candidate candidate = new Candidate(before.last(), batch.writers().own());
    Candidate next = before.next() == null ? candidate : before.next();
    boolean over = next.seq() < first && next.writer() <= batch.writers().oldest();
    if (!over) {
      return new LowWaterMark(before.seq(), next, last(batch), before.putBack(), fromStart);
    }
    return new LowWaterMark(
        next.seq(),
        candidate.seq() > next.seq() ? candidate : null,
        last(batch),
        before.putBack(),
        fromStart);
  }

  private static long last(Batch batch) {
    return batch.messages().get(batch.messages().size() - 1).seq();
  }

  /** Forgets all marks, because the tables may have changed in any way. */
  void forgetAll() {
    byLane.clear();
  }

  /** Forgets the mark of a lane in which messages are left. */
  void forget(Lane lane) {
    byLane.remove(lane);
  }
}
