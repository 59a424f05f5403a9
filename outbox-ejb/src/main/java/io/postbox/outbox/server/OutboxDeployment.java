package io.postbox.outbox.server;

import io.postbox.common.config.ConfigurationException;
import io.postbox.common.server.Jndi;
import io.postbox.common.server.ModuleStart;
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
import org.eclipse.microprofile.config.ConfigProvider;

/** Starts the outbox with the application, before any of its beans exists. */
final class OutboxDeployment {
  private final ModuleStart<OutboxDatabase> module =
      new ModuleStart<>(
          OutboxLog.SHARED, Outbox.class, OutboxExtension.class, "an EJB module of the EAR");
  private boolean timerIsDeployed;

  void seen(ProcessAnnotatedType<?> event) {
    module.seen(event);
  }

  void bean(Bean<?> bean) {
    module.bean(bean);
  }

  void timerIsDeployed() {
    timerIsDeployed = true;
  }

  /** Provides the database, too, which {@link #start} opens before any bean exists. */
  void discovered(AfterBeanDiscovery event, BeanManager beans) {
    module.discovered(event, beans);
    event
        .<OutboxDatabase>addBean()
        .beanClass(OutboxDatabase.class)
        .types(OutboxDatabase.class)
        .scope(Dependent.class)
        .produceWith(instance -> module.database());
  }

  void start(AfterDeploymentValidation event, BeanManager beans) {
    module.start(event, () -> opened(beans));
  }

  private OutboxDatabase opened(BeanManager beans) {
    if (!timerIsDeployed) {
      throw new ConfigurationException(
          "The outbox lies where the server deploys no enterprise beans, such as lib/ of an EAR,"
              + " so nothing would ever be sent. Make it an EJB module of the EAR, or put it into"
              + " WEB-INF/lib of a WAR.");
    }
    OutboxConfig config =
        OutboxConfigReader.read(ConfigProvider.getConfig(), Jndi.applicationName());
    if (module.check(config, beans) && config.relay().isCdc()) {
      throw new ConfigurationException(
          "The application has a CDI bean that implements io.postbox.common.PayloadCipher, and"
              + " postbox.outbox.relay.mode=cdc: the connector would send what nobody can read."
              + " Set postbox.outbox.relay.mode=polling, or give the bean a qualifier and encrypt"
              + " in the application.");
    }
    return new OutboxDatabase(config, Jndi.dataSource("outbox", config.dataSource()));
  }
}
