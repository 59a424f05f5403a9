package io.postbox.inbox.jms;

import io.postbox.common.testing.Golden;
import io.postbox.inbox.IdFrom;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Keying;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows and messages in transit that nodes of other releases have written. */
class JmsGoldenTest {
  private static final String ID = "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";
  private static final Consumer SHIPPING = new Consumer("shipping", IdFrom.OUTBOX_MESSAGE_ID, "");
  private static final Consumer BILLING = new Consumer("billing", IdFrom.PROPERTY, "orderNo");

  @Test
  void aDuplicateIsRecognised() throws JMSException {
    Map<String, @Nullable Object> entries = new LinkedHashMap<>();
    entries.put("b", 5);
    entries.put("a", "x");
    Map<String, FakeMessage> messages = new LinkedHashMap<>();
    messages.put("text", FakeMessage.text("hello"));
    messages.put("text beyond ASCII", FakeMessage.text("ä€😀"));
    messages.put("text with half a pair", FakeMessage.text("\ud800"));
    messages.put("empty text", FakeMessage.text(""));
    messages.put("empty text with a property", FakeMessage.text("").with("command", "ship"));
    messages.put("bytes", FakeMessage.bytes((byte) 1, (byte) -1));
    messages.put("map", FakeMessage.map(entries));
    messages.put(
        "stream",
        FakeMessage.stream(
            null, true, (byte) 1, (short) 2, 'c', 3, 4L, 1.5f, 2.5d, "t", new byte[] {9}));
    messages.put("object", FakeMessage.object());
    messages.put("no body", FakeMessage.none());
    messages.put("no body with properties", FakeMessage.none().with("b", 5).with("a", "x"));

    List<String> lines = new ArrayList<>();
    for (Map.Entry<String, FakeMessage> each : messages.entrySet()) {
      Fingerprint plain = Fingerprints.of(each.getValue().as(Message.class));
      lines.add("%s = %s".formatted(plain, each.getKey()));
      lines.add("%s = %s, keyed".formatted(Keying.keyed(plain, new byte[32]), each.getKey()));
    }
    lines.add("%s = not read".formatted(Fingerprints.ofUnread("ID:1")));
    Golden.of("fingerprints").holds(lines.stream());
  }

  @Test
  void aCopyIsBelieved() throws JMSException {
    Golden.of("proofs")
        .holds(
            Stream.of(
                proof(SHIPPING, FakeMessage.text("hello").with("InboxAttempt", 3)),
                proof(
                    BILLING,
                    FakeMessage.text("hello")
                        .with("orderNo", "7")
                        .with("InboxOnlyFor", "billing")
                        .with("InboxAttempt", 0)
                        .with("InboxStored", "7.2")
                        .with("InboxMessageId", "ID:first")
                        .with("InboxRequestId", "ID:request")
                        .with("InboxMayReply", true))));
  }

  private static String proof(Consumer consumer, FakeMessage fake) throws JMSException {
    Message message = fake.with("OutboxMessageId", ID).writable();
    TestProofs.PROOFS.prove(message, consumer.name(), Set.of(consumer));
    return String.valueOf(message.getObjectProperty("InboxProof"));
  }

  @Test
  void copiesKeepTheirProperties() {
    Golden.of("copy-properties")
        .holds(Stream.concat(CopyProperties.CONTROL.stream(), Stream.of(CopyProperties.PROOF)));
  }

  @Test
  void keptContentsAreRead() throws JMSException {
    FakeMessage message =
        FakeMessage.text("x")
            .header("JMSMessageID", "ID:1")
            .header("JMSCorrelationID", "c-1")
            .header("JMSType", "OrderPlaced")
            .header("JMSTimestamp", 1_700_000_000_000L)
            .header("JMSExpiration", 0L)
            .header("JMSPriority", 4)
            .header("JMSDeliveryMode", 2)
            .with("OutboxEventType", "OrderPlaced")
            .with("OutboxAggregateType", "Order")
            .with("OutboxAggregateId", "7")
            .with("OutboxAggregateVersion", 3L)
            .with("traceparent", "00-1")
            .with("a", "text \u00e9 \"")
            .with("b", true)
            .with("c", (byte) 1)
            .with("d", (short) 2)
            .with("e", 3)
            .with("f", 1.5f)
            .with("g", 2.5d);
    List<@Nullable Object> values = new ArrayList<>();
    values.add(null);
    values.addAll(List.of('c', new byte[] {1, 2}, 4L));
    Golden.of("kept-messages")
        .holds(
            Stream.of(
                Properties.brief(message.as(Message.class)),
                Properties.all(message.as(Message.class), true),
                Json.typed(values)));
  }
}
