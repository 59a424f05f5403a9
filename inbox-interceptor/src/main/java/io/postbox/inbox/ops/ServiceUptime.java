package io.postbox.inbox.ops;

import io.postbox.inbox.store.ServiceHeartbeatStore.Outage;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * Time as retention counts it: the time in which a duplicate could have arrived. While no node ran,
 * no message could be received, and messages in transit are delivered later.
 *
 * @param now its end
 * @param outages in any order; they may overlap, and reach beyond now
 */
record ServiceUptime(Instant now, List<Outage> outages) {

  /** The latest time since which nodes have run for this long in total. */
  Instant ago(Duration lived) {
    Instant reached = now;
    Duration rest = lived;
    for (Outage outage : latestEndFirst()) {
      Instant end = outage.endedAt().isBefore(reached) ? outage.endedAt() : reached;
      Duration since = Duration.between(end, reached);
      if (since.compareTo(rest) >= 0) {
        break;
      }
      if (outage.beganAt().isBefore(end)) {
        rest = rest.minus(since);
        reached = outage.beganAt();
      }
    }
    return reached.minus(rest);
  }

  private List<Outage> latestEndFirst() {
    return outages.stream().sorted(Comparator.comparing(Outage::endedAt).reversed()).toList();
  }
}
