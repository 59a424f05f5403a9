package io.postbox.inbox.jms;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Storable;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;

/** Turns a JMS message into a delivery, and leaves its body to be read again from the start. */
public final class DeliveryReader {
  private static final int LONGEST_SOURCE = 100;

  private DeliveryReader() {}

  /**
   * Reads a message.
   *
   * @throws JMSException if the provider cannot read it
   */
  public static Delivery read(Consumer consumer, Message message) throws JMSException {
    return new Delivery(
        consumer.name(),
        MessageIds.read(consumer, message),
        Fingerprints.of(message),
        source(message),
        Properties.brief(message),
        () -> content(consumer, message));
  }

  private static Content content(Consumer consumer, Message message) {
    try {
      return Contents.of(consumer, message);
    } catch (JMSException unreadable) {
      throw new InboxException(
          "A message for the consumer '"
              + consumer.name()
              + "' should be kept aside, and cannot be read. It is rolled back and comes again.",
          unreadable);
    }
  }

  private static @Nullable String source(Message message) throws JMSException {
    return message.getObjectProperty(InboundProperties.SOURCE) instanceof String source
            && source.length() <= LONGEST_SOURCE
            && Storable.is(source)
        ? source
        : null;
  }
}
