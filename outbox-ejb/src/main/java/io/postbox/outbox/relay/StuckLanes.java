package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Partitions that somebody holds and nobody works on, for instance a prepared transaction whose
 * node does not come back. A partition found busy at every try for so long, with the same first
 * message halfway and at the end, is one. Thread-safe.
 */
final class StuckLanes {
  private final Duration limit;
  private final Map<Lane, Busy> busy = new ConcurrentHashMap<>();

  /** Busy since then; the first message, once it was looked at; whether it was there too long. */
  private record Busy(Instant since, OptionalLong first, boolean stuck) {}

  /** The place in the order of a lane's first message. */
  interface First {
    OptionalLong of(Lane lane) throws SQLException;
  }

  /**
   * @param limit for how long a partition may be in other hands without progress
   */
  StuckLanes(Duration limit) {
    this.limit = limit;
  }

  /**
   * The partition was found in other hands.
   *
   * @return whether it is stuck and was not before
   */
  boolean busy(Lane lane, Instant now, First first) throws SQLException {
    Busy before = busy.computeIfAbsent(lane, it -> new Busy(now, OptionalLong.empty(), false));
    Duration since = Duration.between(before.since(), now);
    if (before.stuck() || since.compareTo(limit.dividedBy(2)) < 0) {
      return false;
    }
    if (before.first().isEmpty()) {
      busy.put(lane, new Busy(before.since(), first.of(lane), false));
      return false;
    }
    if (since.compareTo(limit) < 0) {
      return false;
    }
    if (!first.of(lane).equals(before.first())) {
      busy.remove(lane);
      return false;
    }
    busy.put(lane, new Busy(before.since(), before.first(), true));
    return true;
  }

  /** The partition was free. */
  void free(int partition) {
    busy.keySet().removeIf(lane -> lane.partition() == partition);
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
