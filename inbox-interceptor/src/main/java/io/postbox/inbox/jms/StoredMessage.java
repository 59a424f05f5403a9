package io.postbox.inbox.jms;

import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.inbox.message.Captured;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A captured message, read from its row. Immutable. */
public final class StoredMessage implements CapturedMessage {
  private final Captured captured;
  private final Content content;
  private final JsonReader json;
  private final Map<String, @Nullable Object> headers;
  private final Map<String, @Nullable Object> properties;

  /** Reads objects from JSON. */
  @FunctionalInterface
  public interface JsonReader {
    /**
     * Reads an object.
     *
     * @throws RejectedMessageException if the text is not the JSON of such an object
     * @throws IllegalStateException if the server cannot read JSON
     */
    <T> T read(String json, Class<T> type);
  }

  /**
   * @param captured the message
   * @param json reads objects
   * @throws IllegalArgumentException if its properties cannot be read
   */
  public StoredMessage(Captured captured, JsonReader json) {
    this.captured = captured;
    content = captured.content();
    this.json = json;
    Map<String, @Nullable Object> all = Json.object(content.properties());
    headers = part(all, "headers");
    Map<String, @Nullable Object> typed = new LinkedHashMap<>();
    part(all, "properties").forEach((name, value) -> typed.put(name, Json.valueOf(value)));
    properties = Collections.unmodifiableMap(typed);
  }

  private static Map<String, @Nullable Object> part(
      Map<String, @Nullable Object> all, String name) {
    if (all.get(name) instanceof Map<?, ?> found) {
      @SuppressWarnings("unchecked") // the reader makes no other maps
      Map<String, @Nullable Object> object = (Map<String, @Nullable Object>) found;
      return object;
    }
    throw new IllegalArgumentException("there are no " + name);
  }

  @Override
  public String consumer() {
    return captured.delivery().consumer();
  }

  @Override
  public String id() {
    return captured.messageId();
  }

  @Override
  public Optional<String> text() {
    return switch (content.type()) {
      case TEXT -> Optional.ofNullable(content.text());
      case TEXT_UTF16 -> Optional.of(octets().asCharBuffer().toString());
      default -> Optional.empty();
    };
  }

  @Override
  public Optional<byte[]> bytes() {
    if (content.type() != BodyType.BYTES) {
      return Optional.empty();
    }
    byte[] all = new byte[octets().remaining()];
    octets().get(all);
    return Optional.of(all);
  }

  private ByteBuffer octets() {
    ByteBuffer stored = content.bytes();
    return stored == null ? ByteBuffer.allocate(0) : stored.duplicate();
  }

  @Override
  public Optional<Map<String, @Nullable Object>> map() {
    String written = content.text();
    if (content.type() != BodyType.MAP || written == null) {
      return Optional.empty();
    }
    Map<String, @Nullable Object> read = new LinkedHashMap<>();
    Json.object(written).forEach((name, value) -> read.put(name, Json.valueOf(value)));
    return Optional.of(Collections.unmodifiableMap(read));
  }

  @Override
  public Optional<List<@Nullable Object>> stream() {
    String written = content.text();
    if (content.type() != BodyType.STREAM || written == null) {
      return Optional.empty();
    }
    List<@Nullable Object> read = new ArrayList<>();
    Json.array(written).forEach(value -> read.add(Json.valueOf(value)));
    return Optional.of(Collections.unmodifiableList(read));
  }

  @Override
  public <T> T payload(Class<T> type) {
    return json.read(
        text()
            .or(() -> bytes().map(octets -> new String(octets, StandardCharsets.UTF_8)))
            .orElseThrow(
                () ->
                    new RejectedMessageException(
                        "Message %s for the consumer '%s' has no text and no octets to read as %s: its body is %s."
                            .formatted(id(), consumer(), type.getName(), content.type()))),
        type);
  }

  @Override
  public Map<String, @Nullable Object> properties() {
    return properties;
  }

  @Override
  public Optional<String> type() {
    return header("JMSType");
  }

  @Override
  public Optional<String> correlationId() {
    return header("JMSCorrelationID");
  }

  @Override
  public Optional<String> brokerId() {
    return header("JMSMessageID");
  }

  @Override
  public Optional<String> destination() {
    return header("JMSDestination")
        .or(() -> Optional.ofNullable(captured.delivery().destination()));
  }

  @Override
  public Optional<String> replyTo() {
    return Optional.ofNullable(captured.delivery().replyTo());
  }

  @Override
  public Optional<String> orderingKey() {
    return Optional.ofNullable(captured.delivery().schedule().orderingKey());
  }

  @Override
  public int priority() {
    return captured.delivery().schedule().priority();
  }

  @Override
  public Optional<Instant> sentAt() {
    return header("JMSTimestamp").map(millis -> Instant.ofEpochMilli(Long.parseLong(millis)));
  }

  /** Where the message comes from, for a trace. */
  public MessageTrace trace() {
    return new MessageTrace(
        property(InboundProperties.TRACE_PARENT),
        property(InboundProperties.TRACE_STATE),
        Optional.of("jms"),
        destination().map(name -> name.substring(name.indexOf(':') + 1)));
  }

  /** When the message was enqueued, by its sender's clock; {@code null} if that is not known. */
  public @Nullable Instant enqueuedAt() {
    return property(InboundProperties.CREATED_AT).map(DeliveryReader::time).orElse(null);
  }

  /** The id by which the sender recognises the reply. */
  Optional<String> requestId() {
    return correlationId().or(() -> property(CopyProperties.REQUEST_ID)).or(this::brokerId);
  }

  private Optional<String> header(String name) {
    return headers.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }
}
