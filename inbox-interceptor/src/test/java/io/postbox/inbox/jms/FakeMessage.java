package io.postbox.inbox.jms;

import io.postbox.inbox.message.Consumer;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Received messages without a provider: a few methods answered, every other one an error. */
public final class FakeMessage {
  private static final Set<String> OF_THE_BODY =
      Set.of("getText", "getBody", "getMapNames", "getObject", "readObject", "readBytes");

  private final Map<String, Object> properties = new LinkedHashMap<>();
  private final Map<String, @Nullable Object> answers = new HashMap<>();
  private final Class<? extends Message> type;
  private @Nullable Object body;
  private int position;

  /** How often something of the body was asked for. */
  int touches;

  private boolean readOnly = true;
  private boolean keepsItsHeaders;
  private @Nullable Throwable unreadable;

  private FakeMessage(Class<? extends Message> type, @Nullable Object body) {
    this.type = type;
    this.body = body;
  }

  public static FakeMessage text(@Nullable String text) {
    return new FakeMessage(TextMessage.class, text);
  }

  static FakeMessage bytes(byte... bytes) {
    return new FakeMessage(BytesMessage.class, bytes);
  }

  static FakeMessage map(Map<String, @Nullable Object> entries) {
    return new FakeMessage(MapMessage.class, entries);
  }

  static FakeMessage stream(@Nullable Object... values) {
    return new FakeMessage(StreamMessage.class, values);
  }

  static FakeMessage object() {
    return new FakeMessage(ObjectMessage.class, null);
  }

  static FakeMessage none() {
    return new FakeMessage(Message.class, null);
  }

  public FakeMessage with(String property, Object value) {
    properties.put(property, value);
    return this;
  }

  public FakeMessage header(String name, Object value) {
    answers.put("get" + name, value);
    return this;
  }

  /** With the proof that a service has set what is set by now, for a consumer. */
  public FakeMessage provenBy(Proofs proofs, Consumer consumer) throws JMSException {
    boolean wasReadOnly = readOnly;
    readOnly = false;
    proofs.prove(as(Message.class), consumer.name(), Set.of(consumer));
    readOnly = wasReadOnly;
    return this;
  }

  /** From a provider that does not let a client set headers, and does so itself when it sends. */
  FakeMessage keepingItsHeaders() {
    keepsItsHeaders = true;
    return this;
  }

  /** With a body that cannot be read, or not by this machine. */
  FakeMessage unreadable(Throwable because) {
    unreadable = because;
    return this;
  }

  /** The message as a session makes it, to be sent. */
  Message writable() {
    readOnly = false;
    return as(Message.class);
  }

  /** The message, as the classes of another provider implement it. */
  Message ofAnotherProvider() {
    ClassLoader another = new ClassLoader(FakeMessage.class.getClassLoader()) {};
    return (Message) Proxy.newProxyInstance(another, new Class<?>[] {type}, this::answer);
  }

  /** The message, its body at the start. */
  public <M extends Message> M as(Class<M> wanted) {
    return wanted.cast(
        Proxy.newProxyInstance(
            FakeMessage.class.getClassLoader(), new Class<?>[] {type}, this::answer));
  }

  private @Nullable Object answer(Object proxy, Method method, Object @Nullable [] arguments)
      throws JMSException {
    String name = method.getName();
    if (OF_THE_BODY.contains(name)) {
      touches++;
      failIfUnreadable();
    }
    return switch (name) {
      case "clearProperties" -> {
        properties.clear();
        readOnly = false;
        yield null;
      }
      case "setObjectProperty", "setStringProperty" -> {
        if (readOnly) {
          throw new MessageNotWriteableException("received");
        }
        if ("JMSXDeliveryCount".equals(arguments[0])) {
          throw new JMSException("the provider's own");
        }
        properties.put((String) arguments[0], arguments[1]);
        yield null;
      }
      case "getObjectProperty" -> properties.get((String) arguments[0]);
      case "getPropertyNames" -> Collections.enumeration(properties.keySet());
      case "getText", "getBody" -> body;
      case "getMapNames" -> Collections.enumeration(new ArrayList<>(((Map<?, ?>) body).keySet()));
      case "getObject" -> ((Map<?, ?>) body).get(arguments[0]);
      case "readObject" -> next();
      case "readBytes" -> read((byte[]) arguments[0]);
      case "getBodyLength" -> (long) ((byte[]) body).length;
      case "reset" -> {
        position = 0;
        yield null;
      }
      default -> name.startsWith("setJMS") ? set(name, arguments[0]) : header(method);
    };
  }

  private void failIfUnreadable() throws JMSException {
    if (unreadable instanceof JMSException providers) {
      throw providers;
    }
    if (unreadable instanceof Error error) {
      throw error;
    }
    if (unreadable != null) {
      throw (RuntimeException) unreadable;
    }
  }

  private @Nullable Object set(String setter, @Nullable Object value) throws JMSException {
    if (keepsItsHeaders && !setter.equals("setJMSRedelivered")) {
      throw new MessageNotWriteableException("a header");
    }
    answers.put(setter.replaceFirst("set", "get"), value);
    return null;
  }

  private @Nullable Object header(Method method) {
    if (!method.getName().startsWith("getJMS")) {
      throw new UnsupportedOperationException(method.toString());
    }
    Object none = null;
    if (method.getReturnType() == int.class) {
      none = 0;
    } else if (method.getReturnType() == long.class) {
      none = 0L;
    } else if (method.getReturnType() == boolean.class) {
      none = false;
    }
    return answers.getOrDefault(method.getName(), none);
  }

  private @Nullable Object next() throws MessageEOFException {
    List<Object> values = Arrays.asList((Object[]) body);
    if (position == values.size()) {
      throw new MessageEOFException("end");
    }
    return values.get(position++);
  }

  private int read(byte[] into) {
    byte[] all = (byte[]) body;
    int length = Math.min(into.length, all.length - position);
    System.arraycopy(all, position, into, 0, length);
    position += length;
    return length == 0 ? -1 : length;
  }
}
