package io.postbox.inbox.jms;

import io.postbox.common.OutboxProperties;
import io.postbox.common.text.Digests;
import io.postbox.common.text.Storable;
import io.postbox.inbox.IdFrom;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.message.Body;
import io.postbox.inbox.message.Body.Opaque;
import io.postbox.inbox.message.Body.TooLarge;
import io.postbox.inbox.message.Body.Unreadable;
import io.postbox.inbox.message.Body.Whole;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.MessageId;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.message.MessageId.Unusable;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.Schedule;
import io.postbox.inbox.message.Subject;
import io.postbox.inbox.receiver.RunningHandlers;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Converts a JMS message to a delivery, and resets its body for the next reader. */
public final class DeliveryReader {
  static final int LONGEST_SOURCE = 100;
  static final int LONGEST_NAME = 200;
  static final int LONGEST_DATA_SUBJECT = 50;
  private static final int LONGEST_TIME = 50;
  private static final int LONGEST_DESTINATION = 500;

  private DeliveryReader() {}

  /**
   * Reads a message. If its body is too large or cannot be read, everything else is read all the
   * same, except for the id that a resolver would find and the proof of a resent message, which
   * need the body: these count as missing.
   *
   * @param resolvers the application's resolvers
   * @param proofs checks which of a message's control properties this service has set
   * @param maxBody the most bytes that its body may have; its properties may have 64 KiB at least
   * @param keying makes a plain fingerprint a keyed one, if there is a key
   * @throws JMSException if the provider cannot read headers or properties
   */
  public static Delivery read(
      Consumer consumer,
      Message message,
      Resolvers resolvers,
      Proofs proofs,
      long maxBody,
      UnaryOperator<Fingerprint> keying)
      throws JMSException {
    String name = name(Optional.ofNullable(message.getJMSMessageID()), LONGEST_NAME);
    Read read = body(consumer, message, name == null ? "" : name, maxBody);
    if (read.fingerprint() == null) {
      Fingerprint unread = Fingerprints.ofUnread(name == null ? "" : name);
      return unread(consumer, message, read.body(), keying.apply(unread), maxBody);
    }
    return whole(
        consumer,
        message,
        resolvers,
        proofs,
        read.body(),
        keying.apply(read.fingerprint()),
        maxBody);
  }

  /** A body, and its fingerprint if it was read. */
  private record Read(Body body, @Nullable Fingerprint fingerprint) {}

  /** Reads the body, before anything else does. */
  private static Read body(Consumer consumer, Message message, String name, long maxBody) {
    try {
      Optional<TooLarge> tooLarge = BodySizes.over(maxBody, message);
      if (tooLarge.isPresent()) {
        return new Read(tooLarge.get(), null);
      }
      return new Read(
          message instanceof ObjectMessage ? new Opaque(name) : new Whole(),
          Fingerprints.of(message, consumer.property()));
    } catch (JMSException | RuntimeException | OutOfMemoryError | StackOverflowError unreadable) {
      return new Read(new Unreadable(name, unreadable), null);
    }
  }

  private static Delivery unread(
      Consumer consumer, Message message, Body body, Fingerprint fingerprint, long maxBody)
      throws JMSException {
    MessageId id =
        consumer.idFrom() == IdFrom.RESOLVER
            ? new Unusable(QuarantineReason.MISSING_ID)
            : MessageIds.read(
                consumer,
                message,
                type -> {
                  throw new IllegalStateException("a resolver would read the body");
                },
                ProvenProperties.NOTHING);
    return delivery(
        consumer, message, id, fingerprint, ProvenProperties.NOTHING, false, body, maxBody);
  }

  private static Delivery whole(
      Consumer consumer,
      Message message,
      Resolvers resolvers,
      Proofs proofs,
      Body body,
      Fingerprint fingerprint,
      long maxBody)
      throws JMSException {
    ProvenProperties found = proofs.provenIn(message);
    ProvenProperties proven = RunningHandlers.isAny() ? found.passedOn() : found;
    MessageId id = MessageIds.read(consumer, message, resolvers, proven);
    Bodies.rewind(message); // a resolver may have read it
    boolean isProven = proven.ignored().isEmpty();
    if (!isProven) {
      proofs.tellIgnored(
          consumer.name(),
          id instanceof Known known ? known.value() : message.getJMSMessageID(),
          proven.ignored());
    }
    return delivery(consumer, message, id, fingerprint, proven, isProven, body, maxBody);
  }

  private static Delivery delivery(
      Consumer consumer,
      Message message,
      MessageId id,
      Fingerprint fingerprint,
      ProvenProperties proven,
      boolean isProven,
      Body body,
      long maxBody)
      throws JMSException {
    return new Delivery(
        consumer.name(),
        id,
        fingerprint,
        text(message, OutboxProperties.SOURCE, LONGEST_SOURCE),
        text(message, OutboxProperties.EVENT_TYPE, LONGEST_NAME),
        subject(message),
        text(message, OutboxProperties.DATA_SUBJECT, LONGEST_DATA_SUBJECT),
        wayBack(message),
        ReplyTo.of(message).name(),
        Properties.brief(message),
        new History(isRedelivered(message), proven.attempt(), 0),
        body,
        () -> content(consumer, message, isProven),
        () -> metadata(consumer, message, isProven, maxBody),
        schedule(message),
        proven.stored());
  }

