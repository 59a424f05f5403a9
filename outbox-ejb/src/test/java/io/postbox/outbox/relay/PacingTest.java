package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PacingTest {
  private static final Duration NOTHING_DUE = Duration.ofDays(1_000);

  @Test
  void withWorkAboutTheNextLookIsSoon() {
    assertThat(Pacing.next(Duration.ofSeconds(10), true, NOTHING_DUE)).isEqualTo(Pacing.SHORTEST);
    assertThat(Pacing.next(Pacing.SHORTEST, true, Duration.ZERO)).isEqualTo(Pacing.SHORTEST);
  }

  @Test
  void withNothingToDoTheWaitDoublesFromOneSecondToTen() {
    List<Long> waits = new ArrayList<>();
    Duration wait = Pacing.SHORTEST;
    for (int i = 0; i < 8; i++) {
      wait = Pacing.next(wait, false, NOTHING_DUE);
      waits.add(wait.toMillis());
    }
    assertThat(waits)
        .containsExactly(1_000L, 2_000L, 4_000L, 8_000L, 10_000L, 10_000L, 10_000L, 10_000L);
  }

  @Test
  void itNeverWaitsPastTheMomentAtWhichSomethingIsDue() {
    assertThat(Pacing.next(Duration.ofSeconds(8), false, Duration.ofMillis(700)))
        .isEqualTo(Duration.ofMillis(700));
  }

  @Test
  void itNeverWaitsLessThanTheShortest() {
    for (long due : new long[] {199, 1, 0, -1, -100_000}) {
      assertThat(Pacing.next(Duration.ofSeconds(8), false, Duration.ofMillis(due)))
          .isEqualTo(Pacing.SHORTEST);
    }
  }
}
