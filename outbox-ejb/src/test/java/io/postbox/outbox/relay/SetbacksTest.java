package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SetbacksTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private final Setbacks setbacks = new Setbacks();

  @Test
  void aPartitionIsLeftAloneTwiceAsLongEachTimeUpToALimit() {
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      waits.add(Duration.between(NOW, setbacks.brokeDown(3, NOW)).toMillis());
    }
    assertThat(waits)
        .containsExactly(500L, 1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 30_000L, 30_000L, 30_000L);
  }

  @Test
  void onlyThatPartitionIsLeftAloneAndOnlyForAWhile() {
    Instant until = setbacks.brokeDown(3, NOW);
    assertThat(setbacks.suspends(3, NOW)).isTrue();
    assertThat(setbacks.suspends(2, NOW)).isFalse();
    assertThat(setbacks.suspends(3, until)).isFalse();
  }

  @Test
  void aPassThatGoesWellEndsIt() {
    setbacks.brokeDown(3, NOW);
    setbacks.wentWell(3);
    assertThat(setbacks.suspends(3, NOW)).isFalse();
  }
}
