package io.postbox.inbox.startup;

import io.postbox.common.config.Confidentiality.ErrorDetail;
import io.postbox.common.config.ConfigurationException;
import io.postbox.common.server.DuplicateModuleCheck;
import io.postbox.common.server.Jndi;
import io.postbox.common.server.PayloadCipherCheck;
import io.postbox.common.server.ServerObjects;
import io.postbox.common.server.ServerTelemetry;
import io.postbox.common.server.SharedHealthChecks;
import io.postbox.common.store.SchemaException;
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
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/**
 * Starts the inbox, once per application and before any of its beans exists. Fails the deployment
 * if the inbox could not keep its guarantee.
 */
final class InboxStart {
  private final DuplicateModuleCheck copies =
      new DuplicateModuleCheck("inbox", InboxExtension.class, "lib of the EAR");
  private final SharedHealthChecks health = new SharedHealthChecks(Inbox.class);
  private final PayloadCipherCheck ciphers = new PayloadCipherCheck("inbox");
  private final InboxDeployment deployment = new InboxDeployment();
  private volatile @Nullable InboxDatabase database;

  /** The uses found in the application. */
  InboxDeployment deployment() {
    return deployment;
  }

  /** The inbox on its database, once it has started. */
  InboxDatabase database() {
    return Objects.requireNonNull(database, "the inbox was refused at deployment");
  }

  void seen(ProcessAnnotatedType<?> event) {
    Class<?> type = event.getAnnotatedType().getJavaClass();
    copies.seen(type);
    health.seen(event);
    deployment.seen(type);
  }

  void bean(Bean<?> bean) {
    ciphers.found(bean);
    health.bean(bean);
    deployment.bean(bean.getBeanClass());
  }

  /** Refuses a second copy of the inbox, and provides the health checks. */
  void discovered(AfterBeanDiscovery event, BeanManager beans) {
    copies.refuseSeveral(event);
    health.add(event, beans);
  }

  void remembersRequests(Set<String> consumers) {
    deployment.remembersRequests(consumers);
  }

  void start(AfterDeploymentValidation event, BeanManager manager) {
    try {
      deployment.complete();
      deployment.log();
      InboxConfig config = config(manager);
      deployment.refuse(
          Stream.of(
                  Refusals.of(
                      config,
                      deployment.annotations(),
                      ServerObjects.acknowledgesEarly(config.connectionFactories())),
                  Refusals.ofRequests(config, deployment.requesting()))
              .flatMap(List::stream)
              .toList());
      InboxDatabase started =
          new InboxDatabase(config, Jndi.dataSource("inbox", config.dataSource()));
      database = started;
      started.prepare();
    } catch (ConfigurationException | SchemaException refused) {
      event.addDeploymentProblem(refused);
    }
  }

  private InboxConfig config(BeanManager manager) {
    deployment.named(Jndi.applicationName());
    InboxConfig config =
        InboxConfigReader.read(
            ConfigProvider.getConfig(),
            deployment.applicationName(),
            deployment.deployedConsumers());
    config.unknownKeys().forEach(InboxLog.SHARED::unknownKey);
    ServerTelemetry.require(config.metrics());
    boolean encrypts = ciphers.check(manager, config.confidentiality().encryptionRequired());
    InboxLog.EXCEPTIONS.tellOnlyClasses(
        config.confidentiality().errorDetail(encrypts) == ErrorDetail.CLASS);
    return config;
  }
}
