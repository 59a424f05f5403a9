package io.postbox.outbox.check;

import io.postbox.common.check.DatabaseRules;
import io.postbox.common.check.Finding;
import io.postbox.common.config.Durations;
import io.postbox.common.platform.ServerFacts;
import io.postbox.common.platform.ServerSetting;
import io.postbox.common.store.DatabaseFacts;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.config.OutboxConfig.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Derives findings from facts. An unknown fact is no finding. */
public final class GuaranteeRules extends DatabaseRules {
  private static final Set<String> DURABLE_MAPPINGS =
      Set.of("AssuredPersistent", "AsSIBDestination", ServerFacts.PERSISTENT);

  /** Beside the workers: one connection that looks for work, and one that counts. */
  private static final int CONNECTIONS_BESIDE_WORKERS = 2;

  private final OutboxConfig config;
  private final ServerFacts server;
  private final PayloadFacts payloads;

  private GuaranteeRules(
      OutboxConfig config, DatabaseFacts database, ServerFacts server, PayloadFacts payloads) {
    super("outbox", "messages", database);
    this.config = config;
    this.server = server;
    this.payloads = payloads;
  }

  /**
   * Applies all rules.
   *
   * @param config the outbox's configuration
   * @param database the database's settings
   * @param server the server's settings
   * @param payloads how the application loads and decrypts payloads
   * @param isAnyLeft whether messages wait in the table for a relay, where a connector sends
   */
  public static List<Finding> findings(
      OutboxConfig config,
      DatabaseFacts database,
      ServerFacts server,
      PayloadFacts payloads,
      boolean isAnyLeft) {
    GuaranteeRules rules = new GuaranteeRules(config, database, server, payloads);
    rules.indexes("the relay reads more with every message that is stored");
    switch (database.dialect()) {
      case H2 -> rules.h2();
      case POSTGRESQL -> {
        rules.postgresql();
        rules.xaOnPostgresql();
        rules.limitOfTheClaim();
      }
    }
    rules.persistenceUnits(server);
    rules.pool();
    rules.broker();
    rules.recovery();
    rules.limitOfTheBatch();
    if (config.relay().isCdc()) {
      rules.connector(isAnyLeft);
    }
    return rules.findings();
  }

  /**
   * The findings that cannot be looked for, because the server does not reveal the setting: their
   * names.
   *
   * @param config the outbox's configuration
   * @param server the server's settings
   */
  public static List<String> notChecked(OutboxConfig config, ServerFacts server) {
    List<String> names = new ArrayList<>();
    if (config.relay().runsHere() && server.poolSize().isEmpty()) {
      names.add("pool-size");
    }
    if (!config.relay().isCdc() && server.persistentMapping().isEmpty()) {
      names.add("persistent-mapping");
    }
    if (config.delivery() == Delivery.XA && server.xaDataSource().isEmpty()) {
      names.add("xa-one-phase");
    }
    if (server.xaDataSource().orElse(true) && server.recoversAtStart().isEmpty()) {
      names.add("transaction-recovery");
    }
    if (!config.relay().isCdc() && server.longestTransaction().isEmpty()) {
      names.add("transaction-timeout");
    }
    return List.copyOf(names);
  }

  private void h2() {
    h2("messages that were not sent are lost when the server ends");
    if (!h2Xa(server.xaDataSource()) && config.delivery() == Delivery.XA) {
      found(
          "h2-xa",
          "postbox.outbox.delivery=xa, and H2 has no XA that recovers from a crash. Set"
              + " postbox.outbox.delivery=local, or use another database.");
    }
  }

  private void xaOnPostgresql() {
    if (config.delivery() == Delivery.XA
        && database.number("max_prepared_transactions").orElse(Long.MAX_VALUE)
            < config.relay().workers()) {
      found(
          "postgresql-max-prepared-transactions",
          "postbox.outbox.delivery=xa with %s workers, and PostgreSQL has max_prepared_transactions=%s: batches fail and are never sent. Set it to the number of all workers of all nodes and all message-driven beans at work at once."
              .formatted(
                  config.relay().workers(),
                  database.setting("max_prepared_transactions").orElse("")));
    }
  }

