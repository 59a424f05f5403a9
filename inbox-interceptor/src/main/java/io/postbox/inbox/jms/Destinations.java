package io.postbox.inbox.jms;

import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import org.jspecify.annotations.Nullable;

/** Finds queues and topics by the broker's names. */
public final class Destinations {
  private static final String QUEUE = "queue:";
  private static final String TOPIC = "topic:";

  private Destinations() {}

  /** The name of a destination, for instance {@code queue:SHIPPING}. */
  static @Nullable String name(@Nullable Destination destination) throws JMSException {
    if (destination instanceof Queue queue) {
      return QUEUE + queue.getQueueName();
    }
    return destination instanceof Topic topic ? TOPIC + topic.getTopicName() : null;
  }

  /** Whether a name is that of a queue. */
  public static boolean isQueue(String name) {
    return name.startsWith(QUEUE);
  }

  /**
   * The destination with a name.
   *
   * @throws jakarta.jms.JMSRuntimeException if the broker has no such queue or topic; some brokers
   *     fail only at a send
   */
  public static Destination named(JMSContext context, String name) {
    if (name.startsWith(QUEUE)) {
      return context.createQueue(name.substring(QUEUE.length()));
    }
    if (name.startsWith(TOPIC)) {
      return context.createTopic(name.substring(TOPIC.length()));
    }
    throw nothingNamed(name);
  }

  /** The destination with a name, from a session. */
  static Destination named(Session session, String name) throws JMSException {
    if (name.startsWith(QUEUE)) {
      return session.createQueue(name.substring(QUEUE.length()));
    }
    if (name.startsWith(TOPIC)) {
      return session.createTopic(name.substring(TOPIC.length()));
    }
    throw nothingNamed(name);
  }

  private static IllegalArgumentException nothingNamed(String name) {
    return new IllegalArgumentException("neither a queue nor a topic: " + name);
  }
}
