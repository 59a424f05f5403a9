package io.postbox.inbox.http;

import io.postbox.inbox.startup.InboxExtension;
import io.postbox.inbox.startup.UnseenClasses;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.AmbiguousResolutionException;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.Annotated;
import jakarta.enterprise.inject.spi.AnnotatedMethod;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
import jakarta.enterprise.inject.spi.DefinitionException;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import jakarta.enterprise.inject.spi.ProcessBean;
import jakarta.enterprise.inject.spi.ProcessManagedBean;
import jakarta.enterprise.inject.spi.ProcessSessionBean;
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
import java.lang.reflect.Modifier;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
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

  private final UnseenClasses unseen = new UnseenClasses(Idempotent.class);
  private final Set<String> beans = ConcurrentHashMap.newKeySet();

  void begin(@Observes BeforeBeanDiscovery event) {
    InboxExtension.refuseMixture(IdempotentExtension.class.getClassLoader());
  }

  void seen(@Observes ProcessAnnotatedType<?> event) {
    unseen.seen(event.getAnnotatedType().getJavaClass());
  }

  void bean(@Observes ProcessBean<?> event) {
    for (Class<?> type = event.getBean().getBeanClass();
        type != null;
        type = type.getSuperclass()) {
      beans.add(type.getName()); // a bean has what its superclasses have
    }
  }

  /**
   * Checks the methods of a bean, which are its superclasses', too, and lets the inbox refuse what
   * it could not remember.
   */
  <T> void check(@Observes ProcessManagedBean<T> event, BeanManager manager) {
    AnnotatedType<T> type = event.getAnnotatedBeanClass();
    Class<?> bean = type.getJavaClass();
    if (type.isAnnotationPresent(Interceptor.class)) {
      return; // the inbox's own
    }
    for (AnnotatedMethod<? super T> method : type.getMethods()) {
      Method member = method.getJavaMember();
      if (Modifier.isStatic(member.getModifiers())
          || Modifier.isPrivate(member.getModifiers())
          || member.isBridge()
          || !IdempotentMethods.isMeant(bean, member)) {
        continue;
      }
      Idempotent settings = IdempotentMethods.settings(bean, member);
      String refusal =
          settings == null
              ? "would not be. " + IdempotentMethods.WRITE_IT_THERE
              : refusal(settings);
      if (refusal == null) {
        refusal = refusal(type, method);
      }
      if (refusal != null) {
        throw new DefinitionException(
            "The @Idempotent method " + IdempotentMethods.name(bean, member) + " " + refusal);
      }
      manager
          .getExtension(InboxExtension.class)
          .remembersRequests(Set.of(Objects.requireNonNull(settings).value()));
    }
  }

  <T> void refuse(@Observes ProcessSessionBean<T> event) {
    Class<?> bean = event.getAnnotatedBeanClass().getJavaClass();
    for (AnnotatedMethod<?> method : event.getAnnotatedBeanClass().getMethods()) {
      if (IdempotentMethods.isMeant(bean, method.getJavaMember())) {
        throw new DefinitionException(
            "The @Idempotent method "
                + IdempotentMethods.name(bean, method.getJavaMember())
                + " belongs to a session bean, whose transaction ends before the response is"
                + " written. Make the resource a CDI bean, for instance with @RequestScoped, and"
                + " let it call the session bean.");
      }
    }
  }

  /** What no bean has is without effect. */
  void refuseUnseen(@Observes AfterDeploymentValidation event) {
    Set<String> carriers = unseen.carriers();
    carriers.removeAll(beans);
    if (!carriers.isEmpty()) {
      event.addDeploymentProblem(
          new DefinitionException(
              String.join(", ", carriers)
                  + ": @Idempotent has no effect here, because this is no CDI bean of the"
                  + " application. Give the resource's class a CDI scope, for instance"
                  + " @RequestScoped (from jakarta.*). "
                  + IdempotentMethods.WRITE_IT_THERE));
    }
  }

  /** Which of several tells tenants apart would be anybody's guess. */
  void refuseScopes(@Observes AfterDeploymentValidation event, BeanManager manager) {
    Set<Bean<?>> scopes = manager.getBeans(IdempotencyScope.class);
    try {
      manager.resolve(scopes);
    } catch (AmbiguousResolutionException several) {
      event.addDeploymentProblem(
          new DefinitionException(
              "There are several CDI beans that implement "
                  + IdempotencyScope.class.getName()
                  + ", and one tells whose keys are: "
                  + scopes.stream()
                      .map(it -> it.getBeanClass().getName())
                      .sorted()
                      .collect(Collectors.joining(", "))
                  + ". Make the others @Alternative, or give them a qualifier."));
    }
  }

  private static @Nullable String refusal(Idempotent settings) {
    if (settings.value().isBlank() || settings.value().length() > LONGEST_CONSUMER) {
      return "names no consumer of 1 to 100 characters. Give @Idempotent a name, such as"
          + " \"orders\".";
    }
    if (settings.waitMillis() < 1) {
      return "has waitMillis=" + settings.waitMillis() + ". Use 1 or more.";
    }
    for (String header : settings.headers()) {
      if (header.isBlank() || Answer.isOwn(header)) {
        return "names the header '"
            + header
            + "' to be stored, which is each response's own. Remove it.";
      }
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
      return "streams its response as server-sent events, which could not be stored. Return the"
          + " content as a whole.";
    }
    if (StreamingOutput.class.isAssignableFrom(returned)) {
      return "streams its response, which could not be stored. Return the content as a whole.";
    }
    if (Stream.of(member.getParameterTypes())
        .anyMatch(it -> it == InputStream.class || it == Reader.class)) {
      return "reads its request's body as a stream, of which nothing would be left after the"
          + " comparison with an earlier request. Take the body as byte[], String or an"
          + " object.";
    }
    Transactional own = method.getAnnotation(Transactional.class);
    Transactional all = own != null ? own : type.getAnnotation(Transactional.class);
    return all == null || IN_CALLERS.contains(all.value())
        ? null
        : "has @Transactional("
            + all.value()
            + "), so its effects would not be in the transaction of its key. Remove it or make it"
            + " REQUIRED.";
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
