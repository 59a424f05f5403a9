package io.postbox.inbox.startup;

import io.postbox.common.config.Confidentiality.ErrorDetail;
import io.postbox.common.config.ConfigurationException;
import io.postbox.common.server.DuplicateModuleCheck;
import io.postbox.common.server.Jndi;
import io.postbox.common.server.PayloadCipherCheck;
import io.postbox.common.store.SchemaException;
import io.postbox.inbox.check.Refusals;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.InboxConfigReader;
import io.postbox.inbox.log.ExceptionTexts;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.server.ServerInspection;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import java.util.Objects;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/**
 * Starts the inbox, once per application and before any of its beans exists; refuses the deployment
 * if the inbox could not keep its promise there.
 */
final class InboxStart {
  private final DuplicateModuleCheck copies =
      new DuplicateModuleCheck("inbox", InboxExtension.class, "lib of the EAR");
  private final PayloadCipherCheck ciphers = new PayloadCipherCheck("inbox");
  private final InboxDeployment deployment = new InboxDeployment();
  private volatile @Nullable InboxDatabase database;

  /** What is found in the application. */
  InboxDeployment deployment() {
    return deployment;
  }

  /** The inbox on its database, once it has started. */
  InboxDatabase database() {
    return Objects.requireNonNull(database, "the inbox was refused at deployment");
  }

  void seen(Class<?> type) {
    copies.seen(type);
    deployment.seen(type);
  }

  void bean(Bean<?> bean) {
    ciphers.found(bean);
    deployment.bean(bean.getBeanClass());
  }

  /** Before two copies could fail for reasons that name neither. */
  void refuseCopies(AfterBeanDiscovery event) {
    try {
      copies.refuseSeveral();
    } catch (ConfigurationException refused) {
      event.addDefinitionError(refused);
    }
  }

  void start(AfterDeploymentValidation event, BeanManager manager) {
    try {
      deployment.complete();
      deployment.log();
      InboxConfig config = config(manager);
      deployment.refuse(
          Refusals.of(
              config, deployment.annotations(), ServerInspection.acknowledgesEarly(config)));
      InboxDatabase started = new InboxDatabase(config, dataSource(config));
      database = started;
      started.prepare();
    } catch (ConfigurationException | SchemaException refused) {
      event.addDeploymentProblem(refused);
    }
  }

  private InboxConfig config(BeanManager manager) {
    deployment.named(lookUpApplicationName());
    InboxConfig config =
        InboxConfigReader.read(
            ConfigProvider.getConfig(),
            deployment.applicationName(),
            deployment.deployedConsumers());
    config.unknownKeys().forEach(InboxLog::unknownKey);
    boolean encrypts = ciphers.check(manager, config.confidentiality().encryptionRequired());
    ExceptionTexts.tellOnlyClasses(
        config.confidentiality().errorDetail(encrypts) == ErrorDetail.CLASS);
    return config;
  }

  private static DataSource dataSource(InboxConfig config) {
    try {
      return (DataSource) Jndi.lookup(config.dataSource());
    } catch (NamingException | ClassCastException missing) {
      throw new ConfigurationException(
          "postbox.inbox.data-source=%s leads to no data source (%s). Name the data source of the application's own tables, by its global JNDI name."
              .formatted(config.dataSource(), InboxLog.reason(missing)));
    }
  }

  private static String lookUpApplicationName() {
    try {
      return (String) Jndi.lookup("java:app/AppName");
    } catch (NamingException missing) {
      throw new ConfigurationException(
          "The server tells no application name (%s), so set postbox.service."
              .formatted(missing.getMessage()));
    }
  }
}
