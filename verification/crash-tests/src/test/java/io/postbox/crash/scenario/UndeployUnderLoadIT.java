package io.postbox.crash.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.crash.topology.Application;
import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.crash.topology.Settings;
import io.postbox.testkit.model.Violation;
import io.postbox.testkit.sample.Load;
import io.postbox.testkit.server.Http;
import io.postbox.testkit.server.Machine;
import io.postbox.testkit.server.Rule;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The sample goes and comes back in a server that keeps running, under load. */
@Tag("crash")
@TestMethodOrder(OrderAnnotation.class)
class UndeployUnderLoadIT {
  private static final int TIMES = 5;

  /** Longer than the send-timeout, and than the grace. */
  private static final Duration LONG = Duration.ofSeconds(6);

  private static final String HANGING = "hanging";
  private static final String HANGING_IN = "io.postbox.outbox.jms.JmsTransport";

  private static @Nullable Nodes started;

  private final Nodes nodes = Objects.requireNonNull(started);
  private final Node node = nodes.get(0);
  private final Application application = Application.of(node);
  private final Handlers handlers = new Handlers(node);
  private final Machine machine = new Machine(node.server().mbeans());

  @BeforeAll
  static void start() {
    Nodes nodes =
        Nodes.onH2(
            Settings.read(),
            "undeploy",
            Map.of("postbox.outbox.relay.send-timeout", "2s", "postbox.inbox.stop-grace", "2s"));
    started = nodes;
    List<Rule> rules = new ArrayList<>(Handlers.rules(LONG));
    rules.add(
        new Rule(
            HANGING,
            HANGING_IN,
            "commit",
            "AT ENTRY",
            "TRUE",
            "delay(%s)".formatted(LONG.toMillis())));
    nodes.get(0).rules().load(rules);
    new Handlers(nodes.get(0)).count();
    nodes.start();
  }

  @AfterAll
  static void stop() {
    if (started != null) {
      started.close();
    }
  }

  @Test
  @Order(1)
  void itLeavesNothingAndLosesNothing() throws IOException {
    try (Load load = nodes.load(node)) {
      for (int time = 1; time <= TIMES; time++) {
        load.awaitOrders(60);
        application.undeploy();
        nodes.mark(node, "has no application");
        nothingIsLeftOfIt();
        application.deploy();
        nodes.mark(node, "has it again");
      }
      load.awaitOrders(60);
    }
    nodes.awaitRest();
    nodes.assertNothingIsOpen();
    assertThat(node.server().complaints("OBX", "IBX")).as("logged").isEmpty();
    assertThat(node.server().lines("IBX0025")).as("handlers that had no time to end").isEmpty();
    assertEachRunHadItsEffectExcept(0);
  }

  /** One has had no effect yet when its time is over, the other one all of it. */
  @Test
  @Order(2)
  void aHandlerThatTakesTooLongIsRolledBackAndItsMessageRedelivered() throws IOException {
    try (Load load = nodes.load(node)) {
      load.awaitOrders(20);
      handlers.makeOneLong();
      handlers.awaitLong();
      goAndComeBack("although a handler takes long");
      load.awaitOrders(20);
    }
    nodes.awaitRest();
    handlers.makeOneLate();
    nodes.order(node, 1);
    handlers.awaitLate();
    goAndComeBack("although a handler is late");
    nodes.awaitRest();
    nodes.assertNothingIsOpen();
    assertThat(node.server().lines("IBX0025"))
        .as("left behind")
        .hasSize(2)
        .allMatch(line -> line.contains("and 1 deliveries"));
    assertEachRunHadItsEffectExcept(2);
  }

  private void goAndComeBack(String why) throws IOException {
    application.undeploy();
    nodes.mark(node, "has no application, " + why);
    nothingIsLeftOfIt();
    application.deploy();
    nodes.mark(node, "has it again");
  }

  /** Since the start of the server. Rollbacks for another reason are on record. */
  private void assertEachRunHadItsEffectExcept(int leftBehind) throws IOException {
    await("the number of those that were rolled back")
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(node.sample().totals().shipments())
                    .as("effects of %s runs", handlers.begun())
                    .isEqualTo(handlers.begun() - handlers.rolledBack() - leftBehind));
  }

  /** Last, because the database is read, which ends the server that it is in. */
  @Test
  @Order(3)
  void itGoesWhileTheBrokerHangs() throws IOException {
    try (Load load = nodes.load(node)) {
      load.awaitFirstAnswer();
      node.rules().arm(HANGING);
      await("a batch that hangs").until(() -> node.rules().wasHit(HANGING));
      application.undeploy();
      nodes.mark(node, "has no application, and its broker hangs");
      node.rules().disarm(HANGING);
      application.deploy();
      nodes.mark(node, "has it again");
      load.awaitOrders(20);
    }
    nodes.awaitRest();
    await("the end of what hung").until(() -> machine.threadsIn(HANGING_IN).isEmpty());
    List<Violation> violations = nodes.check();
    assertThat(violations).as(() -> nodes.explain(violations)).isEmpty();
  }

  private void nothingIsLeftOfIt() throws IOException {
    assertThat(Http.get(node.server().base().resolve("/metrics")).lines())
        .as("metrics")
        .noneMatch(line -> line.contains("postbox-sample"));
    await("the end of the threads in code of ours") // a look of the timer may be about to end
        .until(() -> machine.threadsIn("io.postbox").isEmpty());
  }
}
