package io.postbox.outbox.relay;

import static io.postbox.outbox.testing.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.StoredMessage;
import org.junit.jupiter.api.Test;

class PoisonMessageDetectorTest {
  private static final StoredMessage BAD = message(1, "d", null);
  private static final StoredMessage GOOD = message(2, "d", null);
  private final PoisonMessageDetector suspects = new PoisonMessageDetector();

  @Test
  void fiveFailuresWhileTheDestinationWorksProveTheMessageAtFault() {
    for (int i = 0; i < 5; i++) {
      assertThat(suspects.failedAlone(BAD)).isFalse();
      suspects.sent(GOOD);
    }
    assertThat(suspects.failedAlone(BAD)).isTrue();
  }

  @Test
  void failuresInAnOutageDoNotCountInTheNext() {
    for (int outage = 0; outage < 4; outage++) {
      for (int probe = 0; probe < 20; probe++) {
        assertThat(suspects.failedAlone(BAD)).isFalse();
      }
      suspects.sent(GOOD);
    }
  }

  @Test
  void anotherDestinationThatWorksSaysNothing() {
    for (int i = 0; i < 20; i++) {
      suspects.sent(message(3, "e", null));
      assertThat(suspects.failedAlone(BAD)).isFalse();
    }
  }

  @Test
  void onlyWorkSinceItsLastFailureSpeaksAgainstIt() {
    suspects.failedAlone(BAD);
    suspects.sent(GOOD);
    StoredMessage later = message(4, "d", null);
    for (int i = 0; i < 20; i++) {
      assertThat(suspects.failedAlone(later)).isFalse();
    }
  }

  @Test
  void aMessageThatHangsTwentyTimesIsAtFault() {
    for (int i = 1; i < PoisonMessageDetector.HANGS_UNTIL_AT_FAULT; i++) {
      assertThat(suspects.hung(BAD)).isFalse();
    }
    assertThat(suspects.hung(GOOD)).as("each for itself").isFalse();
    assertThat(suspects.hung(BAD)).isTrue();
    suspects.sent(BAD);
    assertThat(suspects.hung(BAD)).isFalse();
  }

  @Test
  void aMessageThatGotThroughIsNoSuspect() {
    suspects.failedAlone(BAD);
    assertThat(suspects.contains(BAD)).isTrue();
    suspects.sent(BAD);
    assertThat(suspects.contains(BAD)).isFalse();
  }
}
