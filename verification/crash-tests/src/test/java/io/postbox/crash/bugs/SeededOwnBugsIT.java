package io.postbox.crash.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.crash.topology.Settings;
import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.model.Violation;
import io.postbox.testkit.model.Violation.NotShipped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link SeededBugsIT}, for what can only go wrong in a transaction of the inbox's own. */
@Tag("crash")
class SeededOwnBugsIT {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final List<SeededBug> BUGS =
      List.of(SeededBug.ACKNOWLEDGE_BEFORE_COMMIT, SeededBug.ACKNOWLEDGE_A_SILENT_ROLLBACK);

  @Test
  void anAcknowledgedUncommittedMessageIsLost() {
    try (Nodes nodes = Nodes.onPostgres(Settings.read(), "seeded-own-bugs", 1, Map.of())) {
      Node node = nodes.get(0);
      nodes.inOwnTransactions();
      node.rules().load(SeededBug.all());
      nodes.start();
      Acknowledged good = nodes.order(node, 1).get(0);
      nodes.awaitShipped(List.of(good));
      nodes.awaitRest();
      assertThat(nodes.check()).isEmpty();

      List<Violation> lost = new ArrayList<>();
      for (SeededBug bug : BUGS) {
        node.rules().arm(bug.name());
        Acknowledged order = nodes.order(node, 1).get(0);
        await(bug + " has an effect").atMost(PATIENCE).until(() -> node.rules().wasHit(bug.name()));

        lost.add(new NotShipped(order.orderId()));
        await("what is lost by " + bug)
            .atMost(PATIENCE)
            .during(Duration.ofSeconds(1))
            .untilAsserted(
                () -> assertThat(nodes.check()).containsExactlyInAnyOrderElementsOf(lost));
        node.rules().disarm(bug.name());
      }
    }
  }
}
