package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.Lane;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SetbacksTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Lane LANE = new Lane(3, "d");
  private static final Lane OTHER = new Lane(3, "e");
  private final Setbacks setbacks = new Setbacks();

  @Test
  void aLaneIsLeftAloneTwiceAsLongEachTimeUpToALimit() {
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      waits.add(Duration.between(NOW, setbacks.brokeDown(LANE, NOW)).toMillis());
    }
    assertThat(waits)
        .containsExactly(500L, 1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 30_000L, 30_000L, 30_000L);
  }

  @Test
  void onlyThatLaneIsLeftAloneAndOnlyForAWhile() {
    Instant until = setbacks.brokeDown(LANE, NOW);
    assertThat(setbacks.suspends(LANE, NOW)).isTrue();
    assertThat(setbacks.suspends(OTHER, NOW)).isFalse();
    assertThat(setbacks.suspends(LANE, until)).isFalse();
  }

  @Test
  void aPassThatGoesWellEndsIt() {
    setbacks.brokeDown(LANE, NOW);
    setbacks.wentWell(LANE);
    assertThat(setbacks.suspends(LANE, NOW)).isFalse();
  }

  @Test
  void nothingElseEndsIt() {
    setbacks.brokeDown(LANE, NOW);
    setbacks.wentWell(OTHER);
    setbacks.withWork(List.of(LANE));
    assertThat(setbacks.suspends(LANE, NOW)).isTrue();

    setbacks.withWork(List.of(OTHER));
    assertThat(setbacks.suspends(LANE, NOW)).as("it has no work any more").isFalse();
  }
}
