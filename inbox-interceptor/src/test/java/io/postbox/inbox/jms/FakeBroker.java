package io.postbox.inbox.jms;

import io.postbox.inbox.config.ConsumerConfig.Replies;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageNotWriteableException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.naming.NameNotFoundException;
import org.jspecify.annotations.Nullable;

/** Takes what is sent, through handles that know what {@link JmsRoute} asks of them. */
final class FakeBroker {
  private final Map<String, Object> names = new HashMap<>();
  private final List<Sent> sent = new ArrayList<>();
  private int open;
  private @Nullable JMSException refusal;

  /** One message, with what the producer was told, and what the message said at that time. */
  record Sent(
      Destination to, Message message, List<Object> options, Map<String, Object> properties) {}

  FakeBroker() {
    names.put("jms/cf", fake(ConnectionFactory.class, (proxy, method, arguments) -> connection()));
  }

  /** Answers may go to temporary destinations. */
  JmsNames names(Optional<String> retryDestination) {
    return names(retryDestination, new Replies(true, Set.of(), Duration.ZERO));
  }

  JmsNames names(Optional<String> retryDestination, Replies replies) {
    return new JmsNames("jms/cf", retryDestination, Optional.of("jms/dead"), replies, this::lookup);
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
              case "createQueue" -> FakeContext.queue((String) arguments[0]);
              case "createTopic" -> FakeContext.topic((String) arguments[0]);
              case "createMessage" -> FakeMessage.none().writable();
              case "createTextMessage" -> FakeMessage.text((String) arguments[0]).writable();
              case "close" -> closed();
              default -> throw new UnsupportedOperationException(method.toString());
            });
  }

  private Object producer(Destination to) {
    open++;
    return fake(
        jakarta.jms.MessageProducer.class,
        (proxy, method, arguments) -> {
          switch (method.getName()) {
            case "send" -> {
              Message message = (Message) arguments[0];
              List<Object> options = Stream.of(arguments).skip(1).toList();
              setHeaders(message, to, options);
              if (refusal != null) {
                throw refusal;
              }
              sent.add(new Sent(to, message, options, properties(message)));
            }
            case "close" -> closed();
            default -> throw new UnsupportedOperationException(method.toString());
          }
          return null;
        });
  }

  /** As a provider does with what a client sends, unless the message takes none from outside. */
  private static void setHeaders(Message message, Destination to, List<Object> options)
      throws JMSException {
    try {
      message.setJMSDestination(to);
    } catch (MessageNotWriteableException keepsItsHeaders) {
      return;
    }
    message.setJMSMessageID("ID:sent");
    message.setJMSTimestamp(2);
    message.setJMSDeliveryTime(3);
    if (!options.isEmpty()) {
      message.setJMSDeliveryMode((int) options.get(0));
      message.setJMSPriority((int) options.get(1));
      message.setJMSExpiration(4);
    }
  }

  private static Map<String, Object> properties(Message message) throws JMSException {
    Map<String, Object> properties = new HashMap<>();
    for (Object name : Collections.list(message.getPropertyNames())) {
      properties.put((String) name, message.getObjectProperty((String) name));
    }
    return properties;
  }

  private @Nullable Object closed() {
    open--;
    return null;
  }
}
