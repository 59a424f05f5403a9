package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LaneBackoffTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Lane LANE = new Lane(3, "d");
  private static final Lane OTHER = new Lane(3, "e");
  private final LaneBackoff laneBackoff = new LaneBackoff();

  @Test
  void aLaneIsLeftAloneTwiceAsLongEachTimeUpToALimit() {
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      waits.add(Duration.between(NOW, laneBackoff.failed(LANE, NOW)).toMillis());
    }
    assertThat(waits)
        .containsExactly(500L, 1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 30_000L, 30_000L, 30_000L);
  }

  @Test
  void onlyThatLaneIsLeftAloneAndOnlyForAWhile() {
    Instant until = laneBackoff.failed(LANE, NOW);
    assertThat(laneBackoff.isBackingOff(LANE, NOW)).isTrue();
    assertThat(laneBackoff.isBackingOff(OTHER, NOW)).isFalse();
    assertThat(laneBackoff.isBackingOff(LANE, until)).isFalse();
  }

  @Test
  void aPassThatGoesWellEndsIt() {
    laneBackoff.failed(LANE, NOW);
    laneBackoff.succeeded(LANE);
    assertThat(laneBackoff.isBackingOff(LANE, NOW)).isFalse();
  }

  @Test
  void nothingElseEndsIt() {
    laneBackoff.failed(LANE, NOW);
    laneBackoff.succeeded(OTHER);
    laneBackoff.withWork(Set.of(LANE));
    assertThat(laneBackoff.isBackingOff(LANE, NOW)).isTrue();

    laneBackoff.withWork(Set.of(OTHER));
    assertThat(laneBackoff.isBackingOff(LANE, NOW)).as("it has no work any more").isFalse();
  }
}
