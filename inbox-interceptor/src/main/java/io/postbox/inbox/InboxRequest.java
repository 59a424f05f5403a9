package io.postbox.inbox;

import io.postbox.common.text.Storable;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A message that arrived without JMS, for {@link InboxGuard}. Immutable and thread-safe: every
 * method that sets a value returns a new request.
 *
 * <pre>{@code
 * InboxRequest.of("payments", record.key()).text(record.value()).event("PaymentMade")
 * }</pre>
 */
public final class InboxRequest {
  private static final int LONGEST_CONSUMER = 100;

  private static final class Draft {
    private final String consumer;
    private final @Nullable String id;
    private @Nullable String text;
    private byte @Nullable [] bytes;
    private @Nullable String event;
    private @Nullable String source;
    private @Nullable Aggregate aggregate;
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

  private final Draft is;

  private InboxRequest(Draft draft) {
    is = draft;
  }

  /**
   * Starts a request.
   *
   * @param consumer the name under which the inbox remembers messages, 1 to 100 characters, none of
   *     them a control character; the name of an {@link Inbox} shares its record
   * @param id the message's id from its sender: a resent message must have the same one, which a
   *     Kafka offset or an SQS message id is not. An invalid id ({@code null}, blank, longer than
   *     200 characters, with control characters) causes the message to be quarantined.
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
