package io.postbox.crash.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.crash.topology.Settings;
import io.postbox.testkit.server.Http;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Payments with a key, at two servers with one set of tables. */
@Tag("crash")
class IdempotentRequestsIT {
  private static final int REQUESTS = 1_000;

  private static final String REPLAYED = "idempotent-replayed";

  /** The method's insert waits for this lock. */
  private static final String LOCK = "LOCK TABLE payment IN EXCLUSIVE MODE";

  private static @Nullable Nodes started;

  private final Nodes nodes = Objects.requireNonNull(started);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String key = UUID.randomUUID().toString();

  @BeforeAll
  static void start() throws SQLException {
    Settings settings = Settings.read();
    Nodes both = Nodes.onPostgres(settings, "idempotent-requests", 2, Map.of());
    started = both;
    both.addTill();
    both.start();
    try (Connection connection = both.database().connect()) {
      execute(connection, "CREATE TABLE payment (number VARCHAR(36), what VARCHAR(36))");
    }
  }

  @AfterAll
  static void stop() {
    if (started != null) {
      started.close();
    }
  }

  @BeforeEach
  void bothAnswer() {
    for (Node node : nodes.all()) {
      await("the till")
          .atMost(Duration.ofSeconds(60))
          .until(() -> Http.status(payments(node)) == 200);
    }
  }

  @AfterEach
  void bothRun() {
    nodes.startAgain();
  }

  @Test
  void ofAThousandRequestsAtOnceOneTakesEffect() throws Exception {
    long before = paid();
    List<CompletableFuture<HttpResponse<String>>> all = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      all.add(later(nodes.get(i % 2)));
    }
    Set<String> answers = new HashSet<>();
    int refused = 0;
    int first = 0;
    for (CompletableFuture<HttpResponse<String>> each : all) {
      HttpResponse<String> response = each.get();
      assertThat(response.statusCode()).isIn(201, 409);
      if (response.statusCode() == 409) {
        refused++;
        assertThat(response.headers().firstValue("Retry-After")).isPresent();
      } else {
        answers.add(whole(response));
        first += isReplay(response) ? 0 : 1;
      }
    }

    assertThat(paid() - before).isEqualTo(1);
    assertThat(answers).hasSize(1);
    assertThat(first).as("answers that are no repeat").isEqualTo(1);
    assertThat(refused).isLessThan(REQUESTS);
    for (Node node : nodes.all()) {
      HttpResponse<String> retried = later(node).get();
      assertThat(retried.statusCode()).isEqualTo(201);
      assertThat(isReplay(retried)).isTrue();
      assertThat(answers).contains(whole(retried));
    }
    assertThat(paid() - before).isEqualTo(1);
  }

  @Test
  void ifTheNodeDiesWithinTheMethodTheOtherOneRepeatsIt() throws Exception {
    diesWithinTheMethod(nodes.get(0), nodes.get(1));
  }

  @Test
  void ifTheNodeDiesWithinTheMethodItRepeatsItAfterItsRestart() throws Exception {
    diesWithinTheMethod(nodes.get(1), nodes.get(1));
  }

  private void diesWithinTheMethod(Node dies, Node repeats) throws Exception {
    long before = paid();
    CompletableFuture<HttpResponse<String>> first;
    try (Connection lock = nodes.database().connect()) {
      lock.setAutoCommit(false);
      execute(lock, LOCK);
      first = later(dies);
      await("the method").atMost(Duration.ofSeconds(30)).until(() -> waitsForLock() == 1);
      assertThat(later(nodes.get(0)).get().statusCode()).as("meanwhile").isEqualTo(409);
      dies.server().kill();
      nodes.mark(dies, "killed within the method");
      lock.rollback();
    }
    assertThat(first).as("the first request").failsWithin(Duration.ofSeconds(30));
    nodes.startAgain();
    bothAnswer();

    String answer = awaitAnswer(repeats);
    assertThat(awaitAnswer(dies)).isEqualTo(answer);
    assertThat(awaitAnswer(repeats)).isEqualTo(answer);
    assertThat(paid() - before).isEqualTo(1);
  }

  /**
   * All that was received, but for what says that it is a repeat, the date and the connection's.
   */
  private static String whole(HttpResponse<String> response) {
    Map<String, List<String>> headers = new TreeMap<>(response.headers().map());
    headers.keySet().removeAll(Set.of("date", "connection", REPLAYED));
    return response.statusCode() + " " + headers + " " + response.body();
  }

  private static boolean isReplay(HttpResponse<String> response) {
    return response.headers().firstValue(REPLAYED).filter("true"::equals).isPresent();
  }

  /** The client repeats its request until it is answered. */
  private String awaitAnswer(Node node) {
    return whole(
        await("an answer")
            .atMost(Duration.ofSeconds(30))
            .pollDelay(Duration.ZERO)
            .until(() -> later(node).get(), response -> response.statusCode() == 201));
  }

  private CompletableFuture<HttpResponse<String>> later(Node node) {
    return client.sendAsync(
        HttpRequest.newBuilder(payments(node))
            .header("Content-Type", "text/plain")
            .header("Idempotency-Key", key)
            .timeout(Duration.ofSeconds(60))
            .POST(BodyPublishers.ofString("rent"))
            .build(),
        BodyHandlers.ofString());
  }

  private static URI payments(Node node) {
    return node.server().base().resolve("/till/api/payments");
  }

  private long paid() throws SQLException {
    return number("SELECT COUNT(*) FROM payment");
  }

  private long waitsForLock() throws SQLException {
    return number(
        "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ILIKE 'INSERT INTO payment%'");
  }

  private long number(String sql) throws SQLException {
    try (Connection connection = nodes.database().connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
