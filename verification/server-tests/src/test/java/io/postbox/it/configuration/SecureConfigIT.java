package io.postbox.it.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.it.frame.Archives;
import io.postbox.it.frame.OwnServers;
import io.postbox.testkit.ArtemisBroker;
import io.postbox.testkit.BrokerSettings;
import io.postbox.testkit.BrokerSettings.Tls;
import io.postbox.testkit.database.PostgresDatabase;
import io.postbox.testkit.server.Http;
import io.postbox.testkit.server.LibertyFolder;
import io.postbox.testkit.server.Rules;
import io.postbox.testkit.server.ServerProcess;
import io.postbox.testkit.server.Workspace;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The secure variant of liberty-config, with certificates that are made for this test: HTTPS alone,
 * a closed /metrics, and PostgreSQL and Artemis whose certificates are verified.
 */
@Tag("full")
@OwnServers
class SecureConfigIT {
  private static final String OPERATOR = "operator";
  private static final Duration LONGEST_START = Duration.ofMinutes(3);

  private TestKeys keys;
  private PostgresDatabase database;
  private ArtemisBroker broker;
  private LibertyFolder folder;
  private ServerProcess server;
  private HttpClient client;

  @BeforeEach
  void prepare() throws Exception {
    Workspace workspace = Workspace.read();
    Path root = workspace.work().resolve("secure");
    keys = TestKeys.in(workspace.work().resolve("secure-keys"));
    keys.make("localhost");
    database =
        new PostgresDatabase(
            workspace.work().resolve("secure-data"),
            Map.of(
                "ssl", "on",
                "ssl_cert_file", keys.keys().resolve("localhost.pem").toString(),
                "ssl_key_file", keys.keys().resolve("localhost.key").toString()));
    broker =
        ArtemisBroker.anew(
            workspace.work().resolve("secure-broker"),
            BrokerSettings.of(List.of("SHIPPING", "ORDERS", "BILLING"))
                .withTls(
                    new Tls(
                        keys.keys().resolve("localhost.p12"),
                        keys.keys().resolve("localhost-trust.p12"),
                        TestKeys.PASSWORD)));
    broker.start();
    broker.awaitUp();
    folder = LibertyFolder.create(workspace, root, variables(workspace));
    keys.give("localhost", folder.home());
    // as Liberty's Maven plugin does it for liberty.var.http.port
    folder.override(
        "liberty-plugin-variable-config.xml",
        "<server><variable name=\"http.port\" value=\"%d\"/></server>"
            .formatted(folder.http().getPort()));
    Files.copy(folder.home().resolve("secure.jvm.options"), folder.home().resolve("jvm.options"));
    server =
        new ServerProcess(
            folder,
            new Rules(workspace.artifacts().resolve("byteman.jar"), root.resolve("rules"), false));
    client = HttpClient.newBuilder().sslContext(keys.trusting("localhost")).build();
  }

  private Map<String, String> variables(Workspace workspace) {
    Map<String, String> variables = new HashMap<>(database.variables());
    variables.put("postbox.security", "secure");
    variables.put("postbox.login", "login-basic");
    variables.put("postbox.database", "postgresql-secure");
    variables.put("postbox.messaging", "artemis-secure");
    variables.put("postbox.artemis.port", String.valueOf(broker.settings().port()));
    variables.put(
        "postbox.artemis.rar", workspace.artifacts().resolve("postbox-artemis-rar.rar").toString());
    variables.put("postbox.keystore.password", TestKeys.PASSWORD);
    variables.put("postbox.truststore.password", TestKeys.PASSWORD);
    variables.put("postbox.operator.user", OPERATOR);
    variables.put("postbox.operator.password", TestKeys.PASSWORD);
    return variables;
  }

  private void startAndAwaitReadiness() {
    server.start();
    await("readiness, logs in " + server.logs())
        .atMost(LONGEST_START)
        .until(() -> status("/health/ready", false) == 200);
  }

  @AfterEach
  void close() {
    server.close();
    broker.close();
    database.close();
  }

  @Test
  void aClientWithoutTlsOrAPasswordSeesNothingAndTheDatabaseIsVerified() throws Exception {
    startAndAwaitReadiness();

    assertThat(Http.status(folder.http().resolve("/health/ready"))).as("without TLS").isZero();
    assertThat(status("/metrics", false)).isEqualTo(401);
    assertThat(status("/openapi", false)).isEqualTo(404);
    assertThat(status("/postbox/api/overview", true)).isEqualTo(200);
    assertThat(get("/postbox/api/overview", "demonstration", "demonstration").statusCode())
        .isEqualTo(401);
    assertThat(get("/health/ready", false).headers().firstValue("Strict-Transport-Security"))
        .hasValue("max-age=31536000");
    await("the gauges")
        .atMost(LONGEST_START)
        .until(() -> get("/metrics", true).body().contains("postbox_outbox_refused_total"));
    assertThat(encrypted()).as("connections of the server").isNotEmpty().containsOnly("t TLSv1.3");
    assertThat(server.lines("CWWKG0102I")).as("two files say different things").isEmpty();
  }

