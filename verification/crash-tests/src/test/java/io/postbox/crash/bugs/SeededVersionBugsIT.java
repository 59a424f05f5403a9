package io.postbox.crash.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.crash.campaign.Mode;
import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.crash.topology.Settings;
import io.postbox.testkit.model.Violation;
import io.postbox.testkit.model.Violation.KeptAside;
import io.postbox.testkit.model.Violation.VersionHandledTwice;
import io.postbox.testkit.model.Violation.VersionLost;
import io.postbox.testkit.model.Violation.VersionOutOfOrder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** As {@link SeededBugsIT}, for versions that are too early and wait in the database. */
@Tag("crash")
class SeededVersionBugsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String QUEUE = "jms/versions";

  @Test
  void misorderedDoubledLostAndStrandedVersionsAreFound() {
    try (Nodes nodes = Mode.EARLY_POSTGRESQL.make(Settings.read(), false, Map.of())) {
      Node node = nodes.get(0);
      node.rules().load(SeededBug.all());
      nodes.start();
      nodes.sendVersions(node, "sound", QUEUE, 3L, 1L, 2L);
      nodes.awaitRest();
      assertThat(nodes.check()).as("without a bug").isEmpty();

      SeededBug arrival = SeededBug.ORDER_BY_ARRIVAL;
      arm(node, arrival);
      nodes.sendVersions(node, arrival.name(), QUEUE, 2L);
      awaitFound(nodes, arrival, new VersionOutOfOrder(arrival.name(), 2, 0)::equals);

      SeededBug twice = SeededBug.RELEASE_TWICE;
      buffer(nodes, twice);
      arm(node, twice);
      nodes.sendVersions(node, twice.name(), QUEUE, 1L);
      awaitFound(
          nodes,
          twice,
          it ->
              it instanceof VersionHandledTwice found
                  && found.aggregate().equals(twice.name())
                  && found.version() == 2);

      SeededBug tooSoon = SeededBug.RELEASE_BEFORE_COMMIT;
      buffer(nodes, tooSoon);
      arm(node, tooSoon);
      nodes.sendVersions(node, tooSoon.name(), QUEUE, 1L);
      awaitFound(
          nodes,
          tooSoon,
          new VersionLost(tooSoon.name(), 1)::equals,
          new VersionOutOfOrder(tooSoon.name(), 2, 0)::equals);

      SeededBug forgotten = SeededBug.FORGET_TO_RELEASE;
      buffer(nodes, forgotten);
      arm(node, forgotten);
      nodes.sendVersions(node, forgotten.name(), QUEUE, 1L);
      awaitFound(
          nodes,
          forgotten,
          new VersionLost(forgotten.name(), 2)::equals,
          SeededVersionBugsIT::isBuffered);
    }
  }

  /** Sends the second version of the aggregate of a bug that sleeps, which then waits. */
  private static void buffer(Nodes nodes, SeededBug bug) {
    await("nothing is buffered")
        .atMost(PATIENCE)
        .until(() -> nodes.check().stream().noneMatch(SeededVersionBugsIT::isBuffered));
    nodes.sendVersions(nodes.get(0), bug.name(), QUEUE, 2L);
    await("a buffered version")
        .atMost(PATIENCE)
        .until(() -> nodes.check().stream().anyMatch(SeededVersionBugsIT::isBuffered));
  }

  private static boolean isBuffered(Violation violation) {
    return violation instanceof KeptAside kept && kept.message().reason().equals("EARLY");
  }

  private static void arm(Node node, SeededBug bug) {
    node.rules().arm(bug.name());
  }

  /** Waits until the bug has had an effect, and each of these is found; then takes it out. */
  @SafeVarargs
  private static void awaitFound(Nodes nodes, SeededBug bug, Predicate<Violation>... expected) {
    Node node = nodes.get(0);
    await(bug + " has an effect").atMost(PATIENCE).until(() -> node.rules().wasHit(bug.name()));
    await(bug + " is found")
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              List<Violation> found = nodes.check();
              for (Predicate<Violation> one : expected) {
                assertThat(found).anyMatch(one);
              }
            });
    node.rules().disarm(bug.name());
  }
}
