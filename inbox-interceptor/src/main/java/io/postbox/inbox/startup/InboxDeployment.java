package io.postbox.inbox.startup;

import io.postbox.common.config.ConfigurationException;
import io.postbox.inbox.IdFrom;
import io.postbox.inbox.Inbox;
import io.postbox.inbox.MessageIdResolver;
import io.postbox.inbox.config.DeployedConsumers;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Consumer;
import jakarta.enterprise.inject.spi.AnnotatedType;
import jakarta.enterprise.inject.spi.BeanManager;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The uses of the inbox in one application, collected while the container discovers its classes and
 * beans. Thread-safe.
 */
public final class InboxDeployment {
  private final UnseenClasses unseen = new UnseenClasses(Inbox.class);
  private final ListenerDiscovery listeners = new ListenerDiscovery();
  private final ConsumerRegistry consumers = new ConsumerRegistry();
  private final CapturedHandlers handlers = new CapturedHandlers();
  private final MessageIdResolvers resolvers = new MessageIdResolvers();
  private final Map<String, String> ownConsumers = new ConcurrentHashMap<>();
  private final Set<String> problems = ConcurrentHashMap.newKeySet();
  private final Set<InboxAnnotations.Use> uses = ConcurrentHashMap.newKeySet();
  private final Set<Consumer> annotations = ConcurrentHashMap.newKeySet();
  private final Set<String> messageDrivenBeans = ConcurrentHashMap.newKeySet();
  private final Set<ListenerDestination> destinations = ConcurrentHashMap.newKeySet();
  private final Set<String> carriers = ConcurrentHashMap.newKeySet();
  private final Set<String> beans = ConcurrentHashMap.newKeySet();
  private volatile String applicationName = "";
  private final Set<String> requesting = ConcurrentHashMap.newKeySet();
  private volatile boolean hasGuard;

  /** Notes a class of the application. */
  public void seen(Class<?> type) {
    listeners.seen(type);
    unseen.seen(type);
  }

  /** Notes the class of a bean of the application. */
  public void bean(Class<?> type) {
    beans.add(type.getName());
  }

  /** Notes that a bean has {@link io.postbox.inbox.InboxGuard} injected. */
  public void usesGuard() {
    hasGuard = true;
  }

  /** The server's name of the application. */
  public void named(String name) {
    applicationName = name;
  }

  /** Notes a class that has {@code @Inbox} on itself or on a method. */
  public void guarded(AnnotatedType<?> type) {
    InboxAnnotations found = InboxAnnotations.of(type);
    listeners.guarded(type.getJavaClass());
    consumers.add(type.getJavaClass(), found.consumers());
    uses.addAll(found.uses());
    problems.addAll(found.problems());
    annotations.addAll(found.consumers());
    InboxAnnotations.messageDrivenBean(type).ifPresent(bean -> listener(bean, type, found));
    if (!found.uses().isEmpty()) {
      carriers.add(type.getJavaClass().getName());
    }
    found.consumers().stream()
        .filter(consumer -> consumer.idFrom() == IdFrom.RESOLVER)
        .forEach(consumer -> resolvers.wanted(consumer.resolver()));
  }

  private void listener(String bean, AnnotatedType<?> type, InboxAnnotations found) {
    messageDrivenBeans.add(bean);
    beans.add(type.getJavaClass().getName());
    for (Consumer consumer : found.consumers()) {
      ownConsumers.put(consumer.name(), bean);
      destinations.add(ListenerDestination.of(consumer.name(), type));
    }
  }

  /**
   * Checks the uses once all classes and beans are known.
   *
   * @throws ConfigurationException naming all incompatible uses
   */
  public void complete() {
    Map<Boolean, Set<String>> byMode =
        annotations.stream()
            .collect(
                Collectors.partitioningBy(
                    Consumer::captures, Collectors.mapping(Consumer::name, Collectors.toSet())));
    List<String> found = new ArrayList<>(resolvers.problems());
    found.addAll(
        handlers.problems(
            byMode.getOrDefault(true, Set.of()), byMode.getOrDefault(false, Set.of()), hasGuard));
    refuse(found);
    messageDrivenBeans.addAll(listeners.listeners());
  }

  /**
   * Throws if a use of the inbox is incompatible.
   *
   * @param more problems found beside the annotations
   * @throws ConfigurationException naming all problems
   */
  public void refuse(Collection<String> more) {
    problems.addAll(more);
    if (!problems.isEmpty()) {
      throw new ConfigurationException(
          "@Inbox cannot keep its promise here, so the application does not start: "
              + problems.stream().sorted().collect(Collectors.joining("; "))
              + ".");
    }
  }

  /** Logs the consumers, and probable mistakes. */
  public void log() {
    consumers.shared().forEach(InboxLog::sharedConsumer);
    Stream.concat(carriers.stream(), unseen.carriers().stream())
        .distinct()
        .filter(carrier -> !beans.contains(carrier))
        .sorted()
        .forEach(InboxLog::noBean);
    if (uses.isEmpty() && !hasGuard) {
      InboxLog.nothingGuarded();
    }
    uses.stream()
        .sorted(
            Comparator.comparing(InboxAnnotations.Use::consumer)
                .thenComparing(InboxAnnotations.Use::method))
        .forEach(
            use ->
                InboxLog.consumer(use.consumer(), use.method(), use.mode().text(), use.captures()));
  }

  public String applicationName() {
    return applicationName;
  }

  /** The consumers, as far as the deployment shows them. */
  public DeployedConsumers deployedConsumers() {
    return new DeployedConsumers(consumers.all(), hasGuard);
  }

  /** Notes the consumers under whose names HTTP requests are remembered. */
  void remembersRequests(Set<String> names) {
    requesting.addAll(names);
  }

  Set<String> requesting() {
    return Set.copyOf(requesting);
  }

  /** The consumers, and those under whose names HTTP requests are remembered. */
  public DeployedConsumers remembering() {
    Set<String> names = new TreeSet<>(requesting);
    names.addAll(consumers.all());
    return new DeployedConsumers(names, hasGuard);
  }

  /** The names of all consumers of the application. */
  public Set<String> consumers() {
    return consumers.all();
  }

  /** The annotated uses of this consumer's name. */
  public Set<Consumer> consumersOf(String name) {
    return consumers.of(name);
  }

  /** All annotated uses in the application. */
  public Set<Consumer> annotations() {
    return Set.copyOf(annotations);
  }

  /** The handlers of captured messages. */
  public CapturedHandlers handlers() {
    return handlers;
  }

  /** The resolvers of ids. */
  MessageIdResolvers resolvers() {
    return resolvers;
  }

  /** The only bean of a resolver's class. */
  public MessageIdResolver resolver(Class<? extends MessageIdResolver> type, BeanManager manager) {
    return resolvers.of(type, manager);
  }

  /**
   * The names of the message-driven beans whose deliveries pass the inbox: the guarded ones, and
   * those that pass messages on to a guarded bean.
   */
  public Set<String> messageDrivenBeans() {
    return Set.copyOf(messageDrivenBeans);
  }

  /**
   * Whether a message-driven bean's deliveries may be handled under a consumer's name: that of the
   * bean itself, or that of a bean to which listeners pass their messages.
   */
  public boolean bringsTo(String bean, String consumer) {
    String owner = ownConsumers.get(consumer);
    return owner == null ? !ownConsumers.containsValue(bean) : owner.equals(bean);
  }

  /** The listeners' destinations, as far as their annotations name them. */
  public Set<ListenerDestination> destinations() {
    return Set.copyOf(destinations);
  }
}
