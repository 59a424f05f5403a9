package io.postbox.inbox.jms;

import io.postbox.common.OutboxProperties;
import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.InboxRequest.Header;
import io.postbox.inbox.message.Captured;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import java.nio.ByteBuffer;
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
  private final PayloadReader payloads;
  private final Map<String, @Nullable Object> headers;
  private final Map<String, @Nullable Object> properties;
  private final List<Header> requestHeaders;
  private final Optional<String> origin;

  /**
   * @param captured the message
   * @param payloads reads objects
   * @throws IllegalArgumentException if its properties cannot be read
   * @throws io.postbox.inbox.InboxException if it cannot be decrypted
   */
  public StoredMessage(Captured captured, PayloadReader payloads) {
    this.captured = captured;
    content = captured.content().get();
    this.payloads = payloads;
    headers = Contents.headers(content);
    properties = Contents.properties(content);
    requestHeaders = RequestReader.headers(Contents.originHeaders(content));
    origin = Contents.origin(content);
  }

  /** A property that is a text, of properties as they are stored; empty if there is none. */
  public static Optional<String> text(String properties, String name) {
    try {
      Content content = new Content(BodyType.NOT_KEPT, null, null, properties);
      return Contents.properties(content).get(name) instanceof String text
          ? Optional.of(text)
          : Optional.empty();
    } catch (IllegalArgumentException unreadable) {
      return Optional.empty();
    }
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
    return Contents.text(content);
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
    return payloads.read(captured.delivery(), type);
  }

  @Override
  public Map<String, @Nullable Object> properties() {
    return properties;
  }

  @Override
  public List<Header> headers() {
    return requestHeaders;
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
        property(OutboxProperties.TRACE_PARENT),
        property(OutboxProperties.TRACE_STATE),
        brokerId().map(known -> "jms"), // nobody said where else it comes from
        origin.or(() -> destination().map(name -> name.substring(name.indexOf(':') + 1))));
  }

  /** When the message was enqueued, by its sender's clock; {@code null} if that is not known. */
  public @Nullable Instant enqueuedAt() {
    return property(OutboxProperties.CREATED_AT).map(DeliveryReader::time).orElse(null);
  }

  /** The id by which the sender recognises the reply. */
  Optional<String> requestId() {
    return correlationId().or(() -> property(CopyProperties.REQUEST_ID)).or(this::brokerId);
  }

  private Optional<String> header(String name) {
    return headers.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }
}
