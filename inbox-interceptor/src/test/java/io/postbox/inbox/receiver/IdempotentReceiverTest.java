package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageFailed;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageQuarantined;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.ReplyRefused;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.Failure.Kind;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.MessageId.OfAnother;
import io.postbox.inbox.message.MessageId.Unusable;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.TestDelivery;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Messages that meet a handler which can handle them, duplicates, and messages nobody can take. */
class IdempotentReceiverTest {
  private static final Fingerprint ONE = TestDelivery.FINGERPRINT;
  private static final Fingerprint OTHER = new Fingerprint(1, "ee".repeat(32));
  private static final TestDelivery FIRST = TestDelivery.of("id-1");

  private final FakeBroker broker = new FakeBroker(TestConfig.shop(Map.of()));
  private int handled;

  IdempotentReceiverTest() {
    broker.handler =
        run -> {
          handled++;
          return "done";
        };
  }

  @Test
  void aNewMessageIsHandledWithOneStatement() {
    assertThat(broker.deliver(FIRST)).contains("done");

    assertThat(handled).isEqualTo(1);
    assertThat(broker.store.statements).isEqualTo(1);
    assertThat(broker.events)
        .containsExactly(new MessageProcessed("shipping", "id-1", Optional.of("OrderPlaced"), 1));
  }

  @Test
  void aDuplicateIsSkippedAndAcknowledged() {
    broker.deliver(FIRST);

    assertThat(broker.deliver(FIRST)).isPresent();

    assertThat(handled).isEqualTo(1);
    assertThat(broker.events)
        .last()
        .isEqualTo(
            new MessageSkipped("shipping", "id-1", Optional.of("OrderPlaced"), Why.DUPLICATE));
  }

  @Test
  void aCopyForAnotherConsumerAloneIsSkippedWithoutAStatement() {
    assertThat(broker.deliver(TestDelivery.of(new OfAnother("billing")))).isPresent();

    assertThat(handled).isZero();
    assertThat(broker.store.statements).isZero();
    assertThat(broker.events)
        .containsExactly(
            new MessageSkipped("shipping", "", Optional.of("OrderPlaced"), Why.FOR_ANOTHER));
  }

  @Test
  void anotherContentUnderAKnownIdIsQuarantinedAndAcknowledged() {
    broker.deliver(FIRST);

    assertThat(broker.deliver(FIRST.with(OTHER))).isPresent();

    assertThat(handled).isEqualTo(1);
    assertThat(broker.store.quarantined)
        .singleElement()
        .satisfies(
            kept -> {
              assertThat(kept.delivery().consumer()).isEqualTo("shipping");
              assertThat(kept.messageId()).isEqualTo("id-1");
              assertThat(kept.reason()).isEqualTo(QuarantineReason.OTHER_CONTENT);
              assertThat(kept.delivery().fingerprint()).isEqualTo(OTHER);
              assertThat(kept.stored()).isEqualTo(ONE);
            });
    assertThat(broker.events)
        .last()
        .isEqualTo(
            new MessageQuarantined(
                "shipping",
                Optional.of("id-1"),
                Optional.of("OrderPlaced"),
                "OTHER_CONTENT",
                OTHER.sha256(),
                Optional.of(ONE.sha256())));
  }

  @Test
  void anotherContentIsRedeliveredWhereItIsToBeRejected() {
    FakeBroker strict = new FakeBroker(TestConfig.shop(Map.of("on-mismatch", "reject")));
    strict.deliver(FIRST);

    assertThat(strict.deliver(FIRST.with(OTHER))).isEmpty();

    assertThat(strict.thrown)
        .singleElement()
        .isInstanceOf(InboxException.class)
        .asString()
        .contains("id-1", "'shipping'", "is rejected", "until an operator takes it");
    assertThat(strict.store.quarantined).isEmpty();
    assertThat(strict.failures).isEmpty();
  }

  @Test
  void fingerprintsOfAnotherVersionContradictNothing() {
    broker.deliver(FIRST);

    broker.deliver(FIRST.with(new Fingerprint(2, OTHER.sha256())));

    assertThat(broker.store.quarantined).isEmpty();
    assertThat(handled).isEqualTo(1);
  }

  @Test
  void aDeliveryWithoutAUsableIdIsQuarantinedAndAcknowledged() {
    for (QuarantineReason reason : QuarantineReason.values()) {
      assertThat(broker.deliver(TestDelivery.of(new Unusable(reason)))).isPresent();
    }

    assertThat(handled).isZero();
    assertThat(broker.store.quarantined)
        .allSatisfy(kept -> assertThat(kept.messageId()).isNull())
        .extracting(kept -> kept.reason())
        .containsExactly(QuarantineReason.values());
    assertThat(broker.events).hasOnlyElementsOfType(MessageQuarantined.class);
  }

