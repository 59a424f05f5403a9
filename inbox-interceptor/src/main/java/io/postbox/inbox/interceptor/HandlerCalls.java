package io.postbox.inbox.interceptor;

import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.startup.CapturedHandlers.CapturedHandler;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.context.control.RequestContextController;
import jakarta.enterprise.context.spi.CreationalContext;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/** Calls the handlers of captured messages, each with a request scope. Thread-safe. */
@ApplicationScoped
class HandlerCalls {
  @Inject BeanManager beans;
  @Inject RequestContextController requests;

  /**
   * Calls a handler.
   *
   * @throws Exception if the handler throws it
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
}
