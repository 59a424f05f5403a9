package io.postbox.inbox.watch;

import io.postbox.common.platform.ServerObject;
import io.postbox.common.server.Jndi;
import io.postbox.common.server.ServerObjects;
import io.postbox.inbox.check.RetryRouteFacts;
import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.jms.Providers;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.startup.ListenerDestination;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.Topic;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.naming.NameClassPair;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;

/**
 * Looks up the connection factories and destinations of stored messages, by the names that their
 * copies use.
 */
final class RetryRouteInspection {
  private static final String USUAL_CONTEXT = "jms";
  private static final int MOST_NAMES = 100;
  private static final Set<String> TYPES =
      Set.of(ConnectionFactory.class.getName(), QueueConnectionFactory.class.getName());

  private RetryRouteInspection() {}

  static RetryRouteFacts facts(InboxConfig config, Collection<ListenerDestination> listeners) {
    return new RetryRouteFacts(
        unusableFactories(config),
        Stream.concat(Stream.of(config.others()), config.consumers().values().stream())
            .flatMap(
                settings ->
                    Stream.concat(
                        settings.retryDestination().stream(), settings.deadQueue().stream()))
            .filter(name -> problemOf(name, Destination.class).isPresent())
            .collect(Collectors.toUnmodifiableSet()),
        listeners.stream()
            .filter(RetryRouteInspection::isOnTopic)
            .map(ListenerDestination::consumer)
            .collect(Collectors.toUnmodifiableSet()),
        listeners.stream()
            .filter(listening -> isAtOtherProvider(listening, config))
            .map(ListenerDestination::consumer)
            .collect(Collectors.toUnmodifiableSet()));
  }

  private static Map<String, String> unusableFactories(InboxConfig config) {
    Map<String, String> unusable = new TreeMap<>();
    for (String name : config.connectionFactories()) {
      problemOf(name, ConnectionFactory.class).ifPresent(problem -> unusable.put(name, problem));
    }
    return unusable;
  }

  /**
   * Compares providers as far as this code can see both; otherwise the first copy shows the
   * difference.
   */
  private static boolean isAtOtherProvider(ListenerDestination listening, InboxConfig config) {
    Optional<Object> factory =
        seen(config.connectionFactoryOf(listening.consumer()), ConnectionFactory.class);
    Optional<Object> destination =
        listening.destination().flatMap(name -> seen(name, Destination.class));
    return factory.isPresent()
        && destination.isPresent()
        && Providers.differ(factory.get().getClass(), destination.get().getClass());
  }

  private static Optional<Object> seen(String name, Class<?> type) {
    return ServerObjects.bound(name).filter(type::isInstance);
  }

  private static Optional<String> problemOf(String name, Class<?> type) {
    if (isOfOneComponent(name)) {
      return Optional.empty(); // only deliveries can look this name up
    }
    try {
      Object found = Jndi.lookup(name);
      return type.isInstance(found)
          ? Optional.empty()
          : Optional.of("it is a " + found.getClass().getName());
    } catch (NamingException missing) {
      return Optional.of(InboxLog.reason(missing));
    }
  }

  private static boolean isOfOneComponent(String name) {
    return name.startsWith("java:comp/env/") || name.startsWith("java:module/");
  }

  private static boolean isOnTopic(ListenerDestination listening) {
    return listening
        .destinationType()
        .map(Topic.class.getName()::equals)
        .orElseGet(() -> listening.destination().filter(RetryRouteInspection::isTopic).isPresent());
  }

  private static boolean isTopic(String name) {
    return ServerObjects.bound(name)
        .filter(found -> found instanceof Topic && !(found instanceof Queue))
        .isPresent();
  }

  /**
   * JNDI names of connection factories of other brokers than the default one's, without opening a
   * connection: in the context {@code jms}, and in the contexts of the configured names and the
   * listeners' destinations. None on a server that does not list names, or whose factories do not
   * reveal their broker.
   */
  static SortedSet<String> atOtherBrokers(
      InboxConfig config, Collection<ListenerDestination> listeners) {
    SortedSet<String> others = new TreeSet<>();
    Optional<Object> own = seen(config.connectionFactory(), ConnectionFactory.class);
    if (own.isEmpty()
        || !seen(config.connectionFactory(), ConnectionFactory.class)
            .filter(it -> sameBroker(it, own.get()))
            .isPresent()) {
      return others; // the default factory does not reveal its broker
    }
    for (String context : contexts(config, listeners)) {
      for (String name : factoriesIn(context)) {
        seen(name, ConnectionFactory.class)
            .filter(it -> !sameBroker(it, own.get()))
            .ifPresent(it -> others.add(name));
      }
    }
    return others;
  }

  private static SortedSet<String> contexts(
      InboxConfig config, Collection<ListenerDestination> listeners) {
    SortedSet<String> contexts = new TreeSet<>(Set.of(USUAL_CONTEXT));
    Stream.concat(
            listeners.stream().flatMap(it -> it.destination().stream()),
            Stream.concat(Stream.of(config.others()), config.consumers().values().stream())
                .flatMap(RetryRouteInspection::names))
        .filter(name -> !name.startsWith("java:") && name.contains("/"))
        .forEach(name -> contexts.add(name.substring(0, name.lastIndexOf('/'))));
    return contexts;
  }

  private static Stream<String> names(ConsumerConfig settings) {
    return Stream.of(
            settings.connectionFactory(), settings.retryDestination(), settings.deadQueue())
        .flatMap(Optional::stream);
  }

  private static SortedSet<String> factoriesIn(String context) {
    SortedSet<String> names = new TreeSet<>();
    try {
      NamingEnumeration<NameClassPair> listed = Jndi.list(context);
      try {
        for (int i = 0; i < MOST_NAMES && listed.hasMore(); i++) {
          NameClassPair it = listed.next();
          if (TYPES.contains(it.getClassName())) {
            names.add(context + "/" + it.getName());
          }
        }
      } finally {
        listed.close();
      }
    } catch (NamingException | RuntimeException notListed) {
      return names; // the context does not exist, or the server does not list names
    }
    return names;
  }

  /**
   * Compares properties of the factories of Open Liberty's own provider and of Artemis' adapter.
   */
  private static boolean sameBroker(Object one, Object other) {
    Optional<String> bus = ServerObject.ask(one, "getBusName", String.class);
    Optional<Object> adapter = ServerObject.ask(one, "getResourceAdapter", Object.class);
    return one.equals(other)
        || (adapter.isPresent()
            && adapter.equals(ServerObject.ask(other, "getResourceAdapter", Object.class)))
        || (bus.isPresent()
            && bus.equals(ServerObject.ask(other, "getBusName", String.class))
            && endpoints(one).equals(endpoints(other)));
  }

  private static Optional<String> endpoints(Object factory) {
    return ServerObject.ask(factory, "getProviderEndpoints", String.class);
  }
}
