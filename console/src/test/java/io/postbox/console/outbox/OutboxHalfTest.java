package io.postbox.console.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.postbox.common.Paused;
import io.postbox.common.RetryPolicy;
import io.postbox.common.RuntimePolicy;
import io.postbox.console.api.Concern;
import io.postbox.console.api.Concern.Kind;
import io.postbox.outbox.OutboxNode;
import io.postbox.outbox.OutboxNode.BreakerState;
import io.postbox.outbox.OutboxNode.OpenBreaker;
import io.postbox.outbox.OutboxNode.RelayState;
import io.postbox.outbox.OutboxNode.StuckPartition;
import io.postbox.outbox.OutboxPolicy;
import io.postbox.outbox.OutboxPolicy.OnDeadLetter;
import io.postbox.outbox.OutboxStatistics.DestinationStatistics;
import io.postbox.outbox.RelayControl;
import io.postbox.outbox.WaitingMessages.Redirect;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OutboxHalfTest {
  private static final Instant NOW = Instant.parse("2026-11-23T22:00:00.123456Z");

  private static DestinationStatistics destination(
      String name, long pending, long held, long dead) {
    return new DestinationStatistics(name, pending, held, 0, dead, Duration.ZERO, false);
  }

  /** Circuits are as of now: a count may not say that less time has passed. */
  @Test
  void theOldestHasWaitedSinceTheCountToo() {
    List<DestinationStatistics> counts =
        List.of(
            new DestinationStatistics("a", 3, 0, 0, 0, Duration.ofSeconds(9), false),
            new DestinationStatistics("b", 0, 0, 0, 2, Duration.ZERO, false));

    assertThat(OutboxHalf.since(counts, Duration.ofSeconds(5)))
        .extracting(DestinationStatistics::oldestPending)
        .containsExactly(Duration.ofSeconds(14), Duration.ZERO);
  }

  private static OutboxNode node(String name, boolean alive) {
    return new OutboxNode(
        name,
        "host",
        "1",
        NOW,
        NOW,
        NOW,
        alive,
        RelayState.ON,
        4,
        Optional.of(NOW),
        List.of(
            new OpenBreaker("shipping", BreakerState.OPEN, NOW, NOW, 3, "<b>"),
            new OpenBreaker("billing", BreakerState.HALF_OPEN, NOW, NOW, 1, "gone")),
        List.of(),
        List.of(new StuckPartition(3, NOW)),
        List.of("isolation"),
        List.of("pool-size"));
  }

  private static List<Concern> concerns(
      List<DestinationStatistics> destinations, List<OutboxNode> nodes, List<Paused> paused) {
    return OutboxHalf.concerns(destinations, nodes, paused, List.of(), List.of(), 10, 100).stream()
        .sorted(Concern.WORST_FIRST)
        .toList();
  }

  @Test
  void theWorstComesFirst() {
    List<Concern> concerns =
        concerns(
            List.of(destination("shipping", 60, 2, 1), destination("billing", 40, 3, 1_000)),
            List.of(node("one", true), node("two", true)),
            List.of(new Paused("billing", "moved", "ada", NOW)));

    assertThat(concerns)
        .extracting(Concern::kind)
        .containsExactly(
            Kind.DEAD_LETTERS,
            Kind.HELD_KEYS,
            Kind.OPEN_BREAKERS,
            Kind.STUCK_PARTITIONS,
            Kind.PAUSED,
            Kind.FULL_BACKLOG,
            Kind.FINDINGS);
    assertThat(concerns)
        .extracting(Concern::text)
        .contains(
            "1,001 dead letters wait for a decision: shipping, billing.",
            "Nothing is sent to 2 destinations, which failed: billing, shipping.",
            "1 destination is paused: billing.",
            "100 messages wait, and enqueue refuses more.");
  }

  @Test
  void nothingIsOfNoConcern() {
    assertThat(concerns(List.of(destination("shipping", 9, 0, 0)), List.of(), List.of())).isEmpty();
  }

  @Test
  void aNodeThatIsGoneTellsNothingOfThePresent() {
    assertThat(concerns(List.of(), List.of(node("one", false)), List.of())).isEmpty();
  }

  @Test
  void aBacklogIsLargeBeforeItIsFull() {
    assertThat(concerns(List.of(destination("shipping", 10, 0, 0)), List.of(), List.of()))
        .extracting(Concern::kind)
        .containsExactly(Kind.LARGE_BACKLOG);
  }

  @Test
  void aPauseOfAllIsSaid() {
    assertThat(
            concerns(
                List.of(), List.of(), List.of(new Paused(RelayControl.ALL, "moved", "ada", NOW))))
        .extracting(Concern::text)
        .containsExactly("Somebody has paused all destinations.");
  }

  @Test
  void whatAnOperatorHasSetIsSaidUntilItEnds() {
    OutboxPolicy policy =
        new OutboxPolicy(RetryPolicy.asConfigured(), Optional.of(OnDeadLetter.HOLD));
    assertThat(
            OutboxHalf.concerns(
                List.of(),
                List.of(),
                List.of(),
                List.of(new Redirect("shiping", "shipping", "mistyped", "ada", NOW)),
                List.of(new RuntimePolicy<>("billing", policy, "slow", "ada", NOW)),
                10,
                100))
        .extracting(Concern::kind, Concern::text, Concern::link)
        .containsExactly(
            tuple(
                Kind.REDIRECTED, "1 destination is redirected: shiping to shipping.", "#/policies"),
            tuple(
                Kind.POLICIES,
                "Somebody has set a policy of 1 destination: billing.",
                "#/policies"));
  }

  @Test
  void aNodeIsWrittenWithTimesInMilliseconds() {
    assertThat(
            OutboxJson.node(node("one", true), it -> Optional.of("session 4711"))
                .build()
                .toString())
        .contains(
            "\"aliveAt\":\"2026-11-23T22:00:00.123Z\"",
            "\"relay\":\"ON\"",
            "\"stuckPartitions\":[{\"partition\":3,\"since\":\"2026-11-23T22:00:00.123Z\",\"holder\":\"session"
                + " 4711\"}]",
            "\"error\":\"<b>\"");
  }
}
