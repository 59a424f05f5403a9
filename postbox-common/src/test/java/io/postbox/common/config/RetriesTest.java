package io.postbox.common.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.RetryPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RetriesTest {
  private static final RetryPolicy NOTHING = RetryPolicy.asConfigured();
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private final Retries configured = new Retries(10, new Backoff(SECOND, MINUTE));

  private static Retries retries(int attempts, Duration first, Duration max) {
    return new Retries(attempts, new Backoff(first, max));
  }

  @Test
  void emptyPartsOfAPolicyStayAsConfigured() {
    assertThat(configured.with(NOTHING)).isEqualTo(configured);
    assertThat(configured.with(NOTHING.maxAttempts(3))).isEqualTo(retries(3, SECOND, MINUTE));
    assertThat(configured.with(NOTHING.firstBackoff(SECOND.plusMillis(1))))
        .isEqualTo(retries(10, SECOND.plusMillis(1), MINUTE));
    assertThat(configured.with(NOTHING.maxBackoff(HOUR))).isEqualTo(retries(10, SECOND, HOUR));
    assertThat(configured.with(NOTHING.maxAttempts(1).firstBackoff(MINUTE).maxBackoff(HOUR)))
        .isEqualTo(retries(1, MINUTE, HOUR));
  }

  @Test
  void theFirstWaitIsNeverAboveTheLongest() {
    assertThat(configured.with(NOTHING.firstBackoff(HOUR))).isEqualTo(retries(10, HOUR, HOUR));
    Duration brief = Duration.ofMillis(20);
    assertThat(configured.with(NOTHING.maxBackoff(brief)))
        .as("set before the configuration's first wait became so long")
        .isEqualTo(retries(10, brief, brief));
  }

  @Test
  void theBoundsAreThoseOfTheConfiguration() {
    assertThat(configured.objections(NOTHING)).isEmpty();
    assertThat(
            configured.objections(
                NOTHING
                    .maxAttempts(1_000_000)
                    .firstBackoff(Duration.ofMillis(1))
                    .maxBackoff(Duration.ofDays(1))))
        .isEmpty();
    assertThat(configured.objections(NOTHING.maxAttempts(1).maxBackoff(SECOND))).isEmpty();
    assertThat(
            configured.objections(
                NOTHING.maxAttempts(0).firstBackoff(Duration.ZERO).maxBackoff(HOUR.minusDays(1))))
        .containsExactly(
            "max-attempts=0: expected a whole number from 1 to 1000000",
            "backoff.first=0s: expected a duration from 1ms to 1d",
            "backoff.max=PT-23H: expected a duration from backoff.first, which is 0s, to 1d");
    assertThat(
            configured.objections(
                NOTHING
                    .maxAttempts(1_000_001)
                    .firstBackoff(Duration.ofDays(1).plusMillis(1))
                    .maxBackoff(Duration.ofDays(2))))
        .hasSize(3);
    assertThat(configured.objections(NOTHING.maxBackoff(SECOND.minusMillis(1))))
        .containsExactly(
            "backoff.max=999ms: expected a duration from backoff.first, which is 1s, to 1d");
  }

  @Test
  void aPolicyIsWrittenInTheConfigurationsWords() {
    assertThat(NOTHING.toString()).isEmpty();
    assertThat(NOTHING.maxAttempts(3).firstBackoff(SECOND).maxBackoff(HOUR))
        .hasToString("max-attempts=3, backoff.first=1s, backoff.max=1h");
  }
}
