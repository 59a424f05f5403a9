package io.postbox.inbox.watch;

import io.postbox.inbox.InboxStatistics;
import io.postbox.inbox.MessageFailed;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.ops.CapturedCount;
import io.postbox.inbox.ops.Counters;
import io.postbox.inbox.ops.KeptCounts;
import io.postbox.inbox.startup.InboxDeployment;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Transactional;
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
    Set<String> consumers = kept.consumers();
    consumers.addAll(counters.consumers());
    consumers.addAll(kept.buffered().keySet());
    consumers.addAll(kept.captured().keySet());
    consumers.addAll(deployment.handlers().consumers());
    return consumers.stream()
        .map(
            consumer ->
                new ConsumerStatistics(
                    consumer,
                    counters.of(consumer, MessageProcessed.class),
                    counters.of(consumer, MessageSkipped.class),
                    kept.quarantinedOf(consumer),
                    kept.parkedOf(consumer),
                    kept.bufferedOf(consumer),
                    watch.overdueOf(consumer),
                    captured(consumer, kept)))
        .toList();
  }

  private Optional<CapturedStatistics> captured(String consumer, KeptCounts kept) {
    if (deployment.handlers().of(consumer).isEmpty()
        && (deployment.consumers().contains(consumer) || !kept.captured().containsKey(consumer))) {
      return Optional.empty();
    }
    CapturedCount count = kept.capturedOf(consumer);
    return Optional.of(
        new CapturedStatistics(
            count.pending(),
            count.delayed(),
            count.held(),
            kept.parkedOf(consumer),
            count.oldest()));
  }
}
