package io.postbox.inbox.config;

import io.postbox.common.config.Backoff;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of one consumer.
 *
 * @param maxAttempts how often its handler may fail before the message is parked
 * @param maxCrashes how often the process may die while it handles a redelivered message before the
 *     message is parked
 * @param maxTransientFailures how often its handler may fail transiently before the message is
 *     parked
 * @param maxBody how many bytes the body of a JMS message may have; a larger one is not read
 * @param backoff the wait after each failure
 * @param retention how long a handled id is kept
 * @param connectionFactory JNDI name of the connection factory that leads to the broker of its
 *     listener, where that is not the one of all
 * @param retryDestination JNDI name of the queue to which a message that is to be redelivered is
 *     sent, where that is not the one it came from
 * @param deadQueue JNDI name of the queue to which messages go, unread, whose body cannot be kept
 * @param replies the allowed destinations of its replies
 * @param quota the limits of its kept messages and of the aggregates that it knows
 * @param order whether versions of an aggregate are handled in their order
 */
public record ConsumerConfig(
    int maxAttempts,
    int maxCrashes,
    int maxTransientFailures,
    int maxBody,
    Backoff backoff,
    Duration retention,
    Optional<String> connectionFactory,
    Optional<String> retryDestination,
    Optional<String> deadQueue,
    Replies replies,
    Quota quota,
    Optional<VersionOrder> order) {

  /**
   * The limits of a consumer's rows that senders can cause.
   *
   * @param messages how many are kept aside, quarantined and parked together
   * @param bytes how large they are altogether
   * @param whenFull what happens to further ones
   * @param aggregates how many aggregates it knows, if it handles their versions in order
   */
  public record Quota(int messages, long bytes, WhenFull whenFull, int aggregates) {}

  /** The treatment of a message beyond the quota. */
  public enum WhenFull {
    /** It is not acknowledged, and its endpoint is paused if the server supports that. */
    PAUSE,
    /** It is kept without its body, and acknowledged: its body is lost. */
    METADATA
  }

  /**
   * The destinations, of those that senders request, to which a consumer's replies may be sent.
   *
   * @param temporary whether to temporary queues and topics
   * @param destinations to which others, by the broker's names, as {@code queue:REPLIES}
   * @param timeToLive how long the broker keeps a reply; zero for ever
   */
  public record Replies(boolean temporary, Set<String> destinations, Duration timeToLive) {
    /** Keeps a copy. */
    public Replies {
      destinations = Set.copyOf(destinations);
    }
  }

  /**
   * The gate by aggregate version.
   *
   * @param firstVersion the version with which an unknown aggregate begins
   * @param maxWaits how often a version that came too early is redelivered before it is parked
   */
  public record VersionOrder(long firstVersion, int maxWaits) {}
}
