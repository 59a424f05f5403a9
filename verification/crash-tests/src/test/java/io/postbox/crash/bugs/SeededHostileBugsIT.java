package io.postbox.crash.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.crash.campaign.Mode;
import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.crash.topology.Settings;
import io.postbox.testkit.model.HostileMessage;
import io.postbox.testkit.model.Violation;
import io.postbox.testkit.model.Violation.Filled;
import io.postbox.testkit.model.Violation.LeftInQueue;
import io.postbox.testkit.server.Rules;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link SeededBugsIT}, for what only somebody hostile brings to light. */
@Tag("crash")
class SeededHostileBugsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int MORE_THAN_THE_QUOTA = 200;

  @Test
  void anAnswerThatLeaksAndATableThatIsFilledAreFound() {
    try (Nodes nodes = Mode.HOSTILE.make(Settings.read(), false, Map.of())) {
      Node node = nodes.get(0);
      node.rules().load(SeededBug.all());
      nodes.start();
      nodes.sendHostileMessage(node, HostileMessage.WITH_A_REPLY_ELSEWHERE, UUID.randomUUID());
      nodes.awaitRest();
      assertThat(nodes.check()).as("without a bug").isEmpty();

      find(
          nodes,
          SeededBug.REPLY_ANYWHERE,
          () ->
              nodes.sendHostileMessage(
                  node, HostileMessage.WITH_A_REPLY_ELSEWHERE, UUID.randomUUID()),
          it -> it instanceof LeftInQueue left && left.queue().endsWith(" LEAK"));
      find(
          nodes,
          SeededBug.IGNORE_QUOTAS,
          () -> nodes.flood(node, MORE_THAN_THE_QUOTA),
          Filled.class::isInstance);
    }
  }

  private static void find(
      Nodes nodes, SeededBug bug, Runnable attack, Predicate<Violation> expected) {
    Rules rules = nodes.get(0).rules();
    rules.arm(bug.name());
    attack.run();
    await(bug + " has an effect").atMost(PATIENCE).until(() -> rules.wasHit(bug.name()));
    await(bug + " is found")
        .atMost(PATIENCE)
        .until(() -> nodes.check().stream().anyMatch(expected));
    rules.disarm(bug.name());
  }
}
