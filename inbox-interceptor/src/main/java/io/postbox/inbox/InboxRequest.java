package io.postbox.inbox;

import io.postbox.common.text.Storable;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A message that arrived without JMS, for {@link InboxGuard}. Immutable and thread-safe: every
 * method that sets a value returns a new request.
 *
 * <pre>{@code
 * InboxRequest.of("payments", paymentId)
 *     .text(record.value())
 *     .from(record.topic(), record.partition(), record.offset())
 *     .orderedBy(record.key())
 * }</pre>
 *
 * <p>Origin, ordering key and headers are for operators, for traces, for batches and for handlers
 * of captured messages: whether a message is known depends only on its id and its body.
 */
public final class InboxRequest {
  private static final int LONGEST_CONSUMER = 100;
  private static final int HIGHEST_PRIORITY = 9;
  private static final int NORMAL_PRIORITY = 4;

  /** Far enough, and within what every database can store. */
  private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

  private static final class Draft {
    private final String consumer;
    private final @Nullable String id;
    private @Nullable String text;
    private byte @Nullable [] bytes;
    private @Nullable String event;
    private @Nullable String source;
    private @Nullable Aggregate aggregate;
    private @Nullable Origin origin;
    private @Nullable String orderingKey;
    private int priority = NORMAL_PRIORITY;
    private @Nullable Instant notBefore;
    private RequestHeaders headers = RequestHeaders.NONE;
    private int deliveries;

    private Draft(String consumer, @Nullable String id) {
      this.consumer = consumer;
      this.id = id;
    }

    private Draft(Draft other) {
      this(other.consumer, other.id);
      text = other.text;
      bytes = other.bytes;
      event = other.event;
      source = other.source;
      aggregate = other.aggregate;
      origin = other.origin;
      orderingKey = other.orderingKey;
      priority = other.priority;
      notBefore = other.notBefore;
      headers = other.headers;
      deliveries = other.deliveries;
    }
  }

  /**
   * The aggregate that the message concerns.
   *
   * @param type for instance {@code Order}
   * @param id its identity
   * @param version its version after the event
   */
  public record Aggregate(String type, String id, long version) {}

  /**
   * Where the message comes from.
   *
   * @param name the topic, queue or subject
   * @param partition its partition, if it has partitions
   * @param offset the message's place in the partition, if it has one
   */
  public record Origin(String name, OptionalInt partition, OptionalLong offset) {}

  /**
   * A header of the message.
   *
   * @param name its name
   * @param text its value, if that is text
   * @param bytes its value, if that is octets that are no text; with neither, it has no value
   */
  public record Header(String name, Optional<String> text, Optional<byte[]> bytes) {
    /** Keeps a copy. */
    public Header {
      bytes = bytes.map(byte[]::clone);
    }

    /** A copy of its value, if that is octets that are no text. */
    @Override
    public Optional<byte[]> bytes() {
      return bytes.map(byte[]::clone);
    }
  }

  private final Draft is;

  private InboxRequest(Draft draft) {
    is = draft;
  }

  /**
   * Starts a request.
   *
   * @param consumer the name under which the inbox remembers messages, 1 to 100 characters, none of
   *     them a control character; the name of an {@link Inbox} shares its record
   * @param id the message's id from its sender: a resent message must have the same one, which an
   *     offset in Kafka or a message id of SQS has not. An invalid id ({@code null}, blank, longer
   *     than 200 characters, with control characters) causes the message to be quarantined.
   * @throws IllegalArgumentException if the consumer's name is not valid
   */
  public static InboxRequest of(String consumer, @Nullable String id) {
    if (consumer.isBlank() || consumer.length() > LONGEST_CONSUMER || !Storable.is(consumer)) {
      throw new IllegalArgumentException(
          "The name of a consumer has 1 to 100 characters, not all of them blank and none of them a"
              + " control character; this one has "
              + consumer.length());
    }
    return new InboxRequest(new Draft(consumer, id));
  }

