package io.postbox.outbox.server;

import io.postbox.outbox.OutboxStatistics;
import io.postbox.outbox.ops.OperationsQueries;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens the operations queries at their first use, because the tables may come late. */
@ApplicationScoped
class StatisticsBean implements OutboxStatistics {
  @Inject OutboxExtension extension;
  private @Nullable OperationsQueries queries;

  @Override
  public List<DestinationStatistics> byDestination() {
    return queries().byDestination();
  }

  private synchronized OperationsQueries queries() {
    OperationsQueries open = queries;
    if (open == null) {
      Installation installation = extension.installation();
      installation.dialect(); // says why, if the tables are not in order
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
