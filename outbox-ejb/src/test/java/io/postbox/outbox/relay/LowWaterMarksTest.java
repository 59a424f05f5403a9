package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.ClaimStore.Batch;
import io.postbox.outbox.store.ClaimStore.Writers;
import io.postbox.outbox.testing.Messages;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LowWaterMarksTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Lane LANE = new Lane(1, "d");
  private final LowWaterMarks lowWaterMarks = new LowWaterMarks();

  /**
   * A batch that was read when all transactions before {@code oldest} were over, by another one.
   */
  private static Batch batch(long first, long last, long oldest, long own) {
    List<StoredMessage> messages =
        LongStream.rangeClosed(first, last).mapToObj(s -> Messages.message(s, "d", "k")).toList();
    return new Batch(messages, true, new Writers(oldest, own));
  }

  private void emptied(Batch batch) {
    emptied(batch, 0, NOW);
  }

  private void emptied(Batch batch, long putBack, Instant now) {
    lowWaterMarks.emptied(LANE, batch, lowWaterMarks.after(LANE, putBack, now), putBack, now);
  }

  private long after() {
    return lowWaterMarks.after(LANE, 0, NOW);
  }

  @Test
  void aReadBeginsBehindWhatIsGoneForGood() {
    assertThat(after()).isZero();
    emptied(batch(1, 100, 500, 500));
    assertThat(after()).as("nobody has looked for late ones yet").isZero();
    emptied(batch(101, 200, 510, 510));
    assertThat(after()).isEqualTo(100);
    emptied(batch(201, 300, 520, 520));
    assertThat(after()).isEqualTo(200);
    assertThat(lowWaterMarks.after(new Lane(2, "d"), 0, NOW)).isZero();
  }

  /** It may have a message before the place, and the next of its key would overtake that. */
  @Test
  void aTransactionThatMayStillCommitKeepsTheFloorDown() {
    emptied(batch(1, 100, 500, 510)); // 500 has written and is not over
    emptied(batch(101, 200, 500, 520)); // a transaction with a place before 100 has a lower number
    emptied(batch(201, 300, 519, 530));
    assertThat(after()).isZero();
    emptied(batch(301, 400, 520, 540));
    assertThat(after()).isEqualTo(100);
  }

  @Test
  void aLateCommitBeginsAgainAtTheStart() {
    emptied(batch(10, 100, 500, 510));
    emptied(batch(5, 200, 510, 520));
    assertThat(after()).as("5 was before 100").isZero();
    emptied(batch(201, 300, 520, 530));
    assertThat(after()).isEqualTo(100);
    emptied(batch(50, 400, 530, 540));
    assertThat(after()).as("a retry from below").isZero();
  }

  @Test
  void whereNothingIsKnownOfTransactionsEveryReadIsFromTheStart() {
    for (int i = 0; i < 10; i++) {
      List<StoredMessage> messages = List.of(Messages.message(i + 1, "d", "k"));
      emptied(new Batch(messages, true, Writers.UNKNOWN));
      assertThat(after()).isZero();
    }
  }

  @Test
  void afterASecondOneReadIsFromTheStart() {
    emptied(batch(1, 100, 500, 500), 0, NOW);
    emptied(batch(101, 200, 510, 510), 0, NOW);
    assertThat(lowWaterMarks.after(LANE, 0, NOW.plusMillis(999))).isEqualTo(100);
    assertThat(lowWaterMarks.after(LANE, 0, NOW.plusMillis(1_000))).isZero();
    emptied(batch(201, 300, 520, 520), 0, NOW.plusMillis(1_000));
    assertThat(lowWaterMarks.after(LANE, 0, NOW.plusMillis(1_999))).isEqualTo(200);
    assertThat(lowWaterMarks.after(LANE, 0, NOW.plusMillis(2_000))).isZero();
  }

  @Test
  void messagesPutBackAreNotPassedOver() {
    emptied(batch(1, 100, 500, 500), 7, NOW);
    emptied(batch(101, 200, 510, 510), 7, NOW);
    assertThat(lowWaterMarks.after(LANE, 8, NOW)).isZero();
    assertThat(lowWaterMarks.after(LANE, 7, NOW)).as("forgotten for good").isZero();
  }

  @Test
  void messagesLeftBehindAreNotPassedOver() {
    emptied(batch(1, 100, 500, 500));
    emptied(batch(101, 200, 510, 510));
    lowWaterMarks.forget(LANE);
    assertThat(after()).isZero();
  }

  @Test
  void afterAFailureOfTheDatabaseNothingIsPassedOver() {
    emptied(batch(1, 100, 500, 500));
    emptied(batch(101, 200, 510, 510));
    lowWaterMarks.forgetAll();
    assertThat(after()).isZero();
  }
}
