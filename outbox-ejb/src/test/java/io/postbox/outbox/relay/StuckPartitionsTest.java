package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.Lane;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StuckPartitionsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Lane LANE = new Lane(3, "d");
  private final StuckPartitions lanes = new StuckPartitions(Duration.ofSeconds(60));
  private int asked;
  private long first = 7;

  private boolean busyAt(long second) throws SQLException {
    return busyAt(second, LANE);
  }

  private boolean busyAt(long second, Lane lane) throws SQLException {
    return lanes.busy(
        lane,
        START.plusSeconds(second),
        of -> {
          asked++;
          return OptionalLong.of(first);
        });
  }

  /** At every try, of which there is one each second. */
  private void busyWithoutAWord(long from, long before) throws SQLException {
    for (long second = from; second < before; second++) {
      assertThat(busyAt(second)).as("at %s", second).isFalse();
      assertThat(lanes.stuck()).isEmpty();
    }
  }

  private void stuckAt60() throws SQLException {
    busyWithoutAWord(0, 60);
    assertThat(busyAt(60)).isTrue();
  }

  @Test
  void aPartitionBusyForSoLongWithTheSameFirstMessageIsStuck() throws SQLException {
    stuckAt60();
    assertThat(lanes.stuck()).containsExactly(Map.entry(3, START));
    assertThat(busyAt(61)).as("said once").isFalse();
    assertThat(asked).as("halfway and at the end").isEqualTo(2);
    for (int second = 62; second < 600; second++) {
      assertThat(busyAt(second)).isFalse();
      assertThat(lanes.stuck()).containsExactly(Map.entry(3, START));
    }
  }

  @Test
  void whereThereIsProgressNothingIsStuck() throws SQLException {
    for (int second = 0; second < 600; second++) {
      first = second / 20;
      assertThat(busyAt(second)).isFalse();
    }
    assertThat(lanes.stuck()).isEmpty();
  }

  @Test
  void aPartitionThatWasFreeInBetweenIsNotStuck() throws SQLException {
    for (int second = 0; second < 600; second += 5) {
      assertThat(busyAt(second)).isFalse();
      if (second % 50 == 0) {
        lanes.free(3);
      }
    }
  }

  @Test
  void aStuckPartitionThatComesFreeIsInOrderAgain() throws SQLException {
    stuckAt60();
    lanes.free(3);
    assertThat(lanes.stuck()).isEmpty();
  }

  @Test
  void aStuckPartitionWhoseFirstMessageGoesIsInOrderAgain() throws SQLException {
    stuckAt60();
    first = 8;
    for (int second = 61; second <= 90; second++) {
      assertThat(busyAt(second)).isFalse();
    }
    assertThat(lanes.stuck()).isEmpty();
    busyWithoutAWord(91, 151);
    assertThat(busyAt(151)).isTrue();
  }

  /** The holder may have been another one each time. */
  @Test
  void afterAGapInWhichNobodyLookedItBeginsAnew() throws SQLException {
    busyWithoutAWord(0, 40);
    busyWithoutAWord(1_000, 1_060);
    assertThat(busyAt(1_060)).isTrue();
    assertThat(lanes.stuck()).containsExactly(Map.entry(3, START.plusSeconds(1_000)));
  }

  @Test
  void theSecondHalfCountsFromWhenTheFirstMessageWasSeen() throws SQLException {
    busyWithoutAWord(0, 30);
    busyWithoutAWord(38, 68);
    assertThat(busyAt(68)).isTrue();
  }

  @Test
  void aPartitionEmptiedByAnotherIsForgotten() throws SQLException {
    busyWithoutAWord(0, 45);
    lanes.withWork(Set.of(new Lane(3, "other")));
    busyWithoutAWord(46, 106);
    assertThat(busyAt(106)).isTrue();
    lanes.withWork(Set.of(LANE));
    assertThat(lanes.stuck()).isNotEmpty();
    lanes.withWork(Set.of());
    assertThat(lanes.stuck()).isEmpty();
  }

  @Test
  void aPartitionIsStuckSinceTheFirstOfItsLanesAndFreeOnItsOwn() throws SQLException {
    Lane later = new Lane(LANE.partition(), "e");
    Lane elsewhere = new Lane(4, "d");
    for (int second = 0; second <= 62; second++) {
      busyAt(second);
      if (second > 0) {
        busyAt(second, later);
        busyAt(second, elsewhere);
      }
    }
    Instant second = START.plusSeconds(1);
    assertThat(lanes.stuck()).isEqualTo(Map.of(LANE.partition(), START, 4, second));

    lanes.free(LANE.partition());
    assertThat(lanes.stuck()).isEqualTo(Map.of(4, second));
  }
}
