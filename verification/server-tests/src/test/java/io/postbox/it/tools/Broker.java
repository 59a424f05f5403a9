package io.postbox.it.tools;

import io.postbox.common.OutboxProperties;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/** Sends and receives as any other JMS client would. Not to be used within a transaction. */
public final class Broker {
  private static final Duration LONGEST = Duration.ofSeconds(20);

  private Broker() {}

  /** Sends one text, {@code copies} times at once, in one transacted session. */
  public static void send(String destination, UUID messageId, String text, int copies) {
    try (JMSContext context = factory().createContext(JMSContext.SESSION_TRANSACTED)) {
      for (int i = 0; i < copies; i++) {
        Message message = context.createTextMessage(text);
        message.setStringProperty(OutboxProperties.MESSAGE_ID, messageId.toString());
        context.createProducer().send(Names.lookup(destination, Destination.class), message);
      }
      context.commit();
    } catch (JMSException e) {
      throw new IllegalStateException("cannot send " + text, e);
    }
  }

  /** Sends one text without a message id. */
  public static void sendWithoutId(String queue, String text) {
    try (JMSContext context = factory().createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
      context.createProducer().send(Names.lookup(queue, Queue.class), text);
    }
  }

  /** Takes the next message, waiting for it. */
  public static Message receive(String queue) {
    return receive(queue, 1).get(0);
  }

  /** Takes as many messages, waiting for each. */
  public static List<Message> receive(String queue, int number) {
    try (JMSContext context = factory().createContext(JMSContext.AUTO_ACKNOWLEDGE);
        JMSConsumer consumer = context.createConsumer(Names.lookup(queue, Queue.class))) {
      List<Message> received = new ArrayList<>();
      while (received.size() < number) {
        Message message = consumer.receive(LONGEST.toMillis());
        if (message == null) {
          throw new AssertionError(
              "%s gave %s messages instead of %s".formatted(queue, received.size(), number));
        }
        received.add(message);
      }
      return received;
    }
  }

  /** Takes what there is, so that a test that failed does not make the next one fail. */
  public static void drain(String queue) {
    try (JMSContext context = factory().createContext(JMSContext.AUTO_ACKNOWLEDGE);
        JMSConsumer consumer = context.createConsumer(Names.lookup(queue, Queue.class))) {
      Message taken;
      do {
        taken = consumer.receiveNoWait();
      } while (taken != null);
    }
  }

  /** How many messages a queue holds; those being delivered may not be among them. */
  public static int depth(String queue) {
    try (JMSContext context = factory().createContext(JMSContext.AUTO_ACKNOWLEDGE)) {
      return Collections.list(
              context.createBrowser(Names.lookup(queue, Queue.class)).getEnumeration())
          .size();
    } catch (JMSException e) {
      throw new IllegalStateException("cannot look into " + queue, e);
    }
  }

  private static ConnectionFactory factory() {
    return Names.lookup("jms/cf", ConnectionFactory.class);
  }
}
