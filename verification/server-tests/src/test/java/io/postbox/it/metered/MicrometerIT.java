package io.postbox.it.metered;

import static io.postbox.it.tools.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Tags;
import io.postbox.it.frame.Archives;
import io.postbox.it.tools.Endpoint;
import io.postbox.it.tools.Invariants;
import io.postbox.it.tools.Names;
import io.postbox.outbox.OutboxStatistics;
import jakarta.inject.Inject;
import java.util.UUID;
import org.jboss.arquillian.container.test.api.Deployment;
import org.jboss.arquillian.junit5.container.annotation.ArquillianTest;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Test;

@ArquillianTest
class MicrometerIT {
  private static final Tags DESTINATION = Tags.of("service", "metered", "destination", "metered");
  private static final Tags CONSUMER = Tags.of("service", "metered", "consumer", "metered");

  @Inject MeteredSender sender;
  @Inject Publisher publisher;
  @Inject OutboxStatistics outbox;

  @Deployment
  static WebArchive application() {
    return Archives.war(
            "metered",
            Archives.settings(
                "metered",
                "postbox.metrics",
                "micrometer",
                "postbox.outbox.destinations",
                "metered"),
            MeteredSender.class,
            MeteredMdb.class,
            Publisher.class)
        .addAsLibraries(Archives.librariesNamed("micrometer-|HdrHistogram|LatencyUtils"));
  }

  @Test
  void metricsOfBothModulesAreInTheGlobalRegistryAndNotInTheServers() {
    publisher.begin();
    UUID id = UUID.randomUUID();
    sender.send(id);
    eventually(() -> assertThat(count("inbox.processed", CONSUMER)).isEqualTo(1));
    Invariants.nothingPending(outbox);
    sender.send(id);
    eventually(
        () -> assertThat(count("inbox.skipped", CONSUMER.and("reason", "duplicate"))).isEqualTo(1));

    assertThat(count("outbox.enqueued", DESTINATION)).isEqualTo(2);
    eventually(
        () -> {
          assertThat(count("outbox.relayed", DESTINATION)).isEqualTo(2);
          assertThat(
                  publisher
                      .registry()
                      .get("postbox.outbox.relay")
                      .tags(DESTINATION)
                      .timer()
                      .count())
              .isEqualTo(2);
        });
    assertThat(publisher.registry().get("postbox.inbox.handler").tags(CONSUMER).timer().count())
        .isEqualTo(1);
    assertThat(gauge("outbox.breaker.open", DESTINATION)).isZero();
    assertThat(gauge("outbox.findings", Tags.of("service", "metered"))).isNotNegative();
    assertThat(gauge("inbox.findings", Tags.of("service", "metered"))).isNotNegative();
    assertThat(gauge("inbox.kept", CONSUMER)).isZero();
    assertThat(publisher.names()).hasSizeGreaterThan(25);
    assertThat(Endpoint.metrics(Integer.parseInt(Names.variable("http.port"))))
        .isNotEmpty()
        .noneMatch(line -> line.contains("service=\"metered\""));
  }

  private double count(String name, Tags tags) {
    return publisher.registry().get("postbox." + name).tags(tags).counter().count();
  }

  private double gauge(String name, Tags tags) {
    return publisher.registry().get("postbox." + name).tags(tags).gauge().value();
  }
}
