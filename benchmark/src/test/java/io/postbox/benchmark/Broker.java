package io.postbox.benchmark;

import io.postbox.testkit.ArtemisBroker;
import io.postbox.testkit.BrokerSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ActiveMQClient;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.client.ClientSessionFactory;
import org.apache.activemq.artemis.api.core.client.ServerLocator;

/** Artemis in a process of its own, and one lasting session to look at its queues with. */
final class Broker implements AutoCloseable {
  static final String DRAIN = "DRAIN";

  private final ArtemisBroker broker;
  private final ServerLocator locator;
  private final ClientSessionFactory factory;
  private final ClientSession session;

  Broker(Path work) throws Exception {
    broker =
        ArtemisBroker.anew(
            work.resolve("broker"),
            BrokerSettings.of(List.of(DRAIN, "FLOOR", "LATENCY", "SHIPPING", "ORDERS")));
    broker.start();
    broker.awaitUp();
    locator = ActiveMQClient.createServerLocator(url());
    factory = locator.createSessionFactory();
    session = factory.createSession();
  }

  String url() {
    return broker.settings().url();
  }

  Map<String, String> variables() {
    return Map.of(
        "postbox.artemis.port", String.valueOf(broker.settings().port()),
        "postbox.artemis.rar", Options.path("rar").toString());
  }

  long count(String queue) throws Exception {
    return session.queueQuery(SimpleString.of(queue)).getMessageCount();
  }

  /** Far quicker than receiving what is in it. */
  void empty(String queue) throws Exception {
    session.deleteQueue(queue);
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
