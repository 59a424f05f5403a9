package io.postbox.outbox.relay;

import static io.postbox.outbox.testing.Messages.id;
import static io.postbox.outbox.testing.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.config.Backoff;
import io.postbox.common.log.RecordedError;
import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.config.OutboxConfig.Recovery;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.ClaimStore.Failure;
import io.postbox.outbox.store.ClaimStore.HeldKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchSettlementTest {
  private static final int MAX_ATTEMPTS = 3;
  private static final RecordedError WHY = RecordedError.of("why");
  private static final HeldKey KEY = new HeldKey("d", "k", id(1));

  private static BatchSettlement of(SendReport report, OnDeadLetter onDeadLetter) {
    Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));
    return BatchSettlement.of(
        report, Map.of(), new Recovery(MAX_ATTEMPTS, backoff, onDeadLetter), () -> 0.5);
  }

  private static BatchSettlement rejected(StoredMessage message, OnDeadLetter onDeadLetter) {
    return of(
        new SendReport(List.of(), Map.of(message, WHY), Map.of(), Optional.empty()), onDeadLetter);
  }

  @Test
  void sentMessagesAreDeleted() {
    BatchSettlement settlement =
        of(
            new SendReport(
                List.of(message(5, "d", null), message(7, "e", "k")),
                Map.of(),
                Map.of(),
                Optional.of("x")),
            OnDeadLetter.HOLD);

    assertThat(settlement)
        .isEqualTo(new BatchSettlement(List.of(5L, 7L), List.of(), List.of(), List.of()));
  }

  @Test
  void nothingIsWrittenOfADestinationAtFault() {
    BatchSettlement settlement =
        of(new SendReport(List.of(), Map.of(), Map.of(), Optional.of("down")), OnDeadLetter.HOLD);

    assertThat(settlement)
        .isEqualTo(new BatchSettlement(List.of(), List.of(), List.of(), List.of()));
  }

  @Test
  void aHeadThatWasSentReleasesItsKey() {
    StoredMessage head = message(1, "d", "k", 1, id(1));
    BatchSettlement settlement =
        of(new SendReport(List.of(head), Map.of(), Map.of(), Optional.empty()), OnDeadLetter.HOLD);

    assertThat(settlement.release()).containsExactly(KEY);
    assertThat(settlement.sent()).containsExactly(1L);
  }

  /** attempts that failed before, is it the head of a held key, what then becomes of the key. */
  @ParameterizedTest
  @CsvSource({
    "HOLD,     0, false, hold",
    "HOLD,     1, true,  stays",
    "HOLD,     2, true,  stays",
    "HOLD,     2, false, hold",
    "CONTINUE, 0, false, hold",
    "CONTINUE, 1, true,  stays",
    "CONTINUE, 2, true,  release",
    "CONTINUE, 2, false, stays",
  })
  void aFailedMessageHoldsItsKeyUntilItIsDecided(
      OnDeadLetter onDeadLetter, int attempts, boolean head, String key) {
    BatchSettlement settlement =
        rejected(message(1, "d", "k", attempts, head ? id(1) : null), onDeadLetter);

    assertThat(settlement.hold()).isEqualTo(key.equals("hold") ? List.of(KEY) : List.of());
    assertThat(settlement.release()).isEqualTo(key.equals("release") ? List.of(KEY) : List.of());
    assertThat(settlement.sent()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"HOLD, 0", "HOLD, 2", "CONTINUE, 0", "CONTINUE, 2"})
  void aMessageWithoutAKeyHoldsNothing(OnDeadLetter onDeadLetter, int attempts) {
    BatchSettlement settlement = rejected(message(1, "d", null, attempts, null), onDeadLetter);

    assertThat(settlement.failures()).hasSize(1);
    assertThat(settlement.hold()).isEmpty();
    assertThat(settlement.release()).isEmpty();
  }

  @Test
  void theLastAttemptMakesADeadLetter() {
    assertThat(rejected(message(1, "d", null, 0, null), OnDeadLetter.HOLD).failures())
        .containsExactly(
            new Failure(message(1, "d", null, 0, null), 1, false, Duration.ofMillis(750), WHY));
    assertThat(rejected(message(1, "d", null, 1, null), OnDeadLetter.HOLD).failures())
        .containsExactly(
            new Failure(message(1, "d", null, 1, null), 1, false, Duration.ofMillis(1_500), WHY));
    assertThat(rejected(message(1, "d", null, 2, null), OnDeadLetter.HOLD).failures())
        .containsExactly(new Failure(message(1, "d", null, 2, null), 1, true, Duration.ZERO, WHY));
  }

  @ParameterizedTest
  @CsvSource({"HOLD, 1, 0", "CONTINUE, 0, 0"})
  void expiredMessagesDieWithoutAnAttempt(OnDeadLetter onDeadLetter, int held, int released) {
    Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));
    BatchSettlement settlement =
        BatchSettlement.of(
            SendReport.NOTHING,
            Map.of(message(1, "d", "k"), BatchSettlement.EXPIRED),
            new Recovery(MAX_ATTEMPTS, backoff, onDeadLetter),
            () -> 0.5);

    assertThat(settlement.failures())
        .containsExactly(
            new Failure(message(1, "d", "k"), 0, true, Duration.ZERO, BatchSettlement.EXPIRED));
    assertThat(settlement.hold()).hasSize(held);
    assertThat(settlement.release()).hasSize(released);
  }

  @Test
  void ofSeveralThatExpiredTogetherTheFirstHoldsTheKeyUnlessAnotherDoes() {
    Map<StoredMessage, RecordedError> expired = new HashMap<>();
    for (int seq = 9; seq > 0; seq--) {
      expired.put(message(seq, "d", "k"), BatchSettlement.EXPIRED);
    }
    expired.put(message(10, "d", "held", 0, id(2)), BatchSettlement.EXPIRED);
    Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));
    BatchSettlement settlement =
        BatchSettlement.of(
            SendReport.NOTHING,
            expired,
            new Recovery(MAX_ATTEMPTS, backoff, OnDeadLetter.HOLD),
            () -> 0.5);

    assertThat(settlement.failures()).hasSize(10);
    assertThat(settlement.hold()).containsExactly(KEY);
    assertThat(settlement.release()).isEmpty();
  }

  @Test
  void theReasonIsCutToFitAndHasNoControlCharacters() {
    assertThat(error("one\r\ntwo\0three")).isEqualTo("one two three");
    assertThat(error("x".repeat(1_000))).hasSize(1_000);
    assertThat(error("x".repeat(5_000))).hasSize(1_000);
  }

  @Test
  void theCutDoesNotHalveACharacter() {
    String error = error("x".repeat(999) + "😀");
    assertThat(error).hasSize(999);
    assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(error)).isTrue();
  }

  private static String error(String reason) {
    StoredMessage message = message(1, "d", null);
    SendReport report =
        new SendReport(
            List.of(), Map.of(message, RecordedError.of(reason)), Map.of(), Optional.empty());
    return of(report, OnDeadLetter.HOLD).failures().get(0).error().text();
  }
}
