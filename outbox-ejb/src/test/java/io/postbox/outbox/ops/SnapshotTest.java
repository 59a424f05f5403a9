package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.OutboxStatistics.DestinationStatistics;
import io.postbox.outbox.store.StatisticsStore.Kind;
import io.postbox.outbox.store.StatisticsStore.Line;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class SnapshotTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static Line line(Kind kind, String destination, long messages, int minutes) {
    return new Line(
        kind, destination, messages, false, NOW.minus(Duration.ofMinutes(minutes)), NOW);
  }

  @Test
  void pendingIsAllThatCouldGoAndTheOldestOfItCounts() {
    Snapshot snapshot =
        Snapshot.of(
            List.of(
                line(Kind.PENDING, "a", 1, 1),
                line(Kind.HELD, "a", 2, 7),
                line(Kind.RETRY, "a", 4, 3),
                line(Kind.DELAYED, "a", 8, 99),
                line(Kind.DEAD, "a", 16, 99),
                line(Kind.PENDING, "b", 32, 5)));

    assertThat(snapshot.of("a"))
        .isEqualTo(new DestinationStatistics("a", 7, 2, 8, 16, Duration.ofMinutes(7), false));
    assertThat(snapshot.byDestination()).containsOnlyKeys("a", "b");
    assertThat(snapshot.pending()).isEqualTo(39);
    assertThat(snapshot.oldestPending()).isEqualTo(Duration.ofMinutes(7));
  }

  @Test
  void aDestinationThatHasEmptiedHasNothing() {
    assertThat(Snapshot.of(List.of()).of("a")).isEqualTo(DestinationStatistics.none("a"));
    assertThat(Snapshot.NOTHING.oldestPending()).isZero();
  }

  private static Line paused(String destination) {
    return new Line(Kind.PAUSED, destination, 0, false, NOW, NOW);
  }

  @Test
  void anEstimateOfOneKindMarksItsDestination() {
    Snapshot snapshot =
        Snapshot.of(
            List.of(
                line(Kind.PENDING, "a", 1, 1),
                new Line(Kind.DEAD, "a", 5_000_000, true, NOW, NOW),
                line(Kind.PENDING, "b", 1, 1)));

    assertThat(snapshot.estimated()).containsExactly("a");
    assertThat(snapshot.of("a").estimated()).isTrue();
    assertThat(snapshot.of("b").estimated()).isFalse();
  }

  @Test
  void anAgeIsNeverNegative() {
    assertThat(line(Kind.PENDING, "a", 1, -60).age()).isZero();
  }

  @Test
  void aStarPausesAll() {
    Snapshot one = Snapshot.of(List.of(paused("a")));
    Snapshot all = Snapshot.of(List.of(paused("*")));

    assertThat(one.isPaused("a")).isTrue();
    assertThat(one.isPaused("b")).isFalse();
    assertThat(all.isPaused("b")).isTrue();
    assertThat(one.paused()).containsExactly("a");
    assertThat(one.byDestination()).as("a switch is not a message").isEmpty();
  }
}
