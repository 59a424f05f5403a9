package io.postbox.it.metered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.it.frame.Archives;
import io.postbox.it.frame.OwnServers;
import io.postbox.testkit.server.Http;
import io.postbox.testkit.server.LibertyFolder;
import io.postbox.testkit.server.Rules;
import io.postbox.testkit.server.ServerProcess;
import io.postbox.testkit.server.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.WebArchive;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A server that has neither MicroProfile Metrics nor Telemetry, so that their classes are nowhere.
 */
@OwnServers
@Tag("full")
class NoMetricsFeatureIT {
  private static final Duration LONGEST_START = Duration.ofMinutes(4);

  @Test
  void metricsGoToTheApplicationsMicrometerAndWithoutThatTheModulesWorkAllTheSame()
      throws IOException {
    Workspace workspace = Workspace.read();
    Path root = workspace.work().resolve("no-metrics");
    LibertyFolder folder =
        LibertyFolder.create(workspace, root, Map.of("postbox.application", "none"));
    Path configuration = folder.home().resolve("server.xml");
    String features = Files.readString(configuration);
    assertThat(features).contains("mpMetrics-5.1").doesNotContain("mpTelemetry");
    Files.writeString(configuration, features.replace("<feature>mpMetrics-5.1</feature>", ""));
    deploy(
        folder,
        Archives.war(
                "with",
                Archives.settings("with", "postbox.outbox.destinations", "metered"),
                MeteredSender.class,
                Publisher.class,
                SendServlet.class,
                CountServlet.class)
            .addAsLibraries(Archives.librariesNamed("micrometer-|HdrHistogram|LatencyUtils")));
    deploy(
        folder,
        Archives.war(
            "without", Archives.settings("without"), MeteredSender.class, SendServlet.class));
    Rules none =
        new Rules(workspace.artifacts().resolve("byteman.jar"), root.resolve("rules"), false);

    try (ServerProcess server = new ServerProcess(folder, none)) {
      server.start();
      await("both applications, logs in " + server.logs())
          .atMost(LONGEST_START)
          .until(
              () ->
                  Http.status(folder.http().resolve("/health/ready")) == 200
                      && Http.status(folder.http().resolve("/with/send")) == 200
                      && Http.status(folder.http().resolve("/without/send")) == 200);

      assertThat(Http.status(folder.http().resolve("/metrics"))).isEqualTo(404);
      assertThat(Http.get(folder.http().resolve("/with/count"))).isEqualTo("0.0");
      Http.get(folder.http().resolve("/with/send"));
      Http.get(folder.http().resolve("/with/send"));
      assertThat(Http.get(folder.http().resolve("/with/count"))).isEqualTo("2.0");
    }
  }

  private static void deploy(LibertyFolder folder, WebArchive archive) {
    archive.as(ZipExporter.class).exportTo(folder.dropins().resolve(archive.getName()).toFile());
  }
}
