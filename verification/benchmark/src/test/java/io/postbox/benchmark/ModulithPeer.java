package io.postbox.benchmark;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.Externalized;
import org.springframework.modulith.events.support.EventExternalizerModuleListener;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Spring Modulith's event externalization over its event publication registry on JDBC, with the
 * defaults of its reference: a listener after the commit on one of the eight threads that Spring
 * Boot has for asynchronous work. Its own module for JMS does the same but for the message, which
 * is the others' here.
 */
final class ModulithPeer implements Peer {
  /** For others of Spring, whose contexts are to be without it. */
  static final String AUTO_CONFIGURATION =
      "org.springframework.modulith.events.config.EventPublicationAutoConfiguration,"
          + "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration,"
          + "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration";

  private static final Map<String, Object> SETTINGS = Map.of("namastack.outbox.enabled", "false");

  /** The event, which is kept as JSON. */
  @Externalized(Broker.PEER)
  record Outgoing(long seq, UUID id, @Nullable String key, String text, Instant createdAt) {}

  /** The application. */
  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    EventExternalizerModuleListener externalizer(
        EventExternalizationConfiguration configuration, Senders senders) {
      return new EventExternalizerModuleListener(
          configuration,
          (event, target) -> {
            Outgoing data = (Outgoing) event;
            senders.send(new Row(data.seq(), data.id(), data.key(), data.text(), data.createdAt()));
            return CompletableFuture.completedFuture(null);
          });
    }
  }

  private final Database database;
  private final Broker broker;
  private final HikariDataSource pool;
  private final Senders senders;
  private final ConfigurableApplicationContext context;

  ModulithPeer(Database database, Broker broker) {
    this.database = database;
    this.broker = broker;
    pool = PeersBenchmark.pool(database);
    senders = new Senders(broker);
    context = SpringContext.start(Application.class, pool, senders, SETTINGS);
  }

  @Override
  public String name() {
    return "Spring Modulith (JDBC) " + Options.value("spring-modulith");
  }

  @Override
  public Guarantees guarantees() {
    return new Guarantees(
        "none; one at a time where externalization is serialized",
        "in the business transaction; sent again after a crash only if the application asks for it",
        "FAILED after the first attempt, until the application resubmits it");
  }

  @Override
  public double drain(int count) throws Exception {
    long committed = publish(count);
    double rate = Drained.rate(broker, Broker.PEER, count, committed, this::isDrained);
    database.execute("TRUNCATE event_publication");
    return rate;
  }

  /** In one transaction; answers when it had committed, before any listener is called. */
  private long publish(int count) {
    AtomicLong committed = new AtomicLong();
    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
        .executeWithoutResult(
            transaction -> {
              TransactionSynchronizationManager.registerSynchronization(
                  new TransactionSynchronization() {
                    @Override
                    public int getOrder() {
                      return Ordered.HIGHEST_PRECEDENCE;
                    }

                    @Override
                    public void afterCommit() {
                      committed.set(System.nanoTime());
                    }
                  });
              for (int i = 0; i < count; i++) {
                Row row = Row.numbered(i);
                context.publishEvent(
                    new Outgoing(row.seq(), row.id(), row.key(), row.text(), row.createdAt()));
              }
            });
    return committed.get();
  }

  private boolean isDrained() throws SQLException {
    return database.number("SELECT COUNT(*) FROM event_publication WHERE completion_date IS NULL")
        == 0;
  }

  @Override
  public void close() throws Exception {
    try (pool) {
      context.close();
      senders.close();
    }
  }
}
