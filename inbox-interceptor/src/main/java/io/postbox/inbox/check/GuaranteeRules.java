package io.postbox.inbox.check;

import io.postbox.common.check.DatabaseRules;
import io.postbox.common.check.Finding;
import io.postbox.common.config.Durations;
import io.postbox.common.platform.ServerFacts;
import io.postbox.common.platform.ServerSetting;
import io.postbox.common.store.DatabaseFacts;
import io.postbox.inbox.IdFrom;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.message.Consumer;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Derives findings from facts. An unknown fact is no finding. */
public final class GuaranteeRules extends DatabaseRules {
  /** Connections beside those of deliveries: one records failures, one probes the database. */
  private static final int CONNECTIONS_BESIDE_DELIVERIES = 2;

  private final InboxConfig config;
  private final Collection<Consumer> consumers;
  private final ServerFacts server;

  private GuaranteeRules(
      InboxConfig config,
      Collection<Consumer> consumers,
      DatabaseFacts database,
      ServerFacts server) {
    super("inbox", "effects whose messages were acknowledged", database);
    this.config = config;
    this.consumers = consumers;
    this.server = server;
  }

  /**
   * Applies all rules.
   *
   * @param config the inbox's configuration
   * @param consumers the annotated consumers
   * @param database the database's settings
   * @param server the server's settings
   */
  public static List<Finding> findings(
      InboxConfig config,
      Collection<Consumer> consumers,
      DatabaseFacts database,
      ServerFacts server) {
    GuaranteeRules rules = new GuaranteeRules(config, consumers, database, server);
    rules.tables();
    rules.isolation();
    switch (database.dialect()) {
      case H2 -> {
        rules.h2(
            "the ids of handled messages are lost when the server ends, and a redelivered message"
                + " is handled again");
        rules.h2Xa(server.xaDataSource());
      }
      case POSTGRESQL -> {
        rules.postgresql();
        rules.xaOnPostgresql();
      }
    }
    rules.persistenceUnits(server);
    rules.pool();
    rules.transactions();
    rules.deliveries();
    rules.ids();
    return rules.findings();
  }

  /**
   * The findings that cannot be looked for, because the server does not reveal the setting: their
   * names.
   *
   * @param server the server's settings
   */
  public static List<String> notChecked(ServerFacts server) {
    List<String> names = new ArrayList<>();
    if (server.poolSize().isEmpty()) {
      names.add("pool-size");
    }
    if (server.xaDataSource().orElse(true) && server.recoversAtStart().isEmpty()) {
      names.add("transaction-recovery");
    }
    if (server.longestTransaction().isEmpty()) {
      names.add("transaction-timeout");
    }
    return List.copyOf(names);
  }

  private void tables() {
    if (!database.missingKeys().isEmpty()) {
      found(
          "missing-key",
          "The inbox's tables lack the unique key %s, by which a redelivered message is recognised: duplicates are handled twice. Remove the duplicate rows, and create it as in %s."
              .formatted(String.join(", ", database.missingKeys()), script()));
    }
    indexes("recording failures and deleting old rows cost more with every row");
  }

  private void isolation() {
    if (database.number(DatabaseFacts.ISOLATION).orElse(0L)
        > Connection.TRANSACTION_READ_COMMITTED) {
      found(
          "isolation",
          "The data source %s works at a higher isolation level than READ COMMITTED: a duplicate that waited for the first delivery, and any other delivery in conflict, is rolled back and redelivered. No message is lost, and the attempt is not charged unless the conflict shows only at commit; it costs deliveries. %s, unless the handlers need more."
              .formatted(config.dataSource(), ServerSetting.READ_COMMITTED.beginning()));
    }
  }

  private void xaOnPostgresql() {
    if (server.xaDataSource().orElse(false)
        && database.number("max_prepared_transactions").orElse(Long.MAX_VALUE) == 0) {
      found(
          "postgresql-max-prepared-transactions",
          "The data source %s is XA, and PostgreSQL has max_prepared_transactions=0: in a transaction together with the broker every delivery fails, for ever. Set it to the number of all message-driven beans of all nodes at work at once, or %s."
              .formatted(config.dataSource(), ServerSetting.ONE_PHASE.toDo()));
    }
  }

  /** Only activation specifications limit the number of concurrent deliveries. */
  private void pool() {
    int needed = CONNECTIONS_BESIDE_DELIVERIES + consumers.size();
    server
        .poolSize()
        .filter(size -> size > 0 && size < needed)
        .ifPresent(
            size ->
                found(
                    "pool-size",
                    "The pool of the data source %s has %s connections; the inbox needs at least %s: one for each of %s consumers, one to record failures, and one to probe the database. The number of concurrent deliveries is unknown here: add one connection for each (maxConcurrency, maxSession). %s"
                        .formatted(
                            config.dataSource(),
                            size,
                            needed,
                            consumers.size(),
                            ServerSetting.LARGER_POOL.sentence())));
  }

  private void transactions() {
    if (server.xaDataSource().orElse(false)) {
      recovery(server.recoversAtStart());
    }
    server
        .longestTransaction()
        .filter(timeout -> !timeout.isZero() && timeout.compareTo(config.outageWait()) <= 0)
        .ifPresent(
            timeout ->
                found(
                    "transaction-timeout",
                    "The server ends a transaction after %s, and postbox.inbox.outage-wait=%s lets a delivery wait as long for the database: then no time is left to handle it. Lower the former, or %s."
                        .formatted(
                            Durations.text(timeout),
                            Durations.text(config.outageWait()),
                            ServerSetting.LONGER_DELIVERIES.toDo())));
  }

  /** No broker but the server's own says so. */
  private void deliveries() {
    server
        .mostDeliveries()
        .filter(most -> most > 0)
        .ifPresent(
            most ->
                found(
                    "delivery-limit",
                    "The server's broker gives a message up after %s deliveries, each of which fails within milliseconds where the database does not answer: it is then among the broker's dead letters, or gone, before the inbox can keep it. %s"
                        .formatted(most, ServerSetting.UNLIMITED_DELIVERIES.sentence())));
  }

  private void ids() {
    List<String> names =
        consumers.stream()
            .filter(consumer -> consumer.idFrom() == IdFrom.JMS_MESSAGE_ID)
            .map(Consumer::name)
            .distinct()
            .sorted()
            .toList();
    if (!names.isEmpty()) {
      found(
          "id-source",
          "The consumers %s identify messages by JMSMessageID, which changes when a producer resends a message, for instance after a redrive or a repeat of an outbox: such a message is handled twice. Let the producer set an id of its own (idFrom = PROPERTY, or the outbox's)."
              .formatted(String.join(", ", names)));
    }
  }
}
