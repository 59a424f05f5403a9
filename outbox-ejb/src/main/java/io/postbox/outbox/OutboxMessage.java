package io.postbox.outbox;

import io.postbox.common.OutboxProperties;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A message to enqueue. Immutable and thread-safe: every method that sets a value returns a new
 * message. Bounds are checked when it is enqueued.
 *
 * <pre>{@code
 * outbox.enqueue(
 *     OutboxMessage.to("shipping")
 *         .event("OrderPlaced")
 *         .aggregate("Order", order.id())
 *         .json(new OrderPlaced(order)));
 * }</pre>
 */
public final class OutboxMessage {

  /**
   * The aggregate that the message concerns.
   *
   * @param type for instance {@code Order}
   * @param id its identity, as text
   */
  public record Aggregate(String type, String id) {}

  private final MessageDraft is;

  private OutboxMessage(MessageDraft draft) {
    is = draft;
  }

  /**
   * Starts a message.
   *
   * @param destination the logical name, which the relay resolves when it sends
   */
  public static OutboxMessage to(String destination) {
    return new OutboxMessage(new MessageDraft(Objects.requireNonNull(destination, "destination")));
  }

  /** Sets the event type, for instance {@code OrderPlaced}. */
  public OutboxMessage event(String type) {
    return with(draft -> draft.event = given(type, "event type"));
  }

  /**
   * Sets the aggregate that the message concerns. Messages about one aggregate keep their order,
   * unless {@link #orderedBy} or {@link #unordered} is called.
   *
   * @param type for instance {@code Order}
   * @param id its identity; the text form is stored
   */
  public OutboxMessage aggregate(String type, Object id) {
    given(type, "aggregate type");
    given(id, "aggregate id");
    return with(draft -> draft.aggregate = new Aggregate(type, id.toString()));
  }

  /**
   * Names the person whom the message is about, so that {@link OutboxErasure} finds it, and so that
   * the inboxes that receive it do. Only a digest of the key is stored and sent, made with {@code
   * postbox.data-subject-secret}, which has to be set.
   *
   * @param key the application's name for that person, for instance {@code customer-4711}; up to
   *     200 characters
   */
  public OutboxMessage dataSubject(String key) {
    return with(draft -> draft.dataSubject = given(key, "data subject"));
  }

  /** Keeps the order of all messages with this key and the same destination. */
  public OutboxMessage orderedBy(String key) {
    given(key, "ordering key");
    return with(
        draft -> {
          draft.orderedBy = key;
          draft.unordered = false;
        });
  }

  /** Sends this message without any order. */
  public OutboxMessage unordered() {
    return with(draft -> draft.unordered = true);
  }

  /** Carries text. */
  public OutboxMessage text(String text) {
    return with(draft -> draft.payload = new Payload.Text(given(text, "text")));
  }

  /** Carries octets; the array is copied. */
  public OutboxMessage bytes(byte[] bytes) {
    byte[] copy = given(bytes, "octets").clone();
    return with(draft -> draft.payload = new Payload.Bytes(copy));
  }

  /** Carries an object as JSON text, serialised by JSON-B when the message is enqueued. */
  public OutboxMessage json(Object value) {
    return with(draft -> draft.payload = new Payload.Json(given(value, "JSON value")));
  }

  /**
   * Sets a reference to a payload that the application's {@link PayloadLoader} loads when the
   * message is sent. The payload must not change until then.
   *
   * @param table the loader's name of the place, up to 100 characters
   * @param id its id there; the text form, up to 200 characters, is stored
   */
  public OutboxMessage reference(String table, Object id) {
    given(table, "reference's table");
    given(id, "reference's id");
    return with(draft -> draft.payload = new Payload.Reference(table, id.toString()));
  }

  /**
   * Adds a JMS property.
   *
   * @param name a Java identifier that is neither reserved by JMS nor one of {@link
   *     OutboxProperties}, and begins with none of {@code Outbox}, {@code Inbox} and {@code _AMQ_}
   * @param value a {@code String}, {@code Boolean} or boxed number
   */
  public OutboxMessage property(String name, Object value) {
    given(name, "property name");
    return with(draft -> draft.properties.put(name, given(value, "property " + name)));
  }

  /** Sets {@code JMSCorrelationID}. */
  public OutboxMessage correlationId(String id) {
    return with(draft -> draft.correlationId = given(id, "correlation id"));
  }

  /**
   * Sets {@code JMSReplyTo} to the destination that this logical name has when the message is sent.
   */
  public OutboxMessage replyTo(String destination) {
    return with(draft -> draft.replyTo = given(destination, "reply-to"));
  }

  /** Names the version of the payload's schema. */
  public OutboxMessage schemaVersion(String version) {
    return with(draft -> draft.schemaVersion = given(version, "schema version"));
  }

  /**
   * Sets the aggregate's version after the event: 0 or more, which enqueue checks. Consumers that
   * handle versions in order begin with {@code order.first-version}, which is 1 unless they are
   * told otherwise: a new entity has version 1 with EclipseLink, and 0 with Hibernate.
   */
  public OutboxMessage aggregateVersion(long version) {
    return with(draft -> draft.aggregateVersion = version);
  }

