package io.postbox.browser;

import static org.awaitility.Awaitility.await;

import io.postbox.browser.deployed.Desk;
import io.postbox.browser.deployed.Documents;
import io.postbox.browser.deployed.LedgerMdb;
import io.postbox.browser.deployed.OrdersMdb;
import io.postbox.browser.deployed.PaymentsMdb;
import io.postbox.browser.deployed.SendingServlet;
import io.postbox.testkit.ArtemisBroker;
import io.postbox.testkit.BrokerSettings;
import io.postbox.testkit.database.PostgresDatabase;
import io.postbox.testkit.server.Http;
import io.postbox.testkit.server.LibertyFolder;
import io.postbox.testkit.server.Rules;
import io.postbox.testkit.server.ServerProcess;
import io.postbox.testkit.server.Workspace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.shrinkwrap.api.ShrinkWrap;
import org.jboss.shrinkwrap.api.asset.EmptyAsset;
import org.jboss.shrinkwrap.api.asset.StringAsset;
import org.jboss.shrinkwrap.api.exporter.ZipExporter;
import org.jboss.shrinkwrap.api.spec.EnterpriseArchive;
import org.jboss.shrinkwrap.api.spec.JavaArchive;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * A server with outbox, inbox, console and the application of the walks; PostgreSQL and Artemis
 * beside it. All three are processes that end with this one. For one thread.
 */
final class WalkServer implements AutoCloseable {
  /** Each has a user of its name, whose password that is, too. */
  private static final List<String> ROLES = List.of("viewer", "operator", "payload", "editor");

  /** Has all roles. */
  static final String ON_CALL = "on-call";

  /** From so many waiting messages on, enqueue refuses. */
  static final int FULL = 3000;

  private static final List<String> QUEUES = List.of("orders", "payments", "ledger");
  private static final Duration LONGEST_START = Duration.ofMinutes(4);
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** HTTP/1.1: Liberty may hang in the change to HTTP/2 that Java's client asks for. */
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final Path work;
  private final PostgresDatabase database;
  private final ArtemisBroker broker;
  private final ServerProcess server;

  WalkServer() {
    Workspace workspace = Workspace.read();
    work = workspace.work();
    broker = ArtemisBroker.anew(work.resolve("broker"), BrokerSettings.of(names()));
    database = new PostgresDatabase(work.resolve("database"));
    Map<String, String> variables = new HashMap<>(database.variables());
    variables.put("postbox.application", "none");
    variables.put("postbox.messaging", "artemis");
    variables.put("postbox.artemis.port", String.valueOf(broker.settings().port()));
    variables.put(
        "postbox.artemis.rar", workspace.artifacts().resolve("postbox-artemis-rar.rar").toString());
    LibertyFolder folder = LibertyFolder.create(workspace, work.resolve("server"), variables);
    folder.override("walks.xml", configuration());
    application(workspace.artifacts())
        .as(ZipExporter.class)
        .exportTo(folder.home().resolve("apps/walks.ear").toFile());
    Rules none =
        new Rules(
            workspace.artifacts().resolve("byteman.jar"), folder.root().resolve("rules"), false);
    none.leaveOut();
    server = new ServerProcess(folder, none);
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>(QUEUES);
    names.add("DLQ");
    return names;
  }

