package io.postbox.outbox.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StoredMessageTest {
  private static final UUID ID = new UUID(0, 1);

  private static StoredMessage heldBy(@Nullable UUID head) {
    Envelope envelope =
        new Envelope(
            ID,
            "d",
            "k",
            null,
            null,
            null,
            null,
            null,
            "text/plain",
            new Body.Text("secret"),
            "{\"h\":1}",
            null);
    return new StoredMessage(1, envelope, 0, Instant.EPOCH, Duration.ZERO, null, head);
  }

  @Test
  void aMessageOfAFreeKeyIsNeitherHeadNorFollower() {
    assertThat(heldBy(null).isHead()).isFalse();
    assertThat(heldBy(null).isFollower()).isFalse();
  }

  @Test
  void theHeadHoldsItsKeyAndTheOthersFollow() {
    assertThat(heldBy(ID).isHead()).isTrue();
    assertThat(heldBy(ID).isFollower()).isFalse();
    assertThat(heldBy(new UUID(0, 2)).isHead()).isFalse();
    assertThat(heldBy(new UUID(0, 2)).isFollower()).isTrue();
  }

  @Test
  void aPayloadIsNeverPrinted() {
    assertThat(heldBy(null).toString()).contains(ID.toString()).doesNotContain("secret");
  }
}
