package io.postbox.inbox.watch;

import io.postbox.inbox.InboxStatistics;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.ops.Counters;
import io.postbox.inbox.ops.KeptCounts;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Set;

/** Combines this node's counters and the counts of the tables. */
@ApplicationScoped
class StatisticsBean implements InboxStatistics {
  @Inject Counters counters;
  @Inject KeptCountBean watch;

  @Override
  public List<ConsumerStatistics> byConsumer() {
    KeptCounts kept = watch.now();
    Set<String> consumers = kept.consumers();
    consumers.addAll(counters.consumers());
    return consumers.stream()
        .map(
            consumer ->
                new ConsumerStatistics(
                    consumer,
                    counters.of(consumer, MessageProcessed.class),
                    counters.of(consumer, MessageSkipped.class),
                    kept.quarantinedOf(consumer),
                    kept.parkedOf(consumer)))
        .toList();
  }
}