  @Test
  void anIdForWhichThereIsNoPlaceAnyMoreIsQuarantinedAndNotHandled() {
    broker.store.refused.put("id-1", QuarantineReason.TOO_OLD);

    assertThat(broker.deliver(FIRST)).isPresent();

    assertThat(handled).isZero();
    assertThat(broker.store.quarantined)
        .singleElement()
        .satisfies(
            kept -> {
              assertThat(kept.reason()).isEqualTo(QuarantineReason.TOO_OLD);
              assertThat(kept.messageId()).isEqualTo("id-1");
            });
  }

  @Test
  void anythingThatTheHandlerThrowsRollsBackAndIsPassedOn() {
    for (Throwable thrown :
        List.of(new IOException("a"), new IllegalStateException("b"), new AssertionError("c"))) {
      broker.handler =
          run -> {
            if (thrown instanceof Error error) {
              throw error;
            }
            throw (Exception) thrown;
          };
      assertThat(broker.deliver(FIRST)).isEmpty();
      assertThat(broker.thrown).last().isSameAs(thrown);
    }
    assertThat(broker.events).hasSize(3).hasOnlyElementsOfType(MessageFailed.class);
    assertThat(broker.store.remembered).isEmpty();
  }

  /** Its container rolls back without a word, and the listener would acknowledge. */
  @Test
  void whereNobodyHearsOfARollbackAMarkedTransactionIsNoNormalReturn() {
    broker.transaction.isTheListeners = false;
    broker.handler =
        run -> {
          broker.transaction.setRollbackOnly();
          return "done";
        };

    assertThat(broker.deliver(FIRST)).isEmpty();

    assertThat(broker.thrown)
        .singleElement()
        .isInstanceOf(InboxException.class)
        .asString()
        .contains("id-1", "'shipping'", "can only roll back", "is redelivered");
    assertThat(broker.failures)
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure.kind()).as("it counts").isEqualTo(Kind.FAILED);
              assertThat(failure.reason()).contains("it was marked for rollback");
            });
    assertThat(broker.events)
        .singleElement()
        .isInstanceOfSatisfying(MessageFailed.class, it -> assertThat(it.counted()).isTrue());
  }

  @Test
  void theTransactionOfTheDeliveryItselfTakesTheMessageBackWithoutAnException() {
    broker.handler =
        run -> {
          broker.transaction.setRollbackOnly();
          return "done";
        };

    assertThat(broker.deliver(FIRST)).isEmpty();

    assertThat(broker.thrown).isEmpty();
    assertThat(broker.failures).hasSize(1);
  }

  /** It timed out meanwhile: the message is not kept aside, and the copy is not sent. */
  @Test
  void anUnhandledMessageIsNotAcknowledgedInAMarkedTransaction() {
    broker.deliver(FIRST);
    broker.transaction.isTheListeners = false;
    broker.whileRead = broker.transaction::setRollbackOnly;

    assertThat(broker.deliver(FIRST)).as("a duplicate").isEmpty();
    assertThat(broker.deliver(FIRST.with(OTHER))).as("other content").isEmpty();
    assertThat(broker.deliver(TestDelivery.of(new OfAnother("billing")))).isEmpty();

    assertThat(broker.thrown).hasSize(3).hasOnlyElementsOfType(InboxException.class);
    assertThat(broker.failures).as("no handler ran").isEmpty();
  }

  @Test
  void aHandlerThatEndsItsTransactionHasNotHandledItsMessage() {
    broker.transaction.isTheListeners = false;
    broker.handler =
        run -> {
          broker.transaction.setRollbackOnly();
          broker.transaction.commit();
          return "done";
        };

    assertThat(broker.deliver(FIRST)).isEmpty();

    assertThat(broker.thrown)
        .singleElement()
        .asString()
        .contains("id-1", "'shipping'", "ended the transaction", "is redelivered");
    assertThat(broker.failures).hasSize(1);
  }

  @Test
  void aSkippedDeliveryThatIsRolledBackIsNotCountedAsSkipped() {
    broker.deliver(FIRST);
    broker.commitsFail = true;

    assertThat(broker.deliver(FIRST)).isEmpty();

    assertThat(broker.events).last().isInstanceOf(MessageFailed.class);
    assertThat(broker.failures).isEmpty();
  }

  @Test
  void theAnswerIsKeptAndSentAgainForADuplicate() {
    broker.wantsReply = true;
    broker.handler =
        run -> {
          run.result("42");
          return null;
        };

    broker.deliver(FIRST);
    broker.deliver(FIRST);

    assertThat(broker.replies).containsExactly("42", "42");
  }

  @Test
  void aReplyThatIsNotAllowedUndoesNothingAndIsLogged() {
    broker.wantsReply = true;
    broker.mayReply = false;
    answering();
    TestDelivery asked = FIRST.askedFor("queue:STOCK");

    try (LogLines lines = new LogLines()) {
      for (int i = 0; i < 3; i++) {
        assertThat(broker.deliver(asked)).isPresent();
      }

      assertThat(lines.all()).singleElement().asString().contains("IBX0180", "queue:STOCK", "id-1");
    }
    assertThat(broker.replies).isEmpty();
    assertThat(broker.failures).isEmpty();
    assertThat(broker.store.outcomes).hasSize(1);
    assertThat(refused()).containsOnly(ReplyRefused.Why.NOT_ALLOWED).hasSize(3);

    broker.mayReply = true; // the settings were mended
    broker.deliver(asked);

    assertThat(broker.replies).containsExactly("42");
  }

  @Test
  void aSenderWhoRepeatsAnothersMessageGetsNoAnswer() {
    broker.wantsReply = true;
    answering();
    broker.deliver(FIRST.askedFor("queue:_Q_1"));

    broker.deliver(FIRST.askedFor("queue:_Q_2"));
    broker.deliver(FIRST.askedFor(null));
    broker.deliver(FIRST.askedFor("queue:_Q_1"));

    assertThat(broker.replies).as("the first, and its own repeat").containsExactly("42", "42");
    assertThat(refused()).containsOnly(ReplyRefused.Why.ANOTHER_THAN_RECORDED).hasSize(2);
  }

  @Test
  void aRefusedReplyOfARolledBackDeliveryIsNotReported() {
    broker.wantsReply = true;
    broker.mayReply = false;
    broker.commitsFail = true;
    answering();

    broker.deliver(FIRST.askedFor("queue:STOCK"));

    assertThat(refused()).isEmpty();
  }

  private void answering() {
    broker.handler =
        run -> {
          run.result("42");
          return null;
        };
  }

  private List<ReplyRefused.Why> refused() {
    return broker.events.stream()
        .filter(ReplyRefused.class::isInstance)
        .map(event -> ((ReplyRefused) event).why())
        .toList();
  }

  @Test
  void aDuplicateForWhichNobodyWaitsCostsNoFurtherStatement() {
    broker.deliver(FIRST);
    broker.store.statements = 0;

    broker.deliver(FIRST);

    assertThat(broker.store.statements).isEqualTo(2);
  }

  @Test
  void aHandlerThatReturnsAfterTheStopIsRolledBackAndNotCounted() {
    broker.closed = true;

    assertThat(broker.deliver(FIRST)).isEmpty();

    assertThat(broker.thrown).singleElement().asString().contains("after the application had");
    assertThat(broker.failures).isEmpty();
    assertThat(broker.events)
        .singleElement()
        .isInstanceOfSatisfying(MessageFailed.class, it -> assertThat(it.counted()).isFalse());
  }

  @Test
  void aFailureAfterTheStopIsNotHeldAgainstItsHandler() {
    broker.handler =
        run -> {
          broker.closed = true;
          throw new IllegalStateException("a bean that has gone");
        };

    assertThat(broker.deliver(FIRST)).isEmpty();

    assertThat(broker.thrown).singleElement().asString().contains("a bean that has gone");
    assertThat(broker.failures).isEmpty();
    assertThat(broker.events)
        .singleElement()
        .isInstanceOfSatisfying(MessageFailed.class, it -> assertThat(it.counted()).isFalse());
  }

  @Test
  void theCallerGetsTheEndThatTheCommitWillMakeCertain() {
    broker.deliver(FIRST);
    broker.deliver(FIRST);
    broker.deliver(FIRST.with(OTHER));

    assertThat(broker.endings).extracting(DeliveryResult::event).isEqualTo(broker.events);
    assertThat(broker.endings)
        .extracting(DeliveryResult::returned)
        .containsExactly("done", null, null);
  }

  @Test
  void everyEventNamesItsConsumer() {
    broker.deliver(FIRST);
    broker.deliver(FIRST.with(OTHER));
    broker.deliver(FIRST);

    assertThat(broker.events).extracting(MessageEvent::consumer).containsOnly("shipping");
  }
}
