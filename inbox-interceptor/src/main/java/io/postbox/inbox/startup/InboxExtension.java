package io.postbox.inbox.startup;

import io.postbox.common.server.RequiredFeatures;
import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxGuard;
import io.postbox.inbox.MessageIdResolver;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import jakarta.enterprise.inject.spi.ProcessBean;
import jakarta.enterprise.inject.spi.ProcessInjectionPoint;
import jakarta.enterprise.inject.spi.ProcessManagedBean;
import jakarta.enterprise.inject.spi.ProcessSessionBean;
import jakarta.enterprise.inject.spi.WithAnnotations;
import jakarta.interceptor.Interceptor;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The first class of the inbox that the server calls. It passes on the server's events about the
 * deployment. It needs no class of another jar for that, so that it can detect a jar that is
 * missing or of another version.
 */
public class InboxExtension implements Extension {
  private @Nullable InboxStart start;

  /** Checks the jars before a missing class can cause an error that does not name the cause. */
  void begin(@Observes BeforeBeanDiscovery event) {
    JarVersions.refuseMixture(InboxExtension.class.getClassLoader());
    RequiredFeatures.OF_INBOX.check(InboxExtension.class.getClassLoader());
    start = new InboxStart();
  }

  void seen(@Observes ProcessAnnotatedType<?> event) {
    start().seen(event);
  }

  void found(@Observes @WithAnnotations(Inbox.class) ProcessAnnotatedType<?> event) {
    if (!event.getAnnotatedType().isAnnotationPresent(Interceptor.class)) { // not the inbox's
      start().deployment().guarded(event.getAnnotatedType());
    }
  }

  void guard(@Observes ProcessInjectionPoint<?, InboxGuard> event) {
    start().deployment().usesGuard();
  }

  void perhapsGuard(@Observes ProcessInjectionPoint<?, Instance<InboxGuard>> event) {
    start().deployment().usesGuard();
  }

  void bean(@Observes ProcessBean<?> event) {
    start().bean(event.getBean());
  }

  void handlers(@Observes ProcessManagedBean<?> event) {
    start().deployment().handlers().found(event.getBean(), event.getAnnotatedBeanClass());
  }

  /** Session beans are managed beans of another kind, which have an event of their own. */
  void sessionHandlers(@Observes ProcessSessionBean<?> event) {
    start().deployment().handlers().found(event.getBean(), event.getAnnotatedBeanClass());
  }

  void resolver(@Observes ProcessBean<? extends MessageIdResolver> event) {
    start().deployment().resolvers().found(event.getBean());
  }

  void discovered(@Observes AfterBeanDiscovery event, BeanManager beans) {
    start().discovered(event, beans);
  }

  /**
   * Refuses jars of other versions than the inbox's, for an optional jar in another module.
   *
   * @param loader sees that jar and the inbox's
   */
  public static void refuseMixture(ClassLoader loader) {
    JarVersions.refuseMixture(loader);
  }

  /**
   * Notes that HTTP requests are remembered. Another extension calls it before the deployment is
   * validated.
   *
   * @param consumers under whose names
   */
  public void remembersRequests(Set<String> consumers) {
    start().remembersRequests(consumers);
  }

  void start(@Observes AfterDeploymentValidation event, BeanManager beans) {
    start().start(event, beans);
  }

  /** The start of the inbox in this application. */
  InboxStart start() {
    return Objects.requireNonNull(start, "the inbox was refused before its deployment began");
  }
}
