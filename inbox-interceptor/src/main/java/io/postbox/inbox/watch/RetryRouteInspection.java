package io.postbox.inbox.watch;

import io.postbox.common.server.Jndi;
import io.postbox.inbox.check.RetryRouteFacts;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.jms.Providers;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.startup.ListenerDestination;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.naming.NamingException;

/**
 * Looks up the connection factories and destinations for delayed retries, by the names that a
 * delivery uses.
 */
final class RetryRouteInspection {
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
    try {
      return Optional.of(Jndi.lookup(name)).filter(type::isInstance);
    } catch (NamingException notThere) {
      return Optional.empty(); // another finding or the server reports it
    }
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
    try {
      Object found = Jndi.lookup(name);
      return found instanceof Topic && !(found instanceof Queue);
    } catch (NamingException notThere) {
      return false; // nothing is delivered, and the server reports it
    }
  }
}
