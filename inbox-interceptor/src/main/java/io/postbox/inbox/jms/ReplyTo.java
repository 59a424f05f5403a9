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
 * @param destination the message's JMSReplyTo; {@code null} if it has none or it cannot be read
 * @param name the name to store, for instance {@code queue:REPLIES}; {@code null} if it does not
 *     fit the column
 * @param isWanted whether the message has a JMSReplyTo
 */
record ReplyTo(@Nullable Destination destination, @Nullable String name, boolean isWanted) {
  private static final ReplyTo NOWHERE = new ReplyTo(null, null, false);
  private static final int LONGEST_NAME = 500;
  private static final String LIBERTY = "com.ibm.ws.sib.";
  private static final String ARTEMIS = "org.apache.activemq.artemis.";

  /** Liberty's messaging recognises a temporary destination by this beginning of its name. */
  private static final Pattern OF_LIBERTY = Pattern.compile("_[QT].*");

  /**
   * Artemis makes the names of temporary destinations from random UUIDs. A name with a colon would
   * be a queue of another address.
   */
  private static final Pattern OF_ARTEMIS =
      Pattern.compile("[^:]*[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  /** Reads the JMSReplyTo. Does not fail if it cannot be read, because any sender can set it. */
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
                    isOfTemporaryType(),
                    name.substring(name.indexOf(':') + 1))));
  }

  /**
   * Whether it can be found by its name once it is stored; not every provider finds a temporary one
   * so.
   */
  boolean canBeFoundAgain() {
    return !isWanted || (name != null && (!isOfTemporaryType() || isOfKnownProvider()));
  }

  private boolean isOfTemporaryType() {
    return destination instanceof TemporaryQueue || destination instanceof TemporaryTopic;
  }

  private boolean isOfKnownProvider() {
    String type = String.valueOf(destination == null ? null : destination.getClass().getName());
    return type.startsWith(LIBERTY) || type.startsWith(ARTEMIS);
  }

  /** Whether the consumer's settings list the destination by name. */
  boolean isListedIn(Replies replies) {
    return name != null && replies.destinations().contains(name);
  }

  /**
   * Whether the destination is temporary: the broker created it for one connection, under a name
   * that cannot be guessed. The type alone does not show that: with Artemis a sender can claim it
   * of any address, and on Liberty's messaging a received message does not have the type.
   *
   * @param type the name of the destination's class
   * @param saysSo whether it has a temporary destination's type
   * @param name the broker's name for it
   */
  static boolean isTemporary(String type, boolean saysSo, String name) {
    if (type.startsWith(LIBERTY)) {
      return OF_LIBERTY.matcher(name).matches();
    }
    return saysSo && (!type.startsWith(ARTEMIS) || OF_ARTEMIS.matcher(name).matches());
  }
}
