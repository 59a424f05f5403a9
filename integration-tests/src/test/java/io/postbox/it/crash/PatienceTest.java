package io.postbox.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PatienceTest {
  private static final Duration BEGUN = Duration.ofHours(1);
  private static final Duration MOMENT = Duration.ofMillis(1);

  private final Patience patience = new Patience(BEGUN);

  @Test
  void itEndsWhenNothingGoesForwardForTooLong() {
    Duration end = BEGUN.plus(Patience.LONGEST_STANDSTILL);

    assertThat(patience.isOver(end, 0)).isFalse();
    assertThat(patience.isOver(end.plus(MOMENT), 0)).isTrue();
  }

  @Test
  void eachStepForwardBeginsAnew() {
    Duration step = BEGUN.plusSeconds(100);
    Duration end = step.plus(Patience.LONGEST_STANDSTILL);

    assertThat(patience.isOver(step, 1)).isFalse();
    assertThat(patience.isOver(end, 1)).isFalse();
    assertThat(patience.isOver(end.plus(MOMENT), 1)).isTrue();
  }

  @Test
  void whoDoesNotKnowHowFarItIsSeesNoStep() {
    assertThat(patience.isOver(BEGUN.plusSeconds(1), 5)).isFalse();
    assertThat(patience.isOver(BEGUN.plusSeconds(100), 0)).isFalse();
    assertThat(patience.isOver(BEGUN.plusSeconds(152), 5)).isTrue();
  }

  @Test
  void whatOnlyCrawlsIsNotWaitedForForEver() {
    long done = 0;
    for (Duration past = MOMENT; past.compareTo(Patience.LONGEST) < 0; past = past.plusMinutes(1)) {
      assertThat(patience.isOver(BEGUN.plus(past), ++done)).isFalse();
    }

    assertThat(patience.isOver(BEGUN.plus(Patience.LONGEST).plus(MOMENT), ++done)).isTrue();
  }
}
