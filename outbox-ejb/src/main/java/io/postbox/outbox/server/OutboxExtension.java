package io.postbox.outbox.server;

import io.postbox.common.server.RequiredFeatures;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.BeforeBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import jakarta.enterprise.inject.spi.ProcessBean;
import jakarta.enterprise.inject.spi.ProcessSessionBean;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The first class of the outbox that the server calls. It passes on the server's events about the
 * deployment. It needs no class of another jar for that, so that it can detect a jar that is
 * missing or of another version.
 */
public class OutboxExtension implements Extension {
  private @Nullable OutboxDeployment deployment;

  /** Checks the jars before a missing class can cause an error that does not name the cause. */
  void begin(@Observes BeforeBeanDiscovery event) {
    JarVersions.refuseMixture(OutboxExtension.class.getClassLoader());
    RequiredFeatures.OF_OUTBOX.check(OutboxExtension.class.getClassLoader());
    deployment = new OutboxDeployment();
  }

  void seen(@Observes ProcessAnnotatedType<?> event) {
    deployment().seen(event);
  }

  void bean(@Observes ProcessBean<?> event) {
    deployment().bean(event.getBean());
  }

  void deployed(@Observes ProcessSessionBean<SchedulerTimer> event) {
    deployment().timerIsDeployed();
  }

  void discovered(@Observes AfterBeanDiscovery event, BeanManager beans) {
    deployment().discovered(event, beans);
  }

  void start(@Observes AfterDeploymentValidation event, BeanManager beans) {
    deployment().start(event, beans);
  }

  private OutboxDeployment deployment() {
    return Objects.requireNonNull(deployment, "the outbox was refused before its deployment began");
  }
}
