package io.postbox.it.sample;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.Server;
import io.postbox.it.readme.Monitoring;
import io.postbox.it.readme.Monitoring.Query;
import io.postbox.it.tools.Endpoint;
import java.util.List;
import java.util.Set;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.junit.jupiter.api.Test;

/**
 * The alerts and the dashboard ask for what the sample's server shows. The sample has no consumer
 * with an order of versions: EarlyTests look at its metrics.
 */
@ArquillianTest
class MonitoringIT {
  private static final int PORT = Server.port();
  private static final Set<String> OF_VERSION_ORDER =
      Set.of("postbox_inbox_buffered", "postbox_inbox_version_gaps");

  @Test
  void everyMetricAndEveryLabelIsInALiveScrape() {
    eventually(() -> assertThat(Endpoint.get(PORT, "/api/totals").statusCode()).isEqualTo(200));
    assertThat(
            Endpoint.post(PORT, "/api/orders", "{\"sku\":\"BOOK-1\",\"quantity\":1}").statusCode())
        .isEqualTo(201);
    List<Query> queries = Monitoring.queries();
    assertThat(queries).hasSizeGreaterThan(50);
    assertThat(queries.stream().flatMap(query -> query.metrics().stream()))
        .containsAll(OF_VERSION_ORDER);

    eventually(
        () -> {
          List<String> scraped = Endpoint.metrics(PORT);
          for (Query query : queries) {
            assertThat(query.metrics()).as(query.toString()).isNotEmpty();
            for (String metric : query.metrics()) {
              if (OF_VERSION_ORDER.contains(metric)) {
                continue;
              }
              List<String> series = Endpoint.metric(scraped, metric);
              assertThat(series).as("%s in %s", metric, query).isNotEmpty();
              for (String label : query.labels()) {
                assertThat(series)
                    .as("%s of %s in %s", label, metric, query)
                    .anyMatch(line -> line.contains(label + "=\""));
              }
            }
          }
        });
  }
}
