package io.postbox.inbox.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes and sends one message without a provider, and gives it back as if it had been received. */
public final class FakeContext {
  private final Map<String, @Nullable Object> properties = new TreeMap<>();
  private final Map<String, Object> headers = new TreeMap<>();
  private final Map<String, @Nullable Object> entries = new TreeMap<>();
  private final List<@Nullable Object> values = new ArrayList<>();
  private Class<? extends Message> type = Message.class;
  private @Nullable Object body;
  private @Nullable String missing;
  private final Map<String, Object> options = new TreeMap<>();
  private @Nullable Destination sentTo;
  private int open;

  /** A broker that makes no queue of this name. */
  public FakeContext without(String queue) {
    missing = queue;
    return this;
  }

  public JMSContext context() {
    open++;
    return proxy(JMSContext.class, this::onContext);
  }

  /** The message that was made. */
  public FakeMessage received() {
    FakeMessage made;
    if (type == TextMessage.class) {
      made = FakeMessage.text((String) body);
    } else if (type == BytesMessage.class) {
      made = FakeMessage.bytes((byte[]) body);
    } else if (type == MapMessage.class) {
      made = FakeMessage.map(entries);
    } else if (type == StreamMessage.class) {
      made = FakeMessage.stream(values.toArray());
    } else {
      made = FakeMessage.none();
    }
    properties.forEach(made::with);
    headers.forEach(made::header);
    return made;
  }

  /** Where it was sent, as its name; {@code null} if it was not. */
  public @Nullable String sentTo() {
    return sentTo == null ? null : name(sentTo);
  }

  /** What the producer was told, by the names of its setters. */
  public Map<String, Object> options() {
    return options;
  }

  /** How many contexts are not closed. */
  public int open() {
    return open;
  }

  public static Queue queue(String name) {
    return proxy(Queue.class, (proxy, method, arguments) -> name);
  }

  public static Topic topic(String name) {
    return proxy(Topic.class, (proxy, method, arguments) -> name);
  }

  private @Nullable Object onContext(Object proxy, Method method, Object @Nullable [] arguments) {
    return switch (method.getName()) {
      case "createTextMessage" -> {
        body = arguments[0];
        yield message(TextMessage.class);
      }
      case "createBytesMessage" -> message(BytesMessage.class);
      case "createMapMessage" -> message(MapMessage.class);
      case "createStreamMessage" -> message(StreamMessage.class);
      case "createMessage" -> message(Message.class);
      case "createQueue" -> {
        if (arguments[0].equals(missing)) {
          throw new JMSRuntimeException("There is no queue with name " + missing);
        }
        yield queue((String) arguments[0]);
      }
      case "createTopic" -> topic((String) arguments[0]);
      case "createProducer" -> proxy(JMSProducer.class, this::onProducer);
      case "close" -> {
        open--;
        yield null;
      }
      default -> throw new UnsupportedOperationException(method.toString());
    };
  }

  private @Nullable Object onProducer(Object proxy, Method method, Object @Nullable [] arguments) {
    if (method.getName().equals("send")) {
      sentTo = (Destination) arguments[0];
    } else if (method.getName().startsWith("set")) {
      options.put(method.getName(), arguments[0]);
    } else {
      throw new UnsupportedOperationException(method.toString());
    }
    return proxy;
  }

  private Message message(Class<? extends Message> made) {
    type = made;
    headers.clear();
    properties.clear();
    return proxy(made, this::onMessage);
  }

  private @Nullable Object onMessage(Object proxy, Method method, Object @Nullable [] arguments)
      throws ReflectiveOperationException {
    if (method.getName().startsWith("get")) {
      return method.invoke(received().as(type), arguments);
    }
    switch (method.getName()) {
      case "setObjectProperty", "setStringProperty" ->
          properties.put((String) arguments[0], arguments[1]);
      case "setJMSCorrelationID", "setJMSType", "setJMSReplyTo" ->
          headers.put(method.getName().substring("set".length()), arguments[0]);
      case "writeBytes" -> body = arguments[0];
      case "setObject" -> entries.put((String) arguments[0], arguments[1]);
      case "writeObject" -> values.add(arguments[0]);
      default -> throw new UnsupportedOperationException(method.toString());
    }
    return null;
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(FakeContext.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** A destination as its name. */
  static String name(Destination destination) {
    try {
      return String.valueOf(Destinations.name(destination));
    } catch (jakarta.jms.JMSException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
