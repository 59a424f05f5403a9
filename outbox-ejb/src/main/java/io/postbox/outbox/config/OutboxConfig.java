package io.postbox.outbox.config;

import io.postbox.common.config.Backoff;
import io.postbox.common.config.Confidentiality;
import io.postbox.common.config.TableNames;
import java.time.Duration;
import java.util.List;

/**
 * What the outbox was told, checked. Keys and bounds are in docs/configuration.md.
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
 * @param afterSending what becomes of sent messages
 * @param delivery how sending and completing a batch belong together
 * @param duplicateDetection whether the broker is to recognise repeats
 * @param retention how long what is over is kept
 * @param backlog how much may wait
 * @param relay how this node relays
 * @param destinations which there are, and what they stand for
 * @param confidentiality what is kept from whoever reads tables and logs
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
    AfterSending afterSending,
    Delivery delivery,
    DuplicateDetection duplicateDetection,
    Retention retention,
    Backlog backlog,
    RelayConfig relay,
    Destinations destinations,
    Confidentiality confidentiality,
    List<String> unknownKeys) {

  /** What happens to the followers of a dead letter with an ordering key. */
  public enum OnDeadLetter {
    /** They wait until a person has decided about the dead letter. */
    HOLD,
    /** They go on without it. */
    CONTINUE
  }

  /** What becomes of a message that was sent. */
  public enum AfterSending {
    /** Its row is deleted. */
    DELETE,
    /** Its row stays, as {@code SENT}. */
    KEEP,
    /** Its row goes to the archive table. */
    ARCHIVE
  }

  /** How sending a batch and completing it belong together. */
  public enum Delivery {
    /** Two transactions: a crash in between repeats the batch. */
    LOCAL,
    /** One transaction over database and broker, in two phases. */
    XA
  }

  /** Whether the broker is to recognise a message that it has already. */
  public enum DuplicateDetection {
    /** No: that is the inbox's task. */
    NONE,
    /** By the property {@code _AMQ_DUPL_ID} of Apache Artemis. */
    ARTEMIS
  }

  /** Into what the archive table is divided; only on PostgreSQL. */
  public enum ArchivePartitions {
    /** Nothing. */
    NONE,
    /** A table for each day. */
    DAILY,
    /** A table for each month. */
    MONTHLY
  }

  /**
   * How long what is over is kept.
   *
   * @param age of sent rows, of the archive and of discarded letters
   * @param archivePartitions into what the archive is divided, to be dropped as a whole
   */
  public record Retention(Duration age, ArchivePartitions archivePartitions) {}

  /**
   * How much may wait. Beyond the first limits the operator is told; beyond the second enqueue
   * refuses.
   *
   * @param warnCount messages
   * @param maxCount messages
   * @param warnAge of the oldest message
   * @param maxAge of the oldest message
   */
  public record Backlog(long warnCount, long maxCount, Duration warnAge, Duration maxAge) {}

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
    return destinations.jndiName(destination);
  }
}
