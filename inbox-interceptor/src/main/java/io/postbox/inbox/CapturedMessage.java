package io.postbox.inbox;

import io.postbox.common.OutboxProperties;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A message that was captured, as its handler receives it. Immutable and thread-safe, but for
 * arrays, which are copies.
 */
public interface CapturedMessage {

  /** The consumer's name. */
  String consumer();

  /** The message's id: 1 to 200 characters. */
  String id();

  /** The body, if it is a text. */
  Optional<String> text();

  /** The body, if it is octets; a copy. */
  Optional<byte[]> bytes();

  /** The body, if it is a map: names and values, in the order of names. */
  Optional<Map<String, @Nullable Object>> map();

  /** The body, if it is a stream of values. */
  Optional<List<@Nullable Object>> stream();

  /**
   * The body as an object, as {@link InboxContext#payload} reads it.
   *
   * @param type the object's class
   * @throws RejectedMessageException if the body is neither text nor octets, has a content type
   *     that is not JSON, or is not the JSON of such an object; the message is parked, unless the
   *     handler catches this
   * @throws IllegalStateException if the server has no JSON-B
   */
  <T> T payload(Class<T> type);

  /** All properties by name, with the types that the sender gave them. Unmodifiable. */
  Map<String, @Nullable Object> properties();

  /** A property, if it is a text. */
  default Optional<String> property(String name) {
    return properties().get(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  /**
   * The headers of a message that arrived without JMS, in their order, but for those of a trace,
   * which are properties; none of a JMS message.
   */
  List<InboxRequest.Header> headers();

  /** The text of its last header with this name, in upper or lower case. */
  default Optional<String> lastHeader(String name) {
    return headers().stream()
        .filter(header -> header.name().equalsIgnoreCase(name))
        .reduce((earlier, later) -> later)
        .flatMap(InboxRequest.Header::text);
  }

  /** The type of the event. */
  default Optional<String> eventType() {
    return property(OutboxProperties.EVENT_TYPE);
  }

  /** The version of the body's schema, as its sender stated it. */
  default Optional<String> schemaVersion() {
    return property(OutboxProperties.SCHEMA_VERSION);
  }

  /** The service that sent the message. */
  default Optional<String> source() {
    return property(OutboxProperties.SOURCE);
  }

  /** The {@code JMSType}. */
  Optional<String> type();

  /** The {@code JMSCorrelationID}. */
  Optional<String> correlationId();

  /** The {@code JMSMessageID}, by which the broker knew the message. */
  Optional<String> brokerId();

  /**
   * The name of the queue or topic it was received from, such as {@code queue:BILLING}; without JMS
   * its origin, such as {@code origin:payments/3@42}.
   */
  Optional<String> destination();

  /** Where the sender wants a reply, such as {@code queue:REPLIES}. */
  Optional<String> replyTo();

  /** The ordering key. */
  Optional<String> orderingKey();

  /** The priority, from 0 to 9. */
  int priority();

  /** When the message was sent, by the sender's clock. */
  Optional<Instant> sentAt();
}
