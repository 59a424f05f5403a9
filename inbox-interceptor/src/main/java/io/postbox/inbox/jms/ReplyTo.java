package io.postbox.inbox.jms;

import io.postbox.inbox.config.ConsumerConfig.Replies;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The destination that a message's sender requests for the reply. Any sender to the consumer's
 * queue may choose it, and the reply is sent with the rights of this service, so it is sent only if
 * the consumer's settings allow the destination.
 *
 * @param destination as the message has it; nothing if it has none, or one that cannot be read
 * @param name for storing, for instance {@code queue:REPLIES}; empty if it does not fit the column
 * @param isWanted whether the message has one
 */
record ReplyTo(@Nullable Destination destination, @Nullable String name, boolean isWanted) {
  private static final ReplyTo NOWHERE = new ReplyTo(null, null, false);
  private static final int LONGEST_NAME = 500;

  /** Liberty's messaging takes a destination for temporary by these beginnings of its name. */
  private static final Pattern OF_LIBERTY = Pattern.compile("_[QT].*");

  /**
   * Artemis makes these names from random UUIDs. A colon would lead to a queue of another address.
   */
  private static final Pattern OF_ARTEMIS =
      Pattern.compile("[^:]*[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  /** Reads it; one that cannot be read is no reason to fail, for it is the sender's to set. */
  static ReplyTo of(Message message) {
    try {
      Destination destination = message.getJMSReplyTo();
      return destination == null
          ? NOWHERE
          : new ReplyTo(
              destination,
              DeliveryReader.name(
                  Optional.ofNullable(Destinations.name(destination)), LONGEST_NAME),
              true);
    } catch (JMSException | RuntimeException unreadable) {
      return new ReplyTo(null, null, true);
    }
  }

  /** Whether a reply may be sent there. */
  boolean isAllowedBy(Replies replies) {
    return name != null
        && destination != null
        && (isListedIn(replies)
            || (replies.temporary()
                && isTemporary(
                    destination.getClass().getName(),
                    destination instanceof TemporaryQueue || destination instanceof TemporaryTopic,
                    name.substring(name.indexOf(':') + 1))));
  }

  /** Whether it is named, and not only temporary. */
  boolean isListedIn(Replies replies) {
    return name != null && replies.destinations().contains(name);
  }

  /**
   * Whether the broker made it for one connection, and its name, of which nobody knows who was not
   * told. Of Artemis the sender can say so of any address, and on Liberty's messaging a message
   * that was received does not say so.
   *
   * @param type the name of its class
   * @param saysSo whether it is of such a type
   * @param name the broker's for it
   */
  static boolean isTemporary(String type, boolean saysSo, String name) {
    if (type.startsWith("com.ibm.ws.sib.")) {
      return OF_LIBERTY.matcher(name).matches();
    }
    return saysSo
        && (!type.startsWith("org.apache.activemq.artemis.") || OF_ARTEMIS.matcher(name).matches());
  }
}
