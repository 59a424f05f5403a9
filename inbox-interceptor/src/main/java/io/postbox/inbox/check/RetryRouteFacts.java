package io.postbox.inbox.check;

import java.util.Map;
import java.util.Set;

/**
 * The state of the connection factories and destinations with which messages are resent for a
 * delayed retry.
 *
 * @param unusableFactories why connection factories cannot be used, by JNDI name; none of those
 *     that are there, or are not needed
 * @param missingDestinations the configured retry destinations and dead queues that are not there,
 *     by JNDI name
 * @param onTopics the consumers that are known to listen on a topic
 * @param atOtherProviders the consumers that listen on a destination of another JMS provider than
 *     their connection factory is known to be of
 */
public record RetryRouteFacts(
    Map<String, String> unusableFactories,
    Set<String> missingDestinations,
    Set<String> onTopics,
    Set<String> atOtherProviders) {

  /** No problem was found, or nothing is known. */
  public static final RetryRouteFacts NOTHING_WRONG =
      new RetryRouteFacts(Map.of(), Set.of(), Set.of(), Set.of());
}
