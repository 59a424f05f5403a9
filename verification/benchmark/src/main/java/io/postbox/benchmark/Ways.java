package io.postbox.benchmark;

import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.transaction.UserTransaction;

/**
 * The ways of a message to onMessage. Each sends one in a JTA transaction of its own.
 *
 * @param outbox ours
 * @param transaction of the calling thread
 * @param connections for plain JMS
 * @param queue where both end
 */
record Ways(
    Outbox outbox, UserTransaction transaction, ConnectionFactory connections, Queue queue) {
  private static final String PADDING = "x".repeat(512 - 37);

  /** One of them. */
  interface Way {
    /** Sends a text and answers since when it is on its way. */
    long send(String text) throws Exception;
  }

  /** The one of this name: outbox or plain. */
  Way of(String name) {
    return "outbox".equals(name) ? this::enqueue : this::sendPlainly;
  }

  /** The text of 512 bytes by which {@link LatencyMdb} knows a message. */
  static String text(String id) {
    return id + " " + PADDING;
  }

  private long enqueue(String text) throws Exception {
    transaction.begin();
    outbox.enqueue(OutboxMessage.to("latency").unordered().text(text));
    long start = System.nanoTime();
    transaction.commit();
    return start;
  }

  private long sendPlainly(String text) throws Exception {
    long start;
    transaction.begin();
    try (Connection connection = connections.createConnection();
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(queue)) {
      start = System.nanoTime();
      producer.send(session.createTextMessage(text));
    }
    transaction.commit();
    return start;
  }
}