  @Test
  void messagesGoThroughABrokerThatSpeaksTlsAloneAndWhoseCertificateIsVerified() throws Exception {
    assertThat(withoutTls().answers()).isFalse();
    startAndAwaitReadiness();

    String order = location(post("/api/orders", "{\"sku\":\"BOOK-1\",\"quantity\":1}"));
    await("the way through both queues, logs in " + server.logs())
        .atMost(LONGEST_START)
        .until(() -> get(order, false).body().contains("\"SHIPPED\""));

    assertThat(broker.consumers())
        .allSatisfy((queue, consumers) -> assertThat(consumers).isPositive());
  }

  @Test
  void getObjectMakesOnlyObjectsOfTheListedClasses() throws Exception {
    Archives.webModule("objects", ObjectServlet.class)
        .as(ZipExporter.class)
        .exportTo(folder.dropins().resolve("objects.war").toFile());
    server.start();
    await("the application, logs in " + server.logs())
        .atMost(LONGEST_START)
        .until(() -> status("/objects/received/string", false) == 200);

    assertThat(get("/objects/received/string", false).body()).isEqualTo("object a text");
    assertThat(get("/objects/received/currency", false).body())
        .startsWith("refused ")
        .contains("java.util.Currency");
  }

  @Test
  void aBrokerWithAnotherCertificateIsSentNothing() throws Exception {
    keys.make("elsewhere");
    Path trusted = folder.home().resolve("security/trust.p12");
    Files.delete(trusted);
    Files.copy(keys.keys().resolve("elsewhere-trust.p12"), trusted);
    // the database's certificate is in a file of its own, and so still trusted
    startAndAwaitReadiness();

    post("/api/orders", "{\"sku\":\"BOOK-1\",\"quantity\":1}");
    await("the relay's line, logs in " + server.logs())
        .atMost(LONGEST_START)
        .until(() -> !server.lines("OBX0004").isEmpty());

    assertThat(broker.counts()).allSatisfy((queue, messages) -> assertThat(messages).isZero());
    assertThat(broker.consumers()).allSatisfy((queue, consumers) -> assertThat(consumers).isZero());
  }

  /** A client of the same broker that does not know that it speaks TLS. */
  private ArtemisBroker withoutTls() {
    BrokerSettings tls = broker.settings();
    return new ArtemisBroker(
        broker.log(),
        new BrokerSettings(
            tls.port(),
            tls.queues(),
            tls.topics(),
            tls.limits(),
            tls.secured(),
            tls.readOnly(),
            Optional.empty()));
  }

  private static String location(HttpResponse<String> created) {
    assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    return URI.create(created.headers().firstValue("Location").orElseThrow()).getPath();
  }

  private HttpResponse<String> post(String path, String json) throws IOException {
    return send(
        HttpRequest.newBuilder(folder.https().resolve(path))
            .timeout(Duration.ofSeconds(30))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)));
  }

  @Test
  void aDatabaseWithAnotherCertificateIsNotSpokenTo() throws Exception {
    keys.make("elsewhere");
    Path root = folder.home().resolve("security/postgresql.pem");
    Files.delete(root);
    Files.copy(keys.keys().resolve("elsewhere.pem"), root);

    server.start();

    await("refusal, logs in " + server.logs())
        .atMost(LONGEST_START)
        .until(
            () ->
                Files.exists(server.logs().resolve("messages.log"))
                    && !server.lines("PKIX path").isEmpty());
    assertThat(status("/health/ready", false)).isNotEqualTo(200);
    assertThat(encrypted()).isEmpty();
  }

  private int status(String path, boolean asOperator) {
    try {
      return get(path, asOperator).statusCode();
    } catch (IOException notThere) {
      return 0;
    }
  }

  private HttpResponse<String> get(String path, boolean asOperator) throws IOException {
    return asOperator ? get(path, OPERATOR, TestKeys.PASSWORD) : send(request(path));
  }

  private HttpResponse<String> get(String path, String user, String password) throws IOException {
    byte[] who = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
    return send(
        request(path).header("Authorization", "Basic " + Base64.getEncoder().encodeToString(who)));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(folder.https().resolve(path)).timeout(Duration.ofSeconds(30));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException(interrupted);
    }
  }

  /** How PostgreSQL's other clients speak to it, each way once. */
  private List<String> encrypted() throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT DISTINCT s.ssl::text || ' ' || COALESCE(s.version, '')
                FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)
                WHERE a.backend_type = 'client backend' AND pid <> pg_backend_pid()
                """)) {
      List<String> found = new ArrayList<>();
      while (row.next()) {
        found.add(row.getString(1).replace("true", "t"));
      }
      return found;
    }
  }
}
