package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.jms.DeliveryReader;
import io.postbox.inbox.jms.FakeMessage;
import io.postbox.inbox.jms.Resolvers;
import io.postbox.inbox.jms.TestProofs;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.MessageId;
import io.postbox.inbox.message.TestDelivery;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class RunningHandlersTest {
  private static final HandlerRun OUTER = new HandlerRun(TestDelivery.of("id-1").delivery(), 1);
  private static final HandlerRun INNER =
      new HandlerRun(TestDelivery.of("id-1").to("audit").delivery(), 1);

  @Test
  void theInnermostOneCountsUntilItReturnsOrThrows() throws Exception {
    RunningHandlers.during(
        OUTER,
        () -> {
          assertThat(RunningHandlers.current()).isSameAs(OUTER);
          RunningHandlers.during(
              INNER, () -> assertThat(RunningHandlers.current()).isSameAs(INNER));
          assertThat(RunningHandlers.current()).isSameAs(OUTER);
          assertThatThrownBy(
                  () ->
                      RunningHandlers.during(
                          INNER,
                          () -> {
                            throw new IllegalStateException("inner");
                          }))
              .hasMessage("inner");
          return assertThat(RunningHandlers.current()).isSameAs(OUTER);
        });
    outside();
  }

  @Test
  void anotherThreadHasNothingToDoWithIt() throws Exception {
    RunningHandlers.during(
        OUTER,
        () -> {
          CompletableFuture<Void> elsewhere =
              CompletableFuture.runAsync(RunningHandlersTest::outside);
          try {
            return elsewhere.get();
          } catch (ExecutionException wrong) {
            throw new AssertionError(wrong);
          }
        });
  }

  @Test
  void aMessageHandedOnCannotBeResentToWhereItsHandlerWouldSkipIt() throws Exception {
    Consumer audit = new Consumer("audit", IdFrom.OUTBOX_MESSAGE_ID, "");
    Queue queue =
        (Queue)
            Proxy.newProxyInstance(
                Queue.class.getClassLoader(),
                new Class<?>[] {Queue.class},
                (proxy, method, arguments) -> "ORDERS");
    Message message = FakeMessage.text("x").header("JMSDestination", queue).as(Message.class);
    Resolvers none =
        type -> {
          throw new AssertionError(type);
        };

    assertThat(
            DeliveryReader.read(
                    audit,
                    message,
                    none,
                    TestProofs.PROOFS,
                    Long.MAX_VALUE,
                    UnaryOperator.identity())
                .destination())
        .isEqualTo("queue:ORDERS");
    RunningHandlers.during(
        OUTER,
        () -> {
          assertThat(
                  DeliveryReader.read(
                          audit,
                          message,
                          none,
                          TestProofs.PROOFS,
                          Long.MAX_VALUE,
                          UnaryOperator.identity())
                      .destination())
              .isNull();
          return null;
        });
  }

  @Test
  void aCopyIsForThoseToWhomItsHandlerPassesItOn() throws Exception {
    Consumer shipping = new Consumer("shipping", IdFrom.OUTBOX_MESSAGE_ID, "");
    Consumer billing = new Consumer("billing", IdFrom.JMS_MESSAGE_ID, "");
    Message copy =
        FakeMessage.text("x")
            .header("JMSMessageID", "ID:new")
            .with("InboxOnlyFor", "shipping")
            .with("InboxStored", "7.2")
            .with("InboxAttempt", 3)
            .with("InboxMessageId", "ID:1")
            .provenBy(TestProofs.PROOFS, shipping)
            .as(Message.class);

    assertThat(read(billing, copy).id()).isEqualTo(new MessageId.OfAnother("shipping"));
    Delivery passedOn = (Delivery) RunningHandlers.during(OUTER, () -> read(billing, copy));
    assertThat(passedOn.id()).isEqualTo(new MessageId.Known("ID:1"));
    assertThat(passedOn.stored()).as("the row is the other one's").isNull();
    assertThat(passedOn.history().waitedFor()).isEqualTo(3);
  }

  private static Delivery read(Consumer consumer, Message message) throws JMSException {
    return DeliveryReader.read(
        consumer,
        message,
        type -> {
          throw new AssertionError(type);
        },
        TestProofs.PROOFS,
        Long.MAX_VALUE,
        UnaryOperator.identity());
  }

  private static void outside() {
    assertThatThrownBy(RunningHandlers::current)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("No handler of the inbox runs on this thread");
  }
}
