package io.postbox.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientProducer;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/** Asks a broker how it is; each question is a connection of its own. */
record BrokerClient(BrokerSettings settings) {
  private static final String IMPATIENT =
      "initialConnectAttempts=1&reconnectAttempts=0&callTimeout=5000";

  /** A question. */
  @FunctionalInterface
  private interface Question<T> {
    T ask(ClientSession session) throws ActiveMQException;
  }

  boolean answers() {
    try {
      return ask(session -> !session.isClosed());
    } catch (IllegalStateException down) {
      return false;
    }
  }

  Map<String, Long> counts() {
    return queues(ClientSession.QueueQuery::getMessageCount);
  }

  Map<String, Long> consumers() {
    return queues(queue -> (long) queue.getConsumerCount());
  }

  private Map<String, Long> queues(ToLongFunction<ClientSession.QueueQuery> number) {
    return ask(
        session -> {
          Map<String, Long> numbers = new TreeMap<>();
          for (String queue : settings.queues()) {
            numbers.put(queue, number.applyAsLong(session.queueQuery(SimpleString.of(queue))));
          }
          return numbers;
        });
  }

  /** Takes all messages out of a queue; returns a property of each, in order. */
  List<String> take(String queue, String property) {
    return ask(
        session -> {
          List<String> values = new ArrayList<>();
          session.start();
          try (ClientConsumer consumer = session.createConsumer(queue)) {
            // Asks the broker, and does not wait.
            for (ClientMessage message = consumer.receiveImmediate();
                message != null;
                message = consumer.receiveImmediate()) {
              values.add(Objects.requireNonNullElse(message.getStringProperty(property), ""));
              message.individualAcknowledge();
            }
          }
          return values;
        });
  }

  /** Sends an empty durable message. */
  void send(String queue, Map<String, String> properties) {
    ask(
        session -> {
          try (ClientProducer producer = session.createProducer(queue)) {
            ClientMessage message = session.createMessage(true);
            properties.forEach(message::putStringProperty);
            producer.send(message);
          }
          return queue;
        });
  }

  private String impatient() {
    return settings.url() + (settings.tls().isPresent() ? "&" : "?") + IMPATIENT;
  }

  private <T> T ask(Question<T> question) {
    try (ServerLocator locator = ActiveMQClient.createServerLocator(impatient());
        ClientSessionFactory factory = locator.createSessionFactory();
        ClientSession session =
            factory.createSession(
                BrokerSettings.USER, BrokerSettings.USER, false, true, true, false, 0)) {
      return question.ask(session);
    } catch (Exception e) { // declared by createServerLocator and createSessionFactory
      throw new IllegalStateException("The broker at " + settings.url() + " does not answer", e);
    }
  }
}
