package io.postbox.outbox.testing;

import io.postbox.common.config.Backoff;
import io.postbox.common.config.Confidentiality;
import io.postbox.common.config.DataSubjectKey;
import io.postbox.common.config.MetricsSystem;
import io.postbox.common.config.TableNames;
import io.postbox.outbox.config.Destinations;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.config.OutboxConfig.AfterSending;
import io.postbox.outbox.config.OutboxConfig.ArchivePartitions;
import io.postbox.outbox.config.OutboxConfig.Backlog;
import io.postbox.outbox.config.OutboxConfig.Delivery;
import io.postbox.outbox.config.OutboxConfig.DuplicateDetection;
import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.config.OutboxConfig.Recovery;
import io.postbox.outbox.config.OutboxConfig.RelayConfig;
import io.postbox.outbox.config.OutboxConfig.RelayMode;
import io.postbox.outbox.config.OutboxConfig.Retention;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A configuration to vary. Immutable: each variation is a copy, and nothing else writes to its
 * fields.
 */
public final class TestConfig {
  /** With which digests of persons are made. */
  public static final String DATA_SUBJECT_SECRET = "0123456789abcdef0123456789abcdef";

  /** Sixteen partitions, and a backoff so long that only a test makes a message due again. */
  public static final TestConfig DEFAULT = new TestConfig();

  private String service = "shop";
  private TableNames tables = new TableNames("", "");
  private boolean createTables = true;
  private int partitions = 16;
  private int maxAttempts = 3;
  private Duration firstBackoff = Duration.ofHours(1);
  private OnDeadLetter onDeadLetter = OnDeadLetter.HOLD;
  private AfterSending afterSending = AfterSending.DELETE;
  private Delivery delivery = Delivery.LOCAL;
  private RelayMode mode = RelayMode.POLLING;
  private int workers = 2;
  private int batchSize = 100;
  private Duration sendTimeout = Duration.ofSeconds(30);
  private Map<String, Recovery> recoveries = Map.of();

  private TestConfig() {}

  private TestConfig but(Consumer<TestConfig> change) {
    TestConfig other = new TestConfig();
    other.service = service;
    other.tables = tables;
    other.createTables = createTables;
    other.partitions = partitions;
    other.maxAttempts = maxAttempts;
    other.firstBackoff = firstBackoff;
    other.onDeadLetter = onDeadLetter;
    other.afterSending = afterSending;
    other.delivery = delivery;
    other.mode = mode;
    other.workers = workers;
    other.batchSize = batchSize;
    other.sendTimeout = sendTimeout;
    other.recoveries = recoveries;
    change.accept(other);
    return other;
  }

  /** The owner. */
  public String service() {
    return service;
  }

  /** Where the tables are. */
  public TableNames tables() {
    return tables;
  }

  /** Another owner. */
  public TestConfig withService(String other) {
    return but(it -> it.service = other);
  }

  /** Other names. */
  public TestConfig withTables(String schema, String prefix) {
    return but(it -> it.tables = new TableNames(schema, prefix));
  }

  /** Tables that somebody else makes. */
  public TestConfig withoutCreatingTables() {
    return but(it -> it.createTables = false);
  }

  /** Another number of partitions. */
  public TestConfig withPartitions(int other) {
    return but(it -> it.partitions = other);
  }

  /** Another fate of messages that fail. */
  public TestConfig withFailures(int attempts, OnDeadLetter afterwards) {
    return but(
        it -> {
          it.maxAttempts = attempts;
          it.onDeadLetter = afterwards;
        });
  }

  /** Another fate of messages that fail, to one destination. */
  public TestConfig withFailuresOf(String destination, int attempts, OnDeadLetter afterwards) {
    return but(
        it ->
            it.recoveries =
                Map.of(
                    destination,
                    new Recovery(attempts, new Backoff(firstBackoff, firstBackoff), afterwards)));
  }

  /** Another ceiling of the first wait after a failure. */
  public TestConfig withFirstBackoff(Duration other) {
    return but(it -> it.firstBackoff = other);
  }

  /** Another fate of sent messages. */
  public TestConfig withAfterSending(AfterSending other) {
    return but(it -> it.afterSending = other);
  }

  /** Two phases. */
  public TestConfig withXa() {
    return but(it -> it.delivery = Delivery.XA);
  }

  /** A connector sends. */
  public TestConfig withCdc() {
    return but(it -> it.mode = RelayMode.CDC);
  }

  /** Another size of the relay. */
  public TestConfig withRelay(int otherWorkers, int otherBatchSize) {
    return but(
        it -> {
          it.workers = otherWorkers;
          it.batchSize = otherBatchSize;
        });
  }

  /** Another time for a batch. */
  public TestConfig withSendTimeout(Duration other) {
    return but(it -> it.sendTimeout = other);
  }

  /** The configuration of the outbox. */
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
        new RelayConfig(mode, "postbox_outbox", true, workers, batchSize, sendTimeout),
        Destinations.ANY,
        recoveries,
        new Confidentiality(
            false, Optional.empty(), Optional.of(new DataSubjectKey(DATA_SUBJECT_SECRET))),
        MetricsSystem.AUTO,
        List.of());
  }

  /** The same with other destinations. */
  public static OutboxConfig withDestinations(OutboxConfig config, Destinations destinations) {
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
        config.retention(),
        config.backlog(),
        config.relay(),
        destinations,
        config.recoveries(),
        config.confidentiality(),
        config.metrics(),
        config.unknownKeys());
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
        config.recoveries(),
        config.confidentiality(),
        config.metrics(),
        config.unknownKeys());
  }
}
