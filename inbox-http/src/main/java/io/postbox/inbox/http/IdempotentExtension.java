package io.postbox.inbox.http;

import io.postbox.inbox.startup.InboxExtension;
import jakarta.ejb.Singleton;
import jakarta.ejb.Stateful;
import jakarta.ejb.Stateless;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Annotated;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
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
import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Refuses the deployment of methods whose response cannot be remembered with their effects. */
public class IdempotentExtension implements Extension {
  private static final int LONGEST_CONSUMER = 100;
  private static final int LONGEST_RESPONSE = 600_000;

  /** By name, because not every server has all of them. */
  private static final Set<String> ASYNCHRONOUS =
      Set.of(
          "jakarta.ejb.Asynchronous",
          "jakarta.enterprise.concurrent.Asynchronous",
          "org.eclipse.microprofile.faulttolerance.Asynchronous");

  private static final Set<TxType> IN_CALLERS =
      Set.of(TxType.REQUIRED, TxType.MANDATORY, TxType.SUPPORTS);

  private final Set<String> consumers = new TreeSet<>();

  void begin(@Observes BeforeBeanDiscovery event) {
    InboxExtension.refuseMixture(IdempotentExtension.class.getClassLoader());
  }

  <T> void check(@Observes @WithAnnotations(Idempotent.class) ProcessAnnotatedType<T> found) {
    AnnotatedType<T> type = found.getAnnotatedType();
    if (type.isAnnotationPresent(Interceptor.class)) {
      return;
    }
    for (AnnotatedMethod<? super T> method : type.getMethods()) {
      if (method.isAnnotationPresent(Idempotent.class)
          || (type.isAnnotationPresent(Idempotent.class)
              && method.getDeclaringType().equals(type))) {
        Idempotent own = method.getAnnotation(Idempotent.class);
        Idempotent settings = own != null ? own : type.getAnnotation(Idempotent.class);
        consumers.add(settings.value());
        String refusal = refusal(settings);
        if (refusal == null) {
          refusal = refusal(type, method);
        }
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

  /** Lets the inbox refuse what it could not remember. */
  void announce(@Observes AfterBeanDiscovery event, BeanManager beans) {
    beans.getExtension(InboxExtension.class).remembersRequests(consumers);
  }

  private static @Nullable String refusal(Idempotent settings) {
    if (settings.value().isBlank() || settings.value().length() > LONGEST_CONSUMER) {
      return "names no consumer of 1 to 100 characters. Give @Idempotent a name, such as \"orders\".";
    }
    if (settings.waitMillis() < 1) {
      return "has waitMillis=" + settings.waitMillis() + ". Use 1 or more.";
    }
    return settings.maxResponseBytes() < 1 || settings.maxResponseBytes() > LONGEST_RESPONSE
        ? "has maxResponseBytes=" + settings.maxResponseBytes() + ". Use 1 to 600000."
        : null;
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
    if (Stream.of(member.getParameterTypes())
        .anyMatch(it -> it == InputStream.class || it == Reader.class)) {
      return "reads its request's body as a stream, of which nothing would be left after the comparison with an earlier request. Take the body as byte[], String or an object.";
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
