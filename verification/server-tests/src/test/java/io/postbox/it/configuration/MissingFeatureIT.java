package io.postbox.it.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.it.frame.Archives;
import io.postbox.it.frame.OwnServers;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The modules in a plain WAR, in a server that lacks a feature which they need. */
@OwnServers
@Tag("full")
class MissingFeatureIT {
  private static final Duration LONGEST_START = Duration.ofMinutes(4);

  /**
   * @param feature that is missing
   * @param removed it, and those that bring it along
   * @param messaging the file with the broker
   */
  @ParameterizedTest
  @CsvSource({
    "mpConfig-3.1, mp(Config|Metrics|Health), messaging",
    "concurrent-3.0, concurrent, messaging",
    "enterpriseBeansLite-4.0, (enterpriseBeansLite|mdb), messaging",
    "messaging-3.1, (messaging|mdb), none",
    "jsonp-2.1, (jsonb|persistence|restfulWS|appSecurity|mpMetrics|mpHealth), messaging",
  })
  void theDeploymentIsRefusedWithOneSentenceThatNamesTheFeature(
      String feature, String removed, String messaging) throws IOException {
    Workspace workspace = Workspace.read();
    Path root = workspace.work().resolve("without-" + feature);
    LibertyFolder folder =
        LibertyFolder.create(
            workspace, root, Map.of("postbox.application", "none", "postbox.messaging", messaging));
    Path configuration = folder.home().resolve("server.xml");
    Files.writeString(
        configuration,
        Files.readString(configuration)
            .replaceAll("<feature>" + removed + "-[0-9.]+</feature>", ""));
    Archives.war("without", Archives.settings("without"))
        .as(ZipExporter.class)
        .exportTo(folder.dropins().resolve("without.war").toFile());
    Rules none =
        new Rules(workspace.artifacts().resolve("byteman.jar"), root.resolve("rules"), false);

    try (ServerProcess server = new ServerProcess(folder, none)) {
      server.start();
      Path console = server.logs().resolve("console.log");
      await("its refusal, log in " + console)
          .atMost(LONGEST_START)
          .until(() -> Files.readString(console).contains("CWWKZ0002E"));

      assertThat(Files.readString(console))
          .contains("The server lacks the feature " + feature + ", ")
          .contains("add <feature>" + feature + "</feature> to the featureManager in server.xml.");
    }
  }
}
