package io.postbox.inbox.interceptor;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.InboxStatistics;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.ops.Counters;
import io.postbox.inbox.ops.OperationsQueries;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Opens the operations queries at their first use, because the tables may come late. */
@ApplicationScoped
class StatisticsBean implements InboxStatistics {
  @Inject InboxExtension extension;
  private @Nullable OperationsQueries queries;

  @Override
  public List<ConsumerStatistics> byConsumer() {
    Counters counters = extension.counters();
    Map<String, Long> quarantined = queries().quarantinedByConsumer();
    TreeSet<String> consumers = new TreeSet<>(quarantined.keySet());
    consumers.addAll(counters.consumers());
    return consumers.stream()
        .map(
            consumer ->
                new ConsumerStatistics(
                    consumer,
                    counters.of(consumer, MessageProcessed.class),
                    counters.of(consumer, MessageSkipped.class),
                    quarantined.getOrDefault(consumer, 0L)))
        .toList();
  }

  private synchronized OperationsQueries queries() {
    OperationsQueries open = queries;
    if (open == null) {
      Installation installation = extension.installation();
      if (installation.stores().isEmpty()) {
        throw new InboxException(
            "The inbox cannot be counted, because it is not ready: " + installation.problem(),
            null);
      }
      open = new OperationsQueries(installation.config(), installation.dataSource());
      queries = open;
    }
    return open;
  }

  @PreDestroy
  synchronized void close() {
    if (queries != null) {
      queries.close();
    }
  }
}
