package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.relay.BatchProcessor.Outcome;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which lanes of a partition share a pass, so that many destinations with few messages each do not
 * cost a claim and a transaction of the broker each. A lane gets passes of its own while it has
 * more messages than one batch holds, or anything that is to be decided for it alone: a failure, a
 * held key, an open circuit, a start that is costly to read. Thread-safe.
 */
final class LaneGroups {
  /** A pass is a claim, so it must not become long: each lane of it costs two statements. */
  static final int MOST_LANES = 100;

  private final boolean sharing;
  private final Set<Lane> alone = ConcurrentHashMap.newKeySet();

  /**
   * @param sharing whether lanes may share a pass at all
   */
  LaneGroups(boolean sharing) {
    this.sharing = sharing;
  }

  /**
   * The lanes for the next pass.
   *
   * @param waiting lanes of one partition, in turn; not empty
   */
  List<Lane> next(Collection<Lane> waiting) {
    Lane first = waiting.iterator().next();
    if (!sharing || alone.contains(first)) {
      return List.of(first);
    }
    return waiting.stream().limit(MOST_LANES).filter(lane -> !alone.contains(lane)).toList();
  }

  /** The lane's next pass is its own. */
  void separate(Lane lane) {
    alone.add(lane);
  }

  /** A pass of the lane alone has ended. */
  void passedAlone(Lane lane, Outcome outcome) {
    if (outcome == Outcome.MORE) {
      alone.add(lane);
    } else if (outcome == Outcome.DRAINED) {
      alone.remove(lane);
    }
  }

  /** Only these lanes have work; forgets the others. */
  void withWork(Set<Lane> lanes) {
    alone.retainAll(lanes);
  }
}
