package io.postbox.testkit;

import java.util.Map;
import java.util.TreeMap;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/** Asks a broker how it is; each question is a connection of its own. */
record BrokerClient(BrokerSettings settings) {
  private static final String IMPATIENT =
      "?initialConnectAttempts=1&reconnectAttempts=0&callTimeout=5000";

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
    return ask(
        session -> {
          Map<String, Long> counts = new TreeMap<>();
          for (String queue : settings.queues()) {
            counts.put(queue, session.queueQuery(SimpleString.of(queue)).getMessageCount());
          }
          return counts;
        });
  }

  private <T> T ask(Question<T> question) {
    try (ServerLocator locator = ActiveMQClient.createServerLocator(settings.url() + IMPATIENT);
        ClientSessionFactory factory = locator.createSessionFactory();
        ClientSession session =
            factory.createSession(
                BrokerSettings.USER, BrokerSettings.USER, false, true, true, false, 0)) {
      return question.ask(session);
    } catch (Exception e) { // what createServerLocator and createSessionFactory declare
      throw new IllegalStateException("The broker at " + settings.url() + " does not answer", e);
    }
  }
}
