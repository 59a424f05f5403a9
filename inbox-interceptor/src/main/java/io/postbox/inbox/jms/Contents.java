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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the content of a message, to keep it or to read it as an object, and what is in it. */
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
              + " other content, and it cannot be kept aside without being deserialised. It is"
              + " rolled back and redelivered until an operator removes it: take it from its queue"
              + " with the broker's tools, and have it sent as text or bytes, or with an id of its"
              + " own where idFrom = "
              + consumer.idFrom()
              + " reads it.",
          null);
    }
    return new Content(BodyType.NONE, null, null, properties);
  }

  /**
   * Reads everything but the body.
   *
   * @param maxBody how many bytes a body may have, by which properties are limited too
   */
  static Content withoutBody(Message message, boolean isProven, long maxBody) throws JMSException {
    String properties = Properties.all(message, isProven, Properties.limit(maxBody));
    return new Content(BodyType.NOT_KEPT, null, null, properties);
  }

  /** The text of a content, if its body is one. */
  static Optional<String> text(Content content) {
    ByteBuffer octets = content.bytes();
    return content.type() == BodyType.TEXT_UTF16 && octets != null
        ? Optional.of(octets.duplicate().asCharBuffer().toString())
        : Optional.ofNullable(content.text()).filter(text -> content.type() == BodyType.TEXT);
  }

  /** The headers of a content: names and texts. */
  static Map<String, @Nullable Object> headers(Content content) {
    return written(content, "headers");
  }

  /** The properties of a content, with their types. */
  static Map<String, @Nullable Object> properties(Content content) {
    return typed(written(content, "properties"));
  }

  /** The headers of a content that arrived without JMS, with their types. */
  static Map<String, @Nullable Object> originHeaders(Content content) {
    return part(content.properties(), RequestReader.HEADERS).map(Contents::typed).orElse(Map.of());
  }

  /** The topic or queue of a content that arrived without JMS; empty if that is not known. */
  static Optional<String> origin(Content content) {
    return part(content.properties(), RequestReader.ORIGIN)
        .map(origin -> origin.get(RequestReader.FROM) instanceof String from ? from : null);
  }

  private static Map<String, @Nullable Object> typed(Map<String, @Nullable Object> written) {
    Map<String, @Nullable Object> typed = new LinkedHashMap<>();
    written.forEach((key, value) -> typed.put(key, Json.valueOf(value)));
    return Collections.unmodifiableMap(typed);
  }

  /** The headers or properties of a content as they were written, with the types in the texts. */
  static Map<String, @Nullable Object> written(Content content, String name) {
    return part(content.properties(), name)
        .orElseThrow(() -> new IllegalArgumentException("there are no " + name));
  }

  /** A part of what is stored beside a body, as it was written; empty if it is missing. */
  static Optional<Map<String, @Nullable Object>> part(String stored, String name) {
    if (Json.object(stored).get(name) instanceof Map<?, ?> found) {
      @SuppressWarnings("unchecked") // the reader makes no other maps
      Map<String, @Nullable Object> object = (Map<String, @Nullable Object>) found;
      return Optional.of(object);
    }
    return Optional.empty();
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
