package io.postbox.crash.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressTimeoutTest {
  private static final Duration BEGUN = Duration.ofHours(1);
  private static final Duration MOMENT = Duration.ofMillis(1);

  private final ProgressTimeout timeout = new ProgressTimeout(BEGUN);

  @Test
  void itEndsWhenNothingGoesForwardForTooLong() {
    Duration end = BEGUN.plus(ProgressTimeout.LONGEST_STANDSTILL);

    assertThat(timeout.isOver(end, 0)).isFalse();
    assertThat(timeout.isOver(end.plus(MOMENT), 0)).isTrue();
  }

  @Test
  void eachStepForwardBeginsAnew() {
    Duration step = BEGUN.plusSeconds(100);
    Duration end = step.plus(ProgressTimeout.LONGEST_STANDSTILL);

    assertThat(timeout.isOver(step, 1)).isFalse();
    assertThat(timeout.isOver(end, 1)).isFalse();
    assertThat(timeout.isOver(end.plus(MOMENT), 1)).isTrue();
  }

  @Test
  void anUnknownNumberIsNoStep() {
    assertThat(timeout.isOver(BEGUN.plusSeconds(1), 5)).isFalse();
    assertThat(timeout.isOver(BEGUN.plusSeconds(100), 0)).isFalse();
    assertThat(timeout.isOver(BEGUN.plusSeconds(2).plus(ProgressTimeout.LONGEST_STANDSTILL), 5))
        .isTrue();
  }

  @Test
  void crawlingIsNotWaitedForForEver() {
    long done = 0;
    for (Duration past = MOMENT;
        past.compareTo(ProgressTimeout.LONGEST) < 0;
        past = past.plusMinutes(1)) {
      assertThat(timeout.isOver(BEGUN.plus(past), ++done)).isFalse();
    }

    assertThat(timeout.isOver(BEGUN.plus(ProgressTimeout.LONGEST).plus(MOMENT), ++done)).isTrue();
  }
}
