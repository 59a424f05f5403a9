package io.postbox.inbox.jms;

import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.StreamMessage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds a kept message with its body, its properties, and the headers that a sender sets, but
 * without headers and properties of an earlier delivery.
 */
public final class MessageRebuilder {
  private static final String NOT_KEPT =
      "its body was not kept, only its headers and properties: take it from the dead queue, if"
          + " there is one, or have its sender send it again; then discard it";

  /** A message's JMSReplyTo is not a destination of this broker. */
  public static final class NobodyWaits extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private NobodyWaits(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private final Content content;
  private final Map<String, @Nullable Object> headers;
  private final Map<String, @Nullable Object> properties;

  /**
   * @param content the stored content
   * @throws IllegalArgumentException if it cannot be read
   */
  public MessageRebuilder(Content content) {
    this.content = content;
    headers = Contents.headers(content);
    properties = Contents.written(content, "properties");
  }

  /** The size of a body in bytes, at least, as {@code max-body} counts it. */
  public static long bodySize(Content content) {
    ByteBuffer bytes = content.bytes();
    if (bytes != null) {
      return content.type() == BodyType.TEXT_UTF16
          ? bytes.remaining() / Character.BYTES
          : bytes.remaining();
    }
    String text = content.text();
    return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** The priority with which the message was sent. */
  public int priority() {
    return headers.get("JMSPriority") instanceof String priority
        ? Integer.parseInt(priority)
        : Message.DEFAULT_PRIORITY;
  }

  /** When the message expires; empty for never. */
  public Optional<Instant> expiration() {
    return headers.get("JMSExpiration") instanceof String millis && !millis.equals("0")
        ? Optional.of(Instant.ofEpochMilli(Long.parseLong(millis)))
        : Optional.empty();
  }

  /**
   * Rebuilds the message.
   *
   * @param context creates the message
   * @param ids properties that replace the stored ones
   * @param replies whether it keeps its reply destination
   * @throws IllegalArgumentException if the body cannot be read
   * @throws NobodyWaits if its JMSReplyTo is not a destination of this broker
   */
  public Message message(JMSContext context, Map<String, Object> ids, ReplyOnRedrive replies)
      throws JMSException {
    Message message = body(context);
    for (Map.Entry<String, @Nullable Object> property : properties.entrySet()) {
      boolean isLeft =
          replies == ReplyOnRedrive.DROP && property.getKey().equals(CopyProperties.REQUEST_ID);
      if (isSenders(property.getKey()) && !isLeft && !ids.containsKey(property.getKey())) {
        if (!CopiedProperties.isIdentifier(property.getKey())) {
          throw new IllegalArgumentException("JMS cannot set the property " + property.getKey());
        }
        message.setObjectProperty(property.getKey(), Json.valueOf(property.getValue()));
      }
    }
    for (Map.Entry<String, Object> id : ids.entrySet()) {
      message.setObjectProperty(id.getKey(), id.getValue());
    }
    if (headers.get("JMSCorrelationID") instanceof String correlationId) {
      message.setJMSCorrelationID(correlationId);
    }
    if (headers.get("JMSType") instanceof String type) {
      message.setJMSType(type);
    }
    if (replies == ReplyOnRedrive.KEEP && headers.get("JMSReplyTo") instanceof String replyTo) {
      message.setJMSReplyTo(replyTo(context, replyTo));
      if (!properties.containsKey(CopyProperties.REQUEST_ID)
          && headers.getOrDefault("JMSCorrelationID", headers.get("JMSMessageID"))
              instanceof String request) {
        // the requester does not know the new JMSMessageID
        message.setStringProperty(CopyProperties.REQUEST_ID, request);
      }
    }
    return message;
  }

  /** The reply destination; some brokers fail if it does not exist (any more). */
  private static Destination replyTo(JMSContext context, String name) {
    try {
      return Destinations.named(context, name);
    } catch (JMSRuntimeException missing) {
      throw new NobodyWaits(
          "its JMSReplyTo, %s, is no destination of this broker; have it sent with ReplyOnRedrive.DROP"
              .formatted(name),
          missing);
    }
  }

  private Message body(JMSContext context) throws JMSException {
    return switch (content.type()) {
      case TEXT -> context.createTextMessage(content.text());
      // not by a charset, which would replace unpaired surrogates
      case TEXT_UTF16 -> context.createTextMessage(bytes().asCharBuffer().toString());
      case BYTES -> bytes(context);
      case MAP -> map(context);
      case STREAM -> stream(context);
      case NONE -> context.createMessage();
      case NOT_KEPT -> throw new IllegalArgumentException(NOT_KEPT);
    };
  }

  private Message bytes(JMSContext context) throws JMSException {
    BytesMessage message = context.createBytesMessage();
    byte[] all = new byte[bytes().remaining()];
    bytes().get(all);
    message.writeBytes(all);
    return message;
  }

  private Message map(JMSContext context) throws JMSException {
    MapMessage message = context.createMapMessage();
    for (Map.Entry<String, @Nullable Object> entry : Json.object(text()).entrySet()) {
      message.setObject(entry.getKey(), Json.valueOf(entry.getValue()));
    }
    return message;
  }

  private Message stream(JMSContext context) throws JMSException {
    StreamMessage message = context.createStreamMessage();
    for (Object value : Json.array(text())) {
      message.writeObject(Json.valueOf(value));
    }
    return message;
  }

  private String text() {
    return present(content.text());
  }

  /** The bytes from the start, even if they were read before. */
  private ByteBuffer bytes() {
    return present(content.bytes()).duplicate();
  }

  private <T> T present(@Nullable T part) {
    if (part == null) {
      throw new IllegalArgumentException("the body is missing, which is " + content.type());
    }
    return part;
  }

  /** The inbox's own are of an earlier copy, except for the id by which a reply is recognised. */
  private static boolean isSenders(String property) {
    return property.equals(CopyProperties.REQUEST_ID)
        || (CopiedProperties.belongsToTheMessage(property)
            && !property.equals(CopyProperties.PROOF)
            && !CopyProperties.CONTROL.contains(property));
  }
}
