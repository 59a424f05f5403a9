package io.postbox.outbox.server;

import io.postbox.outbox.config.ConfigurationException;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.config.OutboxConfigReader;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.store.SchemaException;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.Extension;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/**
 * Starts the outbox once per application, before any of its beans exists, and refuses the
 * deployment if the outbox could not keep its promise there.
 */
public class OutboxExtension implements Extension {
  private @Nullable Installation installation;

  void start(@Observes AfterDeploymentValidation event) {
    try {
      refuseCopies();
      OutboxConfig config = OutboxConfigReader.read(ConfigProvider.getConfig(), applicationName());
      config.unknownKeys().forEach(OutboxLog::unknownKey);
      Installation started = new Installation(config, dataSource(config));
      installation = started;
      started.prepare();
    } catch (ConfigurationException | SchemaException refused) {
      event.addDeploymentProblem(refused);
    }
  }

  Installation installation() {
    return Objects.requireNonNull(installation, "the outbox was refused at deployment");
  }

  private static DataSource dataSource(OutboxConfig config) {
    try {
      return (DataSource) Jndi.lookup(config.dataSource());
    } catch (NamingException | ClassCastException missing) {
      throw new ConfigurationException(
          "postbox.outbox.data-source=%s leads to no data source (%s). Name the data source of the application's own tables, by its global JNDI name."
              .formatted(config.dataSource(), OutboxLog.reason(missing)));
    }
  }

  private static String applicationName() {
    try {
      return (String) Jndi.lookup("java:app/AppName");
    } catch (NamingException missing) {
      throw new ConfigurationException(
          "The server tells no application name (%s), so set postbox.service."
              .formatted(missing.getMessage()));
    }
  }

  private static void refuseCopies() {
    String itself = OutboxExtension.class.getName().replace('.', '/') + ".class";
    try {
      ClassLoader application = Thread.currentThread().getContextClassLoader();
      // A jar on the class path of several modules is found once for each of them.
      Set<String> jars = new TreeSet<>();
      for (URL copy : Collections.list(application.getResources(itself))) {
        jars.add(copy.toString().replace("!/" + itself, ""));
      }
      if (jars.size() > 1) {
        throw new ConfigurationException(
            "The application has more than one copy of the outbox: "
                + String.join(" and ", jars)
                + ". Keep one: an EJB module of the EAR, or WEB-INF/lib of a WAR.");
      }
    } catch (IOException unreadable) {
      throw new ConfigurationException(
          "The application's jars cannot be read: " + unreadable.getMessage());
    }
  }
}
