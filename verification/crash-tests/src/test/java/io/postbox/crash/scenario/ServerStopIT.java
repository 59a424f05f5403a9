package io.postbox.crash.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.crash.scenario.Handlers.Kept;
import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.crash.topology.Settings;
import io.postbox.testkit.model.Violation;
import io.postbox.testkit.sample.Load;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A person or a container platform stops the server under load. */
@Tag("crash")
class ServerStopIT {
  private static final Duration LONGEST_STOP = Duration.ofSeconds(90);

  /**
   * Of a handler that outlasts the server's half minute and the grace. Not for ever: for whether
   * the server then ends without it, by interrupting it, is a race between two threads of its own.
   */
  private static final Duration LONGER_THAN_THE_GRACE = Duration.ofSeconds(50);

  /** The server's words when it is asked to stop, by a command or a signal. */
  private static final String[] ASKED = {"CWWKE0055I", "CWWKE0085I"};

  private final Settings settings = Settings.read();
  private final Nodes nodes =
      Nodes.onH2(settings, "stop", Map.of("postbox.inbox.stop-grace", "2s"));
  private final Node node = nodes.get(0);
  private final Handlers handlers = new Handlers(node);
  private Kept before = Kept.NOTHING;

  private enum Way {
    SIGTERM,
    COMMAND
  }

  @AfterEach
  void close() {
    nodes.close();
  }

  @Test
  void aStopUnderLoadLosesNothingAndIsNoError() {
    handlersMayEnd(Way.COMMAND);
    aLongOneIsLeftBehind();
    node.inOwnTransactions();
    handlersMayEnd(Way.SIGTERM);
    if (settings.longStops()) {
      aLongOneIsLeftBehind();
    }

    node.start();
    nodes.awaitRest();
    List<Violation> violations = nodes.check();
    assertThat(violations).as(() -> nodes.explain(violations)).isEmpty();
  }

  private void handlersMayEnd(Way way) {
    start();
    try (Load load = nodes.load(node)) {
      load.awaitOrders(60);
      stop(way);
    }
    assertThat(handlers.atWorkAt(ASKED)).as("handlers at work when it was stopped").isPositive();
    assertThat(node.server().lines("IBX0025")).as("left behind").isEmpty();
    assertThat(node.server().incidents("io.postbox.outbox", "io.postbox.inbox"))
        .as("first failure data of classes of ours")
        .isEmpty();
    assertEffects(0);
  }

  /** By command, for after a signal the JDK closes the log before the inbox has its say. */
  private void aLongOneIsLeftBehind() {
    start();
    try (Load load = nodes.load(node)) {
      load.awaitOrders(30);
      handlers.makeOneLong();
      handlers.awaitLong();
      stop(Way.COMMAND);
    }
    assertThat(node.server().lines("IBX0025"))
        .as("left behind")
        .singleElement()
        .asString()
        .contains("1 deliveries");
    assertEffects(1);
  }

  private void start() {
    node.rules().load(Handlers.rules(LONGER_THAN_THE_GRACE));
    handlers.count();
    if (before.equals(Kept.NOTHING)) {
      nodes.start();
    } else {
      node.start();
    }
  }

  private void stop(Way way) {
    nodes.mark(node, "stopped: " + way);
    switch (way) {
      case SIGTERM -> node.server().terminate();
      case COMMAND -> assertThat(node.server().stopByCommand()).as("exit code").isZero();
    }
    int exit = node.server().awaitExit(LONGEST_STOP);
    nodes.mark(node, "has ended with " + exit);
    assertThat(exit).as("exit code, or -1 if it does not end").isNotNegative();
    assertThat(node.server().complaints("OBX", "IBX")).as("logged at the stop").isEmpty();
  }

  /** Each run that began has had its effect, unless it was rolled back, and that on record. */
  private void assertEffects(int leftBehind) {
    Kept after = Kept.in(nodes.database());
    int begun = handlers.begun();
    int rolledBack = handlers.rolledBack();
    assertThat(after.shipments() - before.shipments())
        .as("effects of %s runs, of which %s say that they were rolled back", begun, rolledBack)
        .isEqualTo(begun - rolledBack - leftBehind);
    assertThat(after.handled()).as("rows of the inbox").isEqualTo(after.shipments());
    assertThat(after.heldAgainst()).as("failures that count").isZero();
    before = after;
  }
}
