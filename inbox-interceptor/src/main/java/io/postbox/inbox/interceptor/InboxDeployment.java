package io.postbox.inbox.interceptor;

import io.postbox.common.config.Confidentiality.ErrorDetail;
import io.postbox.common.config.ConfigurationException;
import io.postbox.common.server.Jndi;
import io.postbox.common.store.SchemaException;
import io.postbox.inbox.IdFrom;
import io.postbox.inbox.Inbox;
import io.postbox.inbox.check.Refusals;
import io.postbox.inbox.config.DeployedConsumers;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.InboxConfigReader;
import io.postbox.inbox.interceptor.InboxAnnotations.Use;
import io.postbox.inbox.log.ExceptionTexts;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.ops.Counters;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.AfterDeploymentValidation;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.interceptor.Interceptor;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every use of {@link Inbox} and starts the inbox, once per application and before any of
 * its beans exists; refuses the deployment if the inbox could not keep its promise there.
 */
final class InboxDeployment {
  private final Copies copies = new Copies();
  private final PayloadCipherCheck ciphers = new PayloadCipherCheck();
  private final ListenerDiscovery fanOut = new ListenerDiscovery();
  private final Map<String, String> ownConsumers = new ConcurrentHashMap<>();
  private final ConsumerRegistry consumers = new ConsumerRegistry();
  private final Set<String> problems = ConcurrentHashMap.newKeySet();
  private final Set<Use> uses = ConcurrentHashMap.newKeySet();
  private final Counters counters = new Counters();
  private final MessageIdResolvers resolvers = new MessageIdResolvers();
  private final Set<Consumer> annotations = ConcurrentHashMap.newKeySet();
  private final Set<String> messageDrivenBeans = ConcurrentHashMap.newKeySet();
  private final Set<ListenerDestination> listenings = ConcurrentHashMap.newKeySet();
  private volatile @Nullable InboxDatabase installation;
  private final Set<String> carriers = ConcurrentHashMap.newKeySet();
  private final Set<String> beans = ConcurrentHashMap.newKeySet();
  private volatile String applicationName = "";
  private volatile boolean hasGuard;

  <T> void found(AnnotatedType<T> type) {
    if (type.isAnnotationPresent(Interceptor.class)) {
      return; // our own, which carries the binding without a name
    }
    InboxAnnotations use = InboxAnnotations.of(type);
    fanOut.guarded(type.getJavaClass());
    consumers.add(type.getJavaClass(), use.consumers());
    uses.addAll(use.uses());
    problems.addAll(use.problems());
    annotations.addAll(use.consumers());
    InboxAnnotations.messageDrivenBean(type)
        .ifPresent(
            bean -> {
              messageDrivenBeans.add(bean);
              use.consumers().forEach(consumer -> ownConsumers.put(consumer.name(), bean));
              beans.add(type.getJavaClass().getName());
              use.consumers().stream()
                  .map(consumer -> ListenerDestination.of(consumer.name(), type))
                  .forEach(listenings::add);
            });
    if (!use.uses().isEmpty()) {
      carriers.add(type.getJavaClass().getName());
    }
    use.consumers().stream()
        .filter(consumer -> consumer.idFrom() == IdFrom.RESOLVER)
        .forEach(consumer -> resolvers.wanted(consumer.resolver()));
  }

  void bean(Bean<?> bean) {
    ciphers.found(bean);
    beans.add(bean.getBeanClass().getName());
  }

  void guarded() {
    hasGuard = true;
  }

  void resolver(Bean<?> bean) {
    resolvers.found(bean);
  }

  void seen(Class<?> type) {
    copies.seen(type);
    fanOut.seen(type);
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
      refuseUses();
      messageDrivenBeans.addAll(fanOut.listeners());
      consumers.shared().forEach(InboxLog::sharedConsumer);
      carriers.stream()
          .filter(carrier -> !beans.contains(carrier))
          .sorted()
          .forEach(InboxLog::noBean);
      if (uses.isEmpty() && !hasGuard) {
        InboxLog.nothingGuarded();
      }
      uses.stream()
          .sorted(Comparator.comparing(Use::consumer).thenComparing(Use::method))
          .forEach(use -> InboxLog.consumer(use.consumer(), use.method(), use.mode().text()));
      String name = lookUpApplicationName();
      applicationName = name;
      InboxConfig config =
          InboxConfigReader.read(ConfigProvider.getConfig(), name, deployedConsumers());
      config.unknownKeys().forEach(InboxLog::unknownKey);
      boolean encrypts = ciphers.check(manager, config.confidentiality().encryptionRequired());
      ExceptionTexts.tellOnlyClasses(
          config.confidentiality().errorDetail(encrypts) == ErrorDetail.CLASS);
      problems.addAll(Refusals.of(config, annotations, ServerInspection.acknowledgesEarly(config)));
      refuseUses();
      InboxDatabase started = new InboxDatabase(config, dataSource(config));
      installation = started;
      started.prepare();
    } catch (ConfigurationException | SchemaException refused) {
      event.addDeploymentProblem(refused);
    }
  }

  InboxDatabase installation() {
    return Objects.requireNonNull(installation, "the inbox was refused at deployment");
  }

  /** What the server calls the application. */
  String applicationName() {
    return applicationName;
  }

  /** Those that there are, as far as the deployment tells. */
  DeployedConsumers deployedConsumers() {
    return new DeployedConsumers(consumers.all(), hasGuard);
  }

  /** The names of all consumers of the application. */
  Set<String> consumers() {
    return consumers.all();
  }

  /** The beans that find ids. */
  MessageIdResolvers resolvers() {
    return resolvers;
  }

  /** Each guarded method, with its consumer and its mode. */
  Set<Use> uses() {
    return Set.copyOf(uses);
  }

  /** What the annotations say that have this consumer's name. */
  Set<Consumer> consumersOf(String name) {
    return consumers.of(name);
  }

  /** What the annotations of the application say. */
  Set<Consumer> annotations() {
    return Set.copyOf(annotations);
  }

  /**
   * The names of the message-driven beans whose deliveries the inbox meets: those that are guarded,
   * and those that hand on to a guarded bean.
   */
  Set<String> messageDrivenBeans() {
    return Set.copyOf(messageDrivenBeans);
  }

  /**
   * Whether a message-driven bean's deliveries may be handled under a consumer's name: it is its
   * own, or that of a bean that several listeners may hand their messages on to.
   */
  boolean bringsTo(String bean, String consumer) {
    String owner = ownConsumers.get(consumer);
    return owner == null ? !ownConsumers.containsValue(bean) : owner.equals(bean);
  }

  /** Where these listen, as far as they say so. */
  Set<ListenerDestination> listenings() {
    return Set.copyOf(listenings);
  }

  /** What this node's consumers have done. */
  Counters counters() {
    return counters;
  }

  private void refuseUses() {
    problems.addAll(resolvers.problems());
    if (!problems.isEmpty()) {
      throw new ConfigurationException(
          "@Inbox cannot keep its promise here, so the application does not start: "
              + problems.stream().sorted().collect(Collectors.joining("; "))
              + ".");
    }
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
