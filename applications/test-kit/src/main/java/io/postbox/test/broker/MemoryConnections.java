package io.postbox.test.broker;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.resource.Referenceable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import org.apache.activemq.command.ActiveMQBytesMessage;
import org.apache.activemq.command.ActiveMQMapMessage;
import org.apache.activemq.command.ActiveMQMessage;
import org.apache.activemq.command.ActiveMQQueue;
import org.apache.activemq.command.ActiveMQStreamMessage;
import org.apache.activemq.command.ActiveMQTextMessage;
import org.jspecify.annotations.Nullable;

/**
 * The part of JMS with which messages are made and sent. A method that is not part of it says so.
 * The message classes are those of ActiveMQ.
 */
final class MemoryConnections {

  /** Takes what is sent. */
  interface Sending {
    void send(String queue, Message message) throws JMSException;
  }

  /** As a resource adapter's. */
  private interface Factory extends ConnectionFactory, Referenceable {}

  private MemoryConnections() {}

  static ConnectionFactory factory(Sending sending) {
    return proxy(
        Factory.class,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "createConnection" -> connection(sending);
              case "createContext" -> context(sending);
              default -> unsupported(method, arguments);
            });
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
            method.getName().equals("createProducer")
                ? producer(sending, (Destination) arguments[0])
                : made(method, arguments));
  }

  private static JMSContext context(Sending sending) {
    return proxy(
        JMSContext.class,
        (proxy, method, arguments) ->
            method.getName().equals("createProducer")
                ? producer(sending)
                : made(method, arguments));
  }

  /** What sessions and contexts have in common. */
  private static @Nullable Object made(Method method, Object[] arguments) throws JMSException {
    return switch (method.getName()) {
      case "createMessage" -> new ActiveMQMessage();
      case "createTextMessage" -> text(arguments);
      case "createBytesMessage" -> new ActiveMQBytesMessage();
      case "createMapMessage" -> new ActiveMQMapMessage();
      case "createStreamMessage" -> new ActiveMQStreamMessage();
      case "createQueue" -> new ActiveMQQueue((String) arguments[0]);
      case "getTransacted" -> false;
      case "close" -> null;
      default -> unsupported(method, arguments);
    };
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
    return proxy(
        MessageProducer.class,
        (proxy, method, arguments) -> {
          switch (method.getName()) {
            case "send" -> {
              boolean namesOne = arguments[0] instanceof Destination;
              send(
                  sending,
                  namesOne ? (Destination) arguments[0] : own,
                  (Message) arguments[namesOne ? 1 : 0]);
            }
            case "close" -> {}
            default -> unsupported(method, arguments);
          }
          return null;
        });
  }

  private static JMSProducer producer(Sending sending) {
    int[] priority = {Message.DEFAULT_PRIORITY};
    return proxy(
        JMSProducer.class,
        (proxy, method, arguments) -> {
          switch (method.getName()) {
            case "setPriority" -> priority[0] = (Integer) arguments[0];
            case "setDeliveryMode", "setTimeToLive" -> {} // nothing outlives a test, or expires
            case "send" -> {
              Message message = (Message) arguments[1];
              try {
                message.setJMSPriority(priority[0]);
                send(sending, (Destination) arguments[0], message);
              } catch (JMSException failed) {
                throw new JMSRuntimeException(failed.getMessage(), failed.getErrorCode(), failed);
              }
            }
            default -> unsupported(method, arguments);
          }
          return proxy;
        });
  }

  private static void send(Sending sending, @Nullable Destination to, Message message)
      throws JMSException {
    if (!(to instanceof Queue queue)) {
      throw new JMSException("The broker in memory has queues, and not " + to);
    }
    sending.send(queue.getQueueName(), message);
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
