package io.postbox.outbox.config;

import io.postbox.common.config.Backoff;
import io.postbox.common.config.Confidentiality;
import io.postbox.common.config.MetricsSystem;
import io.postbox.common.config.ModuleConfig;
import io.postbox.common.config.Retries;
import io.postbox.common.config.TableNames;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The outbox's validated configuration. Keys and bounds are in docs/configuration.md.
 *
 * @param service the owner of the tables; sent as {@code OutboxSource}
 * @param dataSource global JNDI name of the application's data source
 * @param tables where the tables are
 * @param createTables whether to create missing tables at start
 * @param connectionFactory JNDI name of the JMS connection factory
 * @param partitions the number of partitions; fixed once the tables exist
 * @param maxPayload the largest payload, in bytes of its stored form
 * @param maxAttempts after how many failed attempts of its own a message becomes a dead letter
 * @param backoff the wait between attempts
 * @param onDeadLetter whether the messages behind a dead letter with the same key wait
 * @param afterSending whether sent messages are deleted or kept
 * @param delivery whether one transaction sends and completes a batch, or two
 * @param duplicateDetection whether the broker recognises repeated messages
 * @param retention how long completed messages are kept
 * @param backlog the limits of the backlog
 * @param relay this node's relay
 * @param destinations the known destinations and their JNDI names
 * @param recoveries how failures are recovered from, for destinations with keys of their own
 * @param confidentiality how payloads and error texts are protected
 * @param metrics where the metrics go
 * @param unknownKeys the report on unknown keys, if they are only reported
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
    Map<String, Recovery> recoveries,
    Confidentiality confidentiality,
    MetricsSystem metrics,
    List<String> unknownKeys)
    implements ModuleConfig {

  /** Keeps a copy. */
  public OutboxConfig {
    recoveries = Map.copyOf(recoveries);
  }

  /**
   * How failures of messages to one destination are recovered from.
   *
   * @param maxAttempts after how many failed attempts of its own a message becomes a dead letter
   * @param backoff the wait between attempts
   * @param onDeadLetter whether the messages behind a dead letter with the same key wait
   */
  public record Recovery(int maxAttempts, Backoff backoff, OnDeadLetter onDeadLetter) {
    /** Without what becomes of a dead letter's followers. */
    public Retries retries() {
      return new Retries(maxAttempts, backoff);
    }
  }

  /** Whether the followers of a dead letter with an ordering key wait. */
  public enum OnDeadLetter {
    /** They wait until an operator has redriven or discarded the dead letter. */
    HOLD,
    /** They are sent without it. */
    CONTINUE
  }

  /** Whether a sent message is deleted or kept. */
  public enum AfterSending {
    /** Its row is deleted. */
    DELETE,
    /** Its row stays, as {@code SENT}. */
    KEEP,
    /** Its row goes to the archive table. */
    ARCHIVE
  }

  /** Whether one transaction sends and completes a batch, or two. */
  public enum Delivery {
    /** Two transactions: after a crash in between, the batch is sent again. */
    LOCAL,
    /** One two-phase transaction over database and broker. */
    XA
  }

  /** Whether the broker recognises a message that it already has. */
  public enum DuplicateDetection {
    /** No: the inbox skips duplicates. */
    NONE,
    /** Yes, by the property {@code _AMQ_DUPL_ID} of Apache Artemis. */
    ARTEMIS
  }

  /** The partitions of the archive table; only on PostgreSQL. */
  public enum ArchivePartitions {
    /** Nothing. */
    NONE,
    /** One partition a day. */
    DAILY,
    /** One partition a month. */
    MONTHLY
  }

  /**
   * How long completed messages are kept.
   *
   * @param age of sent rows, archived rows and discarded letters
   * @param archivePartitions the archive's partitions, which are dropped as a whole
   */
  public record Retention(Duration age, ArchivePartitions archivePartitions) {}

  /**
   * The limits of the backlog: warning limits, and hard limits above which enqueue refuses
   * messages.
   *
   * @param warnCount messages
   * @param maxCount messages
   * @param warnAge of the oldest message
   * @param maxAge of the oldest message
   */
  public record Backlog(long warnCount, long maxCount, Duration warnAge, Duration maxAge) {}

  /** The sender of a service's messages. */
  public enum RelayMode {
    /** The nodes: each polls the table and sends by JMS. */
    POLLING,
    /** A change data capture connector, which reads the inserts from the database's log. */
    CDC
  }

  /**
   * The sender, and this node's relay.
   *
   * @param mode of the service, the same on all nodes
   * @param slot the connector's replication slot; only in {@link RelayMode#CDC}
   * @param enabled whether this node relays; only in {@link RelayMode#POLLING}
   * @param workers how many partitions it works on at once
   * @param batchSize how many messages it sends in one JMS transaction
   * @param sendTimeout how long one JMS transaction may take
   */
  public record RelayConfig(
      RelayMode mode,
      String slot,
      boolean enabled,
      int workers,
      int batchSize,
      Duration sendTimeout) {

    /** Whether a connector sends the messages, and no node does. */
    public boolean isCdc() {
      return mode == RelayMode.CDC;
    }

    /** Whether this node relays. */
    public boolean runsHere() {
      return mode == RelayMode.POLLING && enabled;
    }
  }

  /** How failures of messages to a destination are recovered from. */
  public Recovery recovery(String destination) {
    return recoveries.getOrDefault(destination, new Recovery(maxAttempts, backoff, onDeadLetter));
  }

  /** The longest wait for a retry that any destination has by the configuration. */
  public Duration longestBackoff() {
    return Stream.concat(Stream.of(backoff), recoveries.values().stream().map(Recovery::backoff))
        .map(Backoff::max)
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }
}
