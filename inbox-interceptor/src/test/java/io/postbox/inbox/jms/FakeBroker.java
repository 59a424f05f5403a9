package io.postbox.inbox.jms;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.naming.NameNotFoundException;
import org.jspecify.annotations.Nullable;

/** Takes what is sent, through handles that know what {@link JmsRoute} asks of them. */
final class FakeBroker {
  private final Map<String, Object> names = new HashMap<>();
  private final List<Sent> sent = new ArrayList<>();
  private int open;
  private @Nullable JMSException refusal;

  /** One message, with what the producer was told. */
  record Sent(Destination to, Message message, long delay, List<Object> options) {}

  FakeBroker() {
    names.put("jms/cf", fake(ConnectionFactory.class, (proxy, method, arguments) -> connection()));
  }

  JmsNames names(Optional<String> retryDestination) {
    return new JmsNames("jms/cf", retryDestination, this::lookup);
  }

  void bind(String name, Object object) {
    names.put(name, object);
  }

  void refuse(JMSException with) {
    refusal = with;
  }

  List<Sent> sent() {
    return sent;
  }

  int open() {
    return open;
  }

  static <T> T fake(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(FakeBroker.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private Object lookup(String name) throws NameNotFoundException {
    if (!names.containsKey(name)) {
      throw new NameNotFoundException(name);
    }
    return names.get(name);
  }

  private Object connection() {
    open++;
    return fake(
        jakarta.jms.Connection.class,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "createSession" -> session();
              case "close" -> closed();
              default -> throw new UnsupportedOperationException(method.toString());
            });
  }

  private Object session() {
    open++;
    return fake(
        jakarta.jms.Session.class,
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "createProducer" -> producer((Destination) arguments[0]);
              case "createTextMessage" -> FakeMessage.text((String) arguments[0]).writable();
              case "close" -> closed();
              default -> throw new UnsupportedOperationException(method.toString());
            });
  }

  private Object producer(Destination to) {
    open++;
    long[] delay = {0};
    return fake(
        jakarta.jms.MessageProducer.class,
        (proxy, method, arguments) -> {
          switch (method.getName()) {
            case "setDeliveryDelay" -> delay[0] = (long) arguments[0];
            case "send" -> {
              if (refusal != null) {
                throw refusal;
              }
              ((Message) arguments[0]).setJMSDestination(to);
              sent.add(
                  new Sent(
                      to, (Message) arguments[0], delay[0], Stream.of(arguments).skip(1).toList()));
            }
            case "close" -> closed();
            default -> throw new UnsupportedOperationException(method.toString());
          }
          return null;
        });
  }

  private @Nullable Object closed() {
    open--;
    return null;
  }
}
