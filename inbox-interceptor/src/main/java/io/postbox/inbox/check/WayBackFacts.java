package io.postbox.inbox.check;

import java.util.Optional;
import java.util.Set;

/**
 * What was found of that by which messages are sent away, to come again later.
 *
 * @param connectionFactory why the connection factory cannot be used; empty if it is there, or is
 *     not needed
 * @param missingDestinations the configured retry destinations that are not there, by JNDI name
 * @param onTopics the consumers that are known to listen on a topic
 */
public record WayBackFacts(
    Optional<String> connectionFactory, Set<String> missingDestinations, Set<String> onTopics) {

  /** All is there, or not known. */
  public static final WayBackFacts NOTHING_WRONG =
      new WayBackFacts(Optional.empty(), Set.of(), Set.of());
}
