package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.ClaimStore.Batch;
import io.postbox.outbox.store.ClaimStore.Writers;
import io.postbox.outbox.testing.Messages;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BatchSelectionTest {
  private static Batch batch(StoredMessage... messages) {
    return new Batch(List.of(messages), false, Writers.UNKNOWN);
  }

  private static StoredMessage live(long seq) {
    return Messages.message(seq, "d", "k");
  }

  private static StoredMessage late(long seq) {
    return late(seq, null);
  }

  private static StoredMessage late(long seq, @Nullable UUID heldBy) {
    StoredMessage it = live(seq);
    return new StoredMessage(
        seq, it.envelope(), 0, it.createdAt(), it.waited(), Duration.ZERO, heldBy);
  }

  /** If it failed, both would hold the key, and the later one would keep the earlier one back. */
  @Test
  void anExpiredMessageWaitsForTheFateOfTheOneBeforeIt() {
    BatchSelection reading =
        BatchSelection.of(batch(live(1), late(2), live(3), late(4)), message -> false);

    assertThat(reading.sendable()).containsExactly(live(1));
    assertThat(reading.expired()).isEmpty();
  }

  @Test
  void nothingOfItsKeyGoesBehindWhatWaitsForAnotherNode() {
    BatchSelection reading =
        BatchSelection.of(batch(live(1), live(2), late(3), live(4)), message -> message.seq() == 2);

    assertThat(reading.sendable()).containsExactly(live(1));
    assertThat(reading.foreign()).containsExactly(live(2));
    assertThat(reading.expired()).isEmpty();
    assertThat(reading.followers()).isEmpty();
  }

  @Test
  void anExpiredMessageNeedsNoOtherNode() {
    BatchSelection reading = BatchSelection.of(batch(late(1)), message -> true);

    assertThat(reading.expired()).containsExactly(late(1));
    assertThat(reading.foreign()).isEmpty();
  }

  @Test
  void nothingGoesBehindWhatExpired() {
    BatchSelection reading = BatchSelection.of(batch(late(1), live(2), late(3)), message -> false);

    assertThat(reading.sendable()).isEmpty();
    assertThat(reading.expired()).containsExactly(late(1), late(3));
  }

  @Test
  void allOfAKeyThatExpiredGoTogether() {
    BatchSelection reading = BatchSelection.of(batch(late(1), late(2), late(3)), message -> false);

    assertThat(reading.expired()).containsExactly(late(1), late(2), late(3));
    assertThat(reading.followers()).isEmpty();
  }

  @Test
  void anExpiredMessageWaitsBehindTheOneThatHoldsItsKey() {
    UUID head = Messages.id(1);
    BatchSelection reading =
        BatchSelection.of(batch(late(2, head), late(3, head)), message -> false);

    assertThat(reading.followers()).containsExactly(late(2, head), late(3, head));
    assertThat(reading.expired()).isEmpty();
  }
}
