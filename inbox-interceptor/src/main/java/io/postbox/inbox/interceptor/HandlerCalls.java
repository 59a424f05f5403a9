package io.postbox.inbox.interceptor;

import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.inbox.startup.CapturedHandlers.CapturedHandler;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import jakarta.json.bind.JsonbException;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/** Calls the handlers of captured messages, each with a request scope. Thread-safe. */
@ApplicationScoped
class HandlerCalls {
  @Inject BeanManager beans;
  @Inject RequestContextController requests;

  private @Nullable Json json;

  /** A holder, so that the server needs JSON-B only if a handler does. */
  private static final class Json {
    private final Jsonb jsonb = JsonbBuilder.create();
  }

  /**
   * Calls a handler.
   *
   * @throws Exception whatever it throws
   */
  @Nullable Object call(CapturedHandler handler, CapturedMessage message) throws Exception {
    boolean isOurs = requests.activate();
    try {
      return inRequest(handler, message);
    } finally {
      if (isOurs) {
        requests.deactivate();
      }
    }
  }

  private @Nullable Object inRequest(CapturedHandler handler, CapturedMessage message)
      throws Exception {
    CreationalContext<?> context = beans.createCreationalContext(handler.bean());
    try {
      Object bean =
          beans.getReference(handler.bean(), handler.method().getDeclaringClass(), context);
      return handler.method().invoke(bean, message);
    } catch (InvocationTargetException thrown) {
      if (thrown.getCause() instanceof Exception exception) {
        throw exception;
      }
      if (thrown.getCause() instanceof Error error) {
        throw error;
      }
      throw thrown;
    } finally {
      context.release(); // destroys a dependent bean
    }
  }

  /** Reads an object from JSON, as {@link CapturedMessage#payload} says. */
  <T> T read(String text, Class<T> type) {
    try {
      return jsonb().fromJson(text, type);
    } catch (JsonbException malformed) {
      throw new RejectedMessageException(
          "The message's body cannot be read as " + type.getName(), malformed);
    }
  }

  private synchronized Jsonb jsonb() {
    Json opened = json;
    if (opened == null) {
      try {
        opened = new Json();
      } catch (LinkageError missing) {
        throw new IllegalStateException(
            "CapturedMessage.payload needs the server's JSON-B, which it does not have: enable the feature jsonb-3.0, or read CapturedMessage.text.",
            missing);
      }
      json = opened;
    }
    return opened.jsonb;
  }

  @PreDestroy
  void stop() throws Exception {
    Json opened = json;
    if (opened != null) {
      opened.jsonb.close();
    }
  }
}
