package io.postbox.common.server;

import io.postbox.common.config.Confidentiality.ErrorDetail;
import io.postbox.common.config.ConfigurationException;
import io.postbox.common.config.ModuleConfig;
import io.postbox.common.log.SharedLog;
import io.postbox.common.store.SchemaException;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.enterprise.inject.spi.ProcessAnnotatedType;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The start of a module, once per application and before any of its beans exists. It fails the
 * deployment if there are several copies of the module: the copy in the EAR hides one in a WAR, and
 * only the class loaders of the WAR's own classes find both. It also fails it if the module could
 * not keep its guarantee. Thread-safe.
 *
 * @param <D> the module's database
 */
public final class ModuleStart<D extends ModuleDatabase<?>> {
  private final String module;
  private final SharedLog log;
  private final String itself;
  private final String place;
  private final SharedHealthChecks health;
  private final PayloadCipherCheck ciphers;
  private final Set<ClassLoader> loaders = ConcurrentHashMap.newKeySet();
  private volatile @Nullable D database;

  /**
   * @param log the module's
   * @param api a class of the module, in the package above those of all its health checks
   * @param extension the module's, of which a second copy is one of the module
   * @param place where one of them belongs
   */
  public ModuleStart(
      SharedLog log, Class<?> api, Class<? extends Extension> extension, String place) {
    module = log.either("outbox", "inbox");
    this.log = log;
    itself = extension.getName().replace('.', '/') + ".class";
    this.place = place;
    health = new SharedHealthChecks(api);
    ciphers = new PayloadCipherCheck(module);
  }

  /** Notes a class of the application. */
  public void seen(ProcessAnnotatedType<?> event) {
    ClassLoader loader = event.getAnnotatedType().getJavaClass().getClassLoader();
    if (loader != null) {
      loaders.add(loader);
    }
    health.seen(event);
  }

  /** Notes a bean of the application. */
  public void bean(Bean<?> bean) {
    ciphers.found(bean);
    health.bean(bean);
  }

  /**
   * Refuses a second copy of the module, for later errors would not name the cause, and provides
   * the health checks.
   */
  public void discovered(AfterBeanDiscovery event, BeanManager beans) {
    try {
      refuseSeveral();
    } catch (ConfigurationException refused) {
      event.addDefinitionError(refused);
    }
    health.add(event, beans);
  }

  private void refuseSeveral() {
    Set<String> jars = new TreeSet<>(); // a set: several loaders find the same jar
    for (ClassLoader loader : loaders) {
      try {
        for (URL copy : Collections.list(loader.getResources(itself))) {
          jars.add(copy.toString().replace("!/" + itself, ""));
        }
      } catch (IOException unreadable) {
        throw new ConfigurationException(
            "The application's jars cannot be read: " + unreadable.getMessage());
      }
    }
    if (jars.size() > 1) {
      throw new ConfigurationException(
          "The application has more than one copy of the %s: %s. Keep one: %s, or WEB-INF/lib of a WAR."
              .formatted(module, String.join(" and ", jars), place));
    }
  }

  /**
   * Opens the database and prepares it, or fails the deployment.
   *
   * @param opened reads the configuration, and refuses what it has to
   */
  public void start(AfterDeploymentValidation event, Supplier<D> opened) {
    try {
      D started = opened.get();
      database = started;
      started.prepare();
    } catch (ConfigurationException | SchemaException refused) {
      event.addDeploymentProblem(refused);
    }
  }

  /**
   * Checks and applies the settings that both modules have.
   *
   * @param beans the module's
   * @return whether the application has a cipher
   * @throws ConfigurationException if the application lacks what they ask for
   */
  public boolean check(ModuleConfig config, BeanManager beans) {
    config.unknownKeys().forEach(log::unknownKey);
    ServerTelemetry.require(config.metrics());
    boolean encrypts = ciphers.check(beans, config.confidentiality().encryptionRequired());
    log.exceptions()
        .tellOnlyClasses(config.confidentiality().errorDetail(encrypts) == ErrorDetail.CLASS);
    return encrypts;
  }

  /** The module on its database, once it has started. */
  public D database() {
    return Objects.requireNonNull(database, "the %s was refused at deployment".formatted(module));
  }
}
