package io.postbox.outbox.relay;

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
 * So the relay reads from the start again when a read from the mark is not full, when messages were
 * put back, after a second, and when the database has failed. Thread-safe.
 */
final class LowWaterMarks {
  private static final Duration LONGEST = Duration.ofSeconds(1);
  private static final int MOST = 10_000;

  private final Map<Lane, LowWaterMark> byLane = new ConcurrentHashMap<>();

  /** A place that becomes the mark once all transactions before this one have ended. */
  private record Candidate(long seq, long writer) {}

  /**
   * Valid until a message is put back.
   *
   * @param last the last place that was read
   */
  private record LowWaterMark(
      long seq, @Nullable Candidate next, long last, long putBack, Instant readFromStart) {}

  /** The place after which to read; zero is the start of the lane. */
  long after(Lane lane, long putBack, Instant now) {
    LowWaterMark floor = byLane.get(lane);
    if (floor == null || floor.putBack() != putBack) {
      byLane.remove(lane);
      return 0;
    }
    boolean old = Duration.between(floor.readFromStart(), now).compareTo(LONGEST) >= 0;
    return old ? 0 : floor.seq();
  }

  /**
   * Notes that no message of a full batch is left.
   *
   * @param after the place after which it was read
   */
  void emptied(Lane lane, Batch batch, long after, long putBack, Instant now) {
    long first = batch.messages().get(0).seq();
    long last = batch.messages().get(batch.messages().size() - 1).seq();
    LowWaterMark before = byLane.get(lane);
    if (before == null || first <= before.seq()) {
      if (before != null || byLane.size() < MOST) {
        byLane.put(lane, new LowWaterMark(0, null, last, putBack, now));
      }
      return;
    }
    Instant readFromStart = after == 0 ? now : before.readFromStart();
    // Every message up to that place got its number, and its transaction an id, before this
    // claim began.
    Candidate candidate = new Candidate(before.last(), batch.writers().own());
    Candidate next = before.next() == null ? candidate : before.next();
    boolean over = next.seq() < first && next.writer() <= batch.writers().oldest();
    byLane.put(
        lane,
        over
            ? new LowWaterMark(
                next.seq(),
                candidate.seq() > next.seq() ? candidate : null,
                last,
                putBack,
                readFromStart)
            : new LowWaterMark(before.seq(), next, last, putBack, readFromStart));
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
