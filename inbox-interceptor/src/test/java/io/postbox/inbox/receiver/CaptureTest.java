package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.log.RecordedError;
import io.postbox.inbox.MessageCaptured;
import io.postbox.inbox.MessageFailed;
import io.postbox.inbox.MessageQuarantined;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.RetryLaterException;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Failure.Kind;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.receiver.IdempotencyStore.KeptAnswer;
import io.postbox.inbox.receiver.Limits.Limit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Deliveries to consumers that store their messages to handle them later. */
class CaptureTest {
  private FakeBroker broker = new FakeBroker(TestConfig.shop(Map.of()));

  @BeforeEach
  void neverHandles() {
    broker.captures = true;
    broker.handler =
        run -> {
          throw new AssertionError("a handler ran");
        };
  }

  @Test
  void aMessageIsStoredInTwoStatements() {
    broker.deliver(TestDelivery.of("id-1"));

    assertThat(broker.store.statements).isEqualTo(2);
    assertThat(broker.store.outcomes).containsEntry("shipping/id-1", Outcome.CAPTURED);
    assertThat(broker.store.captured).containsKey("shipping/id-1");
    assertThat(broker.events)
        .containsExactly(new MessageCaptured("shipping", "id-1", Optional.of("OrderPlaced")));
    assertThat(broker.wakeUps.captured).containsEntry("shipping", 1);
  }

  @Test
  void aRolledBackCaptureIsReportedToNobody() {
    broker.commitsFail = true;
    broker.deliver(TestDelivery.of("id-1"));

    assertThat(broker.store.captured).isEmpty();
    assertThat(broker.wakeUps.captured).isEmpty();
    assertThat(broker.events).singleElement().isInstanceOf(MessageFailed.class);
  }

  @Test
  void aDuplicateIsSkippedAndOtherContentQuarantined() {
    broker.deliver(TestDelivery.of("id-1"));
    broker.deliver(TestDelivery.of("id-1"));
    broker.deliver(TestDelivery.of("id-1").with(new Fingerprint(1, "22".repeat(32))));

    assertThat(broker.events.get(1)).isInstanceOf(MessageSkipped.class);
    assertThat(broker.events.get(2)).isInstanceOf(MessageQuarantined.class);
    assertThat(broker.store.captured).hasSize(1);
  }

  @Test
  void failuresOfItsHandlerDoNotConcernARedelivery() {
    for (int i = 0; i < 20; i++) {
      broker.store.write(
          new Failure(
              "shipping",
              "id-1",
              1,
              Kind.REJECTED,
              null,
              new RecordedError("no", "", "", "aa"),
              0,
              false));
    }
    broker.anyMayBeRedelivery = true;
    broker.deliver(TestDelivery.of("id-1").with(new History(true, 0, 0)));

    assertThat(broker.store.captured).containsKey("shipping/id-1");
    assertThat(broker.begins).as("attempts on record, because a handler could crash").isZero();
  }

  @Test
  void aMessageThatCannotBeStoredIsQuarantined() {
    broker.canForward = true;
    broker.deliver(TestDelivery.of("id-1").thatCannotBeKept());

    assertThat(broker.store.quarantined.get(0).reason()).isEqualTo(QuarantineReason.NOT_CAPTURABLE);
    assertThat(broker.store.outcomes).isEmpty();
    assertThat(broker.forwarded).isOne();
  }

  @Test
  void deliveriesBeyondTheLimitAreSlowedDownAndStored() {
    broker = new FakeBroker(TestConfig.shop(Map.of("consumer.shipping.capture.limit", "2")));
    neverHandles();
    broker.deliver(TestDelivery.of("id-1"));
    broker.deliver(TestDelivery.of("id-2"));
    assertThat(broker.holds).isZero();
    broker.deliver(TestDelivery.of("id-3"));

    assertThat(broker.holds).isOne();
    assertThat(broker.store.captured).containsKey("shipping/id-3");
    assertThat(broker.limits.toBePaused())
        .containsExactly(new Limit("shipping", Limits.Kind.CAPTURED));

    for (int i = 0; i < 2; i++) {
      broker.limits.removed("shipping", Limits.Kind.CAPTURED, 0);
    }
    broker.deliver(TestDelivery.of("id-4"));
    assertThat(broker.holds).isOne();
  }

  @Test
  void aSourceThatBringsMessagesAgainIsRefusedBeyondTheLimitUntilATenthIsFree() {
    broker = new FakeBroker(TestConfig.shop(Map.of("consumer.shipping.capture.limit", "10")));
    neverHandles();
    broker.canBeRefused = true;
    for (int i = 0; i < 10; i++) {
      broker.deliver(TestDelivery.of("id-" + i));
    }
    assertThat(broker.thrown).isEmpty();

    for (String id : List.of("id-10", "id-0")) {
      assertThat(broker.deliver(TestDelivery.of(id))).as("acknowledged").isEmpty();
    }
    assertThat(broker.thrown)
        .hasSize(2)
        .allSatisfy(
            thrown ->
                assertThat(((RetryLaterException) thrown).delay()).isEqualTo(BackPressure.PAUSE));
    assertThat(broker.holds).as("threads kept waiting").isZero();
    assertThat(broker.store.captured).hasSize(10);
    assertThat(broker.events).hasSize(10).allMatch(MessageCaptured.class::isInstance);

    for (int i = 0; i < 2; i++) {
      broker.limits.removed("shipping", Limits.Kind.CAPTURED, 0);
    }
    broker.deliver(TestDelivery.of("id-10"));
    assertThat(broker.store.captured).hasSize(11);
  }

  @Test
  void aDuplicateGetsTheReplyOfTheHandler() {
    broker.wantsReply = true;
    broker.deliver(TestDelivery.of("id-1"));
    broker.deliver(TestDelivery.of("id-1"));
    assertThat(broker.replies).as("it is not handled yet").isEmpty();

    broker.store.results.put("shipping/id-1", new KeptAnswer("booked", null));
    broker.deliver(TestDelivery.of("id-1"));

    assertThat(broker.replies).containsExactly("booked");
    assertThat(broker.store.captured).hasSize(1);
  }

  @Test
  void withVersionOrderAMessageNeedsAVersion() {
    broker = new FakeBroker(TestConfig.shop(Map.of("consumer.shipping.order", "version")));
    neverHandles();
    broker.deliver(TestDelivery.of("id-1"));

    assertThat(broker.store.quarantined.get(0).reason())
        .isEqualTo(QuarantineReason.MISSING_VERSION);
    assertThat(broker.store.captured).isEmpty();
  }
}
