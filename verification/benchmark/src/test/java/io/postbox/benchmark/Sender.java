package io.postbox.benchmark;

import io.postbox.common.OutboxProperties;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.List;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/** One connection, session and producer that are kept, and the message of the relay. */
final class Sender implements AutoCloseable {
  private static final String SERVICE = "benchmark";

  private final ActiveMQConnectionFactory factory;
  private final Connection connection;
  private final Session session;
  private final MessageProducer producer;

  private Sender(Broker broker, String queue, int mode) throws JMSException {
    factory = new ActiveMQConnectionFactory(broker.url());
    connection = factory.createConnection();
    session = connection.createSession(mode);
    producer = session.createProducer(session.createQueue(queue));
    producer.setDeliveryMode(DeliveryMode.PERSISTENT);
  }

  /** Sends whole batches, each in a transaction. */
  static Sender transacted(Broker broker, String queue) throws JMSException {
    return new Sender(broker, queue, Session.SESSION_TRANSACTED);
  }

  /** Sends single messages; each is in the broker's journal when the call returns. */
  static Sender immediate(Broker broker, String queue) throws JMSException {
    return new Sender(broker, queue, Session.AUTO_ACKNOWLEDGE);
  }

  void send(Row row) throws JMSException {
    producer.send(message(row));
  }

  void sendAll(List<Row> rows) throws JMSException {
    for (Row row : rows) {
      send(row);
    }
    session.commit();
  }

  /** With every property that the relay sets; DrainBenchmark compares them. */
  private TextMessage message(Row row) throws JMSException {
    TextMessage message = session.createTextMessage(row.text());
    message.setStringProperty(OutboxProperties.MESSAGE_ID, row.id().toString());
    message.setStringProperty(OutboxProperties.SOURCE, SERVICE);
    message.setStringProperty(OutboxProperties.CONTENT_TYPE, Row.CONTENT_TYPE);
    message.setStringProperty(OutboxProperties.CREATED_AT, row.createdAt().toString());
    message.setStringProperty(OutboxProperties.EVENT_TYPE, Row.EVENT_TYPE);
    if (row.key() != null) {
      message.setStringProperty(OutboxProperties.GROUP_ID, row.key());
    }
    message.setJMSType(Row.EVENT_TYPE);
    return message;
  }

  @Override
  public void close() throws JMSException {
    connection.close();
    factory.close();
  }
}
