package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void itBlocksUntilTheFirstWaitIsOver() {
    CircuitBreaker breaker = CircuitBreaker.open(NOW, "down");

    assertThat(breaker.reason()).isEqualTo("down");
    assertThat(breaker.isPermitted(NOW)).isFalse();
    assertThat(breaker.isPermitted(NOW.plusMillis(499))).isFalse();
    assertThat(breaker.isPermitted(NOW.plusMillis(500))).isTrue();
  }

  @Test
  void theWaitDoublesUpToTenSeconds() {
    List<Long> waits = new ArrayList<>();
    CircuitBreaker breaker = CircuitBreaker.open(NOW, "down");
    for (int i = 0; i < 100; i++) {
      waits.add(Duration.between(NOW, breaker.probeAt()).toMillis());
      breaker = breaker.failedAgain(NOW, "still down");
    }

    assertThat(waits).startsWith(500L, 1_000L, 2_000L, 4_000L, 8_000L, 10_000L, 10_000L);
    assertThat(waits.subList(5, 100)).containsOnly(10_000L);
    assertThat(breaker.reason()).isEqualTo("still down");
    assertThat(breaker.failures()).isEqualTo(101);
  }
}
