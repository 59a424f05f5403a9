package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.LowWaterMarks.Read;
import io.postbox.outbox.store.ClaimStore.Batch;
import io.postbox.outbox.store.ClaimStore.Writers;
import io.postbox.outbox.testing.Messages;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class LowWaterMarksTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Lane LANE = new Lane(1, "d");
  private static final Batch NOTHING = new Batch(List.of(), false, Writers.UNKNOWN);

  private final LowWaterMarks lowWaterMarks = new LowWaterMarks();

  /**
   * A batch that was read when all transactions before {@code oldest} were over, by another one.
   */
  private static Batch batch(long first, long last, long oldest, long own) {
    List<StoredMessage> messages =
        LongStream.rangeClosed(first, last).mapToObj(s -> Messages.message(s, "d", "k")).toList();
    return new Batch(messages, true, new Writers(oldest, own));
  }

  private static Batch notFull(Batch batch) {
    return new Batch(batch.messages(), false, batch.writers());
  }

  private void emptied(Batch batch) {
    emptied(batch, 0, NOW);
  }

  private void emptied(Batch batch, long putBack, Instant now) {
    emptied(batch, putBack, now, Duration.ZERO);
  }

  private void emptied(Batch batch, long putBack, Instant now, Duration took) {
    long after = lowWaterMarks.after(LANE, putBack, now);
    lowWaterMarks.emptied(LANE, batch, new Read(after, putBack, now, now.plus(took)));
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

  /** Very many deleted rows, whose entries an old snapshot keeps. */
  @Test
  void aReadFromTheStartThatTookLongIsRepeatedLater() {
    emptied(batch(1, 100, 500, 500), 0, NOW);
    emptied(batch(101, 200, 510, 510), 0, NOW, Duration.ofMillis(200));
    Instant again = NOW.plusMillis(200 + 4_000);
    emptied(batch(201, 300, 520, 520), 0, NOW.plusSeconds(2), Duration.ofMillis(300));
    assertThat(lowWaterMarks.after(LANE, 0, again.minusMillis(1)))
        .as("a slow read from the mark does not put it off")
        .isEqualTo(200);
    assertThat(lowWaterMarks.after(LANE, 0, again)).isZero();
  }

  @Test
  void aReadFromTheStartIsRepeatedAfterTenSecondsAtTheLatest() {
    emptied(batch(1, 100, 500, 500), 0, NOW);
    emptied(batch(101, 200, 510, 510), 0, NOW, Duration.ofSeconds(1));
    assertThat(lowWaterMarks.after(LANE, 0, NOW.plusMillis(10_999))).isEqualTo(100);
    assertThat(lowWaterMarks.after(LANE, 0, NOW.plusMillis(11_000))).isZero();
  }

  @Test
  void theMarkOfAnEmptyLaneIsKeptWhereItsStartIsCostlyToRead() {
    Duration costly = Duration.ofMillis(51);
    emptied(batch(1, 100, 500, 500), 0, NOW, costly);
    emptied(batch(101, 200, 510, 510), 0, NOW, costly);
    emptied(notFull(batch(201, 210, 520, 520)), 0, NOW, Duration.ZERO);
    assertThat(after()).isEqualTo(200);
    emptied(NOTHING, 0, NOW, Duration.ZERO);
    assertThat(after()).as("nothing was read").isEqualTo(200);
    assertThat(lowWaterMarks.isCostly(LANE)).isTrue();

    emptied(NOTHING, 0, NOW.plusSeconds(2), costly);
    assertThat(lowWaterMarks.after(LANE, 0, NOW.plusSeconds(3)))
        .as("nothing was read from the start")
        .isEqualTo(200);
    emptied(NOTHING, 0, NOW.plusSeconds(4), Duration.ofMillis(50));
    assertThat(lowWaterMarks.isCostly(LANE)).as("the rows were cleaned away").isFalse();
    assertThat(after()).isZero();
  }

  @Test
  void theMarkOfAnEmptyLaneIsForgottenWhereItsStartIsQuicklyRead() {
    emptied(batch(1, 100, 500, 500), 0, NOW, Duration.ofMillis(50));
    emptied(batch(101, 200, 510, 510), 0, NOW, Duration.ofMillis(50));
    emptied(notFull(batch(201, 210, 520, 520)));
    assertThat(after()).isZero();
  }

  @Test
  void theMarkOfALaneWithoutPassesIsForgotten() {
    Duration costly = Duration.ofMillis(100);
    emptied(batch(1, 100, 500, 500), 0, NOW, costly);
    emptied(batch(101, 200, 510, 510), 0, NOW, costly);
    Instant again = NOW.plusMillis(100 + 2_000);
    assertThat(lowWaterMarks.untilFromStart(LANE, NOW)).isEqualTo(Duration.between(NOW, again));
    assertThat(lowWaterMarks.after(LANE, 0, again.plusSeconds(10))).isZero();
    assertThat(lowWaterMarks.isCostly(LANE)).isTrue();
    assertThat(lowWaterMarks.after(LANE, 0, again.plusMillis(10_001))).isZero();
    assertThat(lowWaterMarks.isCostly(LANE)).isFalse();
  }

  /** Where each transaction brings a few, no batch is full. */
  @Test
  void batchesThatAreNotFullMoveTheMarkToo() {
    Duration costly = Duration.ofMillis(60);
    emptied(notFull(batch(1, 3, 500, 500)), 0, NOW, costly);
    assertThat(after()).isZero();
    emptied(notFull(batch(4, 5, 510, 510)), 0, NOW, costly);
    assertThat(after()).isEqualTo(3);
    emptied(notFull(batch(7, 7, 515, 520)), 0, NOW, Duration.ZERO);
    assertThat(after()).as("6 may still commit").isEqualTo(3);
    emptied(notFull(batch(8, 9, 530, 530)), 0, NOW, Duration.ZERO);
    assertThat(after()).isEqualTo(5);
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
