package io.postbox.inbox.jms;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.guard.RunningHandlers;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.MessageId;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.message.Storable;
import io.postbox.inbox.message.Subject;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns a JMS message into a delivery, and leaves its body to be read again from the start. */
public final class DeliveryReader {
  static final int LONGEST_SOURCE = 100;
  static final int LONGEST_NAME = 200;
  private static final int LONGEST_TIME = 50;
  private static final int LONGEST_DESTINATION = 500;

  private DeliveryReader() {}

  /**
   * Reads a message.
   *
   * @param resolvers those that the application has
   * @param proofs tells what of a message is this service's own
   * @throws JMSException if the provider cannot read it
   */
  public static Delivery read(
      Consumer consumer, Message message, Resolvers resolvers, Proofs proofs) throws JMSException {
    Carried carried = proofs.carriedBy(message);
    MessageId id = MessageIds.read(consumer, message, resolvers, carried);
    Fingerprint fingerprint =
        Fingerprints.of(message, consumer.property()); // last: a resolver may have read on
    boolean isProven = carried.ignored().isEmpty();
    if (!isProven) {
      proofs.tellIgnored(
          consumer.name(),
          id instanceof Known known ? known.value() : message.getJMSMessageID(),
          carried.ignored());
    }
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
        new History(isRedelivered(message), carried.attempt(), carried.waits()),
        !(message instanceof ObjectMessage),
        () -> content(consumer, message, isProven));
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
              + "' should be kept aside, and cannot be read. It is rolled back and comes again.",
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

  /** Nothing in the place of what does not fit its column: it is not worth failing for. */
  static @Nullable String name(Optional<String> found, int longest) {
    return found
        .filter(text -> !text.isEmpty() && text.length() <= longest && Storable.is(text))
        .orElse(null);
  }
}
