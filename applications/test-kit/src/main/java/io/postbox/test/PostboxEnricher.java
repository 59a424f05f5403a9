package io.postbox.test;

import com.arjuna.ats.jta.cdi.TransactionExtension;
import io.postbox.common.PayloadCipher;
import io.postbox.inbox.Inbox;
import io.postbox.inbox.InboxContext;
import io.postbox.inbox.InboxMode;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.PayloadLoader;
import io.postbox.test.cdi.BeanClasses;
import io.postbox.test.cdi.EnterpriseBeans;
import io.postbox.test.cdi.JtaServices;
import io.postbox.test.config.TestSettings;
import io.postbox.test.database.JtaDatabase;
import io.postbox.test.inbox.ListenerBean;
import io.postbox.test.jpa.PersistenceContexts;
import io.smallrye.config.inject.ConfigExtension;
import jakarta.ejb.MessageDriven;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.enterprise.inject.spi.Extension;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.junit5.WeldInitiator;
import org.jboss.weld.junit5.WeldJunitEnricher;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.platform.commons.support.AnnotationSupport;

/** Adds to a CDI container of Weld's JUnit extension what {@link PostboxTest} promises. */
public final class PostboxEnricher implements WeldJunitEnricher {
  private static final Namespace NAMESPACE = Namespace.create(PostboxEnricher.class);

  /** Made by the service loader. */
  public PostboxEnricher() {}

  @Override
  public void enrich(
      Object testInstance, ExtensionContext context, Weld weld, WeldInitiator.Builder builder) {
    Class<?> test = context.getRequiredTestClass();
    AnnotationSupport.findAnnotation(test, PostboxTest.class)
        .ifPresent(annotation -> enrich(test, annotation, context, weld));
  }

  private static void enrich(
      Class<?> test, PostboxTest annotation, ExtensionContext context, Weld weld) {
    Set<Class<?>> beans = new LinkedHashSet<>(BeanClasses.of(annotation.value()));
    beans.addAll(BeanClasses.injectedInto(test));
    beans.forEach(weld::addBeanClass);
    Running running = new Running(annotation, listeners(beans));
    context.getStore(NAMESPACE).put(Running.class, running);
    weld.addServices(new JtaServices());
    weld.addExtensions(
        new TransactionExtension(),
        new ConfigExtension(),
        new EnterpriseBeans(running.environment.database().dataSource(), running.persistence),
        running);
  }

  private static List<ListenerBean> listeners(Set<Class<?>> beans) {
    return beans.stream()
        .filter(bean -> bean.isAnnotationPresent(MessageDriven.class))
        .filter(bean -> bean.isAnnotationPresent(Inbox.class))
        .filter(bean -> bean.getAnnotation(Inbox.class).mode() == InboxMode.HANDLE)
        .map(Postbox::listener)
        .toList();
  }

  /** The objects of a test, until it ends. */
  static final class Running implements Extension, AutoCloseable {
    private final Environment environment = new Environment(JtaDatabase::h2);
    private final PersistenceContexts persistence =
        new PersistenceContexts(environment.database().dataSource());
    private final Postbox postbox;
    private final Config config;

    Running(PostboxTest annotation, List<ListenerBean> listeners) {
      postbox = new Postbox(environment, listeners);
      for (String setting : annotation.settings()) {
        int equals = setting.indexOf('=');
        if (equals < 1) {
          throw new IllegalArgumentException(
              "A setting of @PostboxTest is key=value, and not '%s'".formatted(setting));
        }
        environment.setting(
            setting.substring(0, equals).strip(), setting.substring(equals + 1).strip());
      }
      TestSettings.requireFor(
          environment.settings().inbox(),
          postbox.consumers().stream().map(it -> it.name()).toArray(String[]::new));
      environment.execute(annotation.sql());
      config = environment.settings().config();
      ConfigProviderResolver.instance()
          .registerConfig(config, Thread.currentThread().getContextClassLoader());
    }

    void provide(@Observes AfterBeanDiscovery event) {
      EnterpriseBeans.provide(event, Postbox.class, () -> postbox);
      EnterpriseBeans.provide(event, Outbox.class, this::outbox);
      EnterpriseBeans.provide(event, InboxContext.class, environment::context);
    }

    private Outbox outbox() {
      return environment
          .outbox(() -> only(PayloadLoader.class), () -> only(PayloadCipher.class))
          .outbox();
    }

    private static <T> Optional<T> only(Class<T> type) {
      Instance<T> found = CDI.current().select(type);
      return found.isUnsatisfied() ? Optional.empty() : Optional.of(found.get());
    }

    @Override
    public void close() {
      ConfigProviderResolver.instance().releaseConfig(config);
      try (environment;
          persistence) {
        postbox.requireAllRun();
      }
    }
  }
}
