package io.postbox.inbox.jms;

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
import io.postbox.inbox.message.Subject;
import io.postbox.inbox.receiver.RunningHandlers;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Turns a JMS message into a delivery, and resets its body for the next reader. */
public final class DeliveryReader {
  static final int LONGEST_SOURCE = 100;
  static final int LONGEST_NAME = 200;
  private static final int LONGEST_TIME = 50;
  private static final int LONGEST_DESTINATION = 500;

  private DeliveryReader() {}

  /** Reads a message where fingerprints have no key. */
  public static Delivery read(
      Consumer consumer, Message message, Resolvers resolvers, Proofs proofs, long maxBody)
      throws JMSException {
    return read(consumer, message, resolvers, proofs, maxBody, UnaryOperator.identity());
  }

  /**
   * Reads a message. A body that is too large or cannot be read keeps nothing else from being read;
   * what would need the body, then, is as if it were not there: the id that a resolver finds, and
   * the proof of what this service has sent again.
   *
   * @param resolvers the application's
   * @param proofs checks which of a message's control properties this service has set
   * @param maxBody how many bytes its body may have
   * @param keying turns a fingerprint into a keyed one, if there is a key
   * @throws JMSException if the provider cannot read what it has beside its body
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
      return unread(consumer, message, read.body(), keying.apply(unread));
    }
    return whole(
        consumer, message, resolvers, proofs, read.body(), keying.apply(read.fingerprint()));
  }

  /** A body, and its fingerprint if it was read. */
  private record Read(Body body, @Nullable Fingerprint fingerprint) {}

  /** Before anything else touches it. */
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
      Consumer consumer, Message message, Body body, Fingerprint fingerprint) throws JMSException {
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
    return delivery(consumer, message, id, fingerprint, ProvenProperties.NOTHING, false, body);
  }

  private static Delivery whole(
      Consumer consumer,
      Message message,
      Resolvers resolvers,
      Proofs proofs,
      Body body,
      Fingerprint fingerprint)
      throws JMSException {
    ProvenProperties proven = proofs.provenIn(message);
    MessageId id = MessageIds.read(consumer, message, resolvers, proven);
    Bodies.rewind(message); // a resolver may have read on
    boolean isProven = proven.ignored().isEmpty();
    if (!isProven) {
      proofs.tellIgnored(
          consumer.name(),
          id instanceof Known known ? known.value() : message.getJMSMessageID(),
          proven.ignored());
    }
    return delivery(consumer, message, id, fingerprint, proven, isProven, body);
  }

  private static Delivery delivery(
      Consumer consumer,
      Message message,
      MessageId id,
      Fingerprint fingerprint,
      ProvenProperties proven,
      boolean isProven,
      Body body)
      throws JMSException {
    return new Delivery(
        consumer.name(),
        id,
        fingerprint,
        text(message, InboundProperties.SOURCE, LONGEST_SOURCE),
        text(message, InboundProperties.EVENT_TYPE, LONGEST_NAME),
        subject(message),
        wayBack(message),
        ReplyTo.of(message).name(),
        Properties.brief(message),
        new History(isRedelivered(message), proven.attempt(), proven.waits()),
        body,
        () -> content(consumer, message, isProven),
        () -> metadata(consumer, message, isProven));
  }

  /**
   * When a message was enqueued, by its sender's clock. Nothing where it does not say so, or in
   * another way: it is for a metric, and not worth failing for.
   */
  public static @Nullable Instant enqueuedAt(Message message) {
    try {
      String text = text(message, InboundProperties.CREATED_AT, LONGEST_TIME);
      return text == null ? null : Instant.parse(text);
    } catch (JMSException | DateTimeParseException unreadable) {
      return null;
    }
  }

  /** The count is the provider's, and optional; it may know what the flag does not say. */
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
              + "' cannot be kept aside, because its content cannot be read. It is rolled back and redelivered.",
          unreadable);
    }
  }

  private static Content metadata(Consumer consumer, Message message, boolean isProven) {
    try {
      return Contents.withoutBody(message, isProven);
    } catch (JMSException unreadable) {
      throw new InboxException(
          "A message for the consumer '"
              + consumer.name()
              + "' cannot be kept aside, not even without its body, because its properties cannot be read. It is"
              + " rolled back and redelivered.",
          unreadable);
    }
  }

  /**
   * None for what another consumer's handler hands on: sent there, the message meets that consumer
   * first, which skips it and does not hand it on again.
   */
  private static @Nullable String wayBack(Message message) throws JMSException {
    return RunningHandlers.isAny()
        ? null
        : name(
            Optional.ofNullable(Destinations.name(message.getJMSDestination())),
            LONGEST_DESTINATION);
  }

  private static @Nullable Subject subject(Message message) throws JMSException {
    String type = text(message, InboundProperties.AGGREGATE_TYPE, LONGEST_NAME);
    String id = text(message, InboundProperties.AGGREGATE_ID, LONGEST_NAME);
    Long version = whole(message.getObjectProperty(InboundProperties.AGGREGATE_VERSION));
    return type == null || id == null ? null : new Subject(type, id, version);
  }

  /** Nothing for a number that is not whole: cut down to one, it would be another version. */
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

  /** Empty for a value that does not fit its column: that must not fail the delivery. */
  static @Nullable String name(Optional<String> found, int longest) {
    return found
        .filter(text -> !text.isEmpty() && text.length() <= longest && Storable.is(text))
        .orElse(null);
  }
}
