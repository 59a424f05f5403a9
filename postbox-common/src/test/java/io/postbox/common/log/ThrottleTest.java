package io.postbox.common.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ThrottleTest {
  /** System.nanoTime() may begin anywhere. */
  private long nanos = Long.MAX_VALUE - 1;

  private final Throttle throttle = new Throttle(() -> nanos);

  @Test
  void theFirstIsLoggedAndThenOneAMinuteWithACountOfAll() {
    assertThat(throttle.take()).isOne();
    assertThat(throttle.take()).isZero();
    nanos += Throttle.PAUSE.toNanos() - 1;
    assertThat(throttle.take()).isZero();

    nanos++;
    assertThat(throttle.take()).isEqualTo(3);
    assertThat(throttle.take()).isZero();

    nanos += Throttle.PAUSE.toNanos();
    assertThat(throttle.take()).isEqualTo(2);
  }
}
