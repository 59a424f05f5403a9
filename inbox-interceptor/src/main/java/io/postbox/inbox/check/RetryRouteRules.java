package io.postbox.inbox.check;

import io.postbox.common.check.Finding;
import io.postbox.common.platform.ServerSetting;
import io.postbox.inbox.config.InboxConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Checks that a stored message can be sent to its consumer again. Otherwise a failing one waits at
 * the broker, which redelivers it again and again, and it blocks a thread of its listener.
 */
public final class RetryRouteRules {
  private static final String WHAT_FOLLOWS =
      " a message whose handler fails, or that is too early in the order of versions, cannot be"
          + " stored until its turn, because it could not be sent to its consumer again: it waits"
          + " at the broker, which redelivers it at once, and meanwhile it delays other messages of"
          + " its listener, a second each time.";

  private RetryRouteRules() {}

  /**
   * Applies all rules.
   *
   * @param config the inbox's configuration
   * @param consumers the names of the guarded consumers
   * @param facts the inspected facts
   */
  public static List<Finding> findings(
      InboxConfig config, Collection<String> consumers, RetryRouteFacts facts) {
    List<Finding> findings = new ArrayList<>();
    for (String name : new TreeSet<>(facts.unusableFactories().keySet())) {
      connectionFactory(config, consumers, name, facts).ifPresent(findings::add);
    }
    providers(config, facts).ifPresent(findings::add);
    retryDestinations(config, facts).ifPresent(findings::add);
    topics(config, facts).ifPresent(findings::add);
    deadQueues(config, consumers, facts).ifPresent(findings::add);
    return List.copyOf(findings);
  }

  /**
   * If a server has several connection factories, the default one may lead to another broker than
   * the one on which a consumer listens. Only the administrator knows.
   *
   * @param config the inbox's configuration
   * @param consumers the names of the guarded consumers
   * @param others JNDI names of the connection factories beside the default one
   */
  public static Optional<Finding> unchosenFactory(
      InboxConfig config, Collection<String> consumers, Collection<String> others) {
    SortedSet<String> concerned = new TreeSet<>(consumers);
    concerned.removeIf(config::choosesConnectionFactoryOf);
    return concerned.isEmpty() || others.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                "connection-factories",
                "The consumers %s use the connection factory %s, which no setting chose, and the server has others: %s. If one of them listens at a broker to which that connection factory does not lead, a copy of a stored message, or a reply, goes to a queue of that name at the wrong broker, where its consumer never sees it. Set postbox.inbox.connection-factory, or %s, to the JNDI name of a connection factory of the broker on which each listens; to %s if that is right."
                    .formatted(
                        String.join(", ", concerned),
                        config.connectionFactory(),
                        String.join(", ", new TreeSet<>(others)),
                        keys(concerned, "connection-factory"),
                        config.connectionFactory())));
  }

  private static Optional<Finding> connectionFactory(
      InboxConfig config, Collection<String> consumers, String name, RetryRouteFacts facts) {
    SortedSet<String> concerned = new TreeSet<>(consumers);
    concerned.removeIf(consumer -> !config.connectionFactoryOf(consumer).equals(name));
    return concerned.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                "connection-factory",
                "%s=%s leads to no connection factory (%s). For the consumers %s nothing is replied, and%s Define a jmsConnectionFactory of that JNDI name, or set the key to that of one."
                    .formatted(
                        config.connectionFactory().equals(name)
                            ? "postbox.inbox.connection-factory"
                            : "postbox.inbox.consumer.%s.connection-factory"
                                .formatted(concerned.first()),
                        name,
                        facts.unusableFactories().get(name),
                        String.join(", ", concerned),
                        WHAT_FOLLOWS)));
  }

  private static Optional<Finding> providers(InboxConfig config, RetryRouteFacts facts) {
    SortedSet<String> abroad = new TreeSet<>(facts.atOtherProviders());
    abroad.removeIf(consumer -> config.of(consumer).retryDestination().isPresent());
    return abroad.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                "provider",
                "The consumers %s listen on a queue of another JMS provider than their connection factory is of, and at its broker a queue of that name is another one; so%s Set %s to the JNDI name of a connection factory of the broker on which each listens."
                    .formatted(
                        String.join(", ", abroad),
                        WHAT_FOLLOWS,
                        keys(abroad, "connection-factory"))));
  }

  private static Optional<Finding> retryDestinations(InboxConfig config, RetryRouteFacts facts) {
    SortedSet<String> missing = new TreeSet<>();
    config
        .consumers()
        .forEach(
            (consumer, settings) ->
                settings
                    .retryDestination()
                    .filter(facts.missingDestinations()::contains)
                    .ifPresent(
                        name ->
                            missing.add(
                                "postbox.inbox.consumer.%s.retry-destination=%s"
                                    .formatted(consumer, name))));
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                "retry-destination",
                "%s: there is nothing of that name, so%s %s, or set the key to that of one; without the key, the queue is taken that the message came from."
                    .formatted(
                        String.join(", ", missing),
                        WHAT_FOLLOWS,
                        ServerSetting.QUEUE.beginning())));
  }

  private static Optional<Finding> deadQueues(
      InboxConfig config, Collection<String> consumers, RetryRouteFacts facts) {
    List<String> missing =
        consumers.stream()
            .flatMap(consumer -> config.of(consumer).deadQueue().stream())
            .filter(facts.missingDestinations()::contains)
            .distinct()
            .sorted()
            .toList();
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                "dead-queue",
                "postbox.inbox.dead-queue, or that of a consumer, is %s: there is nothing of that name, so a message whose body cannot be kept is rolled back and redelivered until there is. %s, or set the key to that of one."
                    .formatted(String.join(", ", missing), ServerSetting.QUEUE.beginning())));
  }

  private static Optional<Finding> topics(InboxConfig config, RetryRouteFacts facts) {
    SortedSet<String> homeless = new TreeSet<>(facts.onTopics());
    homeless.removeIf(consumer -> config.of(consumer).retryDestination().isPresent());
    return homeless.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Finding(
                "topic",
                "The consumers %s listen on a topic and have no retry destination, and a message sent to the topic reaches all its subscribers; so%s Give each a queue of its own, with a second listener, and set %s to its JNDI name."
                    .formatted(
                        String.join(", ", homeless),
                        WHAT_FOLLOWS,
                        keys(homeless, "retry-destination"))));
  }

  private static String keys(SortedSet<String> consumers, String key) {
    return consumers.stream()
        .map(consumer -> "postbox.inbox.consumer." + consumer + "." + key)
        .collect(Collectors.joining(", "));
  }
}
