package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.Lane;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FloorsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Lane LANE = new Lane(1, "d");
  private final Floors floors = new Floors();

  @Test
  void aReadBeginsBehindWhatIsGone() {
    assertThat(floors.after(LANE, 0, NOW)).isZero();
    floors.emptied(LANE, 100, 0, NOW);
    assertThat(floors.after(LANE, 0, NOW)).isEqualTo(100);
    floors.emptied(LANE, 200, 0, NOW);
    assertThat(floors.after(LANE, 0, NOW)).isEqualTo(200);
    assertThat(floors.after(new Lane(2, "d"), 0, NOW)).isZero();
  }

  @Test
  void afterASecondItBeginsAtTheStartHoweverOftenItWasShort() {
    floors.emptied(LANE, 100, 0, NOW);
    floors.emptied(LANE, 200, 0, NOW.plusMillis(600));
    assertThat(floors.after(LANE, 0, NOW.plusMillis(999))).isEqualTo(200);
    assertThat(floors.after(LANE, 0, NOW.plusMillis(1_000))).isZero();
    assertThat(floors.after(LANE, 0, NOW.plusMillis(1_000))).isZero();
  }

  @Test
  void whatWasPutBackIsNotPassedOver() {
    floors.emptied(LANE, 100, 7, NOW);
    assertThat(floors.after(LANE, 8, NOW)).isZero();
    assertThat(floors.after(LANE, 7, NOW)).as("forgotten for good").isZero();
  }

  @Test
  void whatStayedBehindIsNotPassedOver() {
    floors.emptied(LANE, 100, 0, NOW);
    floors.forget(LANE);
    assertThat(floors.after(LANE, 0, NOW)).isZero();
  }
}
