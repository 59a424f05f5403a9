package io.postbox.inbox.http;

import jakarta.annotation.Priority;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * Tells the interceptor what JAX-RS knows of a request, and finds out whether a method that the
 * server has called for one was intercepted. It is not if the server made the resource without CDI:
 * as a singleton of the application, or from an archive whose classes are no beans.
 */
public final class IdempotentFeature implements DynamicFeature {
  @Override
  public void configure(ResourceInfo resource, FeatureContext context) {
    if (IdempotentMethods.isMeant(resource.getResourceClass(), resource.getResourceMethod())) {
      context.register(new Witness(resource.getResourceClass(), resource.getResourceMethod()));
    }
  }

  /** The status of what a method returned. */
  static int status(@Nullable Object returned) {
    return returned instanceof Response response ? response.getStatus() : 200;
  }

  /** The last before the method, and the first after it. */
  @Priority(Integer.MAX_VALUE)
  private static final class Witness implements ContainerRequestFilter, ContainerResponseFilter {
    private static final String CALLED = Witness.class.getName();

    private final Class<?> type;
    private final Method method;

    private Witness(Class<?> type, Method method) {
      this.type = type;
      this.method = method;
    }

    @Override
    public void filter(ContainerRequestContext request) {
      request.setProperty(CALLED, true); // no other filter has answered the request
      Exchange exchange = Exchange.current();
      if (exchange != null) {
        exchange.calledBy(
            () -> {
              SecurityContext security = request.getSecurityContext();
              return security == null ? null : security.getUserPrincipal();
            });
      }
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
      Exchange exchange = Exchange.current();
      if (request.getProperty(CALLED) == null
          || response.getStatus() >= 400 // its parameters may have been refused
          || (exchange != null && exchange.isReached())) {
        return;
      }
      String name = IdempotentMethods.name(type, method);
      HttpLog.notIntercepted(name);
      if (exchange == null) {
        throw new IllegalStateException(name + " is not intercepted.");
      }
      exchange.decide(
          Answer.problem(
              500,
              "Not idempotent",
              "The server has handled this request without remembering its key."));
    }
  }
}
