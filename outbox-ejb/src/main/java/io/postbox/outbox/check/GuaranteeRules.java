package io.postbox.outbox.check;

import io.postbox.common.check.Finding;
import io.postbox.common.config.Durations;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.config.OutboxConfig.Delivery;
import io.postbox.outbox.store.DatabaseFacts;
import io.postbox.outbox.store.Dialect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** From facts to findings. What is not known is no finding. */
public final class GuaranteeRules {
  private static final Set<String> DURABLE_MAPPINGS =
      Set.of("AssuredPersistent", "AsSIBDestination");

  /** Beside the workers: one connection that looks for work, and one that counts. */
  private static final int CONNECTIONS_BESIDE_WORKERS = 2;

  private final OutboxConfig config;
  private final DatabaseFacts database;
  private final ServerFacts server;
  private final PayloadFacts payloads;
  private final List<Finding> findings = new ArrayList<>();

  private GuaranteeRules(
      OutboxConfig config, DatabaseFacts database, ServerFacts server, PayloadFacts payloads) {
    this.config = config;
    this.database = database;
    this.server = server;
    this.payloads = payloads;
  }

  /**
   * Applies all rules.
   *
   * @param config what the outbox was told
   * @param database what the database told
   * @param server what the server told
   * @param payloads what the application has opened before it is sent
   */
  public static List<Finding> findings(
      OutboxConfig config, DatabaseFacts database, ServerFacts server, PayloadFacts payloads) {
    GuaranteeRules rules = new GuaranteeRules(config, database, server, payloads);
    rules.indexes();
    switch (database.dialect()) {
      case H2 -> rules.h2();
      case POSTGRESQL -> rules.postgresql();
    }
    rules.pool();
    rules.broker();
    rules.transactions();
    return List.copyOf(rules.findings);
  }

  private void indexes() {
    if (!database.missingIndexes().isEmpty()) {
      found(
          "missing-index",
          "The outbox's tables lack the index %s, so the relay reads more with every message that is kept or waits. Create what %s has."
              .formatted(
                  String.join(", ", database.missingIndexes()), database.dialect().script()));
    }
  }

  private void h2() {
    if (database.version().startsWith("2.5.252")) {
      found(
          "h2-version",
          "H2 2.5.252 loses the last commits when its process is killed, and messages with them."
              + " Use 2.4.240; a file that 2.5.252 has written must be copied with SCRIPT and"
              + " RUNSCRIPT.");
    }
    if (database.url().startsWith("jdbc:h2:mem:")) {
      found(
          "h2-in-memory",
          "The database is in memory, so every message that was not sent is lost when the server"
              + " ends. Use jdbc:h2:file:, or another database.");
    } else if (database.number("WRITE_DELAY").orElse(0L) != 0) {
      found(
          "h2-write-delay",
          "H2 acknowledges a commit up to %s ms before it is in the file, and a killed process loses what it has promised. Add ;WRITE_DELAY=0 to the URL of the data source."
              .formatted(database.setting("WRITE_DELAY").orElse("")));
    }
    if (server.xaDataSource().orElse(false)) {
      found(
          "h2-xa",
          "H2 is used as an XA data source, whose recovery after a crash is wrong: a transaction in"
              + " doubt may be rolled back in the database and committed in the broker. Set"
              + " type=\"javax.sql.DataSource\" on the dataSource.");
    } else if (config.delivery() == Delivery.XA) {
      found(
          "h2-xa",
          "postbox.outbox.delivery=xa, and H2 has no XA that recovers from a crash. Set"
              + " postbox.outbox.delivery=local, or use another database.");
    }
  }

  private void postgresql() {
    if (database.number("server_version_num").orElse(Long.MAX_VALUE) < 140_000) {
      found(
          "postgresql-version",
          "PostgreSQL %s is older than 14, with which the outbox was tested."
              .formatted(database.version()));
    }
    whenOff(
        "fsync",
        "loses or corrupts what it has committed when its machine goes down. Set fsync=on.");
    whenOff(
        "full_page_writes",
        "can be corrupted when its machine goes down in the middle of a write. Set"
            + " full_page_writes=on.");
    whenOff(
        "synchronous_commit",
        "acknowledges a commit before it is durable, and a crash loses what it has promised. Set"
            + " synchronous_commit=on for this database or user.");
    if (config.delivery() == Delivery.XA
        && database.number("max_prepared_transactions").orElse(Long.MAX_VALUE)
            < config.relay().workers()) {
      found(
          "postgresql-max-prepared-transactions",
          "postbox.outbox.delivery=xa with %d workers, and PostgreSQL has max_prepared_transactions=%s: batches fail and are never sent. Set it to the number of all workers of all nodes and all message-driven beans at work at once."
              .formatted(
                  config.relay().workers(),
                  database.setting("max_prepared_transactions").orElse("")));
    }
    limitOfTheClaim();
  }

