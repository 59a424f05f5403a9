package io.postbox.inbox.jms;

import io.postbox.common.text.Storable;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** Reads the content of a message that has to be kept aside. */
final class Contents {
  private Contents() {}

  /**
   * Reads the whole content.
   *
   * @param isProven whether this service has set the inbox's properties; otherwise they are left
   *     out
   */
  static Content of(Consumer consumer, Message message, boolean isProven) throws JMSException {
    String properties = Properties.all(message, isProven);
    if (message instanceof TextMessage text) {
      String body = text.getText();
      if (body == null) {
        return new Content(BodyType.TEXT, null, null, properties);
      }
      return ofText(body, properties);
    }
    if (message instanceof BytesMessage bytes) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      Bodies.forEachPart(bytes, all::write);
      return new Content(BodyType.BYTES, null, ByteBuffer.wrap(all.toByteArray()), properties);
    }
    if (message instanceof MapMessage map) {
      return new Content(BodyType.MAP, Json.typed(Bodies.entries(map)), null, properties);
    }
    if (message instanceof StreamMessage stream) {
      return new Content(BodyType.STREAM, Json.typed(Bodies.values(stream)), null, properties);
    }
    if (message instanceof ObjectMessage) {
      throw new InboxException(
          "The object message "
              + message.getJMSMessageID()
              + " for the consumer '"
              + consumer.name()
              + "' cannot be handled, because its id is not usable or is that of a message with"
              + " other content, and it cannot be kept aside without being deserialised. It is rolled back and redelivered until an operator removes it: take it from its queue with the broker's tools, and have it sent as text or bytes, or with an id of its"
              + " own where idFrom = "
              + consumer.idFrom()
              + " reads it.",
          null);
    }
    return new Content(BodyType.NONE, null, null, properties);
  }

  /** Reads everything but the body. */
  static Content withoutBody(Message message, boolean isProven) throws JMSException {
    return new Content(BodyType.NOT_KEPT, null, null, Properties.all(message, isProven));
  }

  static Content ofText(String body, String properties) {
    return Storable.isText(body)
        ? new Content(BodyType.TEXT, body, null, properties)
        : new Content(BodyType.TEXT_UTF16, null, utf16(body), properties);
  }

  /** Encodes every UTF-16 unit unchanged, even an unpaired surrogate. */
  static ByteBuffer utf16(String text) {
    ByteBuffer buffer = ByteBuffer.allocate(text.length() * Character.BYTES);
    buffer.asCharBuffer().put(text);
    return buffer;
  }
}