  private static String configuration() {
    String users =
        Stream.concat(ROLES.stream(), Stream.of(ON_CALL))
            .map("    <user name=\"%1$s\" password=\"%1$s\"/>\n"::formatted)
            .collect(Collectors.joining());
    // Every role may also look.
    String groups =
        ROLES.stream()
            .map(
                role ->
                    "    <group name=\"postbox-%s\">%s</group>%n"
                        .formatted(
                            role,
                            Stream.concat(
                                    role.equals("viewer") ? ROLES.stream() : Stream.of(role),
                                    Stream.of(ON_CALL))
                                .map("<member name=\"%s\"/>"::formatted)
                                .collect(Collectors.joining())))
            .collect(Collectors.joining());
    String queues =
        Stream.concat(QUEUES.stream(), Stream.of("invoices", "statements"))
            .map(
                name ->
                    """
                      <jmsQueue id="jms/%1$s" jndiName="jms/%1$s">
                        <properties.artemis address="%2$s"/>
                      </jmsQueue>
                    """
                        .formatted(name, QUEUES.contains(name) ? name : "orders"))
            .collect(Collectors.joining());
    String listeners =
        QUEUES.stream()
            .map(
                name ->
                    """
                      <jmsActivationSpec id="walks/walks-ejb/%1$sMdb">
                        <properties.artemis destinationLookup="jms/%2$s"
                                            destinationType="jakarta.jms.Queue"
                                            maxSession="5" reconnectAttempts="-1"
                                            setupAttempts="-1" setupInterval="1000"/>
                      </jmsActivationSpec>
                    """
                        .formatted(name.substring(0, 1).toUpperCase() + name.substring(1), name))
            .collect(Collectors.joining());
    return """
    <server>
      <include location="${server.config.dir}/console.xml"/>
      <basicRegistry id="walks" realm="Walks">
    %s%s  </basicRegistry>
      <webAppSecurity overrideHttpAuthMethod="BASIC"/>
      <enterpriseApplication id="walks" name="walks" location="walks.ear"/>
    %s%s</server>
    """
        .formatted(users, groups, queues, listeners);
  }

  private static EnterpriseArchive application(Path artifacts) {
    String settings =
        """
        postbox.service=walks
        postbox.console.enabled=true
        postbox.console.actions-per-minute=10000
        postbox.outbox.create-tables=true
        postbox.outbox.max-attempts=2
        postbox.outbox.backoff.first=50ms
        postbox.outbox.backoff.max=200ms
        postbox.outbox.destination.statements.max-attempts=1
        postbox.outbox.relay.send-timeout=5s
        postbox.outbox.backlog.warn-count=%1$s
        postbox.outbox.backlog.max-count=%1$s
        postbox.inbox.create-tables=true
        postbox.inbox.max-attempts=2
        postbox.inbox.backoff.first=50ms
        postbox.inbox.backoff.max=200ms
        postbox.inbox.consumer.ledger.order=version
        postbox.inbox.consumer.ledger.order.longest-gap=1s
        """
            .formatted(FULL);
    return ShrinkWrap.create(EnterpriseArchive.class, "walks.ear")
        .addAsModule(artifacts.resolve("outbox-ejb.jar").toFile(), "outbox-ejb.jar")
        .addAsModule(artifacts.resolve("postbox-console.war").toFile(), "postbox.war")
        .addAsModule(
            ShrinkWrap.create(JavaArchive.class, "walks-ejb.jar")
                .addClasses(
                    Desk.class,
                    Documents.class,
                    OrdersMdb.class,
                    PaymentsMdb.class,
                    LedgerMdb.class)
                .addAsManifestResource(EmptyAsset.INSTANCE, "beans.xml"))
        .addAsModule(
            ShrinkWrap.create(WebArchive.class, "walks.war")
                .addClass(SendingServlet.class)
                .addAsWebInfResource(EmptyAsset.INSTANCE, "beans.xml"))
        .addAsLibrary(artifacts.resolve("inbox-interceptor.jar").toFile())
        .addAsLibrary(artifacts.resolve("postbox-common.jar").toFile())
        .addAsLibrary(
            ShrinkWrap.create(JavaArchive.class, "settings.jar")
                .addAsResource(
                    new StringAsset(settings), "META-INF/microprofile-config.properties"));
  }

  /** Starts broker and server, and waits until the console answers. */
  void start() {
    run(
        "CREATE TABLE walk_arrival (place SERIAL PRIMARY KEY, consumer VARCHAR(100) NOT NULL,"
            + " message_id VARCHAR(100) NOT NULL, content VARCHAR(1000) NOT NULL)");
    run("CREATE TABLE walk_broken (name VARCHAR(100) PRIMARY KEY)");
    startBroker();
    startServer();
  }

  void startBroker() {
    broker.start();
    broker.awaitUp();
  }

  void killBroker() {
    broker.kill();
  }

  void startServer() {
    server.start();
    server.awaitReady();
    await("the console, logs in " + server.logs())
        .atMost(LONGEST_START)
        .until(() -> get("operator", "api/overview").statusCode() == 200);
  }

  void killServer() {
    server.kill();
  }

  /** Where its data and logs lie. */
  Path work() {
    return work;
  }

  /** Where the console is. */
  URI console() {
    return server.base().resolve("/postbox/");
  }

