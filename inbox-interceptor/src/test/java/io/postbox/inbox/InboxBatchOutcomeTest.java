package io.postbox.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.InboxBatchOutcome.Done;
import io.postbox.inbox.InboxBatchOutcome.Failed;
import io.postbox.inbox.InboxBatchOutcome.Item;
import io.postbox.inbox.InboxBatchOutcome.NotHandled;
import io.postbox.inbox.InboxBatchOutcome.Partition;
import io.postbox.inbox.InboxBatchOutcome.Reason;
import io.postbox.inbox.InboxOutcome.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class InboxBatchOutcomeTest {
  private static final Partition FIRST = new Partition("payments", 0);
  private static final Partition SECOND = new Partition("payments", 1);

  @Test
  void offsetsAreDoneUpToTheFirstThatIsNot() {
    InboxBatchOutcome<String> outcome =
        new InboxBatchOutcome<>(
            List.of(
                done(at(0, 10)),
                done(at(1, 90)),
                done(at(0, 11)),
                failed(at(0, 12), 5),
                done(at(0, 13)),
                notHandled(at(0, 14)),
                done(at(1, 95))));

    assertThat(outcome.doneUpTo()).containsExactly(Map.entry(FIRST, 11L), Map.entry(SECOND, 95L));
    assertThat(outcome.retryFrom()).containsExactly(Map.entry(FIRST, 12L));
    assertThat(outcome.isDone()).isFalse();
    assertThat(outcome.done()).hasSize(5);
    assertThat(outcome.failed()).extracting(Failed::delay).containsExactly(Duration.ofSeconds(5));
    assertThat(outcome.notHandled()).hasSize(1);
  }

  @Test
  void aPartitionWhoseFirstMessageFailsHasNothingToCommit() {
    InboxBatchOutcome<String> outcome =
        new InboxBatchOutcome<>(List.of(failed(at(0, 10), 3), done(at(0, 11))));

    assertThat(outcome.doneUpTo()).isEmpty();
    assertThat(outcome.retryFrom()).containsExactly(Map.entry(FIRST, 10L));
  }

  /** For instance one record for two consumers. */
  @Test
  void anOffsetIsDoneIfAllMessagesWithItAre() {
    InboxBatchOutcome<String> outcome =
        new InboxBatchOutcome<>(
            List.of(done(at(0, 10)), done(at(0, 11)), failed(at(0, 11), 1), done(at(0, 12))));

    assertThat(outcome.doneUpTo()).containsExactly(Map.entry(FIRST, 10L));
  }

  /** In any order of the caller's. */
  @Test
  void anOffsetBehindOneThatIsNotDoneIsNeverCommitted() {
    InboxBatchOutcome<String> outcome =
        new InboxBatchOutcome<>(List.of(done(at(0, 12)), done(at(0, 10)), failed(at(0, 11), 1)));

    assertThat(outcome.doneUpTo()).containsExactly(Map.entry(FIRST, 10L));
    assertThat(outcome.retryFrom()).containsExactly(Map.entry(FIRST, 11L));
  }

  @Test
  void messagesWithoutOffsetsHaveNone() {
    InboxRequest plain = InboxRequest.of("payments", "id-1");
    InboxBatchOutcome<String> outcome =
        new InboxBatchOutcome<>(List.of(done(plain), failed(plain.from("PAYMENTS"), 2)));

    assertThat(outcome.doneUpTo()).isEmpty();
    assertThat(outcome.retryFrom()).isEmpty();
    assertThat(outcome.retryAfter()).contains(Duration.ofSeconds(2));
  }

  @Test
  void theShortestDelaySaysWhenToBringThemAgain() {
    assertThat(
            new InboxBatchOutcome<>(List.of(failed(at(0, 1), 9), failed(at(1, 1), 4))).retryAfter())
        .contains(Duration.ofSeconds(4));
    assertThat(new InboxBatchOutcome<>(List.of(done(at(0, 1)))).retryAfter()).isEmpty();
    assertThat(new InboxBatchOutcome<String>(List.of()).isDone()).isTrue();
  }

  private static InboxRequest at(int partition, long offset) {
    return InboxRequest.of("payments", partition + "-" + offset)
        .from("payments", partition, offset);
  }

  private static Item<String> done(InboxRequest request) {
    return new Done<>(
        request, new InboxOutcome<>(Status.PROCESSED, Optional.of("paid"), Optional.empty()));
  }

  private static Item<String> failed(InboxRequest request, int seconds) {
    return new Failed<>(request, new IllegalStateException("no"), Duration.ofSeconds(seconds));
  }

  private static Item<String> notHandled(InboxRequest request) {
    return new NotHandled<>(request, Reason.BEHIND_A_FAILURE);
  }
}
