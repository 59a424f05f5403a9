package io.postbox.common.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The known databases, and how they differ in statements that both modules run. */
public enum Dialect {
  /**
   * H2 2.x. Its CURRENT_TIMESTAMP is the time of the transaction's first statement, which for the
   * relay is the claim.
   */
  H2("H2", "CURRENT_TIMESTAMP"),

  /** PostgreSQL 14 and later. */
  POSTGRESQL("PostgreSQL", "clock_timestamp()");

  private static final String UNIQUE_VIOLATION = "23505";
  private static final String LOCK_NOT_AVAILABLE = "55P03";

  /** The code of the standard and PostgreSQL, and H2's. */
  private static final Set<String> READ_ONLY = Set.of("25006", "90097");

  private final String product;
  private final String now;

  Dialect(String product, String now) {
    this.product = product;
    this.now = now;
  }

  /**
   * Recognises the database behind a connection.
   *
   * @param module outbox or inbox, for the message
   * @throws SchemaException if the database is not one of these
   */
  public static Dialect of(Connection connection, String module) throws SQLException {
    String found = connection.getMetaData().getDatabaseProductName();
    return Arrays.stream(values())
        .filter(dialect -> dialect.product.equals(found))
        .findAny()
        .orElseThrow(
            () ->
                new SchemaException(
                    "The %1$s does not know the database %2$s; it knows %3$s. Point postbox.%1$s.data-source at one of these."
                        .formatted(
                            module,
                            found,
                            Arrays.stream(values())
                                .map(dialect -> dialect.product)
                                .collect(Collectors.joining(", ")))));
  }

  /** The database's time when a statement begins. */
  public String now() {
    return now;
  }

  /** The same in a condition: PostgreSQL would otherwise ask for the time at each row. */
  public String nowOnce() {
    return this == POSTGRESQL ? "(SELECT %s)".formatted(now) : now;
  }

  /** Makes an insert skip a row whose key exists; empty where the insert fails instead. */
  public String onConflictDoNothing() {
    return this == POSTGRESQL ? "ON CONFLICT DO NOTHING" : "";
  }

  /**
   * Runs an insert that ends with {@link #onConflictDoNothing}. Where the database fails on an
   * existing key, it leaves the transaction as it was before the statement.
   *
   * @return whether a row was inserted
   */
  public boolean insertIfAbsent(Connection connection, String insert, @Nullable Object... values)
      throws SQLException {
    try {
      return Sql.update(connection, insert, values) == 1;
    } catch (SQLException failed) {
      if (this == H2 && UNIQUE_VIOLATION.equals(failed.getSQLState())) {
        return false;
      }
      throw failed;
    }
  }

  /**
   * Keeps other nodes, and the other module, from creating tables until the transaction ends; empty
   * where the database has no such lock, because each statement that creates something commits.
   */
  public String lockForCreation() {
    return this == POSTGRESQL ? "SELECT pg_advisory_xact_lock(7378429814)" : "";
  }

  /**
   * Makes later statements of the transaction fail after waiting so long for a lock; empty where
   * the database's URL sets that limit.
   */
  public String waitForLocks(Duration limit) {
    return this == POSTGRESQL ? "SET LOCAL lock_timeout = '%sms'".formatted(limit.toMillis()) : "";
  }

  /** Whether a statement stopped waiting for a lock as {@link #waitForLocks} has set. */
  public boolean gaveUpWaiting(SQLException failed) {
    return this == POSTGRESQL && LOCK_NOT_AVAILABLE.equals(failed.getSQLState());
  }

  /**
   * Checks that the database takes writes, and leaves nothing behind: an autocommitted statement
   * that a read-only database refuses, and that otherwise writes to the log and flushes it. On
   * PostgreSQL that is a row lock, which makes no new version of the row; if another session holds
   * the lock, that session is writing. H2 does not refuse a lock.
   *
   * @param table the qualified name of {@code postbox_schema}
   * @param module outbox or inbox
   */
  public String tryToWrite(String table, String module) {
    return switch (this) {
      case H2 -> "UPDATE %s SET version = version WHERE module = '%s'".formatted(table, module);
      case POSTGRESQL ->
          "SELECT version FROM %s WHERE module = '%s' FOR UPDATE SKIP LOCKED"
              .formatted(table, module);
    };
  }

  /**
   * Whether the database refused a write because it is read-only: a standby, a full managed disk,
   * or a setting.
   */
  public static boolean isReadOnly(SQLException refused) {
    return READ_ONLY.contains(String.valueOf(refused.getSQLState()));
  }

  /**
   * Deletes some rows that no transaction changes any more, the first in an order; the last
   * parameter is the limit. H2 would run a query within the statement once for each row; PostgreSQL
   * would read a whole small table to find the rows by their key. Not for a partitioned table.
   */
  public String deleteSome(String table, String condition, String order) {
    return switch (this) {
      case H2 -> "DELETE FROM %s WHERE %s FETCH FIRST ? ROWS ONLY".formatted(table, condition);
      case POSTGRESQL ->
          """
          DELETE FROM %1$s WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM %1$s WHERE %2$s ORDER BY %3$s FETCH FIRST ? ROWS ONLY))
          """
              .formatted(table, condition, order);
    };
  }

  /**
   * Makes the database end this transaction once the node has been silent so long, as an expression
   * to select. The node may be lost with its connection half open, and its locks would stay.
   */
  public String endIfIdleFor(Duration limit) {
    return switch (this) {
      case H2 -> "NULL"; // in the node's own process
      case POSTGRESQL ->
          "set_config('idle_in_transaction_session_timeout', '%s', TRUE)"
              .formatted(limit.toMillis());
    };
  }

  /**
   * Locks a row for an operator, in a transaction that neither waits nor keeps the lock for ever.
   *
   * @param select what to read of the row
   * @param table its qualified name
   * @param condition selects it
   * @param idle after how long a silence of the node the database ends the transaction
   * @param wait after how long the statement gives up waiting; H2's sessions have a limit anyway
   */
  public String lockRow(
      String select, String table, String condition, Duration idle, Duration wait) {
    return switch (this) {
      case H2 -> "SELECT %s FROM %s WHERE %s FOR UPDATE".formatted(select, table, condition);
      case POSTGRESQL -> // the limits first: they hold for the lock of the same statement
          """
          WITH limits AS MATERIALIZED (
            SELECT %s AS idle, set_config('lock_timeout', '%s', TRUE) AS wait)
          SELECT %s FROM limits, %s t WHERE %s FOR UPDATE OF t
          """
              .formatted(endIfIdleFor(idle), wait.toMillis(), select, table, condition);
    };
  }

  /**
   * The name of a script as a resource of a module's jar.
   *
   * @param name for instance {@code outbox}
   */
  public String script(String name) {
    return "META-INF/postbox/%s/%s.sql".formatted(product.toLowerCase(Locale.ROOT), name);
  }
}
