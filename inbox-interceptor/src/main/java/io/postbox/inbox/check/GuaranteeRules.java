package io.postbox.inbox.check;

import io.postbox.common.check.Finding;
import io.postbox.common.config.Durations;
import io.postbox.inbox.IdFrom;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.store.DatabaseFacts;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** From facts to findings. What is not known is no finding. */
public final class GuaranteeRules {
  /** Beside the deliveries: one records failures, one asks whether the database answers. */
  private static final int CONNECTIONS_BESIDE_DELIVERIES = 2;

  private final InboxConfig config;
  private final Collection<Consumer> consumers;
  private final DatabaseFacts database;
  private final ServerFacts server;
  private final List<Finding> findings = new ArrayList<>();

  private GuaranteeRules(
      InboxConfig config,
      Collection<Consumer> consumers,
      DatabaseFacts database,
      ServerFacts server) {
    this.config = config;
    this.consumers = consumers;
    this.database = database;
    this.server = server;
  }

  /**
   * Applies all rules.
   *
   * @param config what the inbox was told
   * @param consumers what the annotations say
   * @param database what the database told
   * @param server what the server told
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
      case H2 -> rules.h2();
      case POSTGRESQL -> rules.postgresql();
    }
    rules.pool();
    rules.transactions();
    rules.ids();
    return List.copyOf(rules.findings);
  }

  private void tables() {
    if (!database.missingKeys().isEmpty()) {
      found(
          "missing-key",
          "The inbox's tables lack the unique key %s, by which a message is recognised when it is redelivered: duplicates are handled twice. Remove the rows that are there twice, and create what %s has."
              .formatted(String.join(", ", database.missingKeys()), database.script()));
    }
    if (!database.missingIndexes().isEmpty()) {
      found(
          "missing-index",
          "The inbox's tables lack the index %s, so what fails and what is deleted costs more with every row. Create what %s has."
              .formatted(String.join(", ", database.missingIndexes()), database.script()));
    }
  }

  private void isolation() {
    if (database.number(DatabaseFacts.ISOLATION).orElse(0L)
        > Connection.TRANSACTION_READ_COMMITTED) {
      found(
          "isolation",
          "The data source %s works at a higher isolation level than READ COMMITTED: a duplicate that waited for the first delivery, and whatever else meets a conflict, is rolled back and redelivered. Nothing is lost by that, and it does not count against a handler unless it shows at commit only; it costs deliveries. Set isolationLevel=\"TRANSACTION_READ_COMMITTED\" on the dataSource unless the handlers need more."
              .formatted(config.dataSource()));
    }
  }

  private void h2() {
    if (database.version().startsWith("2.5.252")) {
      found(
          "h2-version",
          "H2 2.5.252 loses the last commits when its process is killed, effects and what was"
              + " handled with them. Use 2.4.240; a file that 2.5.252 has written must be copied"
              + " with SCRIPT and RUNSCRIPT.");
    }
    if (database.url().startsWith("jdbc:h2:mem:")) {
      found(
          "h2-in-memory",
          "The database is in memory, so what was handled is forgotten when the server ends, and a"
              + " message that is redelivered is handled again. Use jdbc:h2:file:, or another"
              + " database.");
    } else if (database.number("WRITE_DELAY").orElse(0L) != 0) {
      found(
          "h2-write-delay",
          "H2 acknowledges a commit up to %s ms before it is in the file, and a killed process loses effects whose messages were acknowledged. Add ;WRITE_DELAY=0 to the URL of the data source."
              .formatted(database.setting("WRITE_DELAY").orElse("")));
    }
    if (server.xaDataSource().orElse(false)) {
      found(
          "h2-xa",
          "H2 is used as an XA data source, whose recovery after a crash is wrong: a delivery in"
              + " doubt may be rolled back in the database and acknowledged at the broker. Set"
              + " type=\"javax.sql.DataSource\" on the dataSource.");
    }
  }

  private void postgresql() {
    if (database.number("server_version_num").orElse(Long.MAX_VALUE) < 140_000) {
      found(
          "postgresql-version",
          "PostgreSQL %s is older than 14, with which the inbox was tested."
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
        "acknowledges a commit before it is durable, and a crash loses effects whose messages were"
            + " acknowledged. Set synchronous_commit=on for this database or user.");
    if (server.xaDataSource().orElse(false)
        && database.number("max_prepared_transactions").orElse(Long.MAX_VALUE) == 0) {
      found(
          "postgresql-max-prepared-transactions",
          "The data source %s is XA, and PostgreSQL has max_prepared_transactions=0: in a transaction together with the broker every delivery fails, for ever. Set it to the number of all message-driven beans of all nodes at work at once, or set type=\"javax.sql.ConnectionPoolDataSource\" on the dataSource."
              .formatted(config.dataSource()));
    }
  }

  private void whenOff(String setting, String consequence) {
    if (database.setting(setting).filter("off"::equals).isPresent()) {
      found(
          "postgresql-" + setting.replace('_', '-'),
          "PostgreSQL runs with %s=off, so it %s".formatted(setting, consequence));
    }
  }

  /** How many deliveries there are at once is said by activation specifications alone. */
  private void pool() {
    int needed = CONNECTIONS_BESIDE_DELIVERIES + consumers.size();
    server
        .poolSize()
        .filter(size -> size > 0 && size < needed)
        .ifPresent(
            size ->
                found(
                    "pool-size",
                    "The pool of the data source %s has %d connections; the inbox needs at least %d: one for each of %d consumers, one to record failures, and one to ask whether the database answers. How many deliveries run at once cannot be seen from here: add one for each (maxConcurrency, maxSession). Set maxPoolSize on its connectionManager."
                        .formatted(config.dataSource(), size, needed, consumers.size())));
  }

  private void transactions() {
    if (server.xaDataSource().orElse(false) && !server.recoversAtStart().orElse(true)) {
      found(
          "transaction-recovery",
          "The server does not finish at start what a crash left in doubt: until its first new"
              + " transaction, rows stay locked and messages unseen. Set <transaction"
              + " recoverOnStartup=\"true\"/>.");
    }
    server
        .transactionTimeout()
        .filter(timeout -> !timeout.isZero() && timeout.compareTo(config.outageWait()) <= 0)
        .ifPresent(
            timeout ->
                found(
                    "transaction-timeout",
                    "The server ends a transaction after %s, and postbox.inbox.outage-wait=%s lets a delivery wait as long for the database: it is then too late to handle it. Lower the one, or raise totalTranLifetimeTimeout on <transaction>."
                        .formatted(Durations.text(timeout), Durations.text(config.outageWait()))));
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
          "The consumers %s know messages by JMSMessageID, which is another one when a producer sends a message again, a redrive or a repeat of an outbox included: that is then handled twice. Let the producer set an id of its own (idFrom = PROPERTY, or the outbox's)."
              .formatted(String.join(", ", names)));
    }
  }

  private void found(String name, String text) {
    findings.add(new Finding(name, text));
  }
}
