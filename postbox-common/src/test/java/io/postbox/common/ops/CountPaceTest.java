package io.postbox.common.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.testing.SettableClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CountPaceTest {
  private final SettableClock clock = new SettableClock();
  private final CountPace rateLimit = new CountPace(clock);

  private void count(Duration takes) {
    assertThat(rateLimit.begin()).isTrue();
    clock.advance(takes);
    rateLimit.ended();
  }

  private Duration untilTheNext() {
    for (int seconds = 0; seconds < 10_000; seconds++) {
      if (rateLimit.begin()) {
        return Duration.ofSeconds(seconds);
      }
      clock.advance(Duration.ofSeconds(1));
    }
    throw new AssertionError("never");
  }

  @Test
  void theFirstCountIsAtOnce() {
    assertThat(rateLimit.begin()).isTrue();
  }

  @Test
  void aQuickCountComesEveryFiveSeconds() {
    count(Duration.ofMillis(3));
    assertThat(untilTheNext()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void aSlowCountTakesATwentiethOfTheTime() {
    count(Duration.ofSeconds(10));
    assertThat(untilTheNext()).isEqualTo(Duration.ofSeconds(190));
  }

  @Test
  void oneSlowCountIsForgotten() {
    count(Duration.ofSeconds(10));
    clock.advance(Duration.ofSeconds(190));
    count(Duration.ZERO);
    assertThat(untilTheNext()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void thereIsOneCountAtATime() {
    assertThat(rateLimit.begin()).isTrue();
    clock.advance(Duration.ofHours(1));
    assertThat(rateLimit.begin()).isFalse();
    rateLimit.ended();
    clock.advance(Duration.ofHours(19));
    assertThat(rateLimit.begin()).isTrue();
  }
}
