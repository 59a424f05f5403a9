package io.postbox.sample.events;

import io.postbox.inbox.RejectedMessageException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import org.jspecify.annotations.Nullable;

/**
 * A message that no handler of this application can understand, however often it comes: the inbox
 * parks it instead of bringing it again.
 */
public final class UnreadableEventException extends RejectedMessageException {
  private static final long serialVersionUID = 1L;

  UnreadableEventException(String why, Message message, @Nullable Exception cause) {
    this(why, idOf(message), cause);
  }

  private UnreadableEventException(String why, String id, @Nullable Exception cause) {
    super("Message " + id + " is not understood: " + why + ". Nothing was done.", cause);
  }

  /**
   * Refuses a message for its type.
   *
   * @param type what it is
   * @param expected what the listener knows
   */
  public static UnreadableEventException unexpected(Message message, String type, String expected) {
    return unexpected(idOf(message), type, expected);
  }

  /** The same for a message that was captured, with its id. */
  public static UnreadableEventException unexpected(String id, String type, String expected) {
    return new UnreadableEventException("its type is " + type + ", expected " + expected, id, null);
  }

  private static String idOf(Message message) {
    try {
      return message.getStringProperty("OutboxMessageId") + " (" + message.getJMSMessageID() + ")";
    } catch (JMSException e) {
      return "without a readable id (" + e.getMessage() + ")";
    }
  }
}
