package io.postbox.inbox.http;

import jakarta.ejb.Singleton;
import jakarta.ejb.Stateful;
import jakarta.ejb.Stateless;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.Annotated;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.DefinitionException;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import jakarta.enterprise.inject.spi.WithAnnotations;
import jakarta.interceptor.Interceptor;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.sse.SseEventSink;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Refuses the deployment of methods whose response cannot be remembered with their effects. */
public class IdempotentExtension implements Extension {
  /** By name, because not every server has all of them. */
  private static final Set<String> ASYNCHRONOUS =
      Set.of(
          "jakarta.ejb.Asynchronous",
          "jakarta.enterprise.concurrent.Asynchronous",
          "org.eclipse.microprofile.faulttolerance.Asynchronous");

  private static final Set<TxType> IN_CALLERS =
      Set.of(TxType.REQUIRED, TxType.MANDATORY, TxType.SUPPORTS);

  <T> void check(@Observes @WithAnnotations(Idempotent.class) ProcessAnnotatedType<T> found) {
    AnnotatedType<T> type = found.getAnnotatedType();
    if (type.isAnnotationPresent(Interceptor.class)) {
      return;
    }
    for (AnnotatedMethod<? super T> method : type.getMethods()) {
      if (method.isAnnotationPresent(Idempotent.class)
          || (type.isAnnotationPresent(Idempotent.class)
              && method.getDeclaringType().equals(type))) {
        String refusal = refusal(type, method);
        if (refusal != null) {
          throw new DefinitionException(
              "The @Idempotent method "
                  + type.getJavaClass().getName()
                  + "#"
                  + method.getJavaMember().getName()
                  + " "
                  + refusal);
        }
      }
    }
  }

  private static @Nullable String refusal(AnnotatedType<?> type, AnnotatedMethod<?> method) {
    Method member = method.getJavaMember();
    boolean sends =
        method.getParameters().stream()
            .anyMatch(
                it ->
                    it.isAnnotationPresent(Suspended.class)
                        || it.getBaseType().equals(SseEventSink.class));
    Class<?> returned = member.getReturnType();
    if (sends
        || CompletionStage.class.isAssignableFrom(returned)
        || Future.class.isAssignableFrom(returned)
        || isAsynchronous(method)
        || isAsynchronous(type)) {
      return "responds asynchronously, after its transaction. Return the response itself.";
    }
    if (sendsEvents(method) || (!method.isAnnotationPresent(Produces.class) && sendsEvents(type))) {
      return "streams its response as server-sent events, which could not be stored. Return the content as a whole.";
    }
    if (StreamingOutput.class.isAssignableFrom(returned)) {
      return "streams its response, which could not be stored. Return the content as a whole.";
    }
    if (Stream.of(Stateless.class, Stateful.class, Singleton.class)
        .anyMatch(type::isAnnotationPresent)) {
      return "belongs to a session bean, whose transaction ends before the response is written. Make the resource a CDI bean, for instance with @RequestScoped, and let it call the session bean.";
    }
    Transactional own = method.getAnnotation(Transactional.class);
    Transactional all = own != null ? own : type.getAnnotation(Transactional.class);
    return all == null || IN_CALLERS.contains(all.value())
        ? null
        : "has @Transactional("
            + all.value()
            + "), so its effects would not be in the transaction of its key. Remove it or make it REQUIRED.";
  }

  private static boolean isAsynchronous(Annotated element) {
    return element.getAnnotations().stream()
        .anyMatch(it -> ASYNCHRONOUS.contains(it.annotationType().getName()));
  }

  private static boolean sendsEvents(Annotated element) {
    Produces produces = element.getAnnotation(Produces.class);
    return produces != null
        && Stream.of(produces.value()).anyMatch(it -> it.contains(MediaType.SERVER_SENT_EVENTS));
  }
}
