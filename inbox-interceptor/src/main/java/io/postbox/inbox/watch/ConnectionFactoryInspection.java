package io.postbox.inbox.watch;

import io.postbox.common.server.Jndi;
import io.postbox.common.server.ServerObjects;
import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.startup.ListenerDestination;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.QueueConnectionFactory;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.naming.NameClassPair;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;

/**
 * Searches for connection factories of other brokers than the default one's, without opening a
 * connection: in the context {@code jms}, and in the contexts of the configured names and the
 * listeners' destinations. Finds none on a server that does not list names, or whose factories do
 * not reveal their broker.
 */
final class ConnectionFactoryInspection {
  private static final String USUAL_CONTEXT = "jms";
  private static final int MOST_NAMES = 100;
  private static final Set<String> TYPES =
      Set.of(ConnectionFactory.class.getName(), QueueConnectionFactory.class.getName());

  private ConnectionFactoryInspection() {}

  /** JNDI names of the factories of other brokers. */
  static SortedSet<String> atOtherBrokers(
      InboxConfig config, Collection<ListenerDestination> listeners) {
    SortedSet<String> others = new TreeSet<>();
    Optional<Object> own = seen(config.connectionFactory());
    if (own.isEmpty()
        || !seen(config.connectionFactory()).filter(it -> sameBroker(it, own.get())).isPresent()) {
      return others; // the default factory does not reveal its broker
    }
    for (String context : contexts(config, listeners)) {
      for (String name : factoriesIn(context)) {
        seen(name).filter(it -> !sameBroker(it, own.get())).ifPresent(it -> others.add(name));
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
                .flatMap(ConnectionFactoryInspection::names))
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

  private static Optional<Object> seen(String name) {
    try {
      return Optional.of(Jndi.lookup(name)).filter(ConnectionFactory.class::isInstance);
    } catch (NamingException | RuntimeException notUsable) {
      return Optional.empty(); // the code that needs the name reports it
    }
  }

  /**
   * Compares properties of the factories of Open Liberty's own provider and of Artemis' adapter.
   */
  private static boolean sameBroker(Object one, Object other) {
    Optional<String> bus = ServerObjects.ask(one, "getBusName", String.class);
    Optional<Object> adapter = ServerObjects.ask(one, "getResourceAdapter", Object.class);
    return one.equals(other)
        || (adapter.isPresent()
            && adapter.equals(ServerObjects.ask(other, "getResourceAdapter", Object.class)))
        || (bus.isPresent()
            && bus.equals(ServerObjects.ask(other, "getBusName", String.class))
            && endpoints(one).equals(endpoints(other)));
  }

  private static Optional<String> endpoints(Object factory) {
    return ServerObjects.ask(factory, "getProviderEndpoints", String.class);
  }
}
