package io.postbox.crash.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.crash.campaign.Mode;
import io.postbox.crash.load.OperatorScenes;
import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.crash.topology.Nodes.Act;
import io.postbox.crash.topology.Settings;
import io.postbox.testkit.model.Violation;
import io.postbox.testkit.model.Violation.JobBeforeTheFirst;
import io.postbox.testkit.model.Violation.JobLost;
import io.postbox.testkit.model.Violation.JobUndecided;
import io.postbox.testkit.model.Violation.LeftStored;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link SeededBugsIT}, for what an operator's actions could do that he has not decided. */
@Tag("crash")
class SeededOperatorBugsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** As long as a redrive takes, and shorter than it takes until a second copy is sent. */
  private static final Duration NO_LONGER = Duration.ofSeconds(20);

  @Test
  void whatNobodyDecidedAndWhatARedriveLosesIsFound() {
    try (Nodes nodes = Mode.OPERATOR_POSTGRESQL.make(Settings.read(), false, Map.of())) {
      Node node = nodes.get(0);
      node.rules().load(SeededBug.all());
      nodes.start();
      nodes.act(node, OperatorScenes::redriveFirst);
      nodes.act(node, OperatorScenes::discardOneOfAKey);
      nodes.act(node, OperatorScenes::redriveParked);
      assertThat(nodes.settle()).as("at rest without a bug").isTrue();
      assertThat(nodes.check()).as("without a bug").isEmpty();

      find(
          nodes,
          SeededBug.DO_NOT_WAIT_FOR_THE_FIRST,
          OperatorScenes::redriveFirst,
          JobBeforeTheFirst.class);
      find(
          nodes,
          SeededBug.RELEASE_OTHERS_WITH_A_DISCARD,
          OperatorScenes::discardOneOfAKey,
          JobUndecided.class);

      node.rules().arm(SeededBug.SEND_NO_COPY.name());
      nodes.act(node, OperatorScenes::redriveParked);
      assertThat(nodes.isTidyWithin(NO_LONGER)).isFalse();
      assertThat(nodes.check())
          .anyMatch(JobLost.class::isInstance)
          .anyMatch(LeftStored.class::isInstance);
      node.rules().disarm(SeededBug.SEND_NO_COPY.name());
      assertThat(nodes.isTidyWithin(PATIENCE)).as("another copy is sent").isTrue();

      node.rules().arm(SeededBug.DELETE_BEFORE_REDRIVE.name());
      nodes.act(node, OperatorScenes::redriveParked);
      node.awaitDeathAt(SeededBug.DELETE_BEFORE_REDRIVE.name());
      node.rules().disarm(SeededBug.DELETE_BEFORE_REDRIVE.name());
      nodes.startAgain();
      assertThat(nodes.isTidyWithin(PATIENCE)).isFalse();
      assertThat(nodes.check()).filteredOn(JobLost.class::isInstance).hasSize(1);
    }
  }

  private static void find(
      Nodes nodes, SeededBug bug, Act act, Class<? extends Violation> expected) {
    Node node = nodes.get(0);
    node.rules().arm(bug.name());
    nodes.act(node, act);
    await(bug + " has an effect").atMost(PATIENCE).until(() -> node.rules().wasHit(bug.name()));
    await(bug + " is found")
        .atMost(PATIENCE)
        .until(() -> nodes.check().stream().anyMatch(expected::isInstance));
    node.rules().disarm(bug.name());
  }
}
