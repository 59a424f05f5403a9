package io.postbox.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The server is told to stop under load, as a person or a container platform does it. */
class ServerStopIT {
  private static final Duration LONGEST_STOP = Duration.ofSeconds(90);
  private static final int STOPS = 3;

  @Test
  void aStopUnderLoadLosesNothingAndIsNoError() {
    try (Nodes nodes = Nodes.onH2(Settings.read(), "stop", Map.of())) {
      nodes.start();
      Node node = nodes.get(0);
      for (int stop = 1; stop <= STOPS; stop++) {
        try (Load load = nodes.load(node)) {
          load.awaitOrders(60);
          stop(nodes, node, stop % 2 == 0);
        }
        assertThat(node.server().complaints("OBX", "IBX")).as("logged at the stop").isEmpty();
        assertThat(node.server().incidents("io.postbox.outbox", "io.postbox.inbox"))
            .as("first failure data of classes of ours")
            .isEmpty();
        node.start();
      }
      nodes.awaitRest();
      List<Violation> violations = nodes.check();
      assertThat(violations).as(() -> nodes.explain(violations)).isEmpty();
    }
  }

  private static void stop(Nodes nodes, Node node, boolean byCommand) {
    nodes.mark(node, byCommand ? "stopped by command" : "stopped by SIGTERM");
    if (byCommand) {
      assertThat(node.server().stopByCommand()).as("exit code of the command").isZero();
    } else {
      node.server().terminate();
    }
    int exit = node.server().awaitExit(LONGEST_STOP);
    nodes.mark(node, "has ended with " + exit);
    assertThat(exit).as("exit code, or -1 if it does not end").isNotNegative();
  }
}
