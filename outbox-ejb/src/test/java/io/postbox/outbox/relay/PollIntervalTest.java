package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PollIntervalTest {
  @Test
  void withWorkAboutTheNextLookIsSoon() {
    assertThat(PollInterval.next(Duration.ofSeconds(10), Duration.ZERO, true, false))
        .isEqualTo(PollInterval.SHORTEST);
  }

  @Test
  void withNothingToDoTheWaitDoublesFromOneSecondToTen() {
    List<Long> waits = new ArrayList<>();
    Duration wait = PollInterval.SHORTEST;
    for (int i = 0; i < 8; i++) {
      wait = PollInterval.next(wait, Duration.ZERO, false, false);
      waits.add(wait.toMillis());
    }
    assertThat(waits)
        .containsExactly(1_000L, 2_000L, 4_000L, 8_000L, 10_000L, 10_000L, 10_000L, 10_000L);
  }

  @Test
  void aLookThatTakesLongIsNotRepeatedSoon() {
    assertThat(PollInterval.next(Duration.ZERO, Duration.ofMillis(300), true, false))
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(PollInterval.next(Duration.ZERO, Duration.ofMinutes(3), true, false))
        .isEqualTo(PollInterval.LONGEST);
  }

  @Test
  void whileSomethingIsPausedSomebodyLooksEverySecond() {
    assertThat(PollInterval.next(Duration.ofSeconds(10), Duration.ZERO, false, true))
        .isEqualTo(Duration.ofSeconds(1));
  }
}
