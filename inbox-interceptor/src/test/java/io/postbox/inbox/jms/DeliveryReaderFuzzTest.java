package io.postbox.inbox.jms;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.postbox.common.testing.Draws;
import io.postbox.inbox.IdFrom;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.MessageId;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.message.MessageId.Unusable;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.Subject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.json.spi.JsonProvider;
import java.io.StringReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A message with any properties becomes a delivery that fits its columns. */
class DeliveryReaderFuzzTest {
  private static final int LONGEST_HEADERS = 10_000;
  private static final JsonProvider JSON = JsonProvider.provider();
  private static final List<Consumer> CONSUMERS =
      List.of(
          new Consumer("shipping", IdFrom.OUTBOX_MESSAGE_ID, ""),
          new Consumer("shipping", IdFrom.PROPERTY, "orderNo"),
          new Consumer("shipping", IdFrom.JMS_MESSAGE_ID, ""));
  private static final List<String> NAMES =
      List.of(
          "OutboxMessageId",
          "orderNo",
          "InboxMessageId",
          "InboxAttempt",
          "InboxMayReply",
          "OutboxSource",
          "OutboxEventType",
          "OutboxAggregateType",
          "OutboxAggregateId",
          "OutboxAggregateVersion",
          "traceparent");

  @FuzzTest
  void anyMessageIsADeliveryThatFits(byte[] input) throws JMSException {
    Draws draws = new Draws(input);
    Consumer consumer = CONSUMERS.get(draws.below(CONSUMERS.size()));
    Map<String, Object> properties = new HashMap<>();
    for (String name : NAMES) {
      if (draws.below(3) > 0) {
        properties.put(name, value(draws));
      }
    }
    String text = draws.text(10);
    FakeMessage message = FakeMessage.text(text);
    properties.forEach(message::with);
    boolean isProven = draws.flag();
    if (isProven) {
      message.provenBy(TestProofs.PROOFS, consumer);
    } else if (draws.flag()) {
      message.with("InboxProof", draws.oneOf("1.x.y", draws.changed("1.AAAA.c2hvcA")));
    }
    String jmsId = draws.flag() ? draws.oneOf("ID:1", draws.about(200)) : null;
    if (jmsId != null) {
      message.header("JMSMessageID", jmsId);
    }
    String queue = draws.oneOf("Q", draws.about(500));
    message.header("JMSDestination", FakeContext.queue(queue));

    Delivery delivery =
        DeliveryReader.read(
            consumer,
            message.as(Message.class),
            type -> {
              throw new AssertionError("nobody asked for " + type);
            },
            TestProofs.PROOFS,
            Long.MAX_VALUE,
            UnaryOperator.identity());

    if (!isProven) {
      properties.keySet().removeAll(CopyProperties.CONTROL);
    }
    assertThat(delivery.id()).isEqualTo(id(consumer, properties, jmsId));
    assertThat(delivery.source()).isEqualTo(name(properties.get("OutboxSource"), 100));
    assertThat(delivery.eventType()).isEqualTo(name(properties.get("OutboxEventType"), 200));
    assertThat(delivery.subject()).isEqualTo(subject(properties));
    assertThat(delivery.destination()).isEqualTo(name("queue:" + queue, 500));
    assertThat(delivery.history().waitedFor()).isEqualTo(count(properties.get("InboxAttempt")));
    assertThat(delivery.history().waits()).isZero();
    assertThat(delivery.headers()).hasSizeLessThanOrEqualTo(LONGEST_HEADERS).matches("[ -~]*");
    assertThat(json(delivery.headers())).isEqualTo(brief(properties, jmsId));
    if (consumer.idFrom() == IdFrom.PROPERTY) {
      theSameWithoutJms(properties.get("orderNo"), text, delivery);
    }
  }

  @Test
  void alsoTheSameMessagesEachTime() {
    Draws.check(4_000, this::anyMessageIsADeliveryThatFits);
  }

  private static void theSameWithoutJms(@Nullable Object id, String text, Delivery delivery) {
    if (id == null || id instanceof String) {
      Delivery request =
          RequestReader.read(
              InboxRequest.of("shipping", (String) id).text(text), UnaryOperator.identity());
      assertThat(request.id()).isEqualTo(delivery.id());
      assertThat(request.fingerprint()).isEqualTo(delivery.fingerprint());
    }
  }

