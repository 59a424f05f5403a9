package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.Lane;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StuckLanesTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Lane LANE = new Lane(3, "d");
  private final StuckLanes lanes = new StuckLanes(Duration.ofSeconds(60));
  private int asked;
  private long first = 7;

  private boolean busyAt(long second) throws SQLException {
    return lanes.busy(
        LANE,
        START.plusSeconds(second),
        lane -> {
          asked++;
          return OptionalLong.of(first);
        });
  }

  @Test
  void aPartitionBusyForSoLongWithTheSameFirstMessageIsStuck() throws SQLException {
    for (int second = 0; second < 60; second++) {
      assertThat(busyAt(second)).isFalse();
      assertThat(lanes.stuck()).isEmpty();
    }
    assertThat(busyAt(60)).isTrue();
    assertThat(lanes.stuck()).containsExactly(Map.entry(3, START));
    assertThat(busyAt(61)).as("said once").isFalse();
    assertThat(asked).as("halfway and at the end").isEqualTo(2);
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
    busyAt(0);
    busyAt(30);
    assertThat(busyAt(60)).isTrue();
    lanes.free(3);
    assertThat(lanes.stuck()).isEmpty();
  }
}