  /** Sets a text body, which replaces any other body. */
  public InboxRequest text(String text) {
    Objects.requireNonNull(text, "text");
    return with(
        draft -> {
          draft.text = text;
          draft.bytes = null;
        });
  }

  /** Sets a body of octets, which replaces any other body; the array is copied. */
  public InboxRequest bytes(byte[] bytes) {
    byte[] copy = bytes.clone();
    return with(
        draft -> {
          draft.bytes = copy;
          draft.text = null;
        });
  }

  /** Sets the type of the event, for events and operators. */
  public InboxRequest event(String type) {
    return with(draft -> draft.event = Objects.requireNonNull(type, "event type"));
  }

  /** Sets the service that sent the message. */
  public InboxRequest source(String service) {
    return with(draft -> draft.source = Objects.requireNonNull(service, "source"));
  }

  /**
   * Sets the aggregate that the message concerns, for consumers with version order.
   *
   * @param type for instance {@code Order}, up to 200 characters
   * @param id its identity, up to 200 characters
   * @param version its version after the event
   */
  public InboxRequest aggregate(String type, String id, long version) {
    Objects.requireNonNull(type, "aggregate type");
    Objects.requireNonNull(id, "aggregate id");
    return with(draft -> draft.aggregate = new Aggregate(type, id, version));
  }

  /**
   * Sets the queue, topic or subject that the message comes from, for operators and traces.
   *
   * @param name stored up to 200 characters; a longer one is left out
   */
  public InboxRequest from(String name) {
    Objects.requireNonNull(name, "name");
    return with(
        draft -> draft.origin = new Origin(name, OptionalInt.empty(), OptionalLong.empty()));
  }

  /**
   * Sets the place in a log that the message comes from, for operators and traces, and for batches
   * whose caller commits offsets. It never identifies the message.
   *
   * @param topic stored up to 200 characters; a longer one is left out
   * @param partition the number of its partition
   * @param offset the message's offset in the partition
   */
  public InboxRequest from(String topic, int partition, long offset) {
    Objects.requireNonNull(topic, "topic");
    return with(
        draft ->
            draft.origin = new Origin(topic, OptionalInt.of(partition), OptionalLong.of(offset)));
  }

  /**
   * Sets the key of messages that have to keep their order, for {@link InboxGuard#handleAll} and
   * for the handling of captured messages. The default is the {@link #aggregate}, as {@code
   * type/id}.
   *
   * @param key {@code null} for a message without one; shown to operators up to 200 characters, a
   *     longer one is left out there
   * @throws IllegalArgumentException if the message has a {@link #notBefore} and the key is not
   *     {@code null}
   */
  public InboxRequest orderedBy(@Nullable String key) {
    return with(
        draft -> {
          draft.orderingKey = key;
          refuseOrderWithTime(draft);
        });
  }

  /**
   * Sets the priority of a captured message without an ordering key: those with a higher one are
   * handled first. Without capture it has no effect.
   *
   * @param priority from 0 to 9, as in JMS; 4 by default
   * @throws IllegalArgumentException if it is out of bounds
   */
  public InboxRequest priority(int priority) {
    if (priority < 0 || priority > HIGHEST_PRIORITY) {
      throw new IllegalArgumentException(
          "a message's priority is from 0 to " + HIGHEST_PRIORITY + ", and not " + priority);
    }
    return with(draft -> draft.priority = priority);
  }

  /**
   * Sets the time before which a captured message is not handled, by the database's clock. Such a
   * message has no ordering key, whatever its aggregate is. Without capture it has no effect.
   *
   * @param moment up to the year 9999
   * @throws IllegalArgumentException if it is later, or the message has been given an ordering key
   */
  public InboxRequest notBefore(Instant moment) {
    if (moment.isAfter(LATEST)) {
      throw new IllegalArgumentException(
          "a message's notBefore is at most " + LATEST + ", and not " + moment);
    }
    return with(
        draft -> {
          draft.notBefore = moment;
          refuseOrderWithTime(draft);
        });
  }