  /**
   * Gives the message an id of the caller's instead of a new UUIDv7: to resend a message under its
   * old id, or to use a natural key. Enqueue refuses an id that is still in the outbox.
   */
  public OutboxMessage id(UUID id) {
    return with(draft -> draft.id = given(id, "id"));
  }

  /**
   * Holds the message back until this moment, by the database's clock; a past moment has no effect.
   * Only a message without an ordering key can wait: see {@link #unordered}.
   *
   * @param moment at most 36500 days from now
   */
  public OutboxMessage notBefore(Instant moment) {
    return with(draft -> draft.notBefore = given(moment, "moment"));
  }

  /**
   * Limits the time to live of the message, counted from its enqueue. When it is sent, the rest of
   * that time is its JMS time to live; if no time is left, it becomes a dead letter instead.
   * Liberty's embedded messaging uses only the time to live of the queue's definition.
   *
   * @param time from 1 ms to 36500 days
   */
  public OutboxMessage expiresAfter(Duration time) {
    return with(draft -> draft.expiresAfter = given(time, "time"));
  }

  /** Makes the message part of a trace, as {@link #trace(String, String)} without a state. */
  public OutboxMessage trace(String traceParent) {
    return trace(traceParent, null);
  }

  /**
   * Makes the message part of a trace. The values may come from outside: as W3C Trace Context
   * requires, malformed parts are left out, and the message is accepted.
   *
   * @param traceParent the header {@value OutboxProperties#TRACE_PARENT} of W3C Trace Context
   * @param traceState the header {@value OutboxProperties#TRACE_STATE}, up to 512 characters, if
   *     there is one
   */
  public OutboxMessage trace(String traceParent, @Nullable String traceState) {
    given(traceParent, "trace parent");
    return with(
        draft -> {
          draft.traceParent = traceParent;
          draft.traceState = traceState;
        });
  }

  /** The logical name of the destination. */
  public String destination() {
    return is.destination;
  }

  /** The id that the caller chose. */
  public Optional<UUID> id() {
    return Optional.ofNullable(is.id);
  }

  /** The event type. */
  public Optional<String> event() {
    return Optional.ofNullable(is.event);
  }

  /** The aggregate that the message concerns. */
  public Optional<Aggregate> aggregate() {
    return Optional.ofNullable(is.aggregate);
  }

  /** The person whom the message is about, as the caller said. */
  public Optional<String> dataSubject() {
    return Optional.ofNullable(is.dataSubject);
  }

  /** The ordering key: the caller's, else the aggregate as {@code type/id}. */
  public Optional<String> orderingKey() {
    if (is.unordered) {
      return Optional.empty();
    }
    return Optional.ofNullable(is.orderedBy)
        .or(() -> aggregate().map(it -> it.type() + "/" + it.id()));
  }

  /** The payload. */
  public Optional<Payload> payload() {
    return Optional.ofNullable(is.payload);
  }

  /** The JMS properties that the caller added, in the order in which they were added. */
  public Map<String, Object> properties() {
    return Collections.unmodifiableMap(is.properties);
  }

  /** The value for {@code JMSCorrelationID}. */
  public Optional<String> correlationId() {
    return Optional.ofNullable(is.correlationId);
  }

  /** The logical name of the destination for replies. */
  public Optional<String> replyTo() {
    return Optional.ofNullable(is.replyTo);
  }

  /** The version of the payload's schema. */
  public Optional<String> schemaVersion() {
    return Optional.ofNullable(is.schemaVersion);
  }

  /** The aggregate's version after the event. */
  public Optional<Long> aggregateVersion() {
    return Optional.ofNullable(is.aggregateVersion);
  }

  /** The moment before which it is not sent. */
  public Optional<Instant> notBefore() {
    return Optional.ofNullable(is.notBefore);
  }

  /** The time to live, counted from the enqueue. */
  public Optional<Duration> expiresAfter() {
    return Optional.ofNullable(is.expiresAfter);
  }

  /** The trace that the caller set, unchanged. */
  public Optional<String> traceParent() {
    return Optional.ofNullable(is.traceParent);
  }

  /** The state of that trace, unchanged. */
  public Optional<String> traceState() {
    return Optional.ofNullable(is.traceState);
  }

  /** Names destination, event and id; never the payload. */
  @Override
  public String toString() {
    return "OutboxMessage[to=" + is.destination + ", event=" + is.event + ", id=" + is.id + "]";
  }

  private <T> T given(@Nullable T value, String what) {
    if (value == null) {
      throw new NullPointerException(
          "The %s of a message to %s is null. Give it a value, or leave out the call that sets it; nothing was enqueued."
              .formatted(what, is.destination));
    }
    return value;
  }

  private OutboxMessage with(Consumer<MessageDraft> change) {
    MessageDraft draft = new MessageDraft(is);
    change.accept(draft);
    return new OutboxMessage(draft);
  }
}
