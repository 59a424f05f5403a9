package io.postbox.inbox.jms;

import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Sends replies. A requester that has gone has taken its temporary queue along, and its reply needs
 * no further try.
 */
final class ReplyProducer {
  private ReplyProducer() {}

  /** Finds the destination of a reply. */
  @FunctionalInterface
  interface Finding {
    Destination in(Session session) throws JMSException;
  }

  /**
   * Sends a reply, unless its destination does not exist (any more).
   *
   * @param nobodyWaits receives what the broker said, if the destination does not exist
   * @throws JMSException if it was not sent, or the outcome is unknown
   */
  static void send(
      Session session,
      Finding to,
      Message reply,
      Duration timeToLive,
      Consumer<Exception> nobodyWaits)
      throws JMSException {
    try (MessageProducer producer = session.createProducer(to.in(session))) {
      producer.send(
          reply, DeliveryMode.PERSISTENT, Message.DEFAULT_PRIORITY, timeToLive.toMillis());
    } catch (JMSException refused) {
      if (!isGone(session, to, refused)) {
        throw refused;
      }
      nobodyWaits.accept(refused);
    }
  }

  /**
   * Whether the destination does not exist. Not every broker has an exception for that: Artemis
   * throws a plain one where it does not create queues by itself. So the broker is asked for the
   * destination once more, and whether it answers anything else.
   */
  private static boolean isGone(Session session, Finding to, JMSException refused) {
    if (refused instanceof InvalidDestinationException) {
      return true;
    }
    try {
      session.createProducer(to.in(session)).close();
      return false;
    } catch (JMSSecurityException denied) {
      return false;
    } catch (JMSException | RuntimeException missing) {
      return answers(session);
    }
  }

  /** Whether the broker answers anything. */
  static boolean answers(Session session) {
    try {
      session.createTemporaryQueue().delete();
      return true;
    } catch (JMSSecurityException denied) {
      return true;
    } catch (JMSException | RuntimeException silent) {
      return false;
    }
  }
}
