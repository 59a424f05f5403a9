package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.store.ClaimStore.Batch;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The number up to which each lane is empty for good, so that a read need not pass over deleted
 * rows: a database keeps their index entries as long as an old snapshot is open.
 *
 * <p>Messages commit out of order. So a place becomes the floor only when every transaction that
 * could have a message before it is over, and a read after that has found none. A message that
 * becomes due later, a retry or a released one, may lie below: a read from the start follows when a
 * short one is not full, when messages were put back, after a second, and when the database has
 * failed. Thread-safe.
 */
final class LowWaterMarks {
  private static final Duration LONGEST = Duration.ofSeconds(1);
  private static final int MOST = 10_000;

  private final Map<Lane, LowWaterMark> byLane = new ConcurrentHashMap<>();

  /** A place, and the transaction before which all have to be over until it may be the floor. */
  private record Candidate(long seq, long writer) {}

  /**
   * Valid as long as nothing was put back since.
   *
   * @param last the last place that was read
   */
  private record LowWaterMark(
      long seq, @Nullable Candidate next, long last, long putBack, Instant readFromStart) {}

  /** Behind which place to begin; zero is the start. */
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
   * All of a full batch is gone.
   *
   * @param after behind which place it was read
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
    // Every message up to there got its place, and its transaction a number, before this claim
    // began.
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

  /** Nothing that was seen of the tables need be so any more. */
  void forgetAll() {
    byLane.clear();
  }

  /** Something stayed behind. */
  void forget(Lane lane) {
    byLane.remove(lane);
  }
}
