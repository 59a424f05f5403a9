package io.postbox.crash.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.crash.topology.Build;
import io.postbox.crash.topology.Cluster;
import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.crash.topology.Settings;
import io.postbox.testkit.database.Tables;
import io.postbox.testkit.model.Violation;
import io.postbox.testkit.sample.Load;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A rolling upgrade under load, and back again: nodes of two builds share the tables. */
@Tag("crash")
class SideBySideIT {
  private static final int A_FEW = 25;

  /** Slow, because whatever is ordered while a server starts has to be handled before the next. */
  private static final Duration PACE = Duration.ofMillis(200);

  @Test
  void nodesAreUpgradedOneByOneAndBackAgain() {
    Settings settings = Settings.read();
    Build now = Build.ofThis(settings.workspace().artifacts());
    Build other = now.other(settings.workspace().artifacts());
    assertThat(other.version()).isNotEqualTo(now.version());
    try (Nodes nodes = Nodes.onPostgres(settings, "side-by-side", 2, Map.of())) {
      nodes.start();
      Node first = nodes.get(0);
      Node second = nodes.get(1);
      Upgrade upgrade = new Upgrade(nodes);
      upgrade.awaitVersions(now, now);

      upgrade.killUnderLoad(first, other);
      upgrade.awaitVersions(now, other);
      upgrade.killUnderLoad(second, now);
      upgrade.awaitVersions(now, other);
      if (other.isNext()) {
        assertThat(second.server().lines("OBX0081")).as("on later tables").hasSize(1);
        assertThat(second.server().lines("IBX0101")).as("on later tables").hasSize(1);
      }
      upgrade.stopUnderLoad(second, other);
      upgrade.awaitVersions(other, other);

      upgrade.stopUnderLoad(first, now);
      upgrade.awaitVersions(now, other);
      upgrade.killUnderLoad(second, other);
      upgrade.awaitVersions(now, other);
      upgrade.killUnderLoad(second, now);
      upgrade.awaitVersions(now, now);
    }
  }

  private record Upgrade(Nodes nodes) {

    /** Kills a node while both have work, and starts it with these jars while the other has. */
    void killUnderLoad(Node node, Build build) {
      exchange(node, build, () -> node.server().kill());
    }

    void stopUnderLoad(Node node, Build build) {
      exchange(
          node,
          build,
          () -> {
            node.server().terminate();
            assertThat(node.server().awaitExit(Duration.ofSeconds(90))).isNotNegative();
          });
    }

    private void exchange(Node node, Build build, Runnable end) {
      Node stays = nodes.all().stream().filter(each -> each != node).findAny().orElseThrow();
      try (Load there = nodes.load(stays, 1, PACE)) {
        try (Load here = nodes.load(node, 2, PACE)) {
          there.awaitFirstAnswer();
          here.awaitOrders(A_FEW);
          end.run();
          nodes.mark(node, "ended");
        }
        node.liberty().replaceSample(build.ear());
        node.start();
        nodes.mark(node, "ready with " + build.version());
        there.awaitOrders(A_FEW);
      }
      new Cluster(nodes).awaitEmptyOutbox();
      allIsWell();
    }

    /** Both modules of both nodes say so in the tables. */
    void awaitVersions(Build... builds) {
      List<String> expected =
          Stream.of(builds)
              .flatMap(build -> Stream.of("inbox " + build.version(), "outbox " + build.version()))
              .sorted()
              .toList();
      await("nodes of these versions")
          .atMost(Duration.ofSeconds(60))
          .until(() -> Tables.versions(nodes.database()), expected::equals);
    }

    private void allIsWell() {
      nodes.awaitRest();
      List<Violation> violations = nodes.check();
      assertThat(violations).as(() -> nodes.explain(violations)).isEmpty();
    }
  }
}
