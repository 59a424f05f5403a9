package io.postbox.outbox.testing;

import io.postbox.outbox.config.Backoff;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.config.OutboxConfig.AfterSending;
import io.postbox.outbox.config.OutboxConfig.ArchivePartitions;
import io.postbox.outbox.config.OutboxConfig.Backlog;
import io.postbox.outbox.config.OutboxConfig.Delivery;
import io.postbox.outbox.config.OutboxConfig.DuplicateDetection;
import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.config.OutboxConfig.RelayConfig;
import io.postbox.outbox.config.OutboxConfig.Retention;
import io.postbox.outbox.config.TableNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A configuration to vary. Immutable.
 *
 * @param service the owner
 * @param tables where the tables are
 * @param createTables whether to make them
 * @param partitions how many
 * @param maxAttempts how often a message is tried
 * @param firstBackoff the ceiling of the first wait
 * @param onDeadLetter what a dead letter does
 * @param afterSending what becomes of sent messages
 * @param delivery how sending and completing belong together
 * @param workers how many partitions at once
 * @param batchSize messages per batch
 */
public record TestConfig(
    String service,
    TableNames tables,
    boolean createTables,
    int partitions,
    int maxAttempts,
    Duration firstBackoff,
    OnDeadLetter onDeadLetter,
    AfterSending afterSending,
    Delivery delivery,
    int workers,
    int batchSize) {

  /** Sixteen partitions, and a backoff so long that only a test makes a message due again. */
  public static final TestConfig DEFAULT =
      new TestConfig(
          "shop",
          new TableNames("", ""),
          true,
          16,
          3,
          Duration.ofHours(1),
          OnDeadLetter.HOLD,
          AfterSending.DELETE,
          Delivery.LOCAL,
          2,
          100);

  /** Another owner. */
  public TestConfig withService(String other) {
    return new TestConfig(
        other,
        tables,
        createTables,
        partitions,
        maxAttempts,
        firstBackoff,
        onDeadLetter,
        afterSending,
        delivery,
        workers,
        batchSize);
  }

  /** Other names. */
  public TestConfig withTables(String schema, String prefix) {
    return new TestConfig(
        service,
        new TableNames(schema, prefix),
        createTables,
        partitions,
        maxAttempts,
        firstBackoff,
        onDeadLetter,
        afterSending,
        delivery,
        workers,
        batchSize);
  }

  /** Tables that somebody else makes. */
  public TestConfig withoutCreatingTables() {
    return new TestConfig(
        service,
        tables,
        false,
        partitions,
        maxAttempts,
        firstBackoff,
        onDeadLetter,
        afterSending,
        delivery,
        workers,
        batchSize);
  }

  /** Another number of partitions. */
  public TestConfig withPartitions(int other) {
    return new TestConfig(
        service,
        tables,
        createTables,
        other,
        maxAttempts,
        firstBackoff,
        onDeadLetter,
        afterSending,
        delivery,
        workers,
        batchSize);
  }

  /** Another fate of messages that fail. */
  public TestConfig withFailures(int attempts, OnDeadLetter afterwards) {
    return new TestConfig(
        service,
        tables,
        createTables,
        partitions,
        attempts,
        firstBackoff,
        afterwards,
        afterSending,
        delivery,
        workers,
        batchSize);
  }

  /** Another ceiling of the first wait after a failure. */
  public TestConfig withFirstBackoff(Duration other) {
    return new TestConfig(
        service,
        tables,
        createTables,
        partitions,
        maxAttempts,
        other,
        onDeadLetter,
        afterSending,
        delivery,
        workers,
        batchSize);
  }

  /** Another fate of sent messages. */
  public TestConfig withAfterSending(AfterSending other) {
    return new TestConfig(
        service,
        tables,
        createTables,
        partitions,
        maxAttempts,
        firstBackoff,
        onDeadLetter,
        other,
        delivery,
        workers,
        batchSize);
  }

  /** Two phases. */
  public TestConfig withXa() {
    return new TestConfig(
        service,
        tables,
        createTables,
        partitions,
        maxAttempts,
        firstBackoff,
        onDeadLetter,
        afterSending,
        Delivery.XA,
        workers,
        batchSize);
  }

  /** Another size of the relay. */
  public TestConfig withRelay(int otherWorkers, int otherBatchSize) {
    return new TestConfig(
        service,
        tables,
        createTables,
        partitions,
        maxAttempts,
        firstBackoff,
        onDeadLetter,
        afterSending,
        delivery,
        otherWorkers,
        otherBatchSize);
  }

  /** What the outbox works with. */
  public OutboxConfig config() {
    return new OutboxConfig(
        service,
        "java:comp/DefaultDataSource",
        tables,
        createTables,
        "java:comp/DefaultJMSConnectionFactory",
        partitions,
        1 << 20,
        maxAttempts,
        new Backoff(firstBackoff, firstBackoff),
        onDeadLetter,
        afterSending,
        delivery,
        DuplicateDetection.NONE,
        new Retention(Duration.ofDays(7), ArchivePartitions.NONE),
        new Backlog(1_000, 10_000, Duration.ofHours(1), Duration.ofDays(1)),
        new RelayConfig(true, workers, batchSize, Duration.ofSeconds(30)),
        Map.of(),
        List.of());
  }

  /** The same with another retention. */
  public static OutboxConfig withRetention(OutboxConfig config, Retention retention) {
    return new OutboxConfig(
        config.service(),
        config.dataSource(),
        config.tables(),
        config.createTables(),
        config.connectionFactory(),
        config.partitions(),
        config.maxPayload(),
        config.maxAttempts(),
        config.backoff(),
        config.onDeadLetter(),
        config.afterSending(),
        config.delivery(),
        config.duplicateDetection(),
        retention,
        config.backlog(),
        config.relay(),
        config.destinations(),
        config.unknownKeys());
  }
}
