package io.postbox.inbox.jms;

import io.postbox.common.OutboxProperties;
import io.postbox.common.text.Storable;
import io.postbox.inbox.InboxRequest;
import io.postbox.inbox.InboxRequest.Header;
import io.postbox.inbox.InboxRequest.Origin;
import io.postbox.inbox.message.Body;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Schedule;
import io.postbox.inbox.message.Subject;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts a request without JMS to the delivery that a JMS message with the same id and body would
 * be, so that the inbox recognises a message however it arrives.
 */
public final class RequestReader {
  static final String ORIGIN = "origin";
  static final String FROM = "from";
  static final String HEADERS = "originHeaders";

  /** The parts of a kept request beside the headers and properties of a JMS message. */
  static final List<String> PARTS = List.of(ORIGIN, HEADERS);

  /** Looks as if it had been given a number. */
  private static final Pattern NUMBERED = Pattern.compile("(?s)(.*)#\\d+");

  /** As long as W3C Trace Context asks for. */
  private static final int LONGEST_STATE = 512;

  private static final int LONGEST_IN_ROW = 200;
  private static final int MOST_IN_ROW = 2_000;
  private static final int LONGEST_ROW = 9_900;

  private RequestReader() {}

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
    properties.put(OutboxProperties.EVENT_TYPE, event);
    properties.put(OutboxProperties.SOURCE, source);
    if (subject != null) {
      properties.put(OutboxProperties.AGGREGATE_TYPE, subject.type());
      properties.put(OutboxProperties.AGGREGATE_ID, subject.id());
      properties.put(OutboxProperties.AGGREGATE_VERSION, subject.version());
    }
    properties.put(
        OutboxProperties.TRACE_PARENT,
        DeliveryReader.name(
            request.lastHeader(OutboxProperties.TRACE_PARENT), DeliveryReader.LONGEST_NAME));
    properties.values().removeIf(value -> value == null);
    Fingerprint plain = fingerprint(request);
    Fingerprint fingerprint = keying.apply(plain);
    boolean isInTheClear = fingerprint.equals(plain); // there is no cipher
    return new Delivery(
        request.consumer(),
        MessageIds.judge(request.id().orElse(null), false),
        fingerprint,
        source,
        event,
        subject,
        DeliveryReader.name(
            request.lastHeader(OutboxProperties.DATA_SUBJECT), DeliveryReader.LONGEST_DATA_SUBJECT),
        destination(request),
        null,
        row(request, properties, isInTheClear),
        history(request.deliveries()),
        new Body.Whole(),
        () -> content(request, all(request, properties)),
        () -> new Content(BodyType.NOT_KEPT, null, null, all(request, properties)),
        schedule(request),
        null);
  }

  /** A message that has to wait for a time has no place in an order. */
  private static Schedule schedule(InboxRequest request) {
    Instant notBefore = request.notBefore().orElse(null);
    String key =
        request
            .orderingKey()
            .or(() -> request.aggregate().map(it -> it.type() + "/" + it.id()))
            .filter(it -> notBefore == null && !it.isEmpty())
            .map(DeliveryReader::orderingKey)
            .orElse(null);
    return new Schedule(key, request.priority(), notBefore);
  }

  /**
   * The JSON in the row of an answered HTTP request, which is stored in the clear.
   *
   * @param path empty if it may not be stored in the clear; cut after 200 characters
   */
  public static String http(String method, String path, int status) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("httpMethod", method);
    if (!path.isEmpty()) {
      row.put("httpPath", Storable.cut(path, LONGEST_IN_ROW));
    }
    row.put("httpStatus", status);
    return Json.plain(row);
  }

  /** Where it came from, such as {@code origin:payments/3@42}, for lists of kept messages. */
  private static @Nullable String destination(InboxRequest request) {
    Origin said = request.origin().orElse(null);
    String name =
        said == null
            ? null
            : DeliveryReader.name(Optional.of(said.name()), DeliveryReader.LONGEST_NAME);
    if (said == null || name == null) {
      return null;
    }
    StringBuilder destination = new StringBuilder(Delivery.ORIGIN).append(name);
    said.partition().ifPresent(partition -> destination.append('/').append(partition));
    said.offset().ifPresent(offset -> destination.append('@').append(offset));
    return destination.toString();
  }

  private static Map<String, @Nullable Object> origin(InboxRequest request) {
    Map<String, @Nullable Object> origin = new LinkedHashMap<>();
    Origin said = request.origin().orElse(null);
    if (said != null) {
      origin.put(FROM, DeliveryReader.name(Optional.of(said.name()), DeliveryReader.LONGEST_NAME));
      said.partition().ifPresent(partition -> origin.put("partition", partition));
      said.offset().ifPresent(offset -> origin.put("offset", offset));
    }
    origin.put(
        "orderingKey", DeliveryReader.name(request.orderingKey(), DeliveryReader.LONGEST_NAME));
    origin.values().removeIf(value -> value == null);
    return origin;
  }

  /** The headers that are not properties, each under a name of its own. */
  private static Map<String, @Nullable Object> headers(InboxRequest request) {
    Map<String, @Nullable Object> headers = new LinkedHashMap<>();
    for (Header header : request.headers()) {
      if (!isOfTrace(header.name())) {
        Object octets = header.bytes().orElse(null);
        headers.put(
            unused(header.name(), headers), header.text().<Object>map(it -> it).orElse(octets));
      }
    }
    return headers;
  }

  private static boolean isOfTrace(String header) {
    return header.equalsIgnoreCase(OutboxProperties.TRACE_PARENT)
        || header.equalsIgnoreCase(OutboxProperties.TRACE_STATE);
  }

  /**
   * A name; with a number if it is taken, because JSON has each only once, or if it looks as if it
   * had one.
   */
  private static String unused(String name, Map<String, @Nullable Object> taken) {
    String unused = NUMBERED.matcher(name).matches() ? name + "#1" : name;
    for (int number = 2; taken.containsKey(unused); number++) {
      unused = name + "#" + number;
    }
    return unused;
  }

  /**
   * The headers of a kept request, as they were added.
   *
   * @param kept as they are stored, with their types
   */
  static List<Header> headers(Map<String, @Nullable Object> kept) {
    List<Header> headers = new ArrayList<>();
    kept.forEach(
        (name, value) -> {
          Matcher numbered = NUMBERED.matcher(name);
          headers.add(
              new Header(
                  numbered.matches() ? numbered.group(1) : name,
                  Optional.ofNullable(value instanceof String text ? text : null),
                  Optional.ofNullable(value instanceof byte[] octets ? octets : null)));
        });
    return List.copyOf(headers);
  }

  /**
   * The JSON in the row of a handled message, which is stored in the clear.
   *
   * @param withHeaders whether that includes headers: short texts, and not too many
   */
  private static String row(
      InboxRequest request, Map<String, @Nullable Object> properties, boolean withHeaders) {
    Map<String, @Nullable Object> row = new LinkedHashMap<>(properties);
    row.putAll(origin(request));
    if (!withHeaders || request.headers().isEmpty()) {
      return Json.plain(row);
    }
    long room = Math.min(MOST_IN_ROW, LONGEST_ROW - Json.plain(row).length());
    for (Map.Entry<String, @Nullable Object> header : headers(request).entrySet()) {
      if (header.getValue() instanceof String text && text.length() <= LONGEST_IN_ROW) {
        String name = "header:" + header.getKey();
        room -= Json.lengthOf(name, text);
        if (room >= 0) {
          row.put(name, text);
        }
      }
    }
    return Json.plain(row);
  }

  private static String all(InboxRequest request, Map<String, @Nullable Object> properties) {
    Map<String, @Nullable Object> everything = new TreeMap<>(properties);
    String state =
        DeliveryReader.name(request.lastHeader(OutboxProperties.TRACE_STATE), LONGEST_STATE);
    if (state != null) {
      everything.put(OutboxProperties.TRACE_STATE, state);
    }
    Map<String, @Nullable Object> origin = origin(request);
    if (request.headersLeftOut() > 0) {
      origin.put("headersLeftOut", request.headersLeftOut());
    }
    Map<String, @Nullable Object> headers = headers(request);
    return "{\"headers\":{},\"properties\":%s%s%s}"
        .formatted(
            Json.typed(everything),
            origin.isEmpty() ? "" : ",\"%s\":%s".formatted(ORIGIN, Json.plain(origin)),
            headers.isEmpty() ? "" : ",\"%s\":%s".formatted(HEADERS, Json.typed(headers)));
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

  private static Content content(InboxRequest request, String json) {
    if (request.text().isPresent()) {
      return Contents.ofText(request.text().get(), json);
    }
    return request
        .bytes()
        .map(bytes -> new Content(BodyType.BYTES, null, ByteBuffer.wrap(bytes), json))
        .orElseGet(() -> new Content(BodyType.NONE, null, null, json));
  }
}