  private static String digest(String key) {
    byte[] digest = Digests.sha256().digest(key.getBytes(StandardCharsets.UTF_8));
    return "sha256:" + HexFormat.of().formatHex(digest);
  }

  private static Schedule schedule(Message message) throws JMSException {
    String group =
        message.getObjectProperty(OutboxProperties.GROUP_ID) instanceof String found
            ? found.isEmpty() ? null : found
            : null;
    int priority = Math.max(0, Math.min(Schedule.HIGHEST_PRIORITY, message.getJMSPriority()));
    return new Schedule(group == null ? null : orderingKey(group), priority, null);
  }

  /** A key that does not fit the column is replaced by its digest, so that it keeps its order. */
  static String orderingKey(String key) {
    String fits = name(Optional.of(key), LONGEST_NAME);
    return fits == null ? digest(key) : fits;
  }

  /**
   * When a message was enqueued, by its sender's clock; {@code null} if that is missing or
   * malformed, because a metric is no reason to fail.
   */
  public static @Nullable Instant enqueuedAt(Message message) {
    try {
      String text = text(message, OutboxProperties.CREATED_AT, LONGEST_TIME);
      return text == null ? null : time(text);
    } catch (JMSException unreadable) {
      return null;
    }
  }

  /** A time in ISO 8601; {@code null} if it is malformed. */
  static @Nullable Instant time(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException malformed) {
      return null;
    }
  }

  /**
   * Whether the broker has delivered the message before. The provider's count is optional, but may
   * be right where the flag is not.
   */
  private static boolean isRedelivered(Message message) throws JMSException {
    return message.getJMSRedelivered()
        || (message.getObjectProperty("JMSXDeliveryCount") instanceof Integer count && count > 1);
  }

  private static Content content(Consumer consumer, Message message, boolean isProven) {
    try {
      return Contents.of(consumer, message, isProven);
    } catch (JMSException unreadable) {
      throw new InboxException(
          "A message for the consumer '"
              + consumer.name()
              + "' cannot be kept aside, because its content cannot be read. It is rolled back and"
              + " redelivered.",
          unreadable);
    }
  }

  private static Content metadata(
      Consumer consumer, Message message, boolean isProven, long maxBody) {
    try {
      return Contents.withoutBody(message, isProven, maxBody);
    } catch (JMSException unreadable) {
      throw new InboxException(
          "A message for the consumer '"
              + consumer.name()
              + "' cannot be kept aside, not even without its body, because its properties cannot"
              + " be read. It is rolled back and redelivered.",
          unreadable);
    }
  }

  /**
   * The destination of a redrive; {@code null} for a message that another consumer's handler passes
   * on: there the other consumer would receive it first, skip it, and not pass it on again.
   */
  private static @Nullable String wayBack(Message message) throws JMSException {
    return RunningHandlers.isAny() ? null : destination(message);
  }

  /** Where a message came from, by the broker's name; {@code null} if that cannot be stored. */
  static @Nullable String destination(Message message) throws JMSException {
    return name(
        Optional.ofNullable(Destinations.name(message.getJMSDestination())), LONGEST_DESTINATION);
  }

  private static @Nullable Subject subject(Message message) throws JMSException {
    String type = text(message, OutboxProperties.AGGREGATE_TYPE, LONGEST_NAME);
    String id = text(message, OutboxProperties.AGGREGATE_ID, LONGEST_NAME);
    Long version = whole(message.getObjectProperty(OutboxProperties.AGGREGATE_VERSION));
    return type == null || id == null ? null : new Subject(type, id, version);
  }

  /**
   * A whole number; {@code null} for a fraction, which would be another version if it were
   * truncated.
   */
  private static @Nullable Long whole(@Nullable Object found) {
    if (found instanceof Double || found instanceof Float) {
      double number = ((Number) found).doubleValue();
      return (long) number == number && number < 0x1p63 ? (long) number : null;
    }
    return found instanceof Number number ? number.longValue() : null;
  }

  private static @Nullable String text(Message message, String property, int longest)
      throws JMSException {
    return name(
        Optional.ofNullable(message.getObjectProperty(property))
            .filter(String.class::isInstance)
            .map(String.class::cast),
        longest);
  }

  /** A text that fits its column, else {@code null}, because that must not fail the delivery. */
  static @Nullable String name(Optional<String> found, int longest) {
    return found
        .filter(text -> !text.isEmpty() && text.length() <= longest && Storable.is(text))
        .orElse(null);
  }
}
