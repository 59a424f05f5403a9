package io.postbox.inbox.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.guard.InboxMeters.Outcome;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.MessageId;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.message.MessageId.Unusable;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.Quarantined;
import io.postbox.inbox.message.TestDelivery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InboxGuardTest {
  private static final Fingerprint ONE = new Fingerprint(1, "11".repeat(32));
  private static final Fingerprint OTHER = new Fingerprint(1, "ee".repeat(32));
  private static final Content CONTENT = new Content(BodyType.TEXT, "hello", null, "{}");

  private final FakeLedger ledger = new FakeLedger();
  private final FakeTransaction transaction = new FakeTransaction();
  private final List<Outcome> outcomes = new ArrayList<>();
  private final InboxGuard guard =
      new InboxGuard(
          ledger,
          transaction,
          (consumer, outcome) -> {
            assertThat(consumer).isEqualTo("shipping");
            outcomes.add(outcome);
          });
  private int handled;

  @BeforeEach
  void begin() {
    transaction.begin();
  }

  @Test
  void aNewMessageIsHandledWithOneStatement() throws Exception {
    assertThat(deliver("id-1", ONE)).isEqualTo("done");

    assertThat(handled).isEqualTo(1);
    assertThat(ledger.statements).isEqualTo(1);
    assertThat(outcomes).isEmpty();
    assertThat(transaction.commit()).isTrue();
    assertThat(outcomes).containsExactly(Outcome.PROCESSED);
  }

  @Test
  void aDuplicateIsSkippedAndAcknowledged() throws Exception {
    deliver("id-1", ONE);
    next();

    assertThat(deliver("id-1", ONE)).isNull();

    assertThat(handled).isEqualTo(1);
    assertThat(transaction.commit()).isTrue();
    assertThat(outcomes).containsExactly(Outcome.PROCESSED, Outcome.SKIPPED);
  }

  @Test
  void anotherContentUnderAKnownIdIsQuarantinedAndAcknowledged() throws Exception {
    deliver("id-1", ONE);
    next();

    assertThat(deliver("id-1", OTHER)).isNull();

    assertThat(handled).isEqualTo(1);
    assertThat(transaction.commit()).isTrue();
    assertThat(outcomes).containsExactly(Outcome.PROCESSED, Outcome.QUARANTINED);
    assertThat(ledger.quarantined)
        .singleElement()
        .satisfies(
            kept -> {
              assertThat(kept.consumer()).isEqualTo("shipping");
              assertThat(kept.messageId()).isEqualTo("id-1");
              assertThat(kept.reason()).isEqualTo(QuarantineReason.OTHER_CONTENT);
              assertThat(kept.fingerprint()).isEqualTo(OTHER);
              assertThat(kept.stored()).isEqualTo(ONE);
              assertThat(kept.content()).isEqualTo(CONTENT);
            });
  }

  @Test
  void fingerprintsOfAnotherVersionContradictNothing() throws Exception {
    deliver("id-1", ONE);
    next();

    deliver("id-1", new Fingerprint(2, OTHER.sha256()));

    assertThat(ledger.quarantined).isEmpty();
    assertThat(handled).isEqualTo(1);
  }

  @Test
  void aDeliveryWithoutAUsableIdIsQuarantinedAndAcknowledged() throws Exception {
    for (QuarantineReason reason : QuarantineReason.values()) {
      deliver(new Unusable(reason), ONE);
    }

    assertThat(handled).isZero();
    assertThat(transaction.commit()).isTrue();
    assertThat(ledger.quarantined)
        .allSatisfy(kept -> assertThat(kept.messageId()).isNull())
        .extracting(kept -> kept.reason())
        .containsExactly(QuarantineReason.values());
    assertThat(outcomes).containsOnly(Outcome.QUARANTINED);
  }

  @Test
  void anythingThatTheHandlerThrowsRollsBackAndIsPassedOn() {
    for (Throwable thrown :
        List.of(new IOException("a"), new IllegalStateException("b"), new AssertionError("c"))) {
      transaction.begin();
      assertThatThrownBy(() -> deliver(new Known("id-1"), ONE, thrown)).isSameAs(thrown);
      assertThat(transaction.isRollbackOnly()).isTrue();
      assertThat(transaction.commit()).isFalse();
      ledger.remembered.clear();
    }
    assertThat(outcomes).containsExactly(Outcome.FAILED, Outcome.FAILED, Outcome.FAILED);
  }

  @Test
  void aRollbackThatNobodyThrewForIsAFailure() throws Exception {
    deliver("id-1", ONE);
    transaction.setRollbackOnly();
    transaction.commit();

    assertThat(outcomes).containsExactly(Outcome.FAILED);
  }

  @Test
  void aSkippedDeliveryThatIsRolledBackIsNotCountedAsSkipped() throws Exception {
    deliver("id-1", ONE);
    next();
    deliver("id-1", ONE);
    transaction.setRollbackOnly();
    transaction.commit();

    assertThat(outcomes).containsExactly(Outcome.PROCESSED, Outcome.FAILED);
  }

  @Test
  void aMessageThatCannotBeReadIsRolledBack() {
    IOException unreadable = new IOException("torn");

    assertThatThrownBy(
            () ->
                guard.handle(
                    "shipping",
                    () -> {
                      throw unreadable;
                    },
                    () -> "done"))
        .isSameAs(unreadable);
    assertThat(transaction.isRollbackOnly()).isTrue();
  }

  @Test
  void aRowThatIsGoneAgainIsRolledBack() {
    ledger.remembered.put("shipping/id-1", ONE);
    InboxGuard forgetful =
        new InboxGuard(new Forgetful(ledger), transaction, (consumer, outcome) -> {});

    assertThatThrownBy(
            () ->
                forgetful.handle("shipping", () -> delivery(new Known("id-1"), ONE), () -> "done"))
        .isInstanceOf(InboxException.class)
        .hasMessageContaining("its row was there and is gone again");
    assertThat(transaction.isRollbackOnly()).isTrue();
  }

  private void next() {
    assertThat(transaction.commit()).isTrue();
    transaction.begin();
  }

  private @Nullable Object deliver(String id, Fingerprint fingerprint) throws Exception {
    return deliver(new Known(id), fingerprint);
  }

  private @Nullable Object deliver(MessageId id, Fingerprint fingerprint) throws Exception {
    return guard.handle(
        "shipping",
        () -> delivery(id, fingerprint),
        () -> {
          handled++;
          return "done";
        });
  }

  private void deliver(MessageId id, Fingerprint fingerprint, Throwable thrown) throws Exception {
    guard.handle(
        "shipping",
        () -> delivery(id, fingerprint),
        () -> {
          if (thrown instanceof Error error) {
            throw error;
          }
          throw (Exception) thrown;
        });
  }

  private static Delivery delivery(MessageId id, Fingerprint fingerprint) {
    return TestDelivery.of(id).with(fingerprint).with(CONTENT).delivery();
  }

  /** Finds an id when it inserts, and not when it reads. */
  private record Forgetful(Ledger ledger) implements Ledger {
    @Override
    public boolean insertIfAbsent(Delivery delivery, String messageId) {
      return ledger.insertIfAbsent(delivery, messageId);
    }

    @Override
    public Optional<Fingerprint> fingerprintOf(String consumer, String messageId) {
      return Optional.empty();
    }

    @Override
    public void quarantine(Quarantined quarantined) {
      ledger.quarantine(quarantined);
    }
  }
}
