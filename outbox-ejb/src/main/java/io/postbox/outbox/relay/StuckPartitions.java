package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Detects stuck partitions: a session holds the lock without sending, for instance a prepared
 * transaction whose node does not return. A partition is stuck if every attempt to claim it fails
 * until the limit, and the lane's first message is the same halfway and at the end; it stays so
 * until that message is gone. Thread-safe.
 */
final class StuckPartitions {
  /**
   * The longest time between two attempts; after a longer one, another node may have held the lock
   * in between.
   */
  private static final Duration LONGEST_GAP = Duration.ofSeconds(10);

  private final Duration half;
  private final Map<Lane, Busy> busy = new ConcurrentHashMap<>();

  /**
   * A lane whose partition another transaction holds.
   *
   * @param since every attempt to claim it has failed since then
   * @param tried the time of the last attempt
   * @param first the first message, once it was read
   * @param compared when it was read; before that, the time of the first attempt
   * @param stuck whether it has been there too long
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

  /** Reads the sequence number of a lane's first message. */
  interface First {
    OptionalLong of(Lane lane) throws SQLException;
  }

  /**
   * @param limit how long another transaction may hold a partition without progress
   */
  StuckPartitions(Duration limit) {
    half = limit.dividedBy(2);
  }

  /**
   * Notes that another transaction held the partition.
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

  /** Notes that the partition was free. */
  void free(int partition) {
    busy.keySet().removeIf(lane -> lane.partition() == partition);
  }

  /** Forgets all lanes but these, which have work. */
  void withWork(Set<Lane> lanes) {
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