  private static void refuseOrderWithTime(Draft draft) {
    if (draft.notBefore != null && draft.orderingKey != null) {
      throw new IllegalArgumentException(
          "a message with the ordering key '"
              + Storable.printable(draft.orderingKey)
              + "' cannot have a notBefore too, because those behind it would have to wait for that time; leave one of them out");
    }
  }

  /**
   * Adds a header whose value is text. Headers of one name are all kept, in their order. They are
   * stored in the clear with the id of a handled message, as far as they are short and there is no
   * {@code PayloadCipher}, and with the content of a message that is kept aside; {@code
   * traceparent} and {@code tracestate} continue a trace. At most 100 headers with 32,000
   * characters and octets together are kept, each with a name of 1 to 200 characters, none of them
   * a control character, and a value of up to 4,000; others are {@link #headersLeftOut left out},
   * because a sender's header must not keep its message from being handled.
   */
  public InboxRequest header(String name, String value) {
    Objects.requireNonNull(name, "header name");
    Objects.requireNonNull(value, "header value");
    return with(draft -> draft.headers = draft.headers.with(name, value));
  }

  /**
   * Adds a header whose value is octets, as in Kafka, within the same bounds. UTF-8 without control
   * characters is kept as text.
   *
   * @param value the array is copied; {@code null} for a header without a value
   */
  public InboxRequest header(String name, byte @Nullable [] value) {
    Objects.requireNonNull(name, "header name");
    return with(draft -> draft.headers = draft.headers.with(name, value));
  }

  /**
   * Sets how often the message was delivered, this time included, if the source knows it, as SQS
   * and NATS do. The first delivery saves two statements; a later one allows the inbox to park a
   * version that is too early. Without this count, every delivery is a possible redelivery.
   *
   * @param times from 1
   * @throws IllegalArgumentException if it is less than 1
   */
  public InboxRequest deliveries(int times) {
    if (times < 1) {
      throw new IllegalArgumentException("a message is delivered at least once, and not " + times);
    }
    return with(draft -> draft.deliveries = times);
  }

  /** The consumer. */
  public String consumer() {
    return is.consumer;
  }

  /** The id, unchanged. */
  public Optional<String> id() {
    return Optional.ofNullable(is.id);
  }

  /** The body, if it is a text. */
  public Optional<String> text() {
    return Optional.ofNullable(is.text);
  }

  /** The body, if it is octets; a copy. */
  public Optional<byte[]> bytes() {
    return Optional.ofNullable(is.bytes).map(byte[]::clone);
  }

  /** The type of the event. */
  public Optional<String> event() {
    return Optional.ofNullable(is.event);
  }

  /** The service that sent the message. */
  public Optional<String> source() {
    return Optional.ofNullable(is.source);
  }

  /** The aggregate that the message concerns. */
  public Optional<Aggregate> aggregate() {
    return Optional.ofNullable(is.aggregate);
  }

  /** Where it comes from. */
  public Optional<Origin> origin() {
    return Optional.ofNullable(is.origin);
  }

  /** The key of messages that have to keep their order. */
  public Optional<String> orderingKey() {
    return Optional.ofNullable(is.orderingKey);
  }

  /** Its priority, for capture. */
  public int priority() {
    return is.priority;
  }

  /** The time before which it is not handled, for capture. */
  public Optional<Instant> notBefore() {
    return Optional.ofNullable(is.notBefore);
  }

  /** Its headers, in the order in which they were added. */
  public List<Header> headers() {
    return is.headers.all();
  }

  /** The text of its last header with this name, in upper or lower case. */
  public Optional<String> lastHeader(String name) {
    return is.headers.last(name);
  }

  /** How many headers were left out, because they are too many or too long. */
  public int headersLeftOut() {
    return is.headers.leftOut();
  }

  /** How often it was delivered; 0 if unknown. */
  public int deliveries() {
    return is.deliveries;
  }

  private InboxRequest with(Consumer<Draft> change) {
    Draft draft = new Draft(is);
    change.accept(draft);
    return new InboxRequest(draft);
  }
}
