package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");

  private final Pace pace = new Pace(2);

  @Test
  void soManyAreDueAtOnceEachSecond() {
    assertThat(pace.of(List.of(1L, 2L, 3L, 4L, 5L), NOW))
        .containsExactly(
            entry(NOW, List.of(1L, 2L)),
            entry(NOW.plusSeconds(1), List.of(3L, 4L)),
            entry(NOW.plusSeconds(2), List.of(5L)));
  }

  @Test
  void theNextOnesGoOnWhereTheLastHaveEnded() {
    pace.of(List.of(1L, 2L, 3L), NOW);
    pace.advance(3);

    assertThat(pace.of(List.of(4L, 5L), NOW.plusSeconds(60)))
        .as("counted from the first, however long that took")
        .containsExactly(
            entry(NOW.plusSeconds(1), List.of(4L)), entry(NOW.plusSeconds(2), List.of(5L)));
  }

  @Test
  void whatWasGivenNoTimeForGoodIsGivenTheSameAgain() {
    pace.of(List.of(1L, 2L, 3L), NOW);

    assertThat(pace.of(List.of(1L, 2L, 3L), NOW.plusSeconds(5)))
        .containsExactly(entry(NOW, List.of(1L, 2L)), entry(NOW.plusSeconds(1), List.of(3L)));
  }
}