  private void whenOff(String setting, String consequence) {
    if (database.setting(setting).filter("off"::equals).isPresent()) {
      found(
          "postgresql-" + setting.replace('_', '-'),
          "PostgreSQL runs with %s=off, so it %s".formatted(setting, consequence));
    }
  }

  /** Not the limit of idle transactions: the claim sets that itself. */
  private void limitOfTheClaim() {
    long millis = database.number("transaction_timeout").orElse(0L);
    Duration needed = config.relay().sendTimeout().plus(payloads.longestOpening());
    if (millis > 0 && millis <= needed.toMillis()) {
      found(
          "postgresql-transaction-timeout",
          "PostgreSQL ends a transaction after transaction_timeout=%d ms, while postbox.outbox.relay.send-timeout=%s%s lets a batch take longer: it is then sent, and sent again. Make the database's limit the longer one."
              .formatted(
                  millis,
                  Durations.text(config.relay().sendTimeout()),
                  payloads.longestOpening().isZero()
                      ? ""
                      : ", with %s before that to load and decrypt payloads,"
                          .formatted(Durations.text(payloads.longestOpening()))));
    }
  }

  private void pool() {
    if (!config.relay().enabled()) {
      return;
    }
    int needed = config.relay().workers() + CONNECTIONS_BESIDE_WORKERS + payloads.loads();
    server
        .poolSize()
        .filter(size -> size > 0 && size < needed) // Liberty: 0 stands for no limit
        .ifPresent(
            size ->
                found(
                    "pool-size",
                    "The pool of the data source %s has %d connections; the relay alone needs %d (postbox.outbox.relay.workers=%d, one to look for work and one to count%s), and business code waits for it. Set maxPoolSize on its connectionManager."
                        .formatted(
                            config.dataSource(),
                            size,
                            needed,
                            config.relay().workers(),
                            payloads.loads() == 0
                                ? ""
                                : ", and %d for payload loads if those read the same database"
                                    .formatted(payloads.loads()))));
  }

  private void broker() {
    server
        .persistentMapping()
        .filter(mapping -> !DURABLE_MAPPINGS.contains(mapping))
        .ifPresent(
            mapping ->
                found(
                    "persistent-mapping",
                    "The connection factory %s turns persistent messages into %s, which the messaging engine may lose in a crash after the outbox has given them up. Set persistentMapping=\"AssuredPersistent\" on its properties.wasJms."
                        .formatted(config.connectionFactory(), mapping)));
  }

  private void transactions() {
    boolean twoPhases = server.xaDataSource().orElse(config.delivery() == Delivery.XA);
    if (config.delivery() == Delivery.XA
        && !server.xaDataSource().orElse(true)
        && database.dialect() != Dialect.H2) {
      found(
          "xa-one-phase",
          "postbox.outbox.delivery=xa, and the data source %s has one phase only: it commits last, and a crash right after that leaves the broker in doubt about a batch that is complete. Set type=\"javax.sql.XADataSource\" on the dataSource, or postbox.outbox.delivery=local."
              .formatted(config.dataSource()));
    }
    if (twoPhases && !server.recoversAtStart().orElse(true)) {
      found(
          "transaction-recovery",
          "The server does not finish at start what a crash left in doubt: until its first new"
              + " transaction, rows stay locked and messages unseen. Set <transaction"
              + " recoverOnStartup=\"true\"/>.");
    }
    Duration needed = config.relay().sendTimeout();
    server
        .longestTransaction()
        .filter(longest -> !longest.isZero() && longest.compareTo(needed) < 0)
        .ifPresent(
            longest ->
                found(
                    "transaction-timeout",
                    "The server ends every transaction after %s, and postbox.outbox.relay.send-timeout=%s lets a batch take longer: it then rolls back without anybody knowing whose fault it is. Raise propogatedOrBMTTranLifetimeTimeout on <transaction>, or lower the send-timeout."
                        .formatted(Durations.text(longest), Durations.text(needed))));
  }

  private void found(String name, String text) {
    findings.add(new Finding(name, text));
  }
}
