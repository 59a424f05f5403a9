package io.postbox.test.broker;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import org.apache.activemq.command.ActiveMQBytesMessage;
import org.apache.activemq.command.ActiveMQMapMessage;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQTextMessage;
import org.jspecify.annotations.Nullable;

/**
 * The part of JMS with which messages are made and sent. A method that is not part of it says so.
 * The message classes are those of ActiveMQ.
 */
final class MemoryConnections {

  /** Takes what is sent. */
  interface Sending {
    void send(String queue, Message message, Duration delay) throws JMSException;
  }

  private MemoryConnections() {}

  static ConnectionFactory factory(Sending sending) {
    return proxy(
        ConnectionFactory.class,
        (proxy, method, arguments) ->
            method.getName().equals("createConnection")
                ? connection(sending)
                : unsupported(method, arguments));
  }

  private static Connection connection(Sending sending) {
    return proxy(
        Connection.class,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "createSession" -> session(sending);
              case "close" -> null;
              default -> unsupported(method, arguments);
            });
  }

  private static Session session(Sending sending) {
    return proxy(
        Session.class,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "createMessage" -> new ActiveMQMessage();
              case "createTextMessage" -> text(arguments);
              case "createBytesMessage" -> new ActiveMQBytesMessage();
              case "createMapMessage" -> new ActiveMQMapMessage();
              case "createQueue" -> new ActiveMQQueue((String) arguments[0]);
              case "createProducer" -> producer(sending, (Destination) arguments[0]);
              case "getTransacted" -> false;
              case "close" -> null;
              default -> unsupported(method, arguments);
            });
  }

  private static ActiveMQTextMessage text(@Nullable Object @Nullable [] arguments)
      throws JMSException {
    ActiveMQTextMessage message = new ActiveMQTextMessage();
    if (arguments != null && arguments[0] instanceof String text) {
      message.setText(text);
    }
    return message;
  }

  private static MessageProducer producer(Sending sending, @Nullable Destination own) {
    Duration[] delay = {Duration.ZERO};
    return proxy(
        MessageProducer.class,
        (proxy, method, arguments) -> {
          switch (method.getName()) {
            case "setDeliveryDelay" -> delay[0] = Duration.ofMillis((Long) arguments[0]);
            case "send" -> {
              boolean namesOne = arguments[0] instanceof Destination;
              Destination to = namesOne ? (Destination) arguments[0] : own;
              Message message = (Message) arguments[namesOne ? 1 : 0];
              if (!(to instanceof Queue queue)) {
                throw new JMSException("The broker in memory has queues, and not " + to);
              }
              sending.send(queue.getQueueName(), message, delay[0]);
            }
            case "close" -> {}
            default -> unsupported(method, arguments);
          }
          return null;
        });
  }

  private static Object unsupported(Method method, @Nullable Object @Nullable [] arguments) {
    if (method.getName().equals("toString")) {
      return "the broker in memory";
    }
    throw new UnsupportedOperationException(
        "The broker in memory cannot do %s%s: test this in a server, see https://github.com/postbox/postbox/blob/main/docs/testing.md"
            .formatted(method, arguments == null ? "" : " with " + Arrays.toString(arguments)));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            MemoryConnections.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
