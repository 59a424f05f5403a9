package io.postbox.crash.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.crash.topology.MessageBroker;
import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.crash.topology.Settings;
import io.postbox.testkit.database.PostgresDatabase;
import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.sample.Load;
import io.postbox.testkit.server.Http;
import io.postbox.testkit.server.ServerKind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The sample on WildFly, configured by adapters/wildfly, with PostgreSQL. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WildFlyIT {
  private static final Pattern CHECK = Pattern.compile("\"name\"\\s*:\\s*\"(postbox-[^\"]+)\"");
  private static final String LISTENER = "jboss.as:subsystem=ejb3,message-driven-bean=*,*";
  private static final Duration OUTAGE = Duration.ofSeconds(15);

  private final Settings settings = Settings.read().on(ServerKind.WILDFLY);
  private final PostgresDatabase database =
      new PostgresDatabase(settings.work().resolve("wildfly-data"));
  private final Nodes nodes =
      Nodes.one(settings, "wildfly", database, MessageBroker.OF_WILDFLY, Map.of());
  private final Node node = nodes.get(0);

  @BeforeAll
  void start() {
    nodes.start();
  }

  @AfterAll
  void close() {
    nodes.close();
  }

  @Test
  void anOrderIsShippedOnceHoweverOftenItsMessageComes() throws IOException {
    List<Acknowledged> orders = nodes.order(node, 5);
    nodes.awaitShipped(orders);
    long before = node.sample().totals().duplicates();
    orders.forEach(order -> nodes.resend(node, order));

    await("the second copies")
        .atMost(Duration.ofSeconds(60))
        .until(() -> node.sample().totals().duplicates() >= before + orders.size());
    assertThat(node.sample().totals().atRest()).isTrue();
  }

  @Test
  void itsHealthHasEachCheckOnce() throws IOException {
    List<String> checks =
        CHECK
            .matcher(Http.get(node.folder().readiness().resolve("/health")))
            .results()
            .map(found -> found.group(1))
            .toList();

    assertThat(checks)
        .containsExactlyInAnyOrder("postbox-outbox", "postbox-outbox-relay", "postbox-inbox");
  }

  /** Without a word of the descriptor: the mechanism is the server's. */
  @Test
  void theConsoleAsksWhoSomebodyIs() throws IOException {
    URI findings = node.server().base().resolve("/postbox/api/findings");

    assertThat(Http.status(node.server().base().resolve("/postbox/"))).isEqualTo(401);
    assertThat(Http.status(findings)).isEqualTo(401);
    assertThat(
            Http.send(
                    HttpRequest.newBuilder(findings)
                        .header("Authorization", login("demonstration"))
                        .GET())
                .statusCode())
        .isEqualTo(200);
    assertThat(
            Http.send(
                    HttpRequest.newBuilder(findings).header("Authorization", login("guess")).GET())
                .statusCode())
        .isEqualTo(401);
  }

  private static String login(String password) {
    return "Basic "
        + Base64.getEncoder()
            .encodeToString(("demonstration:" + password).getBytes(StandardCharsets.UTF_8));
  }

  /** As adapters/wildfly allows the factory. */
  @Test
  void itsRelaySendsInTransactionsOfTheBroker() {
    nodes.awaitShipped(nodes.order(node, 1));

    assertThat(node.server().lines("OBX0017"))
        .singleElement()
        .asString()
        .contains("in one local JMS transaction");
  }

  @Test
  void itsListenersRestWhileTheDatabaseIsAway() {
    try (Load load = nodes.load(node)) {
      await("orders on their way")
          .atMost(Duration.ofSeconds(60))
          .until(() -> nodes.count(Acknowledged.class) > 20);
      database.kill();
      nodes.mark(node, "database killed");
      await("listeners that rest")
          .atMost(Duration.ofSeconds(60))
          .until(() -> active().equals(List.of(false, false, false)));
      await("the outage's end").pollDelay(OUTAGE).atMost(OUTAGE.plusSeconds(60)).until(() -> true);
      database.start();
      nodes.mark(node, "has its database again");
      await("listeners at work")
          .atMost(Duration.ofSeconds(60))
          .until(() -> active().equals(List.of(true, true, true)));
    }
    nodes.awaitRest();
    assertThat(nodes.check()).as(nodes.whereabouts()).isEmpty();
  }

  private List<Boolean> active() {
    return node.server()
        .mbeans()
        .ask(
            server -> {
              List<Boolean> active = new ArrayList<>();
              for (ObjectName listener : server.queryNames(new ObjectName(LISTENER), null)) {
                active.add((Boolean) server.getAttribute(listener, "deliveryActive"));
              }
              return active;
            });
  }
}
