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
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * liberty-config with something left out, mistyped, or copied without the rest: it then answers
 * fewer people, and never more.
 */
@Tag("full")
@OwnServers
class FailsClosedIT {
  private static final Duration LONGEST_START = Duration.ofMinutes(4);
  private static final String STARTED = "CWWKF0011I";
  private static final String APPLICATION_STARTED = "CWWKZ0001I";
  private static final String STORE_NOT_OPENED = "CWPKI0033E";

  /** Of this machine too; a server that listens to localhost does not hear it. */
  private static final String NOT_LOCALHOST = "127.0.0.2";

  private static final Map<String, String> PEOPLE =
      Map.of(
          "postbox.viewer.user", "vera",
          "postbox.viewer.password", "vera-secret",
          "postbox.operator.user", "otto",
          "postbox.operator.password", "otto-secret");
  private static final Map<String, String> STORES =
      Map.of(
          "postbox.keystore.password", TestKeys.PASSWORD,
          "postbox.truststore.password", TestKeys.PASSWORD);

  /** What somebody who has read the files, and nothing else, would try. */
  private static final List<String> PUBLISHED =
      List.of(
          "${postbox.viewer.user}:${postbox.viewer.password}",
          "${postbox.operator.user}:${postbox.operator.password}",
          "vera:${postbox.viewer.password}",
          "otto:${postbox.operator.password}",
          "${postbox.viewer.user}:vera-secret",
          "${postbox.operator.user}:otto-secret",
          "vera:",
          "otto:",
          ":vera-secret",
          ":otto-secret",
          ":");

  private static final String DEMONSTRATION = "demonstration:demonstration";

  private final Workspace workspace = Workspace.read();
  private LibertyFolder folder;
  private ServerProcess server;
  private HttpClient client = HttpClient.newHttpClient();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "postbox.viewer.user",
        "postbox.viewer.password",
        "postbox.operator.user",
        "postbox.operator.password"
      })
  void aUserWithoutANameOrAPasswordDoesNotExist(String missing) throws Exception {
    Map<String, String> variables = new HashMap<>(PEOPLE);
    variables.put("postbox.login", "login-basic");
    variables.remove(missing);
    make(variables);
    start();

    assertThat(status(missing.contains("viewer") ? "otto:otto-secret" : "vera:vera-secret"))
        .isEqualTo(200);
    assertThat(PUBLISHED).allSatisfy(login -> assertThat(status(login)).isEqualTo(401));
    assertThat(status("")).isEqualTo(401);
  }

  @ParameterizedTest
  @ValueSource(strings = {"postbox.keystore.password", "postbox.truststore.password"})
  void withoutThePasswordOfAStoreNobodyIsAnswered(String missing) throws Exception {
    Map<String, String> variables = new HashMap<>(STORES);
    variables.put("postbox.security", "secure");
    variables.remove(missing);
    make(variables);
    giveKeys();
    start();

    assertThat(server.lines(STORE_NOT_OPENED)).isNotEmpty();
    assertThat(listens("localhost", folder.https())).isFalse();
    assertThat(listens("localhost", folder.http())).isFalse();
  }

  @Test
  void aMistypedVariantOpensNothing() throws Exception {
    make(Map.of("postbox.security", "secrue"));
    start();

    assertThat(listens("localhost", folder.https())).isFalse();
    assertThat(listens("localhost", folder.http())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"demonstration", "plain"})
  void withoutTlsThisMachineAloneIsAnswered(String variant) throws Exception {
    make(Map.of("postbox.security", variant, "http.host", "*"));
    start();

    assertThat(status(DEMONSTRATION)).isEqualTo(variant.equals("plain") ? 401 : 200);
    assertThat(listens(NOT_LOCALHOST, folder.http())).isFalse();
  }

  @Test
  void theDemonstrationIsNotToBeOpenedByTheVariableForProxies() throws Exception {
    make(Map.of("postbox.security", "demonstration", "http.plain.host", "*"));
    start();

    assertThat(status(DEMONSTRATION)).isEqualTo(200);
    assertThat(listens(NOT_LOCALHOST, folder.http())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"login-basic", "login-form", "login-oidc"})
  void aLoginThatIsCopiedWithoutTheRestLetsNobodyIn(String login) throws Exception {
    make(Map.of());
    ownConfiguration(login);
    start();

    assertThat(status("")).isNotEqualTo(200);
    assertThat(status(DEMONSTRATION)).isNotEqualTo(200);
    assertThat(PUBLISHED).allSatisfy(each -> assertThat(status(each)).isNotEqualTo(200));
  }

  @Test
  void theSecureVariantClosesThePlainPortOfWhoeverIncludesIt() throws Exception {
    make(STORES);
    giveKeys();
    ownConfiguration("secure");
    start();

    await("TLS, logs in " + server.logs())
        .atMost(LONGEST_START)
        .until(() -> listens("localhost", folder.https()));
    assertThat(statusAt(folder.https(), "")).isEqualTo(401);
    assertThat(listens("localhost", folder.http())).isFalse();
  }

  private void make(Map<String, String> variables) {
    Map<String, String> all = new HashMap<>(variables);
    all.put("postbox.application", "none");
    folder = LibertyFolder.create(workspace, workspace.work().resolve("fails-closed"), all);
    // where login-oidc.xml looks for the console
    Archives.webModule("postbox", WhoServlet.class)
        .as(ZipExporter.class)
        .exportTo(folder.dropins().resolve("postbox.war").toFile());
  }

  /** A server that is nothing of ours but for one file. */
  private void ownConfiguration(String included) throws IOException {
    Files.writeString(
        folder.home().resolve("server.xml"),
        """
        <server>
          <featureManager><feature>servlet-6.0</feature></featureManager>
          <httpEndpoint id="defaultHttpEndpoint" httpPort="${http.port}" httpsPort="${https.port}"/>
          <include location="%s.xml"/>
        </server>
        """
            .formatted(included));
  }

  private void giveKeys() throws Exception {
    TestKeys keys = TestKeys.in(workspace.work().resolve("fails-closed-keys"));
    keys.make("localhost");
    keys.give("localhost", folder.home());
    client = HttpClient.newBuilder().sslContext(keys.trusting("localhost")).build();
  }

  private void start() {
    server =
        new ServerProcess(
            folder,
            new Rules(
                workspace.artifacts().resolve("byteman.jar"),
                folder.root().resolve("rules"),
                false));
    server.start();
    await("the server and its application, logs in " + server.logs())
        .atMost(LONGEST_START)
        .until(
            () -> !server.lines(STARTED).isEmpty() && !server.lines(APPLICATION_STARTED).isEmpty());
  }

  @AfterEach
  void close() {
    server.close();
  }

  private int status(String login) {
    return statusAt(folder.http(), login);
  }

  /** 0 for no answer; the login is name:password, or empty. */
  private int statusAt(URI base, String login) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve("/postbox/who")).timeout(Duration.ofSeconds(30));
    if (!login.isEmpty()) {
      byte[] who = login.getBytes(StandardCharsets.UTF_8);
      request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(who));
    }
    try {
      return client.send(request.build(), BodyHandlers.discarding()).statusCode();
    } catch (IOException nobodyThere) {
      return 0;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  private static boolean listens(String host, URI base) throws IOException {
    try (Socket socket = new Socket(host, base.getPort())) {
      return socket.isConnected();
    } catch (ConnectException refused) {
      return false;
    }
  }
}
