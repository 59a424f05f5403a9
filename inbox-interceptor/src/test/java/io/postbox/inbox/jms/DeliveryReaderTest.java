package io.postbox.inbox.jms;

import static io.postbox.inbox.jms.TestProofs.PROOFS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.IdFrom;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.MessageId;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.message.MessageId.OfAnother;
import io.postbox.inbox.message.MessageId.Unusable;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.Subject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DeliveryReaderTest {
  private static final String UUID = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";
  private static final Consumer BY_OUTBOX_ID =
      new Consumer("shipping", IdFrom.OUTBOX_MESSAGE_ID, "");
  private static final Consumer BY_PROPERTY = new Consumer("shipping", IdFrom.PROPERTY, "orderNo");
  private static final Consumer BY_JMS_ID = new Consumer("shipping", IdFrom.JMS_MESSAGE_ID, "");
  private static final Resolvers NONE =
      type -> {
        throw new AssertionError("nobody asked for " + type);
      };

  @Test
  void theIdOfTheOutboxIsACanonicalUuid() throws JMSException {
    assertThat(outboxId(UUID)).isEqualTo(new Known(UUID));
    assertThat(outboxId(null)).isEqualTo(new Unusable(QuarantineReason.MISSING_ID));
    assertThat(outboxId(" ")).isEqualTo(new Unusable(QuarantineReason.BLANK_ID));
    assertThat(outboxId(7L)).isEqualTo(new Unusable(QuarantineReason.WRONG_ID_TYPE));
    for (String malformed :
        new String[] {"7", UUID.toUpperCase(Locale.ROOT), UUID + " ", "{" + UUID + "}"}) {
      assertThat(outboxId(malformed))
          .as(malformed)
          .isEqualTo(new Unusable(QuarantineReason.MALFORMED_ID));
    }
    assertThat(outboxId("7".repeat(201))).isEqualTo(new Unusable(QuarantineReason.ID_TOO_LONG));
  }

  @Test
  void whenItWasEnqueuedIsReadOrLeftOut() throws JMSException {
    assertThat(
            DeliveryReader.enqueuedAt(
                FakeMessage.text("x")
                    .with("OutboxCreatedAt", "2026-11-22T08:00:00.5Z")
                    .as(Message.class)))
        .isEqualTo(Instant.parse("2026-11-22T08:00:00.5Z"));
    for (Object other : new Object[] {"yesterday", "", 7L, "9".repeat(60)}) {
      assertThat(
              DeliveryReader.enqueuedAt(
                  FakeMessage.text("x").with("OutboxCreatedAt", other).as(Message.class)))
          .isNull();
    }
    assertThat(DeliveryReader.enqueuedAt(FakeMessage.text("x").as(Message.class))).isNull();
  }

  @Test
  void theProvidersCountSaysLikeItsFlagThatAMessageHasComeBefore() throws JMSException {
    for (int count : new int[] {1, 2}) {
      assertThat(read(FakeMessage.text("x").with("JMSXDeliveryCount", count)).history())
          .isEqualTo(count == 1 ? History.NONE : new History(true, 0, 0));
    }
  }

  @Test
  void anyStringWithoutControlCharactersIsAnIdInAProperty() throws JMSException {
    assertThat(propertyId("A-1 ü")).isEqualTo(new Known("A-1 ü"));
    assertThat(propertyId("7".repeat(200))).isEqualTo(new Known("7".repeat(200)));
    assertThat(propertyId("7".repeat(201))).isEqualTo(new Unusable(QuarantineReason.ID_TOO_LONG));
    assertThat(propertyId("a\nb")).isEqualTo(new Unusable(QuarantineReason.MALFORMED_ID));
    assertThat(propertyId("a\0")).isEqualTo(new Unusable(QuarantineReason.MALFORMED_ID));
    assertThat(propertyId("\ud83d")).isEqualTo(new Unusable(QuarantineReason.MALFORMED_ID));
    assertThat(propertyId(7)).isEqualTo(new Unusable(QuarantineReason.WRONG_ID_TYPE));
  }

  @Test
  void thereIsNoFallBackFromOneIdToAnother() throws JMSException {
    FakeMessage message = FakeMessage.text("x").header("JMSMessageID", "ID:1").with("orderNo", "1");

    assertThat(id(BY_OUTBOX_ID, message)).isEqualTo(new Unusable(QuarantineReason.MISSING_ID));
    assertThat(id(BY_PROPERTY, message)).isEqualTo(new Known("1"));
    assertThat(id(BY_JMS_ID, message)).isEqualTo(new Known("ID:1"));
    assertThat(id(BY_JMS_ID, FakeMessage.text("x").with("orderNo", "1")))
        .isEqualTo(new Unusable(QuarantineReason.MISSING_ID));
  }

  @Test
  void aCopyIsKnownByTheIdOfWhatItIsACopyOf() throws JMSException {
    FakeMessage copy =
        FakeMessage.text("x").header("JMSMessageID", "ID:2").with("InboxMessageId", "ID:1");
    assertThat(id(BY_JMS_ID, copy.provenBy(PROOFS, BY_JMS_ID))).isEqualTo(new Known("ID:2"));
    assertThat(id(BY_JMS_ID, copy.with("InboxAttempt", 0).provenBy(PROOFS, BY_JMS_ID)))
        .isEqualTo(new Known("ID:1"));
    assertThat(
            id(
                BY_JMS_ID,
                FakeMessage.text("x")
                    .header("JMSMessageID", "ID:2")
                    .with("InboxAttempt", 1)
                    .provenBy(PROOFS, BY_JMS_ID)))
        .isEqualTo(new Unusable(QuarantineReason.MISSING_ID));
    assertThat(id(BY_PROPERTY, copy.with("orderNo", "1"))).isEqualTo(new Known("1"));
  }

  @Test
  void aCopyForAnotherConsumerAloneIsNotLookedAt() throws JMSException {
    Consumer resolving = new Consumer("billing", IdFrom.RESOLVER, "");
    FakeMessage message =
        FakeMessage.text("x")
            .with("OutboxMessageId", UUID)
            .with("InboxOnlyFor", "shipping")
            .provenBy(PROOFS, BY_OUTBOX_ID);

    assertThat(id(resolving, message)).isEqualTo(new OfAnother("shipping"));
    assertThat(id(BY_OUTBOX_ID, message)).isEqualTo(new Known(UUID));
    assertThat(id(BY_OUTBOX_ID, message.with("InboxOnlyFor", 7).provenBy(PROOFS, resolving)))
        .isEqualTo(new Known(UUID));
  }

  @Test
  void theRowKeepsAFewHeadersAndLeavesOutLongOnes() throws JMSException {
    Delivery delivery =
        read(
            FakeMessage.text("x")
                .header("JMSMessageID", "ID:1")
                .header("JMSType", "Order\"Placed\n")
                .with("OutboxSource", "shop")
                .with("OutboxAggregateType", "y".repeat(201))
                .with("OutboxAggregateId", "ü")
                .with("OutboxAggregateVersion", 3L)
                .with("traceparent", 7)
                .with("secret", "s"));

    assertThat(delivery.consumer()).isEqualTo("shipping");
    assertThat(delivery.source()).isEqualTo("shop");
    assertThat(delivery.headers())
        .isEqualTo(
            """
            {"JMSMessageID":"ID:1","JMSType":"Order\\"Placed\\n","OutboxAggregateId":"\\u00fc",\
            "OutboxAggregateVersion":"3"}\
            """);
  }

  @Test
  void theAggregateIsKnownWithoutAVersionToo() throws JMSException {
    FakeMessage message = FakeMessage.text("x").with("OutboxAggregateType", "Order");
    assertThat(read(message).subject()).isNull();

    message.with("OutboxAggregateId", "7");
    assertThat(read(message).subject()).isEqualTo(new Subject("Order", "7", null));
    assertThat(read(message).aggregate()).isNull();

    message.with("OutboxAggregateVersion", 3L);
    assertThat(read(message).subject()).isEqualTo(new Subject("Order", "7", 3L));
    assertThat(read(message).aggregate()).isEqualTo(new Aggregate("Order", "7", 3));
  }

  @Test
  void aSourceThatCannotBeStoredIsLeftOut() throws JMSException {
    for (Object source : new Object[] {"s".repeat(101), "a\0", 7}) {
      assertThat(read(FakeMessage.text("x").with("OutboxSource", source)).source()).isNull();
    }
    assertThat(read(FakeMessage.text("x")).source()).isNull();
  }

  @Test
  void everyKindOfBodyIsKept() throws JMSException {
    assertThat(content(FakeMessage.text("hello")).text()).isEqualTo("hello");
    assertThat(content(FakeMessage.text(null)).type()).isEqualTo(BodyType.TEXT);
    assertThat(content(FakeMessage.bytes((byte) 1, (byte) 2)).bytes())
        .isEqualTo(ByteBuffer.wrap(new byte[] {1, 2}));
    Map<String, @Nullable Object> map = new TreeMap<>();
    map.put("number", 5);
    map.put("data", new byte[] {1, 2});
    map.put("nothing", null);
    assertThat(content(FakeMessage.map(map)).text())
        .isEqualTo("{\"data\":\"bytes:AQI=\",\"nothing\":null,\"number\":\"integer:5\"}");
    assertThat(content(FakeMessage.stream("a", 'b', 2.5)).text())
        .isEqualTo("[\"string:a\",\"character:b\",\"double:2.5\"]");
    assertThat(content(FakeMessage.none()).type()).isEqualTo(BodyType.NONE);
  }

  @Test
  void aTextThatNotEveryDatabaseHoldsIsKeptAsUtf16() throws JMSException {
    Content nul = content(FakeMessage.text("a\0"));
    assertThat(nul.type()).isEqualTo(BodyType.TEXT_UTF16);
    assertThat(nul.bytes()).isEqualTo(ByteBuffer.wrap(new byte[] {0, 'a', 0, 0}));
    assertThat(content(FakeMessage.text("\ud83d")).bytes())
        .isEqualTo(ByteBuffer.wrap(new byte[] {(byte) 0xd8, 0x3d}));
  }

  @Test
  void allHeadersAndPropertiesAreKeptWithTheirTypes() throws JMSException {
    assertThat(
            content(
                    FakeMessage.text("x")
                        .header("JMSMessageID", "ID:1")
                        .header("JMSPriority", 4)
                        .with("flag", true)
                        .with("count", 5L)
                        .with("name", "string:ü"))
                .properties())
        .isEqualTo(
            """
            {"headers":{"JMSMessageID":"ID:1","JMSTimestamp":"0","JMSExpiration":"0",\
            "JMSPriority":"4","JMSDeliveryMode":"0"},\
            "properties":{"count":"long:5","flag":"boolean:true","name":"string:string:\\u00fc"}}\
            """);
  }

  @Test
  void anObjectMessageIsHandledByIdAndRatherLeftAtTheBrokerThanLost() throws JMSException {
    Delivery delivery =
        read(FakeMessage.object().header("JMSMessageID", "ID:1").with("OutboxMessageId", UUID));

    assertThat(delivery.id()).isEqualTo(new Known(UUID));
    assertThatThrownBy(() -> delivery.content().get())
        .isInstanceOf(InboxException.class)
        .hasMessageStartingWith(
            "The object message ID:1 for the consumer 'shipping' cannot be handled")
        .hasMessageContaining("cannot be kept aside without being deserialised")
        .hasMessageContaining("redelivered until an operator removes it")
        .hasMessageContaining("take it from its queue with the broker's tools")
        .hasMessageContaining("OUTBOX_MESSAGE_ID");
  }

  private static MessageId outboxId(@Nullable Object value) throws JMSException {
    FakeMessage message = FakeMessage.text("x");
    return id(BY_OUTBOX_ID, value == null ? message : message.with("OutboxMessageId", value));
  }

  private static MessageId propertyId(Object value) throws JMSException {
    return id(BY_PROPERTY, FakeMessage.text("x").with("orderNo", value));
  }

  private static MessageId id(Consumer consumer, FakeMessage message) throws JMSException {
    return DeliveryReader.read(
            consumer,
            message.as(Message.class),
            NONE,
            PROOFS,
            Long.MAX_VALUE,
            UnaryOperator.identity())
        .id();
  }

  private static Delivery read(FakeMessage message) throws JMSException {
    return DeliveryReader.read(
        BY_OUTBOX_ID,
        message.as(Message.class),
        NONE,
        PROOFS,
        Long.MAX_VALUE,
        UnaryOperator.identity());
  }

  private static Content content(FakeMessage message) throws JMSException {
    return read(message).content().get();
  }
}
