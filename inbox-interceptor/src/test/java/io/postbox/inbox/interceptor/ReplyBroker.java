package io.postbox.inbox.interceptor;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TextMessage;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Takes replies, as a broker does that creates no queue by itself and has no exception for it. */
final class ReplyBroker {
  final List<String> sent = new ArrayList<>();
  final Set<String> missing = new HashSet<>();
  final Set<String> forbidden = new HashSet<>();
  boolean refuses;
  boolean isAway;
  int connections;

  /** What other workers do while one waits for a connection. */
  Runnable meanwhile = () -> {};

  Object find(String name) {
    return fake(ConnectionFactory.class, (proxy, method, arguments) -> connection());
  }

  private static <T> T fake(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(ReplyBroker.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private Connection connection() throws JMSException {
    connections++;
    meanwhile.run();
    if (isAway) {
      throw new JMSException("AMQ219007: Cannot connect to server(s)");
    }
    return fake(
        Connection.class,
        (proxy, method, arguments) -> method.getName().equals("createSession") ? session() : null);
  }

  private Session session() {
    return fake(
        Session.class,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "createQueue" -> queue((String) arguments[0]);
              case "createTextMessage" -> text((String) arguments[0]);
              case "createProducer" -> producer((Queue) arguments[0]);
              case "createTemporaryQueue" -> fake(TemporaryQueue.class, (self, call, none) -> null);
              case "close" -> null;
              default -> throw new UnsupportedOperationException(method.toString());
            });
  }

  private Queue queue(String name) throws JMSException {
    if (missing.contains(name)) {
      throw new JMSException("There is no queue with name " + name);
    }
    return fake(Queue.class, (proxy, method, arguments) -> name);
  }

  private static TextMessage text(String text) {
    return fake(
        TextMessage.class,
        (proxy, method, arguments) -> method.getName().equals("getText") ? text : null);
  }

  private MessageProducer producer(Queue to) {
    return fake(
        MessageProducer.class,
        (proxy, method, arguments) -> {
          if (method.getName().equals("send")) {
            if (refuses || forbidden.contains(to.getQueueName())) {
              throw new JMSException("not now");
            }
            sent.add(to.getQueueName() + ": " + ((TextMessage) arguments[0]).getText());
          }
          return null;
        });
  }
}
