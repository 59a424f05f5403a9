package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RedriveRateLimitTest {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");

  private final RedriveRateLimit rateLimit = new RedriveRateLimit(2, NOW);

  @Test
  void soManyAreDueAtOnceEachSecond() {
    assertThat(rateLimit.of(List.of(1L, 2L, 3L, 4L, 5L)))
        .containsExactly(
            entry(NOW, List.of(1L, 2L)),
            entry(NOW.plusSeconds(1), List.of(3L, 4L)),
            entry(NOW.plusSeconds(2), List.of(5L)));
  }

  @Test
  void theNextOnesGoOnWhereTheLastHaveEnded() {
    rateLimit.of(List.of(1L, 2L, 3L));
    rateLimit.advance(3);

    assertThat(rateLimit.of(List.of(4L, 5L)))
        .as("counted from the first, however long that took")
        .containsExactly(
            entry(NOW.plusSeconds(1), List.of(4L)), entry(NOW.plusSeconds(2), List.of(5L)));
  }

  @Test
  void lettersWithoutAFinalTimeGetTheSameAgain() {
    rateLimit.of(List.of(1L, 2L, 3L));

    assertThat(rateLimit.of(List.of(1L, 2L, 3L)))
        .containsExactly(entry(NOW, List.of(1L, 2L)), entry(NOW.plusSeconds(1), List.of(3L)));
  }
}