  /** Not the limit of idle transactions: the claim sets that itself. */
  private void limitOfTheClaim() {
    if (config.relay().isCdc()) {
      return;
    }
    long millis = database.number("transaction_timeout").orElse(0L);
    Duration needed = config.relay().sendTimeout().plus(payloads.longestOpening());
    if (millis > 0 && millis <= needed.toMillis()) {
      found(
          "postgresql-transaction-timeout",
          "PostgreSQL ends a transaction after transaction_timeout=%s ms, while postbox.outbox.relay.send-timeout=%s%s lets a batch take longer: it is then sent, and sent again. Make the database's limit the longer one."
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
    if (!config.relay().runsHere()) {
      return;
    }
    int needed = config.relay().workers() + CONNECTIONS_BESIDE_WORKERS + payloads.loads();
    server
        .poolSize()
        .filter(size -> size > 0 && size < needed) // 0 stands for no limit
        .ifPresent(
            size ->
                found(
                    "pool-size",
                    "The pool of the data source %s has %s connections; the relay alone needs %s (postbox.outbox.relay.workers=%s, one to look for work and one to count%s), and business code waits for it. %s"
                        .formatted(
                            config.dataSource(),
                            size,
                            needed,
                            config.relay().workers(),
                            payloads.loads() == 0
                                ? ""
                                : ", and %s for payload loads if those read the same database: one a worker, and twice as many that may hang for one destination"
                                    .formatted(payloads.loads()),
                            ServerSetting.LARGER_POOL.sentence())));
  }

  private void broker() {
    if (config.relay().isCdc()) {
      return;
    }
    server
        .persistentMapping()
        .filter(mapping -> !DURABLE_MAPPINGS.contains(mapping))
        .ifPresent(
            mapping ->
                found(
                    "persistent-mapping",
                    "The connection factory %s turns persistent messages into %s, which the messaging engine may lose in a crash after the outbox has given them up. %s"
                        .formatted(
                            config.connectionFactory(),
                            mapping,
                            ServerSetting.DURABLE_MAPPING.sentence())));
  }

  private void recovery() {
    boolean twoPhases = server.xaDataSource().orElse(config.delivery() == Delivery.XA);
    if (config.delivery() == Delivery.XA
        && !server.xaDataSource().orElse(true)
        && database.dialect() != Dialect.H2) {
      found(
          "xa-one-phase",
          "postbox.outbox.delivery=xa, and the data source %s has one phase only: it commits last, and a crash right after that leaves the broker in doubt about a batch that is complete. %s, or set postbox.outbox.delivery=local."
              .formatted(config.dataSource(), ServerSetting.TWO_PHASES.beginning()));
    }
    if (twoPhases) {
      recovery(server.recoversAtStart());
    }
  }

  private void limitOfTheBatch() {
    if (config.relay().isCdc()) {
      return;
    }
    Duration needed = config.relay().sendTimeout();
    server
        .longestTransaction()
        .filter(longest -> !longest.isZero() && longest.compareTo(needed) < 0)
        .ifPresent(
            longest ->
                found(
                    "transaction-timeout",
                    "The server ends every transaction after %s, and postbox.outbox.relay.send-timeout=%s lets a batch take longer: it then rolls back without anybody knowing whose fault it is. %s, or lower the send-timeout."
                        .formatted(
                            Durations.text(longest),
                            Durations.text(needed),
                            ServerSetting.LONGER_TRANSACTIONS.beginning())));
  }

  private void connector(boolean isAnyLeft) {
    database
        .setting("wal_level")
        .filter(level -> !level.equals("logical"))
        .ifPresent(
            level ->
                found(
                    "cdc-wal-level",
                    "postbox.outbox.relay.mode=cdc, and PostgreSQL has wal_level=%s: there can be no replication slot for a connector, so every enqueue fails. Set wal_level=logical and restart PostgreSQL."
                        .formatted(level)));
    long mebibytes = database.number("max_slot_wal_keep_size").orElse(-1L);
    if (mebibytes >= 0) {
      found(
          "cdc-wal-keep-size",
          "PostgreSQL has max_slot_wal_keep_size=%sMB: a connector that is further behind loses its slot, and the messages that it has not read. Set it to -1, and watch the disk by the metric postbox_outbox_slot_lag_bytes."
              .formatted(mebibytes));
    }
    long seconds = database.number("idle_replication_slot_timeout").orElse(0L);
    if (seconds > 0) {
      found(
          "cdc-idle-slot",
          "PostgreSQL has idle_replication_slot_timeout=%ss: a connector that is away for longer loses its slot, and the messages that it has not read. Set it to 0."
              .formatted(seconds));
    }
    if (isAnyLeft) {
      found(
          "cdc-rows-left",
          "Messages from the time when nodes relayed wait in the outbox, and with"
              + " postbox.outbox.relay.mode=cdc nobody sends them. Set relay.mode=polling until"
              + " the outbox is empty, then cdc again; or discard them.");
    }
  }
}
