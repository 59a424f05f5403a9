package io.postbox.test.broker;

import io.postbox.common.OutboxProperties;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.apache.activemq.command.ActiveMQBytesMessage;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQTextMessage;
import org.jspecify.annotations.Nullable;

/**
 * Queues in memory, by the JNDI names under which the application knows them: there is one of each
 * name. A message that is sent in a JTA transaction arrives when that commits. Messages do not
 * expire. Thread-safe.
 */
public final class MemoryBroker {
  private final InstantSource clock;
  private final TransactionSynchronizationRegistry transactions;
  private final ConnectionFactory connectionFactory = MemoryConnections.factory(this::send);
  private final List<Waiting> messages = new ArrayList<>();
  private long arrived;

  /**
   * A message in a queue.
   *
   * @param queue the queue's name
   * @param message it, which nobody changes
   * @param due when it can be delivered
   * @param place its place in the queue
   * @param deliveries how often it was delivered
   */
  public record Waiting(
      String queue, ActiveMQMessage message, Instant due, long place, int deliveries) {

    /** A copy for a receiver, as it would come from a broker. */
    public Message delivered() {
      ActiveMQMessage copy = (ActiveMQMessage) message.copy();
      copy.setRedeliveryCounter(deliveries);
      copy.setReadOnlyBody(true);
      copy.setReadOnlyProperties(true);
      return copy;
    }
  }

  /**
   * @param clock the test's
   * @param transactions the calling thread's
   */
  public MemoryBroker(InstantSource clock, TransactionSynchronizationRegistry transactions) {
    this.clock = clock;
    this.transactions = transactions;
  }

  /** Finds a connection factory, or the queue of any other name. */
  public Object lookup(String jndiName) {
    return jndiName.toLowerCase(Locale.ROOT).contains("connectionfactory")
        ? connectionFactory
        : new ActiveMQQueue(jndiName);
  }

  /** Its connections. */
  public ConnectionFactory connectionFactory() {
    return connectionFactory;
  }

  /**
   * Sends a message, in the calling thread's transaction if there is one.
   *
   * @param queue the queue's name
   * @param message of a session of this broker; copied
   */
  public void send(String queue, Message message) throws JMSException {
    if (!(message instanceof ActiveMQMessage own)) {
      throw new IllegalArgumentException(
          "The broker in memory takes messages that were made with its sessions, and not a "
              + message.getClass().getName());
    }
    ActiveMQMessage copy = (ActiveMQMessage) own.copy();
    copy.setJMSMessageID("ID:" + UUID.randomUUID());
    copy.setJMSDestination(new ActiveMQQueue(queue));
    copy.setJMSTimestamp(clock.millis());
    copy.setRedeliveryCounter(0);
    message.setJMSMessageID(copy.getJMSMessageID());
    if (transactions.getTransactionStatus() == Status.STATUS_NO_TRANSACTION) {
      arrive(queue, copy);
      return;
    }
    transactions.registerInterposedSynchronization(
        new Synchronization() {
          @Override
          public void beforeCompletion() {
            // it arrives afterwards
          }

          @Override
          public void afterCompletion(int status) {
            if (status == Status.STATUS_COMMITTED) {
              arrive(queue, copy);
            }
          }
        });
  }

  private synchronized void arrive(String queue, ActiveMQMessage message) {
    messages.add(new Waiting(queue, message, clock.instant(), ++arrived, 0));
  }

  /** Takes the first message of a queue that is due. */
  public synchronized Optional<Waiting> take(String queue) {
    Instant now = clock.instant();
    Optional<Waiting> first =
        messages.stream()
            .filter(it -> it.queue().equals(queue) && !it.due().isAfter(now))
            .min(Comparator.comparingLong(Waiting::place));
    first.ifPresent(messages::remove);
    return first;
  }

  /**
   * Puts a message back whose delivery was not acknowledged; it keeps its place.
   *
   * @param wait how long it is not delivered
   */
  public synchronized void putBack(Waiting taken, Duration wait) {
    messages.add(
        new Waiting(
            taken.queue(),
            taken.message(),
            clock.instant().plus(wait),
            taken.place(),
            taken.deliveries() + 1));
  }

  /** When the next message of a queue that is not due will be; empty if there is none. */
  public synchronized @Nullable Instant nextDue(String queue) {
    return messages.stream()
        .filter(it -> it.queue().equals(queue))
        .map(Waiting::due)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  /** Copies of the messages in a queue. */
  public synchronized List<Message> messagesIn(String queue) {
    return messages.stream()
        .filter(it -> it.queue().equals(queue))
        .sorted(Comparator.comparingLong(Waiting::place))
        .map(Waiting::delivered)
        .toList();
  }

  /** The id by which an inbox knows a message, for texts. */
  public static String idOf(Message message) {
    try {
      String id = message.getStringProperty(OutboxProperties.MESSAGE_ID);
      return id == null ? message.getJMSMessageID() : id;
    } catch (JMSException unreadable) {
      throw new IllegalStateException("The message cannot be read", unreadable);
    }
  }

  /**
   * A copy of a message with another body.
   *
   * @throws IllegalArgumentException if it is neither a text nor a bytes message
   */
  public static Message altered(Message message) {
    ActiveMQMessage copy = (ActiveMQMessage) ((ActiveMQMessage) message).copy();
    try {
      if (copy instanceof ActiveMQTextMessage text) {
        String before = text.getText();
        text.clearBody();
        text.setText(before + " ");
        return text;
      }
      if (copy instanceof ActiveMQBytesMessage bytes) {
        bytes.reset();
        byte[] before = new byte[(int) bytes.getBodyLength()];
        bytes.readBytes(before);
        bytes.clearBody();
        bytes.writeBytes(before);
        bytes.writeByte((byte) 0);
        return bytes;
      }
    } catch (JMSException failed) {
      throw new IllegalStateException("The body of the message cannot be changed", failed);
    }
    throw new IllegalArgumentException(
        "Only text and bytes messages can be given another body, and not " + message);
  }
}
