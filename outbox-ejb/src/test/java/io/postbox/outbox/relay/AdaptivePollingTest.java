package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AdaptivePollingTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private final AdaptivePolling polling = new AdaptivePolling();

  private static Instant after(long seconds) {
    return NOW.plusSeconds(seconds);
  }

  @Test
  void theFirstLookIsAtOnce() {
    assertThat(polling.nextPoll()).isBefore(NOW);
  }

  @Test
  void whatIsDueBringsTheLookForwardButNeverPutsItOff() {
    polling.pollEnded(NOW, Duration.ZERO, false, false);
    polling.pollEnded(NOW, Duration.ZERO, false, false);
    assertThat(polling.nextPoll()).isEqualTo(after(2));

    polling.note(after(1));
    assertThat(polling.nextPoll()).isEqualTo(after(1));
    polling.note(after(60));
    assertThat(polling.nextPoll()).isEqualTo(after(1));
  }

  @Test
  void aLookServesWhatIsDueByThenAndNotWhatComesLater() {
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
  void itRemembersABoundedNumberOfMomentsTheNearestFirst() {
    polling.pollEnded(NOW, Duration.ZERO, false, false);
    for (int i = 20_000; i > 0; i--) {
      polling.note(NOW.plus(Duration.ofMillis(i)));
    }
    assertThat(polling.nextPoll()).isEqualTo(NOW.plusMillis(1));
  }
}
