package io.postbox.it.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.it.frame.Archives;
import io.postbox.it.frame.OwnServers;
import io.postbox.testkit.server.Http;
import io.postbox.testkit.server.LibertyFolder;
import io.postbox.testkit.server.Rules;
import io.postbox.testkit.server.ServerProcess;
import io.postbox.testkit.server.Workspace;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The console of the sample, with the users of login-basic.xml in the place of the demonstration's.
 */
@Tag("full")
@OwnServers
class ConsoleLoginIT {
  private static final Duration LONGEST_START = Duration.ofMinutes(4);

  @Test
  void aUserInTheRegistryGetsTheRolesOfTheirGroups() {
    Workspace workspace = Workspace.read();
    LibertyFolder folder =
        LibertyFolder.create(
            workspace,
            workspace.work().resolve("console-login"),
            Map.of(
                "postbox.login",
                "login-basic",
                "postbox.viewer.user",
                "vera",
                "postbox.viewer.password",
                "secret",
                "postbox.operator.user",
                "otto",
                "postbox.operator.password",
                "secret"));
    Archives.earWithConsole(ConsoleLoginIT.class, "off", Archives.settings("off"))
        .as(ZipExporter.class)
        .exportTo(folder.dropins().resolve("off.ear").toFile());
    Rules none =
        new Rules(
            workspace.artifacts().resolve("byteman.jar"), folder.root().resolve("rules"), false);
    String root = folder.http().resolve("/postbox/").toString();

    try (ServerProcess server = new ServerProcess(folder, none)) {
      server.start();
      await("the sample, logs in " + server.logs())
          .atMost(LONGEST_START)
          .until(() -> Http.status(folder.http().resolve("/health/ready")) == 200);
      await("the console, logs in " + server.logs())
          .atMost(LONGEST_START)
          .until(() -> Browser.of("vera", root).get("api/overview").statusCode() == 200);

      Browser viewer = Browser.of("vera", root);
      assertThat(viewer.get("api/overview").body())
          .contains("\"principal\":\"vera\"", "\"roles\":[\"viewer\"]");
      String pause = "{\"reason\":\"tried\"}";
      assertThat(viewer.send("POST", "api/relay/pause", pause).statusCode()).isEqualTo(403);
      Browser operator = Browser.of("otto", root);
      assertThat(operator.send("POST", "api/relay/pause", pause).body())
          .isEqualTo("{\"changed\":true}");
      assertThat(operator.get("api/overview").body())
          .contains("\"paused\":true", "\"roles\":[\"viewer\",\"operator\"]");
      assertThat(Browser.ofNobody(root).get("api/overview").statusCode()).isEqualTo(401);
      assertThat(Browser.ofNobody(root).get("").statusCode()).isEqualTo(401);
      assertThat(Browser.of("demonstration", root).get("api/overview").statusCode()).isEqualTo(401);
      assertThat(server.lines("CWIML4537E"))
          .as("failed log-ins, which go through what delays their answers")
          .isNotEmpty()
          .allMatch(line -> line.contains("demonstration"));
      assertThat(Http.status(folder.http().resolve("/api/totals"))).isEqualTo(200);
      assertThat(Browser.ofNobody(folder.http().toString()).get("/api/troubles").body())
          .as("the sample names its demonstration user only where that can log in")
          .contains("\"console\":\"/postbox/\"")
          .doesNotContain("\"user\"");

      String off = folder.http().resolve("/off-console/").toString();
      for (Browser each : List.of(Browser.ofNobody(off), Browser.of("otto", off))) {
        for (String path : List.of("", "api/overview", "index.html")) {
          HttpResponse<String> answer = each.get(path);
          assertThat(answer.statusCode()).as(path).isEqualTo(404);
          assertThat(answer.body()).contains("postbox.console.enabled=true");
          assertThat(answer.headers().firstValue("WWW-Authenticate")).isEmpty();
        }
      }
    }
  }
}
