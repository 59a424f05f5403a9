package io.postbox.inbox.check;

import java.util.Map;
import java.util.Set;

/**
 * The state of the connection factories and destinations with which stored messages are sent to
 * their consumers again.
 *
 * @param unusableFactories why connection factories cannot be used, by JNDI name; without those
 *     that are usable or not needed
 * @param missingDestinations the configured retry destinations and dead queues that do not exist,
 *     by JNDI name
 * @param onTopics the consumers known to listen on a topic
 * @param atOtherProviders the consumers whose destination is known to belong to another JMS
 *     provider than their connection factory
 */
public record RetryRouteFacts(
    Map<String, String> unusableFactories,
    Set<String> missingDestinations,
    Set<String> onTopics,
    Set<String> atOtherProviders) {}
