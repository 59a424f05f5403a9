package io.postbox.inbox.config;

import io.postbox.common.config.Backoff;
import io.postbox.common.config.Retries;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The settings of one consumer.
 *
 * @param maxAttempts how often its handler may fail before the message is parked
 * @param maxCrashes how often the process may die while it handles a redelivered message before the
 *     message is parked
 * @param maxTransientFailures how often its handler may fail transiently before the message is
 *     parked
 * @param maxBody the most bytes that the body of a JMS message may have; a larger one is not read
 * @param backoff the wait after each failure
 * @param retention how long a handled id is kept
 * @param connectionFactory JNDI name of the connection factory for the broker of its listener, if
 *     it is not the one of all consumers
 * @param retryDestination JNDI name of the queue to which delayed retries are sent, if that is not
 *     the queue of the original
 * @param deadQueue JNDI name of the queue to which messages go, unread, if their body cannot be
 *     kept
 * @param replies the allowed destinations of its replies
 * @param quota the limits of its kept messages and of the aggregates that it knows
 * @param order version order, if the consumer has it
 * @param capture how its captured messages are handled
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
    Optional<VersionOrder> order,
    Capture capture) {

  /** How often its handler may fail, and the waits in between. */
  public Retries retries() {
    return new Retries(maxAttempts, backoff);
  }

  /** These settings with other retries. */
  public ConsumerConfig with(Retries other) {
    return new ConsumerConfig(
        other.maxAttempts(),
        maxCrashes,
        maxTransientFailures,
        maxBody,
        other.backoff(),
        retention,
        connectionFactory,
        retryDestination,
        deadQueue,
        replies,
        quota,
        order,
        capture);
  }

  /**
   * How the messages of a consumer with {@code mode = CAPTURE} are handled.
   *
   * @param workers how many of them each node handles at once
   * @param onParked the treatment of the messages behind a parked one with their ordering key
   * @param afterProcessing the treatment of a row whose message is handled
   * @param longestSilence how long a handler may leave the database alone before it ends the
   *     handler's transaction
   * @param limit how many captured messages may wait to be handled; then further ones stay with the
   *     broker
   * @param bytes how large those that wait may be altogether
   */
  public record Capture(
      int workers,
      OnParked onParked,
      AfterProcessing afterProcessing,
      Duration longestSilence,
      int limit,
      long bytes) {}

  /** The treatment of the messages behind a parked one with their ordering key. */
  public enum OnParked {
    /** They wait until an operator redrives or discards it. */
    HOLD,
    /** They are handled. */
    CONTINUE
  }

  /** The treatment of a captured message's row after it is handled. */
  public enum AfterProcessing {
    /** It is deleted. */
    DELETE,
    /** It is kept as long as the message's id. */
    KEEP
  }

  /**
   * The limits of a consumer's rows that senders can cause.
   *
   * @param messages the most kept messages, quarantined and parked together
   * @param bytes the largest total size of kept messages
   * @param whenFull the treatment of further messages
   * @param aggregates the most aggregates that it knows, with version order
   */
  public record Quota(int messages, long bytes, WhenFull whenFull, int aggregates) {}

  /** The treatment of a message beyond the quota. */
  public enum WhenFull {
    /** The message is not acknowledged, and its endpoint is paused if the server supports that. */
    PAUSE,
    /** The message is kept without its body and acknowledged: its body is lost. */
    METADATA
  }

  /**
   * The reply destinations to which a consumer's replies may be sent if a sender requests them.
   *
   * @param temporary whether temporary queues and topics are allowed
   * @param destinations other allowed destinations, by the broker's names, such as {@code
   *     queue:REPLIES}
   * @param timeToLive how long the broker keeps a reply; zero for ever
   */
  public record Replies(boolean temporary, Set<String> destinations, Duration timeToLive) {
    /** Keeps a copy. */
    public Replies {
      destinations = Set.copyOf(destinations);
    }
  }

  /**
   * Version order: the versions of an aggregate are handled in their order.
   *
   * @param firstVersion the version with which an unknown aggregate begins; empty if that is the
   *     one that comes first
   * @param limit how many early versions may be buffered
   * @param bytes how large those may be altogether
   * @param longestGap how long a version may be missing before that is reported
   */
  public record VersionOrder(
      OptionalLong firstVersion, int limit, long bytes, Duration longestGap) {}
}
