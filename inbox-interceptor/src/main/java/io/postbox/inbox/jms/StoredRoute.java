package io.postbox.inbox.jms;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Captured;
import io.postbox.inbox.receiver.Route;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;

/**
 * The way back of a captured message: a reply is sent after the handler's transaction has
 * committed. Used by one thread.
 */
public final class StoredRoute implements Route {
  private final Captured captured;
  private final StoredMessage message;
  private final JmsNames names;
  private boolean replies;

  /**
   * @param captured the message
   * @param message the same for its handler
   * @param names the connection factory, and how long a reply is kept
   */
  public StoredRoute(Captured captured, StoredMessage message, JmsNames names) {
    this.captured = captured;
    this.message = message;
    this.names = names;
  }

  @Override
  public boolean wantsReply() {
    return captured.delivery().replyTo() != null;
  }

  @Override
  public boolean mayReply() {
    return captured.mayReply();
  }

  /** Only notes that there is one; it is stored with the handler's effects. */
  @Override
  public void reply(String result) {
    replies = true;
  }

  /** Whether the stored reply has to be sent. */
  public boolean replies() {
    return replies;
  }

  /**
   * Sends the reply outside of any transaction: the broker has stored it when this returns. A
   * destination that does not exist any more is logged.
   *
   * @throws BrokerAwayException if the broker cannot be reached, or does not answer
   * @throws InboxException if it was not sent for another reason, or the outcome is unknown
   */
  public void send(String result) {
    String name = captured.delivery().replyTo();
    if (name == null) {
      return;
    }
    boolean isReached = false;
    try (Connection connection =
            names.find(names.connectionFactory(), ConnectionFactory.class).createConnection();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
      isReached = true;
      try {
        TextMessage reply = session.createTextMessage(result);
        reply.setJMSCorrelationID(message.requestId().orElse(null));
        ReplyProducer.send(
            session,
            in -> Destinations.named(in, name),
            reply,
            names.replies().timeToLive(),
            nobody -> InboxLog.nobodyWaitsForReply(captured.delivery().consumer(), nobody));
      } catch (JMSException | JMSRuntimeException refused) {
        isReached = ReplyProducer.answers(session);
        throw refused;
      }
    } catch (JMSException | JMSRuntimeException notSent) {
      String what =
          "The reply to message %s for the consumer '%s' was not sent to %s: %s. The message is handled, and the reply is in inbox_result. Connection factory: %s."
              .formatted(
                  captured.messageId(),
                  captured.delivery().consumer(),
                  name,
                  InboxLog.EXCEPTIONS.of(notSent),
                  names.connectionFactory());
      throw isReached ? new InboxException(what, notSent) : new BrokerAwayException(what, notSent);
    }
  }
}
