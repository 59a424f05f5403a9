package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AdaptivePollingTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private final AdaptivePolling polling = new AdaptivePolling();

  private static Instant after(long seconds) {
    return NOW.plusSeconds(seconds);
  }

  @Test
  void theFirstPollIsAtOnce() {
    assertThat(polling.nextPoll()).isBefore(NOW);
  }

  @Test
  void theNextPollIsAfterTheInterval() {
    assertThat(polling.pollEnded(NOW, Duration.ZERO, false, false))
        .isEqualTo(Duration.ofSeconds(1));
    assertThat(polling.nextPoll()).isEqualTo(after(1));
    polling.pollEnded(NOW, Duration.ZERO, false, false);
    assertThat(polling.nextPoll()).isEqualTo(after(2));
  }

  @Test
  void withWorkAboutTheNextPollIsSoon() {
    assertThat(AdaptivePolling.nextInterval(Duration.ofSeconds(10), Duration.ZERO, true, false))
        .isEqualTo(AdaptivePolling.SHORTEST);
  }

  @Test
  void withNothingToDoTheWaitDoublesFromOneSecondToTen() {
    List<Long> waits = new ArrayList<>();
    Duration wait = AdaptivePolling.SHORTEST;
    for (int i = 0; i < 8; i++) {
      wait = AdaptivePolling.nextInterval(wait, Duration.ZERO, false, false);
      waits.add(wait.toMillis());
    }
    assertThat(waits)
        .containsExactly(1_000L, 2_000L, 4_000L, 8_000L, 10_000L, 10_000L, 10_000L, 10_000L);
  }

  @Test
  void aPollThatTakesLongIsNotRepeatedSoon() {
    assertThat(AdaptivePolling.nextInterval(Duration.ZERO, Duration.ofMillis(300), true, false))
        .isEqualTo(Duration.ofSeconds(3));
    assertThat(AdaptivePolling.nextInterval(Duration.ZERO, Duration.ofSeconds(4), true, false))
        .isEqualTo(Duration.ofSeconds(40));
    assertThat(AdaptivePolling.nextInterval(Duration.ZERO, Duration.ofMinutes(3), true, false))
        .as("or work that nobody announced would wait for too long")
        .isEqualTo(AdaptivePolling.LONGEST_AFTER_COSTLY);
  }

  @Test
  void whileSomethingIsPausedSomebodyPollsEverySecond() {
    assertThat(AdaptivePolling.nextInterval(Duration.ofSeconds(10), Duration.ZERO, false, true))
        .isEqualTo(Duration.ofSeconds(1));
  }
}
