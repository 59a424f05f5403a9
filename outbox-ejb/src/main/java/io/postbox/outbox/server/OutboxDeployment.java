package io.postbox.outbox.server;

import io.postbox.common.config.Confidentiality.ErrorDetail;
import io.postbox.common.config.ConfigurationException;
import io.postbox.common.server.DuplicateModuleCheck;
import io.postbox.common.server.Jndi;
import io.postbox.common.server.PayloadCipherCheck;
import io.postbox.common.server.ServerTelemetry;
import io.postbox.common.server.SharedHealthChecks;
import io.postbox.common.store.SchemaException;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.config.OutboxConfigReader;
import io.postbox.outbox.log.OutboxLog;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import java.util.Objects;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/**
 * Starts the outbox once per application, before any of its beans exists, and fails the deployment
 * if the outbox could not keep its guarantee.
 */
final class OutboxDeployment {
  private final DuplicateModuleCheck copies =
      new DuplicateModuleCheck("outbox", OutboxExtension.class, "an EJB module of the EAR");
  private final SharedHealthChecks health = new SharedHealthChecks(Outbox.class);
  private final PayloadCipherCheck ciphers = new PayloadCipherCheck("outbox");
  private @Nullable OutboxDatabase database;
  private boolean timerIsDeployed;

  void seen(ProcessAnnotatedType<?> event) {
    copies.seen(event.getAnnotatedType().getJavaClass());
    health.seen(event);
  }

  /**
   * Refuses a second copy of the outbox, and provides the health checks and the database that
   * {@link #start} opens before any bean exists.
   */
  void discovered(AfterBeanDiscovery event, BeanManager beans) {
    copies.refuseSeveral(event);
    health.add(event, beans);
    event
        .<OutboxDatabase>addBean()
        .beanClass(OutboxDatabase.class)
        .types(OutboxDatabase.class)
        .scope(Dependent.class)
        .produceWith(instance -> database());
  }

  void bean(Bean<?> bean) {
    ciphers.found(bean);
    health.bean(bean);
  }

  void timerIsDeployed() {
    timerIsDeployed = true;
  }

  void start(AfterDeploymentValidation event, BeanManager beans) {
    try {
      if (!timerIsDeployed) {
        throw new ConfigurationException(
            "The outbox lies where the server deploys no enterprise beans, such as lib/ of an EAR,"
                + " so nothing would ever be sent. Make it an EJB module of the EAR, or put it into"
                + " WEB-INF/lib of a WAR.");
      }
      OutboxConfig config =
          OutboxConfigReader.read(ConfigProvider.getConfig(), Jndi.applicationName());
      config.unknownKeys().forEach(OutboxLog.SHARED::unknownKey);
      ServerTelemetry.require(config.metrics());
      boolean encrypts = ciphers.check(beans, config.confidentiality().encryptionRequired());
      if (encrypts && config.relay().isCdc()) {
        throw new ConfigurationException(
            "The application has a CDI bean that implements io.postbox.common.PayloadCipher, and"
                + " postbox.outbox.relay.mode=cdc: the connector would send what nobody can read."
                + " Set postbox.outbox.relay.mode=polling, or give the bean a qualifier and encrypt"
                + " in the application.");
      }
      OutboxLog.EXCEPTIONS.tellOnlyClasses(
          config.confidentiality().errorDetail(encrypts) == ErrorDetail.CLASS);
      OutboxDatabase started =
          new OutboxDatabase(config, Jndi.dataSource("outbox", config.dataSource()));
      database = started;
      started.prepare();
    } catch (ConfigurationException | SchemaException refused) {
      event.addDeploymentProblem(refused);
    }
  }

  private OutboxDatabase database() {
    return Objects.requireNonNull(database, "the outbox was refused at deployment");
  }
}
