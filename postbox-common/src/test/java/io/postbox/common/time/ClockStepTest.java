package io.postbox.common.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClockStepTest {
  private static final Instant NODE = Instant.EPOCH;
  private static final Instant DATABASE = Instant.parse("2026-03-01T12:00:00Z");

  private final ClockStep step = new ClockStep();

  @Test
  void itMayHaveHappenedBeforeTheFirstLook() {
    assertThat(step.mayHaveHappened(DATABASE, NODE)).isTrue();
  }

  @Test
  void aClockThatGoesOnOrDriftsOrJumpsForwardWasNotSetBack() {
    step.dealtWith(DATABASE, NODE);

    assertThat(step.mayHaveHappened(DATABASE.plusSeconds(60), NODE.plusSeconds(60))).isFalse();
    assertThat(step.mayHaveHappened(DATABASE.plusSeconds(59), NODE.plusSeconds(60))).isFalse();
    assertThat(step.mayHaveHappened(DATABASE.plusSeconds(3_660), NODE.plusSeconds(60))).isFalse();
  }

  @Test
  void aStepBackIsSeenUntilItIsDealtWith() {
    step.dealtWith(DATABASE, NODE);
    Instant after = DATABASE.minusSeconds(3_540);

    assertThat(step.mayHaveHappened(after, NODE.plusSeconds(60))).isTrue();
    assertThat(step.mayHaveHappened(after.plusSeconds(60), NODE.plusSeconds(120))).isTrue();

    step.dealtWith(after.plusSeconds(60), NODE.plusSeconds(120));
    assertThat(step.mayHaveHappened(after.plusSeconds(120), NODE.plusSeconds(180))).isFalse();
  }
}
