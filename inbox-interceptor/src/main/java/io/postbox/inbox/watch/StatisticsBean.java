package io.postbox.inbox.watch;

import io.postbox.inbox.InboxStatistics;
import io.postbox.inbox.MessageFailed;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.ops.Counters;
import io.postbox.inbox.ops.KeptCounts;
import io.postbox.inbox.startup.InboxDeployment;
import io.postbox.inbox.store.CountStore.Kind;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Combines this node's counters and the counts of the tables. It suspends the caller's transaction:
 * a count would see its own rows, and would have to roll back with it.
 */
@ApplicationScoped
@Transactional(Transactional.TxType.NOT_SUPPORTED)
class StatisticsBean implements InboxStatistics {
  @Inject Counters counters;
  @Inject KeptCountBean watch;
  @Inject InboxDeployment deployment;

  @Override
  public Map<String, Long> failuresOnThisNode() {
    return counters.consumers().stream()
        .collect(
            Collectors.toMap(
                consumer -> consumer,
                consumer -> counters.of(consumer, MessageFailed.class),
                Long::sum,
                TreeMap::new));
  }

  @Override
  public Optional<String> history() {
    return watch.ready().history();
  }

  @Override
  public void keepHistory(String history) {
    watch.ready().keepHistory(history);
  }

  @Override
  public List<ConsumerStatistics> byConsumer() {
    KeptCounts kept = watch.ready().now();
    Set<String> consumers = kept.consumers(EnumSet.allOf(Kind.class));
    consumers.addAll(counters.consumers());
    consumers.addAll(deployment.handlers().consumers());
    return consumers.stream()
        .map(
            consumer ->
                new ConsumerStatistics(
                    consumer,
                    counters.of(consumer, MessageProcessed.class),
                    counters.of(consumer, MessageSkipped.class),
                    kept.of(Kind.QUARANTINED, consumer),
                    kept.of(Kind.PARKED, consumer),
                    kept.of(Kind.HANDED_BACK, consumer),
                    kept.of(Kind.EARLY, consumer),
                    watch.overdueOf(consumer),
                    captured(consumer, kept)))
        .toList();
  }

  private Optional<CapturedStatistics> captured(String consumer, KeptCounts kept) {
    if (deployment.handlers().of(consumer).isEmpty()
        && (deployment.consumers().contains(consumer) || !kept.capturing().contains(consumer))) {
      return Optional.empty();
    }
    return Optional.of(
        new CapturedStatistics(
            kept.of(Kind.PENDING, consumer),
            kept.of(Kind.DELAYED, consumer),
            kept.of(Kind.HELD, consumer),
            kept.of(Kind.PARKED, consumer),
            kept.oldestOf(consumer)));
  }
}
