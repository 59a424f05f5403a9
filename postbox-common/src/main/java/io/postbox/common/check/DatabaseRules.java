package io.postbox.common.check;

import io.postbox.common.platform.ServerFacts;
import io.postbox.common.platform.ServerSetting;
import io.postbox.common.store.DatabaseFacts;
import io.postbox.common.store.Dialect;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rules of the guarantee check that hold for both modules. An unknown fact is no finding.
 *
 * @see Finding
 */
public abstract class DatabaseRules {
  private static final long OLDEST_POSTGRESQL = 140_000;

  protected final DatabaseFacts database;
  private final String module;
  private final String lost;
  private final List<Finding> findings = new ArrayList<>();

  /**
   * @param module outbox or inbox
   * @param lost the data lost along with a commit that the database has acknowledged too early
   * @param database the database's settings
   */
  protected DatabaseRules(String module, String lost, DatabaseFacts database) {
    this.module = module;
    this.lost = lost;
    this.database = database;
  }

  protected final List<Finding> findings() {
    return List.copyOf(findings);
  }

  protected final void found(String name, String text) {
    findings.add(new Finding(name, text));
  }

  /** The script that creates the module's tables. */
  protected final String script() {
    return database.dialect().script(module);
  }

  /**
   * Finds missing indexes.
   *
   * @param consequence of an index that is missing
   */
  protected final void indexes(String consequence) {
    if (!database.missingIndexes().isEmpty()) {
      found(
          "missing-index",
          "The %s's tables lack the index %s, so %s. Create it as in %s."
              .formatted(
                  module, String.join(", ", database.missingIndexes()), consequence, script()));
    }
  }

  /**
   * Finds an H2 that is not durable.
   *
   * @param lostAtEnd the consequence of a database in memory when the server ends
   */
  protected final void h2(String lostAtEnd) {
    if (database.version().startsWith("2.5.252")) {
      found(
          "h2-version",
          "H2 2.5.252 loses the last commits when its process is killed, and %s with them. Use 2.4.240; a file that 2.5.252 has written must be copied with SCRIPT and RUNSCRIPT."
              .formatted(lost));
    }
    if (database.url().startsWith("jdbc:h2:mem:")) {
      found(
          "h2-in-memory",
          "The database is in memory, so %s. Use jdbc:h2:file:, or another database."
              .formatted(lostAtEnd));
    } else if (database.number("WRITE_DELAY").orElse(0L) != 0) {
      found(
          "h2-write-delay",
          "H2 acknowledges a commit up to %s ms before it is in the file, and a killed process loses %s. Add ;WRITE_DELAY=0 to the URL of the data source."
              .formatted(database.setting("WRITE_DELAY").orElse(""), lost));
    }
  }

  /**
   * Finds an H2 used as an XA data source.
   *
   * @param xaDataSource whether the data source takes part in two-phase commits
   * @return whether it does on H2
   */
  protected final boolean h2Xa(Optional<Boolean> xaDataSource) {
    boolean found = database.dialect() == Dialect.H2 && xaDataSource.orElse(false);
    if (found) {
      found(
          "h2-xa",
          "H2 is used as an XA data source, and its recovery after a crash is wrong: it may roll"
              + " back a transaction in doubt that is committed in the broker. Set"
              + " type=\"javax.sql.DataSource\" on the dataSource.");
    }
    return found;
  }

  /** Finds persistence units that do not write all in the transactions that they take part in. */
  protected final void persistenceUnits(ServerFacts server) {
    if (!server.dataSourcesOutside().isEmpty()) {
      found(
          "persistence-unit",
          "A persistence.xml has %s as its jta-data-source. On this server, what its unit writes while a transaction commits is not part of that: a crash or an outage can leave an entity without its message, and what a handler wrote without the record that it was handled. Remove the element: then the unit has the server's default data source, which is the same one, and all is in the transaction."
              .formatted(String.join(", ", server.dataSourcesOutside())));
    }
  }

  protected final void postgresql() {
    if (database.number("server_version_num").orElse(Long.MAX_VALUE) < OLDEST_POSTGRESQL) {
      found(
          "postgresql-version",
          "PostgreSQL %s is older than 14, with which the %s was tested."
              .formatted(database.version(), module));
    }
    whenOff("fsync", "loses or corrupts committed data when its machine goes down. Set fsync=on.");
    whenOff(
        "full_page_writes",
        "can be corrupted when its machine goes down in the middle of a write. Set"
            + " full_page_writes=on.");
    whenOff(
        "synchronous_commit",
        "acknowledges a commit before it is durable, and a crash loses %s. Set synchronous_commit=on for this database or user."
            .formatted(lost));
    collation();
  }

  /** Text in indexes is then in an order that comparisons no longer have. */
  private void collation() {
    Optional<String> recorded = database.setting("collation_version");
    Optional<String> actual = database.setting("collation_actual_version");
    if (recorded.isPresent() && actual.isPresent() && !recorded.equals(actual)) {
      found(
          "postgresql-collation-version",
          "The database's collation has version %s on record, and the operating system now sorts by version %s: statements can miss rows whose index has text, and unique indexes can take duplicates. Run REINDEX DATABASE, then ALTER DATABASE ... REFRESH COLLATION VERSION. The %s's tables that are made as in %s sort by \"C\" and are safe."
              .formatted(recorded.get(), actual.get(), module, script()));
    }
  }

  private void whenOff(String setting, String consequence) {
    if (database.setting(setting).filter("off"::equals).isPresent()) {
      found(
          "postgresql-" + setting.replace('_', '-'),
          "PostgreSQL runs with %s=off, so it %s".formatted(setting, consequence));
    }
  }

  /**
   * Finds a server that leaves transactions in doubt at start.
   *
   * @param recoversAtStart whether the server finishes transactions in doubt at start
   */
  protected final void recovery(Optional<Boolean> recoversAtStart) {
    if (!recoversAtStart.orElse(true)) {
      found(
          "transaction-recovery",
          "The server does not finish at start the transactions that a crash left in doubt: until"
              + " its first new transaction, their rows stay locked and their messages unseen. "
              + ServerSetting.RECOVERY.sentence());
    }
  }
}
