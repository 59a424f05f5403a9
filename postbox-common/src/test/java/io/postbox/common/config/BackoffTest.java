package io.postbox.common.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.testing.Tenth;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));

  @Test
  void theCeilingDoublesUpToTheCap() {
    assertThat(BACKOFF.ceiling(1)).isEqualTo(Duration.ofSeconds(1));
    assertThat(BACKOFF.ceiling(2)).isEqualTo(Duration.ofSeconds(2));
    assertThat(BACKOFF.ceiling(9)).isEqualTo(Duration.ofSeconds(256));
    assertThat(BACKOFF.ceiling(10)).isEqualTo(Duration.ofMinutes(5));
    assertThat(BACKOFF.ceiling(Integer.MAX_VALUE)).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void theWaitIsDrawnFromTheUpperHalf() {
    assertThat(BACKOFF.after(3, 0)).isEqualTo(Duration.ofSeconds(2));
    assertThat(BACKOFF.after(3, 0.5)).isEqualTo(Duration.ofSeconds(3));
    assertThat(BACKOFF.after(3, Math.nextDown(1.0))).isLessThanOrEqualTo(Duration.ofSeconds(4));
  }

  @Test
  void nothingOverflowsAndNothingShrinks() {
    long seed = Tenth.seed();
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      Duration first = Duration.ofMillis(1 + random.nextLong(Duration.ofDays(1).toMillis()));
      Duration max = first.plusMillis(random.nextLong(Duration.ofDays(1).toMillis()));
      Backoff backoff = new Backoff(first, max);
      int attempt = 1 + random.nextInt(random.nextBoolean() ? 100 : 1_000_000);
      Duration ceiling = backoff.ceiling(attempt);

      assertThat(ceiling)
          .as("seed %s: %s, attempt %s", seed, backoff, attempt)
          .isBetween(first, max)
          .isLessThanOrEqualTo(backoff.ceiling(attempt + 1));
      assertThat(backoff.after(attempt, random.nextDouble()))
          .as("seed %s: %s, attempt %s", seed, backoff, attempt)
          .isBetween(ceiling.dividedBy(2).minusMillis(1), ceiling);
    }
  }
}
