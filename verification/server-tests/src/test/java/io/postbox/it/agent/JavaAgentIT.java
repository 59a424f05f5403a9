package io.postbox.it.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.it.frame.Archives;
import io.postbox.it.frame.OwnServers;
import io.postbox.it.telemetry.HandlerSpans;
import io.postbox.it.telemetry.TracedMdb;
import io.postbox.it.tools.Endpoint;
import io.postbox.testkit.server.Http;
import io.postbox.testkit.server.LibertyFolder;
import io.postbox.testkit.server.Rules;
import io.postbox.testkit.server.ServerProcess;
import io.postbox.testkit.server.Workspace;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** OpenTelemetry's Java agent, which traces message listeners by itself. */
@OwnServers
@Tag("full")
class JavaAgentIT {
  private static final Duration LONGEST_START = Duration.ofMinutes(4);
  private static final String CONFIGURATION =
      """
      <server>
        <featureManager>
          <feature>mpTelemetry-2.1</feature>
        </featureManager>
        <messagingEngine>
          <queue id="TRACED" failedDeliveryPolicy="KEEP_TRYING" redeliveryInterval="200"/>
          <queue id="CAPTURED"/>
        </messagingEngine>
        <jmsQueue id="jms/traced" jndiName="jms/traced">
          <properties.wasJms queueName="TRACED"/>
        </jmsQueue>
        <jmsQueue id="jms/captured" jndiName="jms/captured">
          <properties.wasJms queueName="CAPTURED"/>
        </jmsQueue>
        <jmsActivationSpec id="agent/TracedMdb">
          <properties.wasJms destinationRef="jms/traced"/>
        </jmsActivationSpec>
      </server>
      """;

  @Test
  void aDeliveryThatTheAgentTracesHasNoSecondConsumerSpan() throws IOException {
    Workspace workspace = Workspace.read();
    Path root = workspace.work().resolve("agent");
    LibertyFolder folder =
        LibertyFolder.create(workspace, root, Map.of("postbox.application", "none"));
    folder.override("agent.xml", CONFIGURATION);
    Files.write(
        folder.home().resolve("jvm.options"),
        List.of(
            "-javaagent:" + Archives.librariesNamed("opentelemetry-javaagent-")[0],
            "-Dotel.sdk.disabled=false",
            "-Dotel.traces.exporter=console",
            "-Dotel.metrics.exporter=none",
            "-Dotel.logs.exporter=none"));
    Archives.war(
            "agent",
            Archives.settings("agent"),
            TraceServlet.class,
            TracedMdb.class,
            HandlerSpans.class)
        .as(ZipExporter.class)
        .exportTo(folder.dropins().resolve("agent.war").toFile());
    Rules none =
        new Rules(workspace.artifacts().resolve("byteman.jar"), root.resolve("rules"), false);
    none.leaveOut();
    URI trace = folder.http().resolve("/agent/trace");

    try (ServerProcess server = new ServerProcess(folder, none)) {
      server.start();
      Path console = server.logs().resolve("console.log");
      await("the application, logs in " + server.logs())
          .atMost(LONGEST_START)
          .until(() -> Http.status(trace) == 200);
      Endpoint.post(trace.getPort(), trace.getPath(), "");
      await("the handler, logs in " + server.logs())
          .atMost(LONGEST_START)
          .until(() -> !Http.get(trace).isBlank());
      String[] handler = Http.get(trace).strip().split(" ");
      await("its span in " + console)
          .atMost(Duration.ofSeconds(30))
          .until(() -> Files.readString(console).contains(handler[0] + " " + handler[1]));

      assertThat(Files.readAllLines(console))
          .filteredOn(line -> line.contains("process' : " + handler[0]))
          .singleElement()
          .asString()
          .contains(handler[1], " CONSUMER [tracer: io.opentelemetry.jms");
      assertThat(Files.readString(console)).doesNotContain("[tracer: io.postbox.inbox");
      assertThat(Files.readAllLines(console))
          .filteredOn(line -> line.contains(handler[0]) && line.contains(" PRODUCER "))
          .anyMatch(line -> line.contains("io.postbox.outbox"));
    }
  }
}
