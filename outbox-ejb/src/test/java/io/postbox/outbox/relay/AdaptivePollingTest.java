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
  void aDueTimeBringsThePollForwardButNeverPutsItOff() {
    polling.pollEnded(NOW, Duration.ZERO, false, false);
    polling.pollEnded(NOW, Duration.ZERO, false, false);
    assertThat(polling.nextPoll()).isEqualTo(after(2));

    polling.note(after(1));
    assertThat(polling.nextPoll()).isEqualTo(after(1));
    polling.note(after(60));
    assertThat(polling.nextPoll()).isEqualTo(after(1));
  }

  @Test
  void aPollServesWhatIsDueByThenAndNotWhatComesLater() {
    polling.pollEnded(NOW, Duration.ZERO, false, false);
    polling.note(after(5));
    polling.note(after(9));
    polling.pollStarted(after(5));
    polling.note(after(6)); // learned while it polls
    polling.pollEnded(after(5), Duration.ZERO, false, false);
    assertThat(polling.nextPoll()).isEqualTo(after(6));
    polling.pollStarted(after(6));
    for (int i = 0; i < 5; i++) {
      polling.pollEnded(after(6), Duration.ZERO, false, false);
    }
    assertThat(polling.nextPoll()).as("the later of two retries").isEqualTo(after(9));
  }

  @Test
  void itKnowsHowLongAgoTheLastPollBegan() {
    assertThat(polling.pollStarted(NOW)).isZero();
    polling.pollEnded(after(2), Duration.ofSeconds(2), true, false);
    assertThat(polling.pollStarted(after(5))).isEqualTo(Duration.ofSeconds(5));
    assertThat(polling.pollStarted(after(6))).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void itRemembersABoundedNumberOfMomentsTheNearestFirst() {
    polling.pollEnded(NOW, Duration.ZERO, false, false);
    for (int i = 20_000; i > 0; i--) {
      polling.note(NOW.plus(Duration.ofMillis(i)));
    }
    assertThat(polling.nextPoll()).isEqualTo(NOW.plusMillis(1));
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
    assertThat(AdaptivePolling.nextInterval(Duration.ZERO, Duration.ofMinutes(3), true, false))
        .isEqualTo(AdaptivePolling.LONGEST);
  }

  @Test
  void whileSomethingIsPausedSomebodyPollsEverySecond() {
    assertThat(AdaptivePolling.nextInterval(Duration.ofSeconds(10), Duration.ZERO, false, true))
        .isEqualTo(Duration.ofSeconds(1));
  }
}
