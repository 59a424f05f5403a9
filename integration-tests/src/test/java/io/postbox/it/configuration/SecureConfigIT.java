package io.postbox.it.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.it.frame.Archives;
import io.postbox.it.frame.OwnServers;
import io.postbox.testkit.ArtemisBroker;
import io.postbox.testkit.BrokerSettings;
import io.postbox.testkit.BrokerSettings.Tls;
import io.postbox.testkit.database.PostgresDatabase;
import io.postbox.testkit.disk.Folders;
import io.postbox.testkit.server.Http;
import io.postbox.testkit.server.LibertyProcess;
import io.postbox.testkit.server.Rules;
import io.postbox.testkit.server.ServerFolder;
import io.postbox.testkit.server.Workspace;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
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
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
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
  private static final String PASSWORD = "only-for-this-test";
  private static final String OPERATOR = "operator";
  private static final Duration LONGEST_START = Duration.ofMinutes(3);

  private Path keys;
  private PostgresDatabase database;
  private ArtemisBroker broker;
  private ServerFolder folder;
  private LibertyProcess server;
  private HttpClient client;

  @BeforeEach
  void prepare() throws Exception {
    Workspace workspace = Workspace.read();
    Path root = workspace.work().resolve("secure");
    keys = workspace.work().resolve("secure-keys");
    Folders.deleteAll(keys);
    Files.createDirectories(keys);
    makeKeys("localhost");
    database =
        new PostgresDatabase(
            workspace.work().resolve("secure-data"),
            Map.of(
                "ssl", "on",
                "ssl_cert_file", keys.resolve("localhost.pem").toString(),
                "ssl_key_file", keys.resolve("localhost.key").toString()));
    broker =
        ArtemisBroker.anew(
            workspace.work().resolve("secure-broker"),
            BrokerSettings.of(List.of("SHIPPING", "ORDERS", "BILLING"))
                .withTls(
                    new Tls(
                        keys.resolve("localhost.p12"),
                        keys.resolve("localhost-trust.p12"),
                        PASSWORD)));
    broker.start();
    broker.awaitUp();
    folder = ServerFolder.create(workspace, root, variables(workspace));
    Files.createDirectories(folder.home().resolve("security"));
    Files.copy(keys.resolve("localhost.p12"), folder.home().resolve("security/keys.p12"));
    Files.copy(keys.resolve("localhost-trust.p12"), folder.home().resolve("security/trust.p12"));
    Files.copy(keys.resolve("localhost.pem"), folder.home().resolve("security/postgresql.pem"));
    Files.copy(folder.home().resolve("secure.jvm.options"), folder.home().resolve("jvm.options"));
    server =
        new LibertyProcess(
            folder,
            new Rules(workspace.artifacts().resolve("byteman.jar"), root.resolve("rules"), false));
    client =
        HttpClient.newBuilder().sslContext(trusting(keys.resolve("localhost-trust.p12"))).build();
  }

  private Map<String, String> variables(Workspace workspace) {
    Map<String, String> variables = new HashMap<>(database.variables());
    variables.put("postbox.security", "secure");
    variables.put("postbox.login", "none");
    variables.put("postbox.database", "postgresql-secure");
    variables.put("postbox.messaging", "artemis-secure");
    variables.put("postbox.artemis.port", String.valueOf(broker.settings().port()));
    variables.put(
        "postbox.artemis.rar", workspace.artifacts().resolve("postbox-artemis-rar.rar").toString());
    variables.put("postbox.keystore.password", PASSWORD);
    variables.put("postbox.truststore.password", PASSWORD);
    variables.put("postbox.operator.user", OPERATOR);
    variables.put("postbox.operator.password", PASSWORD);
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
    makeKeys("elsewhere");
    Path trusted = folder.home().resolve("security/trust.p12");
    Files.delete(trusted);
    Files.copy(keys.resolve("elsewhere-trust.p12"), trusted);
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
    makeKeys("elsewhere");
    Path root = folder.home().resolve("security/postgresql.pem");
    Files.delete(root);
    Files.copy(keys.resolve("elsewhere.pem"), root);

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
    URI uri = folder.https().resolve(path);
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(30));
    if (asOperator) {
      byte[] who = (OPERATOR + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8);
      request.header("Authorization", "Basic " + Base64.getEncoder().encodeToString(who));
    }
    return send(request);
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

  /** A key and its own certificate, as key store, as trust store, and as PostgreSQL wants them. */
  private void makeKeys(String name) throws IOException, GeneralSecurityException {
    Path store = keys.resolve(name + ".p12");
    keytool(
        "-genkeypair -alias server -keyalg EC -dname CN=localhost -ext san=dns:localhost,ip:127.0.0.1"
            + " -validity 2 -storetype PKCS12 -keystore "
            + store);
    Path certificate = keys.resolve(name + ".der");
    keytool("-exportcert -alias server -keystore " + store + " -file " + certificate);
    keytool(
        "-importcert -noprompt -alias server -storetype PKCS12 -file "
            + certificate
            + " -keystore "
            + keys.resolve(name + "-trust.p12"));
    KeyStore opened = open(store);
    pem(keys.resolve(name + ".pem"), "CERTIFICATE", opened.getCertificate("server").getEncoded());
    Path key = keys.resolve(name + ".key");
    pem(key, "PRIVATE KEY", opened.getKey("server", PASSWORD.toCharArray()).getEncoded());
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
  }

  private static void pem(Path file, String kind, byte[] content) throws IOException {
    Files.writeString(
        file,
        "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
            .formatted(kind, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content)));
  }

  private void keytool(String arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments.split(" ")));
    command.addAll(List.of("-storepass", PASSWORD));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(keys.resolve("keytool.log").toFile())
            .start();
    int exit = process.onExit().orTimeout(60, TimeUnit.SECONDS).join().exitValue();
    assertThat(exit).as(Files.readString(keys.resolve("keytool.log"))).isZero();
  }

  private static KeyStore open(Path store) throws IOException, GeneralSecurityException {
    KeyStore opened = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      opened.load(in, PASSWORD.toCharArray());
    }
    return opened;
  }

  private static SSLContext trusting(Path store) throws IOException, GeneralSecurityException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(open(store));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
