package io.postbox.crash.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.crash.topology.Cluster;
import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.crash.topology.Settings;
import io.postbox.testkit.database.Tables;
import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.model.Violation;
import io.postbox.testkit.sample.Load;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two servers with one set of tables: one does the work that the other cannot do. */
@Tag("crash")
class TwoNodesIT {
  private static @Nullable Nodes started;

  private final Nodes nodes = Objects.requireNonNull(started);
  private final Cluster cluster = new Cluster(nodes);
  private final Node first = nodes.get(0);
  private final Node second = nodes.get(1);

  @BeforeAll
  static void start() {
    Settings settings = Settings.read();
    started =
        Nodes.onPostgres(
            settings, "two-nodes", 2, Map.of("postbox.outbox.relay.send-timeout", "2s"));
    started.start();
  }

  @AfterAll
  static void stop() {
    if (started != null) {
      started.close();
    }
  }

  /** Both servers run again, whatever a test did to them. */
  @AfterEach
  void bothRun() {
    if (first.server().isRunning()) {
      first.server().thaw();
    }
    nodes.startAgain();
  }

  @Test
  void theOtherNodeSendsTheMessagesOfADeadOne() throws Exception {
    List<Acknowledged> taken;
    Set<String> both = awaitLiving(2);
    try (Connection past = nodes.database().connect()) {
      Tables.claimAllPartitions(past); // so that the first can send nothing of it
      taken = nodes.order(first, 50);
      first.server().kill();
      nodes.mark(first, "killed with 50 messages to be sent");
    }

    nodes.awaitShipped(taken);
    cluster.awaitEmptyOutbox();
    assertThat(both).as("those alive, and the dead one").containsAll(awaitLiving(1));
    assertThat(Tables.nodes(nodes.database())).as("its rows are kept").containsKeys(array(both));
    first.start();
    assertThat(awaitLiving(2)).as("a new name after each start").isNotEqualTo(both);
    allIsWell();
  }

  /** Waits until so many nodes report, each of its outbox and of its inbox. */
  private Set<String> awaitLiving(int howMany) {
    return await("living nodes: " + howMany)
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              Map<String, Boolean> all = Tables.nodes(nodes.database());
              return all.keySet().stream().filter(all::get).collect(Collectors.toSet());
            },
            living -> living.size() == 2 * howMany);
  }

  private static String[] array(Set<String> names) {
    return names.toArray(String[]::new);
  }

  @Test
  void eachIsKilledOnceUnderLoadAndTheOtherGoesOn() {
    for (Node dies : List.of(first, second)) {
      Node lives = dies == first ? second : first;
      try (Load stays = nodes.load(lives)) {
        try (Load goes = nodes.load(dies)) {
          stays.awaitFirstAnswer();
          goes.awaitOrders(100);
          dies.server().kill();
          nodes.mark(dies, "killed");
        }
        stays.awaitOrders(200);
      }
      // Messages in the dead server's own queues wait there; those in the table do not.
      cluster.awaitEmptyOutbox();
      nodes.mark(lives, "has emptied the outbox");
      try (Load stays = nodes.load(lives)) {
        dies.start();
        nodes.mark(dies, "ready");
        stays.awaitOrders(50);
      }
      allIsWell();
    }
  }

  @Test
  void tenCopiesAtOnceOverBothAreHandledOnce() {
    long before = cluster.duplicates();
    Acknowledged order = nodes.order(first, 1).get(0);

    int copies = cluster.resendFromAll(order, 5);

    assertThat(copies).isEqualTo(10);
    await("ten skipped copies")
        .atMost(Duration.ofSeconds(60))
        .until(() -> cluster.duplicates() - before == copies);
    allIsWell();
  }

  @Test
  void oneThatStandsStillWithAClaimGoesOnLater() {
    try (Load stays = nodes.load(second);
        Load stops = nodes.load(first)) {
      stays.awaitFirstAnswer();
      stops.awaitFirstAnswer();
      cluster.freezeWithAClaim(first);
      nodes.mark(first, "stands still");
      stays.awaitOrders(100);
      first.server().thaw();
      nodes.mark(first, "goes on");
      stops.awaitOrders(50);
    }
    allIsWell();
  }

  @Test
  void oneThatIsToldToStopLeavesTheRestToTheOther() {
    Set<String> both = awaitLiving(2);
    try (Load stays = nodes.load(second)) {
      try (Load goes = nodes.load(first)) {
        stays.awaitFirstAnswer();
        goes.awaitOrders(50);
        first.server().terminate();
        nodes.mark(first, "is to stop");
        assertThat(first.server().awaitExit(Duration.ofSeconds(90))).isNotNegative();
      }
      assertThat(first.server().complaints("OBX", "IBX")).as("logged at the stop").isEmpty();
      Set<String> left = new HashSet<>(both);
      left.retainAll(Tables.nodes(nodes.database()).keySet());
      assertThat(left).as("the other's rows").hasSize(2);
    }
    cluster.awaitEmptyOutbox();
    first.start();
    allIsWell();
  }

  /** PostgreSQL ends the transaction: the claim asks it to. */
  @Test
  void theClaimOfOneThatStandsStillForLongIsTakenOver() {
    try (Load stays = nodes.load(second)) {
      try (Load stops = nodes.load(first)) {
        stays.awaitFirstAnswer();
        stops.awaitFirstAnswer();
        cluster.freezeWithAClaim(first);
        nodes.mark(first, "stands still");
      }
    }
    cluster.awaitEmptyOutbox();
    nodes.mark(second, "has emptied the outbox");
    first.server().thaw();
    nodes.mark(first, "goes on");
    allIsWell();
  }

  private void allIsWell() {
    nodes.awaitRest();
    List<Violation> violations = nodes.check();
    assertThat(violations).as(() -> nodes.explain(violations)).isEmpty();
  }
}
