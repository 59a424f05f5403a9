package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How far each lane has been emptied, so that a read need not pass over what is gone: a database
 * keeps deleted index entries as long as an old snapshot is open. Only ever a shortcut: messages
 * commit out of order, so a read from the start follows whenever a short one finds less than a full
 * batch, when messages were put back, and after a second. Thread-safe.
 */
final class Floors {
  private static final Duration LONGEST = Duration.ofSeconds(1);
  private static final int MOST = 10_000;

  private final Map<Lane, Floor> byLane = new ConcurrentHashMap<>();

  /** Valid as long as nothing was put back since. */
  private record Floor(long seq, long putBack, Instant readFromStart) {}

  /** Behind which place to begin; zero is the start. */
  long after(Lane lane, long putBack, Instant now) {
    Floor floor = byLane.get(lane);
    if (floor == null
        || floor.putBack() != putBack
        || Duration.between(floor.readFromStart(), now).compareTo(LONGEST) >= 0) {
      byLane.remove(lane);
      return 0;
    }
    return floor.seq();
  }

  /** All up to this place is gone. */
  void emptied(Lane lane, long seq, long putBack, Instant now) {
    Floor before = byLane.get(lane);
    if (before != null || byLane.size() < MOST) {
      byLane.put(lane, new Floor(seq, putBack, before == null ? now : before.readFromStart()));
    }
  }

  /** Something stayed behind. */
  void forget(Lane lane) {
    byLane.remove(lane);
  }
}
