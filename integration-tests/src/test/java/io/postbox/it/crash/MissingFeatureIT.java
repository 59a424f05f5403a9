package io.postbox.it.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sample in a server that lacks a feature which the modules need. */
@Tag("crash")
class MissingFeatureIT {
  private final Settings settings = Settings.read();

  @ParameterizedTest
  @CsvSource({
    "mpConfig-3.1, '<feature>mp(Config|Metrics|Health)-[0-9.]+</feature>'",
    "concurrent-3.0, '<feature>concurrent-[0-9.]+</feature>'",
  })
  void theDeploymentIsRefusedWithTheFeaturesName(String feature, String removed)
      throws IOException {
    Path root = settings.work().resolve("without-" + feature);
    ServerFolder folder = ServerFolder.create(settings, root, Map.of());
    Path configuration = folder.home().resolve("server.xml");
    Files.writeString(configuration, Files.readString(configuration).replaceAll(removed, ""));
    Rules none =
        new Rules(settings.artifacts().resolve("byteman.jar"), root.resolve("rules"), false);

    try (LibertyProcess server = new LibertyProcess(folder, none)) {
      server.start();
      Path console = server.logs().resolve("console.log");
      await("the end of the deployment, log in " + console)
          .atMost(Duration.ofSeconds(120))
          .until(() -> Files.readString(console).contains("CWWKZ0002E"));

      assertThat(Files.readString(console))
          .contains("The server lacks the feature " + feature + ", ")
          .contains("add <feature>" + feature + "</feature> to the featureManager in server.xml.");
    }
  }
}
