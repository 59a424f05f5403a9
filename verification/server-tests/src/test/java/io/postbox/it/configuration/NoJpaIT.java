package io.postbox.it.configuration;

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
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The modules in a plain WAR, in a server without any JPA feature. */
@OwnServers
@Tag("full")
class NoJpaIT {
  private static final Duration LONGEST_START = Duration.ofMinutes(4);

  @Test
  void everyQueryOfTheModulesIsAnswered() throws IOException {
    Workspace workspace = Workspace.read();
    Path root = workspace.work().resolve("no-jpa");
    LibertyFolder folder =
        LibertyFolder.create(workspace, root, Map.of("postbox.application", "none"));
    Path configuration = folder.home().resolve("server.xml");
    String features = Files.readString(configuration);
    assertThat(features).contains("persistence-3.1");
    Files.writeString(configuration, features.replace("<feature>persistence-3.1</feature>", ""));
    Archives.war(
            "no-jpa",
            Archives.settings("no-jpa", "postbox.outbox.relay.enabled", "false"),
            NoJpaServlet.class)
        .as(ZipExporter.class)
        .exportTo(folder.dropins().resolve("no-jpa.war").toFile());
    Rules none =
        new Rules(workspace.artifacts().resolve("byteman.jar"), root.resolve("rules"), false);
    URI ask = folder.http().resolve("/no-jpa/ask");

    try (ServerProcess server = new ServerProcess(folder, none)) {
      server.start();
      await("the application, logs in " + server.logs())
          .atMost(LONGEST_START)
          .until(() -> Http.status(folder.http().resolve("/health/ready")) == 200);

      assertThat(Http.get(ask))
          .isEqualToIgnoringNewLines(
              """
              JPA false
              dead letter truetrue1
              parked m-1true1
              quarantined MISSING_IDtrue1
              """);
    }
  }
}