  private static Object value(Draws draws) {
    return switch (draws.below(4)) {
      case 0 -> draws.propertyValue();
      case 1 -> draws.changed(draws.uuid());
      case 2 -> draws.about(draws.oneOf(100, 200, 10_000));
      default -> draws.oneOf(draws.uuid(), (int) draws.number(), draws.number(), draws.fraction());
    };
  }

  private static MessageId id(
      Consumer consumer, Map<String, Object> properties, @Nullable String jmsId) {
    boolean copy = properties.containsKey("InboxAttempt");
    Object found =
        switch (consumer.idFrom()) {
          case OUTBOX_MESSAGE_ID -> properties.get("OutboxMessageId");
          case PROPERTY -> properties.get("orderNo");
          default -> copy ? properties.get("InboxMessageId") : jmsId;
        };
    if (found == null) {
      return new Unusable(QuarantineReason.MISSING_ID);
    }
    if (!(found instanceof String id)) {
      return new Unusable(QuarantineReason.WRONG_ID_TYPE);
    }
    if (id.codePoints().allMatch(Character::isWhitespace)) {
      return new Unusable(QuarantineReason.BLANK_ID);
    }
    if (id.length() > 200) {
      return new Unusable(QuarantineReason.ID_TOO_LONG);
    }
    boolean right = consumer.idFrom() == IdFrom.OUTBOX_MESSAGE_ID ? isUuid(id) : isPlain(id);
    return right ? new Known(id) : new Unusable(QuarantineReason.MALFORMED_ID);
  }

  private static boolean isUuid(String id) {
    try {
      return UUID.fromString(id).toString().equals(id);
    } catch (IllegalArgumentException none) {
      return false;
    }
  }

  /** Unicode without control characters. */
  private static boolean isPlain(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new String(bytes, StandardCharsets.UTF_8).equals(text)
        && text.codePoints().noneMatch(it -> it < 32 || (it >= 127 && it < 160));
  }

  private static @Nullable String name(@Nullable Object value, int longest) {
    return value instanceof String text
            && !text.isEmpty()
            && text.length() <= longest
            && isPlain(text)
        ? text
        : null;
  }

  private static @Nullable Subject subject(Map<String, Object> properties) {
    String type = name(properties.get("OutboxAggregateType"), 200);
    String id = name(properties.get("OutboxAggregateId"), 200);
    Long version = whole(properties.get("OutboxAggregateVersion"));
    return type == null || id == null ? null : new Subject(type, id, version);
  }

  private static @Nullable Long whole(@Nullable Object value) {
    if (!(value instanceof Number number) || !Double.isFinite(number.doubleValue())) {
      return null;
    }
    boolean floats = value instanceof Double || value instanceof Float;
    try {
      return (floats
              ? new BigDecimal(number.doubleValue())
              : BigDecimal.valueOf(number.longValue()))
          .longValueExact();
    } catch (ArithmeticException notWhole) {
      return null;
    }
  }

  /** Up to what {@code max-attempts} can be. */
  private static int count(@Nullable Object value) {
    return value instanceof Integer count && count >= 0 && count <= 1_000_000 ? count : 0;
  }

  private static Map<String, String> brief(Map<String, Object> properties, @Nullable String jmsId) {
    Map<String, Object> kept = new HashMap<>(properties);
    kept.keySet()
        .retainAll(
            List.of(
                "OutboxEventType",
                "OutboxAggregateType",
                "OutboxAggregateId",
                "OutboxAggregateVersion",
                "traceparent"));
    if (jmsId != null) {
      kept.put("JMSMessageID", jmsId);
    }
    Map<String, String> brief = new HashMap<>();
    kept.forEach(
        (name, value) -> {
          boolean isNumber = name.equals("OutboxAggregateVersion") && value instanceof Number;
          if (isNumber || (value instanceof String text && text.length() <= 200)) {
            brief.put(name, value.toString());
          }
        });
    return brief;
  }

  private static Map<String, String> json(String json) {
    Map<String, String> values = new HashMap<>();
    try (var reader = JSON.createReader(new StringReader(json))) {
      var object = reader.readObject();
      object.keySet().forEach(name -> values.put(name, object.getString(name)));
    }
    return values;
  }
}
