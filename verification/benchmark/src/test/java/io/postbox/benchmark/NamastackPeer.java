package io.postbox.benchmark;

import com.zaxxer.hikari.HikariDataSource;
import io.namastack.outbox.Outbox;
import io.namastack.outbox.handler.OutboxRecordMetadata;
import io.namastack.outbox.handler.OutboxTypedHandler;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * namastack-outbox on JDBC, with the settings that its page about performance recommends for
 * platform threads, and one instance. (Its own best are virtual threads, which need Java 21.) It
 * has no part for JMS; its handler sends each message by itself.
 */
final class NamastackPeer implements Peer {
  private static final int PARTITIONS = 256;
  private static final int THREADS = 16;
  private static final Map<String, Object> SETTINGS =
      Map.of(
          "spring.autoconfigure.exclude", ModulithPeer.AUTO_CONFIGURATION,
          "namastack.outbox.polling.trigger", "fixed",
          "namastack.outbox.polling.batch-size", "1000",
          "namastack.outbox.polling.fixed.interval", "25ms",
          "namastack.outbox.processing.executor-core-pool-size", String.valueOf(THREADS),
          "namastack.outbox.processing.executor-max-pool-size", "32",
          "namastack.outbox.instance.heartbeat-interval", "1s",
          "namastack.outbox.instance.stale-instance-timeout", "10s",
          "namastack.outbox.instance.rebalance-interval", "1s");

  /** The payload, which is kept as JSON. */
  record Outgoing(long seq, UUID id, @Nullable String key, String text, Instant createdAt) {}

  /** Called by the library for each message. */
  record Handler(Senders senders) implements OutboxTypedHandler<Outgoing> {
    @Override
    public void handle(Outgoing data, OutboxRecordMetadata metadata) {
      senders.send(new Row(data.seq(), data.id(), data.key(), data.text(), data.createdAt()));
    }
  }

  /** The application. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    Handler handler(Senders senders) {
      return new Handler(senders);
    }
  }

  private final Database database;
  private final Broker broker;
  private final HikariDataSource pool;
  private final Senders senders;

  NamastackPeer(Database database, Broker broker) {
    this.database = database;
    this.broker = broker;
    pool = PeersBenchmark.pool(database, THREADS);
    senders = new Senders(broker);
  }

  @Override
  public String name() {
    return "namastack-outbox (JDBC) " + Options.value("namastack");
  }

  @Override
  public Guarantees guarantees() {
    return new Guarantees(
        "by the time of the enqueue, also behind a message that fails",
        "in the business transaction; sent at least once",
        "FAILED after three retries; its key's later messages wait");
  }

  /**
   * Not at work while others are measured, for it polls forty times a second. Its scheduler is
   * started when the messages are there and all partitions are its own.
   */
  @Override
  public double drain(int count) throws Exception {
    try (ConfigurableApplicationContext context =
        SpringContext.start(Application.class, pool, senders, SETTINGS)) {
      SmartLifecycle scheduler = context.getBean("outboxProcessingScheduler", SmartLifecycle.class);
      Waiting.until("all partitions", this::hasAllPartitions);
      scheduler.stop();
      fill(context, count);
      database.execute("ANALYZE outbox_record");
      long start = System.nanoTime();
      scheduler.start();
      return Drained.rate(broker, Broker.PEER, count, start, this::isDrained);
    } finally {
      database.execute("TRUNCATE outbox_record");
    }
  }

  private boolean hasAllPartitions() throws SQLException {
    return database.number(
            """
            SELECT COUNT(*) FROM outbox_partition
            WHERE instance_id IN (SELECT instance_id FROM outbox_instance)
            """)
        == PARTITIONS;
  }

  private static void fill(ConfigurableApplicationContext context, int count) {
    Outbox outbox = context.getBean(Outbox.class);
    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
        .executeWithoutResult(
            transaction -> {
              for (int i = 0; i < count; i++) {
                Row row = Row.numbered(i);
                outbox.schedule(
                    new Outgoing(row.seq(), row.id(), row.key(), row.text(), row.createdAt()),
                    String.valueOf(row.key()));
              }
            });
  }

  private boolean isDrained() throws SQLException {
    return database.number("SELECT COUNT(*) FROM outbox_record WHERE completed_at IS NULL") == 0;
  }

  @Override
  public void close() throws Exception {
    try (pool) {
      senders.close();
    }
  }
}
