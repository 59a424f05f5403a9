package io.postbox.inbox;

import io.postbox.common.text.Storable;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A message that came without JMS, for {@link InboxGuard}. Immutable and thread-safe: every method
 * that sets something returns a new request.
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
   * What the message is about.
   *
   * @param type for instance {@code Order}
   * @param id its identity
   * @param version its version after what the message tells of
   */
  public record Aggregate(String type, String id, long version) {}

  private final Draft is;

  private InboxRequest(Draft draft) {
    is = draft;
  }

  /**
   * Starts a request.
   *
   * @param consumer the name under which messages are remembered, 1 to 100 characters, none of them
   *     a control character; one that an {@link Inbox} has shares its memory
   * @param id the message's id as it came from its sender: what is sent again must have it again,
   *     as a Kafka offset or an SQS message id does not. One that cannot be an id ({@code null},
   *     blank, longer than 200 characters, with control characters) has the message quarantined.
   * @throws IllegalArgumentException if the consumer's name is not such a one
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

  /** Carries text, in the place of any other body. */
  public InboxRequest text(String text) {
    Objects.requireNonNull(text, "text");
    return with(
        draft -> {
          draft.text = text;
          draft.bytes = null;
        });
  }

  /** Carries octets, in the place of any other body; the array is copied. */
  public InboxRequest bytes(byte[] bytes) {
    byte[] copy = bytes.clone();
    return with(
        draft -> {
          draft.bytes = copy;
          draft.text = null;
        });
  }

  /** Says what the message tells of, for events and for whoever looks at one kept aside. */
  public InboxRequest event(String type) {
    return with(draft -> draft.event = Objects.requireNonNull(type, "event type"));
  }

  /** Says which service has sent it. */
  public InboxRequest source(String service) {
    return with(draft -> draft.source = Objects.requireNonNull(service, "source"));
  }

  /**
   * Says what the message is about, for consumers that handle versions in their order.
   *
   * @param type for instance {@code Order}, up to 200 characters
   * @param id its identity, up to 200 characters
   * @param version its version after what the message tells of
   */
  public InboxRequest aggregate(String type, String id, long version) {
    Objects.requireNonNull(type, "aggregate type");
    Objects.requireNonNull(id, "aggregate id");
    return with(draft -> draft.aggregate = new Aggregate(type, id, version));
  }

  /**
   * Says how often the message was brought, this time included, where whoever brings it knows, as
   * SQS and NATS do. The first time saves two statements; later ones let a version that comes too
   * early be given up. Otherwise each is taken for a possible repetition.
   *
   * @param times from 1
   * @throws IllegalArgumentException if it is less
   */
  public InboxRequest deliveries(int times) {
    if (times < 1) {
      throw new IllegalArgumentException("a message was brought once at least, and not " + times);
    }
    return with(draft -> draft.deliveries = times);
  }

  /** The consumer. */
  public String consumer() {
    return is.consumer;
  }

  /** The id, as it came. */
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

  /** What the message tells of. */
  public Optional<String> event() {
    return Optional.ofNullable(is.event);
  }

  /** The service that has sent it. */
  public Optional<String> source() {
    return Optional.ofNullable(is.source);
  }

  /** What the message is about. */
  public Optional<Aggregate> aggregate() {
    return Optional.ofNullable(is.aggregate);
  }

  /** How often it was brought; 0 if nobody knows. */
  public int deliveries() {
    return is.deliveries;
  }

  private InboxRequest with(Consumer<Draft> change) {
    Draft draft = new Draft(is);
    change.accept(draft);
    return new InboxRequest(draft);
  }
}
