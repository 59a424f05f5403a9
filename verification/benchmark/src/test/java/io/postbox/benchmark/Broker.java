package io.postbox.benchmark;

import io.postbox.testkit.ArtemisBroker;
import io.postbox.testkit.BrokerSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientRequestor;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;
import org.apache.activemq.artemis.api.core.management.ManagementHelper;
import org.apache.activemq.artemis.api.core.management.ResourceNames;

/** Artemis in a process of its own, and one lasting session to look at its queues with. */
final class Broker implements AutoCloseable {
  static final String DRAIN = "DRAIN";
  static final String FLOOR = "FLOOR";
  static final String PEER = "PEER";

  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(5);

  private final ArtemisBroker broker;
  private final ServerLocator locator;
  private final ClientSessionFactory factory;
  private final ClientSession session;

  Broker(Path work) throws Exception {
    broker =
        ArtemisBroker.anew(
            work.resolve("broker"),
            BrokerSettings.of(
                List.of(DRAIN, FLOOR, PEER, "LATENCY", "SHIPPING", "ORDERS", "BILLING")));
    broker.start();
    broker.awaitUp();
    locator = ActiveMQClient.createServerLocator(broker.settings().url());
    factory = locator.createSessionFactory();
    session = factory.createSession();
    session.start();
  }

  /** For senders, with the credit window that liberty-config/artemis.xml gives the relay. */
  String url() {
    return broker.settings().url() + "?producerWindowSize=4194304";
  }

  Map<String, String> variables() {
    return Map.of(
        "postbox.artemis.port", String.valueOf(broker.settings().port()),
        "postbox.artemis.rar", Options.path("rar").toString());
  }

  long count(String queue) throws Exception {
    return session.queueQuery(SimpleString.of(queue)).getMessageCount();
  }

  /** The names of the properties of a queue's first message, but for the broker's own. */
  SortedSet<String> properties(String queue) throws Exception {
    try (ClientConsumer browser = session.createConsumer(queue, null, true)) {
      ClientMessage first = browser.receiveImmediate();
      if (first == null) {
        throw new IllegalStateException(queue + " is empty");
      }
      return first.getPropertyNames().stream()
          .map(SimpleString::toString)
          .filter(it -> !it.startsWith("_") || it.equals("_AMQ_GROUP_ID"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /**
   * Takes messages as a consumer would, while others send, until each of these numbers has arrived;
   * answers when each did, by {@link System#nanoTime}.
   *
   * @param numbers of messages, ascending
   */
  List<Long> arrivals(String queue, List<Long> numbers) throws Exception {
    List<Long> times = new ArrayList<>();
    try (ClientSession taking = factory.createSession(false, true, true, true);
        ClientConsumer consumer = taking.createConsumer(queue)) {
      taking.start();
      long arrived = 0;
      for (long number : numbers) {
        for (; arrived < number; arrived++) {
          if (consumer.receive(LONGEST_SILENCE.toMillis()) == null) {
            throw new IllegalStateException(arrived + " messages of " + number + " in " + queue);
          }
        }
        times.add(System.nanoTime());
      }
    }
    return times;
  }

  /** Delivers nothing any more, until it is to resume. */
  void pause(String queue) throws Exception {
    manage(queue, "pause");
  }

  void resume(String queue) throws Exception {
    manage(queue, "resume");
  }

  private void manage(String queue, String operation) throws Exception {
    try (ClientRequestor management = new ClientRequestor(session, "activemq.management")) {
      ClientMessage request = session.createMessage(false);
      ManagementHelper.putOperationInvocation(request, ResourceNames.QUEUE + queue, operation);
      ClientMessage reply = management.request(request);
      if (!ManagementHelper.hasOperationSucceeded(reply)) {
        throw new IllegalStateException(
            operation + " of " + queue + ": " + ManagementHelper.getResult(reply));
      }
    }
  }

  /** Takes away all that is there, while nobody sends. */
  void empty(String queue) throws Exception {
    session.deleteQueue(queue);
    createQueue(queue);
  }

  /** Makes a queue that is not there yet. */
  void create(String queue) throws Exception {
    session.createAddress(SimpleString.of(queue), RoutingType.ANYCAST, false);
    createQueue(queue);
  }

  private void createQueue(String queue) throws Exception {
    session.createQueue(
        QueueConfiguration.of(queue)
            .setAddress(queue)
            .setRoutingType(RoutingType.ANYCAST)
            .setDurable(true));
  }

  @Override
  public void close() throws Exception {
    session.close();
    factory.close();
    locator.close();
    broker.close();
  }
}
