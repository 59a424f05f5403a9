package io.postbox.inbox.startup;

import io.postbox.common.server.Jndi;
import io.postbox.common.server.ModuleStart;
import io.postbox.common.server.ServerObjects;
import io.postbox.inbox.Inbox;
import io.postbox.inbox.check.Refusals;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.InboxConfigReader;
import io.postbox.inbox.log.InboxLog;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;

/** Starts the inbox with the application, before any of its beans exists. */
final class InboxStart {
  private final ModuleStart<InboxDatabase> module =
      new ModuleStart<>(InboxLog.SHARED, Inbox.class, InboxExtension.class, "lib of the EAR");
  private final InboxDeployment deployment = new InboxDeployment();

  /** The uses found in the application. */
  InboxDeployment deployment() {
    return deployment;
  }

  /** The inbox on its database, once it has started. */
  InboxDatabase database() {
    return module.database();
  }

  void seen(ProcessAnnotatedType<?> event) {
    module.seen(event);
    deployment.seen(event.getAnnotatedType().getJavaClass());
  }

  void bean(Bean<?> bean) {
    module.bean(bean);
    deployment.bean(bean.getBeanClass());
  }

  void discovered(AfterBeanDiscovery event, BeanManager beans) {
    module.discovered(event, beans);
  }

  void remembersRequests(Set<String> consumers) {
    deployment.remembersRequests(consumers);
  }

  void start(AfterDeploymentValidation event, BeanManager beans) {
    module.start(event, () -> opened(beans));
  }

  private InboxDatabase opened(BeanManager beans) {
    deployment.complete();
    deployment.log();
    deployment.named(Jndi.applicationName());
    InboxConfig config =
        InboxConfigReader.read(
            ConfigProvider.getConfig(),
            deployment.applicationName(),
            deployment.deployedConsumers());
    module.check(config, beans);
    deployment.refuse(
        Stream.of(
                Refusals.of(
                    config,
                    deployment.annotations(),
                    ServerObjects.acknowledgesEarly(config.connectionFactories())),
                Refusals.ofRequests(config, deployment.requesting()))
            .flatMap(List::stream)
            .toList());
    return new InboxDatabase(config, Jndi.dataSource("inbox", config.dataSource()));
  }
}
