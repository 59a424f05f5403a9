package io.postbox.outbox.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.testing.Messages;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The id by which the broker knows a repeat. */
class DuplicateDetectionIdsTest {
  private static String of(long seq, int attempts) {
    return new DuplicateDetectionIds("shop", new byte[] {1})
        .of(
            new StoredMessage(
                seq,
                Messages.envelope(Messages.id(1), "d", null),
                attempts,
                Instant.EPOCH,
                Duration.ZERO,
                null,
                null));
  }

  @Test
  void aRepeatOfAnAttemptHasTheSameOne() {
    assertThat(of(1, 3)).isEqualTo(of(1, 0));
  }

  @Test
  void aResentMessageHasAnother() {
    assertThat(of(2, 0)).isNotEqualTo(of(1, 0));
  }
}
