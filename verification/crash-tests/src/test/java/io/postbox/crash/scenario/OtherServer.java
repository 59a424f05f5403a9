package io.postbox.crash.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.crash.load.Console;
import io.postbox.crash.load.Console.Answer;
import io.postbox.crash.topology.Application;
import io.postbox.crash.topology.MessageBroker;
import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.crash.topology.Settings;
import io.postbox.testkit.database.PostgresDatabase;
import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.sample.Load;
import io.postbox.testkit.sample.Sample.Totals;
import io.postbox.testkit.server.Http;
import io.postbox.testkit.server.ServerKind;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The sample on a server that is not Open Liberty, configured by its adapter, with PostgreSQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OtherServer {
  private static final Pattern CHECK = Pattern.compile("\"name\"\\s*:\\s*\"(postbox-[^\"]+)\"");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration OUTAGE = Duration.ofSeconds(15);

  private final PostgresDatabase database;
  private final Nodes nodes;
  private final Node node;

  OtherServer(ServerKind kind, MessageBroker broker) {
    Settings settings = Settings.read().on(kind);
    String name = kind.name().toLowerCase(Locale.ROOT);
    database = new PostgresDatabase(settings.work().resolve(name + "-data"));
    nodes = Nodes.one(settings, name, database, broker, Map.of());
    node = nodes.get(0);
  }

  final Node node() {
    return node;
  }

  final Nodes nodes() {
    return nodes;
  }

  @BeforeAll
  final void start() {
    nodes.start();
  }

  @AfterAll
  final void close() {
    nodes.close();
  }

  @Test
  final void anOrderIsShippedOnceHoweverOftenItsMessageComes() throws IOException {
    List<Acknowledged> orders = nodes.order(node, 5);
    nodes.awaitShipped(orders);
    long before = totals().duplicates();
    orders.forEach(order -> nodes.resend(node, order));

    await("the second copies")
        .atMost(PATIENCE)
        .until(() -> totals().duplicates() >= before + orders.size());
    Totals totals = totals();
    assertThat(totals.shipments()).isEqualTo(totals.shippedOrders());
  }

  /** The failed attempt is recorded, and the message comes again: not by the broker's patience. */
  @Test
  final void aHandlerThatFailsOnceIsAskedAgain() throws IOException {
    long before = totals().shippedOrders();
    Http.post(troubles("handler-fails-once"), "");

    await("its order").atMost(PATIENCE).until(() -> totals().shippedOrders() > before);
    assertThat(node.server().lines("IBX0008")).isNotEmpty();
    Totals totals = totals();
    assertThat(totals.shipments()).isEqualTo(totals.shippedOrders());
  }

  /** What the operator sees, decides, and has decided is the same on every server. */
  @Test
  final void aHandlerThatFailsForEverIsParkedUntilAnOperatorRedrivesIt() throws IOException {
    Console console = console();
    long before = totals().shippedOrders();
    Http.post(troubles("handler-fails"), "");
    await("its message to be parked")
        .atMost(PATIENCE)
        .until(() -> console.items("inbox/parked", "").size() == 1);
    Http.post(troubles("handler-fails/mend"), "");

    Answer plan =
        console.ask(
            "POST", "inbox/plans", "{\"kind\":\"parked\",\"action\":\"redrive\",\"filter\":{}}");
    assertThat(plan.isDone()).as(plan.toString()).isTrue();
    Answer action =
        console.ask("POST", "plans/" + plan.text("id") + "/run", "{\"reason\":\"mended\"}");
    assertThat(action.isDone()).as(action.toString()).isTrue();

    await("its order").atMost(PATIENCE).until(() -> totals().shippedOrders() > before);
    assertThat(console.items("inbox/parked", "")).isEmpty();
    Totals totals = totals();
    assertThat(totals.shipments()).isEqualTo(totals.shippedOrders());
  }

  @Test
  final void itsMetricsAreThoseOfTheRunbook() throws IOException {
    nodes.awaitShipped(nodes.order(node, 1));

    await("the counters")
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(Http.get(node.folder().readiness().resolve(metrics())))
                    .containsPattern("postbox_outbox_relayed_total\\{[^}]*\"shipping\"[^}]*} [1-9]")
                    .containsPattern("postbox_inbox_processed_total\\{[^}]*\"billing\"[^}]*} [1-9]")
                    .containsPattern("postbox_outbox_pending\\{[^}]*} 0")
                    .containsPattern("postbox_outbox_relay_seconds_count\\{[^}]*} [1-9]"));
  }

  /** Where its metrics are, beside the health. */
  String metrics() {
    return "/metrics";
  }

  private URI troubles(String which) {
    return node.server().base().resolve("/api/troubles/" + which);
  }

  private Totals totals() throws IOException {
    return node.sample().totals();
  }

  @Test
  final void itsHealthHasEachCheckOnce() throws IOException {
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
  final void theConsoleAsksWhoSomebodyIs() throws IOException {
    assertThat(Http.status(node.server().base().resolve("/postbox/"))).isEqualTo(401);
    assertThat(Http.status(node.server().base().resolve("/postbox/api/findings"))).isEqualTo(401);
    assertThat(findings(console()).status()).isEqualTo(200);
    assertThat(findings(new Console(node.server().base(), "guess")).status()).isEqualTo(401);
  }

  /** Each fact is known, and none is one to warn of: all that the adapter sets is in effect. */
  @Test
  final void theGuaranteeCheckKnowsItsSettingsAndFindsNothing() throws IOException {
    assertThat(findings(console()).body()).isEqualTo("{\"items\":[]}");
  }

  private Console console() {
    return new Console(node.server().base());
  }

  private static Answer findings(Console console) throws IOException {
    return console.ask("GET", "findings", "");
  }

  @Test
  final void itsRelaySendsInTheTransactionsThatTheFactoryAllows() {
    nodes.awaitShipped(nodes.order(node, 1));

    assertThat(node.server().lines("OBX0017"))
        .isNotEmpty()
        .allMatch(line -> line.contains(sendsIn()));
  }

  /** How {@code OBX0017} calls them. */
  abstract String sendsIn();

  @Test
  final void nothingIsLostOrDoubledWhenItIsDeployedAgain() {
    Application application = Application.of(node);
    try (Load load = nodes.load(node)) {
      load.awaitOrders(20);
      application.undeploy();
      nodes.mark(node, "has no application");
      application.deploy();
      nodes.mark(node, "has it again");
      load.awaitOrders(20);
    }
    restore();
    nodes.awaitRest();
    assertThat(nodes.check()).as(nodes.whereabouts()).isEmpty();
  }

  @Test
  final void nothingIsLostOrDoubledWhileTheDatabaseIsAway() {
    try (Load load = nodes.load(node)) {
      await("orders on their way")
          .atMost(PATIENCE)
          .until(() -> nodes.count(Acknowledged.class) > 20);
      database.kill();
      nodes.mark(node, "database killed");
      await("what the listeners do").atMost(PATIENCE).until(() -> listenersAre(false));
      await("the outage's end").pollDelay(OUTAGE).atMost(OUTAGE.plus(PATIENCE)).until(() -> true);
      database.start();
      nodes.mark(node, "has its database again");
      await("listeners at work").atMost(PATIENCE).until(() -> listenersAre(true));
    }
    restore();
    nodes.awaitRest();
    assertThat(nodes.check()).as(nodes.whereabouts()).isEmpty();
  }

  /** What an operator has to do when the database, or the application, is there again. */
  void restore() {}

  /** Whether all listeners are at work, or all rest; true where no server could say so. */
  abstract boolean listenersAre(boolean atWork);
}
