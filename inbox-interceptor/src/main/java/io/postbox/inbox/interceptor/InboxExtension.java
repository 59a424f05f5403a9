package io.postbox.inbox.interceptor;

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
import jakarta.enterprise.inject.spi.WithAnnotations;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the server calls first. It passes on what the server tells of the deployment, and needs no
 * class of another jar for that: so it can refuse a jar that is missing, or of another version.
 */
public class InboxExtension implements Extension {
  private @Nullable InboxDeployment deployment;

  /** Before anything could fail for want of a class, which would not say why. */
  void begin(@Observes BeforeBeanDiscovery event) {
    JarVersions.refuseMixture(InboxExtension.class.getClassLoader());
    Feature.requireThoseOfEverybody();
    deployment = new InboxDeployment();
  }

  void seen(@Observes ProcessAnnotatedType<?> event) {
    deployment().seen(event.getAnnotatedType().getJavaClass());
  }

  void found(@Observes @WithAnnotations(Inbox.class) ProcessAnnotatedType<?> event) {
    deployment().found(event.getAnnotatedType());
  }

  void guarded(@Observes ProcessInjectionPoint<?, InboxGuard> event) {
    deployment().guarded();
  }

  void perhapsGuarded(@Observes ProcessInjectionPoint<?, Instance<InboxGuard>> event) {
    deployment().guarded();
  }

  void bean(@Observes ProcessBean<?> event) {
    deployment().bean(event.getBean());
  }

  void resolver(@Observes ProcessBean<? extends MessageIdResolver> event) {
    deployment().resolver(event.getBean());
  }

  void refuseCopies(@Observes AfterBeanDiscovery event) {
    deployment().refuseCopies(event);
  }

  void start(@Observes AfterDeploymentValidation event, BeanManager beans) {
    deployment().start(event, beans);
  }

  /** What is known of the application. */
  InboxDeployment deployment() {
    return Objects.requireNonNull(deployment, "the inbox was refused before it was looked at");
  }
}
