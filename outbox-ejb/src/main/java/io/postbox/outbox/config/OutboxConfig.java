package io.postbox.outbox.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What the outbox was told, checked. Keys and bounds are in the README's table.
 *
 * @param service the owner of the tables; travels as {@code OutboxSource}
 * @param dataSource global JNDI name of the application's data source
 * @param tables where the tables are
 * @param createTables whether the tables are made at start if they are missing
 * @param connectionFactory JNDI name of the JMS connection factory
 * @param partitions into how many partitions messages are spread; fixed once the tables exist
 * @param maxPayload the largest payload, in bytes of its stored form
 * @param maxAttempts how often a message that is itself at fault is tried before it is a dead
 *     letter
 * @param backoff the wait between attempts
 * @param onDeadLetter what a dead letter does to the messages behind it with the same key
 * @param relay how this node relays
 * @param destinations JNDI names by logical name, where they differ from {@code jms/<name>}
 * @param unknownKeys what to say of keys that mean nothing, where those are only reported
 */
public record OutboxConfig(
    String service,
    String dataSource,
    TableNames tables,
    boolean createTables,
    String connectionFactory,
    int partitions,
    int maxPayload,
    int maxAttempts,
    Backoff backoff,
    OnDeadLetter onDeadLetter,
    RelayConfig relay,
    Map<String, String> destinations,
    List<String> unknownKeys) {

  /** What happens to the followers of a dead letter with an ordering key. */
  public enum OnDeadLetter {
    /** They wait until a person has decided about the dead letter. */
    HOLD,
    /** They go on without it. */
    CONTINUE
  }

  /**
   * How this node relays.
   *
   * @param enabled whether it relays at all
   * @param workers how many partitions it works on at once
   * @param batchSize how many messages it sends in one JMS transaction
   * @param sendTimeout how long one JMS transaction may take
   */
  public record RelayConfig(boolean enabled, int workers, int batchSize, Duration sendTimeout) {}

  /** The JNDI name that a logical destination stands for. */
  public String jndiName(String destination) {
    return destinations.getOrDefault(destination, "jms/" + destination);
  }
}
