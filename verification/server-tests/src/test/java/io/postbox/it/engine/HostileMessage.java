package io.postbox.it.engine;

import io.postbox.it.tools.Names;
import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.StreamMessage;
import java.util.List;
import java.util.UUID;

/** Messages that nobody who means well would send. */
final class HostileMessage {
  private static final int TEN_MEGABYTES = 10 << 20;

  /** Why those of them without a usable id are kept aside. */
  static final List<String> QUARANTINED =
      List.of("MISSING_ID", "WRONG_ID_TYPE", "BLANK_ID", "ID_TOO_LONG", "MALFORMED_ID");

  private HostileMessage() {}

  static void sendAll(String queue, String tag) {
    try (JMSContext context =
        Names.lookup("jms/cf", ConnectionFactory.class)
            .createContext(JMSContext.SESSION_TRANSACTED)) {
      withoutUsableIds(context, queue, tag);
      BytesMessage large = context.createBytesMessage();
      large.writeBytes(new byte[TEN_MEGABYTES]);
      send(context, queue, tag, "large message", large);
      StreamMessage stream = context.createStreamMessage();
      stream.writeObject(null);
      stream.writeString("\0\u001b[31m\ud800");
      send(context, queue, tag, "stream", stream);
      MapMessage map = context.createMapMessage();
      map.setObject("x; DROP TABLE inbox_message", new byte[0]);
      send(context, queue, tag, "map", map);
      send(context, queue, tag, "object message", context.createObjectMessage(UUID.randomUUID()));
      Message odd = context.createMessage();
      odd.setStringProperty("OutboxAggregateVersion", "many");
      odd.setStringProperty("OutboxSource", "\r\nIBX0001 a forged line");
      odd.setIntProperty("OutboxEventType", 7);
      odd.setStringProperty("InboxAttempt", "-1");
      odd.setByteProperty("aByte", (byte) -1);
      send(context, queue, tag, "message without a body", odd);
      context.commit();
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The effects of those that can be handled. */
  static List<String> handled(String tag) {
    return List.of(
        "a large message " + tag,
        "a stream " + tag,
        "a map " + tag,
        "a object message " + tag,
        "a message without a body " + tag);
  }

  private static void withoutUsableIds(JMSContext context, String queue, String tag)
      throws JMSException {
    Object[] ids = {null, 42, " ", "x".repeat(100_000), "not a\u0000uuid"};
    for (Object id : ids) {
      Message message = context.createTextMessage("hostile \0 \ud800 " + tag);
      message.setStringProperty("tag", tag);
      if (id != null) {
        message.setObjectProperty("OutboxMessageId", id);
      }
      context.createProducer().send(Names.lookup(queue, Queue.class), message);
    }
  }

  private static void send(
      JMSContext context, String queue, String tag, String kind, Message message)
      throws JMSException {
    message.setStringProperty("kind", kind + " " + tag);
    message.setStringProperty("OutboxMessageId", UUID.randomUUID().toString());
    context.createProducer().send(Names.lookup(queue, Queue.class), message);
  }
}