  /** Asks the console past the browser. */
  HttpResponse<String> get(String user, String path) {
    String login = user + ":" + user;
    HttpRequest request =
        HttpRequest.newBuilder(console().resolve(path))
            .timeout(Duration.ofSeconds(30))
            .header(
                "Authorization",
                "Basic "
                    + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8)))
            .build();
    try {
      return CLIENT.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException("The console does not answer " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Enqueues messages through the application.
   *
   * @param more names and values, in turns; see {@link SendingServlet}
   * @return their ids; empty if the backlog is full
   */
  List<String> enqueue(String destination, int from, int to, String... more) {
    HttpResponse<String> answer =
        post(
            "enqueue",
            Stream.concat(
                    Stream.of(
                        "destination",
                        destination,
                        "from",
                        String.valueOf(from),
                        "to",
                        String.valueOf(to)),
                    Stream.of(more))
                .toList());
    if (answer.statusCode() == 503) {
      return List.of();
    }
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(answer.statusCode() + ": " + answer.body());
    }
    return answer.body().lines().toList();
  }

  /** Sends a text to a queue past the outbox, under somebody's id. */
  void sendPastTheOutbox(String destination, String id, String text) {
    HttpResponse<String> answer =
        post("foreign", List.of("destination", destination, "id", id, "text", text));
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(answer.statusCode() + ": " + answer.body());
    }
  }

  private HttpResponse<String> post(String path, List<String> parameters) {
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i < parameters.size(); i += 2) {
      pairs.add(
          parameters.get(i)
              + "="
              + URLEncoder.encode(parameters.get(i + 1), StandardCharsets.UTF_8));
    }
    try {
      return CLIENT.send(
          HttpRequest.newBuilder(server.base().resolve("/walks/" + path))
              .timeout(Duration.ofMinutes(1))
              .header("Content-Type", "application/x-www-form-urlencoded")
              .POST(HttpRequest.BodyPublishers.ofString(String.join("&", pairs)))
              .build(),
          BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException("The application does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Has a consumer or a document fail from now on. */
  void breakIt(String name) {
    run("INSERT INTO walk_broken VALUES (?)", name);
  }

  /** Lets it work again. */
  void mend(String name) {
    run("DELETE FROM walk_broken WHERE name = ?", name);
  }

  /** Deletes whatever an earlier walk has left. */
  void forget() {
    for (String table :
        List.of(
            "walk_arrival",
            "walk_broken",
            "outbox_message",
            "outbox_held_key",
            "outbox_failure",
            "outbox_redirect",
            "outbox_switch",
            "inbox_stored",
            "inbox_failure")) {
      run("DELETE FROM " + table);
    }
  }

  /** Waits until a consumer has handled so many messages; their contents in that order. */
  List<String> awaitArrivals(String consumer, int count) {
    await(count + " messages handled by " + consumer + ", logs in " + server.logs())
        .atMost(PATIENCE)
        .until(() -> arrivals(consumer).size() >= count);
    return arrivals(consumer);
  }

  /** The contents of what a consumer has handled, in order. */
  List<String> arrivals(String consumer) {
    return column("SELECT content FROM walk_arrival WHERE consumer = ? ORDER BY place", consumer);
  }

  /** The first column of a query. */
  List<String> column(String query, Object... parameters) {
    try (Connection connection = database.connect();
        PreparedStatement statement = prepared(connection, query, parameters);
        ResultSet rows = statement.executeQuery()) {
      List<String> found = new ArrayList<>();
      while (rows.next()) {
        found.add(rows.getString(1));
      }
      return found;
    } catch (SQLException e) {
      throw new IllegalStateException(query, e);
    }
  }

  /** Changes the database past the server. */
  void run(String change, Object... parameters) {
    try (Connection connection = database.connect();
        PreparedStatement statement = prepared(connection, change, parameters)) {
      statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(change, e);
    }
  }

  /** A session of its own. */
  Connection connect() throws SQLException {
    return database.connect();
  }

  private static PreparedStatement prepared(Connection connection, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }

  /** Whether the server can take requests. */
  boolean isReady() {
    return Http.status(server.base().resolve("/health/ready")) == 200;
  }

  @Override
  public void close() {
    server.close();
    broker.close();
    database.close();
  }
}
