package io.postbox.outbox.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.Message;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Records the calls to the one message that a session makes. */
final class RecordedMessage {
  private final Map<String, Object> properties = new TreeMap<>();
  private final Map<String, Object> headers = new TreeMap<>();
  private @Nullable Object body;

  Session session() {
    return proxy(Session.class, this::onSession);
  }

  Map<String, Object> properties() {
    return properties;
  }

  Map<String, Object> headers() {
    return headers;
  }

  /** A text or a {@link ByteBuffer}. */
  @Nullable Object body() {
    return body;
  }

  private Message onSession(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "createTextMessage" -> {
        body = arguments[0];
        yield proxy(TextMessage.class, this::onMessage);
      }
      case "createBytesMessage" -> proxy(BytesMessage.class, this::onMessage);
      default -> throw new UnsupportedOperationException(method.toString());
    };
  }

  private @Nullable Object onMessage(Object proxy, Method method, Object[] arguments) {
    switch (method.getName()) {
      case "setObjectProperty", "setStringProperty", "setLongProperty" ->
          properties.put((String) arguments[0], arguments[1]);
      case "setJMSType", "setJMSCorrelationID" ->
          headers.put(method.getName().substring("set".length()), arguments[0]);
      case "writeBytes" -> body = ByteBuffer.wrap((byte[]) arguments[0]);
      default -> throw new UnsupportedOperationException(method.toString());
    }
    return null;
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            RecordedMessage.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
