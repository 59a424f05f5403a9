package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stuck partitions: a session holds the lock without sending, for instance a prepared transaction
 * whose node does not return. A partition that was busy at every try for this long, with the same
 * first message halfway and at the end, counts as stuck until that message is gone. Thread-safe.
 */
final class StuckPartitions {
  /** The longest distance between two tries: beyond it the holder in between is unknown. */
  private static final Duration LONGEST_GAP = Duration.ofSeconds(10);

  private final Duration half;
  private final Map<Lane, Busy> busy = new ConcurrentHashMap<>();

  /**
   * A lane whose partition another transaction holds.
   *
   * @param since found so at every try since then
   * @param tried at the last of them
   * @param first the first message, once it was looked at
   * @param compared when it was; before, the time of the first try
   * @param stuck whether it was there too long
   */
  private record Busy(
      Instant since, Instant tried, OptionalLong first, Instant compared, boolean stuck) {
    static Busy from(Instant now) {
      return new Busy(now, now, OptionalLong.empty(), now, false);
    }

    Busy triedAt(Instant now) {
      return new Busy(since, now, first, compared, stuck);
    }

    Busy with(OptionalLong seen, Instant now) {
      return new Busy(since, now, seen, now, first.isPresent());
    }
  }

  /** The place in the order of a lane's first message. */
  interface First {
    OptionalLong of(Lane lane) throws SQLException;
  }

  /**
   * @param limit for how long another transaction may hold a partition without progress
   */
  StuckPartitions(Duration limit) {
    half = limit.dividedBy(2);
  }

  /**
   * Another transaction held the partition.
   *
   * @return whether it is stuck and was not before
   */
  boolean busy(Lane lane, Instant now, First first) throws SQLException {
    Busy before = busy.get(lane);
    if (before == null || now.isAfter(before.tried().plus(LONGEST_GAP))) {
      busy.put(lane, Busy.from(now));
      return false;
    }
    if (now.isBefore(before.compared().plus(half))) {
      busy.put(lane, before.triedAt(now));
      return false;
    }
    OptionalLong seen = first.of(lane);
    if (seen.isEmpty() || (before.first().isPresent() && !seen.equals(before.first()))) {
      busy.remove(lane);
      return false;
    }
    Busy after = before.with(seen, now);
    busy.put(lane, after);
    return after.stuck() && !before.stuck();
  }

  /** The partition was free. */
  void free(int partition) {
    busy.keySet().removeIf(lane -> lane.partition() == partition);
  }

  /** Only these lanes have work; forgets the others. */
  void withWork(Collection<Lane> lanes) {
    busy.keySet().retainAll(lanes);
  }

  /** The stuck partitions, and since when. */
  Map<Integer, Instant> stuck() {
    Map<Integer, Instant> partitions = new TreeMap<>();
    busy.forEach(
        (lane, it) -> {
          if (it.stuck()) {
            partitions.merge(lane.partition(), it.since(), (a, b) -> a.isBefore(b) ? a : b);
          }
        });
    return partitions;
  }
}
