package io.postbox.inbox.jms;

import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.message.Body;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Subject;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Converts a request without JMS to the delivery that a JMS message with the same id and body would
 * be, so that the inbox recognises a message however it arrives.
 */
public final class RequestReader {
  private RequestReader() {}

  /** Reads a request with plain fingerprints. */
  static Delivery read(InboxRequest request) {
    return read(request, UnaryOperator.identity());
  }

  /**
   * Reads a request.
   *
   * @param keying makes a plain fingerprint a keyed one, if there is a key
   */
  public static Delivery read(InboxRequest request, UnaryOperator<Fingerprint> keying) {
    String event = DeliveryReader.name(request.event(), DeliveryReader.LONGEST_NAME);
    String source = DeliveryReader.name(request.source(), DeliveryReader.LONGEST_SOURCE);
    Subject subject = subject(request);
    SortedMap<String, @Nullable Object> properties = new TreeMap<>();
    properties.put(InboundProperties.EVENT_TYPE, event);
    properties.put(InboundProperties.SOURCE, source);
    if (subject != null) {
      properties.put(InboundProperties.AGGREGATE_TYPE, subject.type());
      properties.put(InboundProperties.AGGREGATE_ID, subject.id());
      properties.put(InboundProperties.AGGREGATE_VERSION, subject.version());
    }
    properties.values().removeIf(value -> value == null);
    return new Delivery(
        request.consumer(),
        MessageIds.judge(request.id().orElse(null), false),
        keying.apply(fingerprint(request)),
        source,
        event,
        subject,
        null,
        null,
        Json.plain(properties),
        history(request.deliveries()),
        new Body.Whole(),
        () -> content(request, properties),
        () -> new Content(BodyType.NOT_KEPT, null, null, json(properties)));
  }

  private static Fingerprint fingerprint(InboxRequest request) {
    if (request.text().isPresent()) {
      return Fingerprints.ofText(request.text().get());
    }
    return request.bytes().map(Fingerprints::ofBytes).orElseGet(Fingerprints::ofNothing);
  }

  private static History history(int deliveries) {
    return switch (deliveries) {
      case 0 -> History.UNKNOWN;
      case 1 -> History.NONE;
      default -> new History(true, 0, deliveries - 1);
    };
  }

  private static @Nullable Subject subject(InboxRequest request) {
    InboxRequest.Aggregate said = request.aggregate().orElse(null);
    if (said == null) {
      return null;
    }
    String type = DeliveryReader.name(Optional.of(said.type()), DeliveryReader.LONGEST_NAME);
    String id = DeliveryReader.name(Optional.of(said.id()), DeliveryReader.LONGEST_NAME);
    return type == null || id == null ? null : new Subject(type, id, said.version());
  }

  private static String json(Map<String, @Nullable Object> properties) {
    return "{\"headers\":{},\"properties\":%s}".formatted(Json.typed(properties));
  }

  private static Content content(InboxRequest request, Map<String, @Nullable Object> properties) {
    String json = json(properties);
    if (request.text().isPresent()) {
      return Contents.ofText(request.text().get(), json);
    }
    return request
        .bytes()
        .map(bytes -> new Content(BodyType.BYTES, null, ByteBuffer.wrap(bytes), json))
        .orElseGet(() -> new Content(BodyType.NONE, null, null, json));
  }
}
