package io.postbox.inbox.store;

import io.postbox.common.store.SchemaException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What differs between the databases, and nothing else. */
public enum Dialect {
  /** H2 2.x. */
  H2("H2", "", "23505", "", 10, "CURRENT_TIMESTAMP"),

  /** PostgreSQL 14 and later. */
  POSTGRESQL(
      "PostgreSQL",
      "ON CONFLICT DO NOTHING",
      "",
      "SELECT pg_advisory_xact_lock(7378429814)",
      1,
      "clock_timestamp()");

  /** The standard's and PostgreSQL's word for it, and H2's. */
  private static final Set<String> READ_ONLY = Set.of("25006", "90097");

  private final String product;
  private final String unlessItIsThere;
  private final String itIsThere;
  private final String lockForCreation;
  private final int triesForCreation;
  private final String now;

  Dialect(
      String product,
      String unlessItIsThere,
      String itIsThere,
      String lockForCreation,
      int triesForCreation,
      String now) {
    this.product = product;
    this.unlessItIsThere = unlessItIsThere;
    this.itIsThere = itIsThere;
    this.lockForCreation = lockForCreation;
    this.triesForCreation = triesForCreation;
    this.now = now;
  }

  /**
   * The dialect of the database behind a connection.
   *
   * @throws SchemaException if the database is not one of these
   */
  public static Dialect of(Connection connection) throws SQLException {
    String found = connection.getMetaData().getDatabaseProductName();
    return Arrays.stream(values())
        .filter(dialect -> dialect.product.equals(found))
        .findAny()
        .orElseThrow(
            () ->
                new SchemaException(
                    "The inbox does not know the database "
                        + found
                        + "; it knows "
                        + Arrays.stream(values())
                            .map(dialect -> dialect.product)
                            .collect(Collectors.joining(", "))
                        + ". Point postbox.inbox.data-source at one of these."));
  }

  /** Makes an insert do nothing where its key is there already; empty where it fails instead. */
  String unlessItIsThere() {
    return unlessItIsThere;
  }

  /**
   * Runs an insert that ends with {@link #unlessItIsThere}. Where the database fails on a row that
   * is there, the transaction is left as it was before the statement.
   *
   * @return whether a row was inserted
   */
  boolean insertsUnlessThere(PreparedStatement insert) throws SQLException {
    try {
      return insert.executeUpdate() == 1;
    } catch (SQLException failed) {
      if (!itIsThere.isEmpty() && itIsThere.equals(failed.getSQLState())) {
        return false;
      }
      throw failed;
    }
  }

  /** The database's time at the moment of the statement. */
  String now() {
    return now;
  }

  /**
   * Keeps other nodes, and the outbox, from making tables at the same time; empty where the
   * database has no such lock.
   */
  String lockForCreation() {
    return lockForCreation;
  }

  /**
   * Has what follows in the transaction give up if it would wait for a lock for so long; empty
   * where the URL of the database says how long.
   */
  String waitForLocks(Duration limit) {
    return this == POSTGRESQL ? "SET LOCAL lock_timeout = '%dms'".formatted(limit.toMillis()) : "";
  }

  /** Whether a statement gave up waiting for a lock as {@link #waitForLocks} has said. */
  boolean gaveUpWaiting(SQLException failed) {
    return this == POSTGRESQL && "55P03".equals(failed.getSQLState());
  }

  /**
   * Finds out whether one can write, without leaving anything: an autocommitted statement that is
   * refused where the database is read-only, and that otherwise writes to the log and has that
   * flushed. On PostgreSQL that is a row lock, which makes no new version of the row; if another
   * session has it, that one is writing. H2 does not refuse a lock.
   *
   * @param table the qualified name of {@code postbox_schema}
   */
  String tryToWrite(String table) {
    return switch (this) {
      case H2 -> "UPDATE %s SET version = version WHERE module = 'inbox'".formatted(table);
      case POSTGRESQL ->
          "SELECT version FROM %s WHERE module = 'inbox' FOR UPDATE SKIP LOCKED".formatted(table);
    };
  }

  /**
   * Whether the database refused to write because it is read-only: a standby, a full managed disk,
   * or a setting.
   */
  public static boolean isReadOnly(SQLException refused) {
    return READ_ONLY.contains(String.valueOf(refused.getSQLState()));
  }

  /**
   * How often to try. Without a lock, H2 fails on a table or index that somebody else makes between
   * its look whether that exists and its making it; the next try finds it.
   */
  int triesForCreation() {
    return triesForCreation;
  }

  /**
   * Deletes some rows that nobody changes any more, the first in an order; the last parameter says
   * how many. H2 would run a query within the statement once for each row; PostgreSQL would read a
   * whole small table if it were to find the rows by their key. Not for a table in parts.
   */
  String deleteSome(String table, String condition, String order) {
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
   * The same, and tells how many there were and the latest time among them.
   *
   * @param time the column, which is also the order
   */
  String deleteSomeAndTell(String table, String condition, String time) {
    return switch (this) {
      case H2 ->
          "SELECT COUNT(*), MAX(%s) FROM OLD TABLE (%s)"
              .formatted(time, deleteSome(table, condition, time));
      case POSTGRESQL ->
          "WITH gone AS (%1$s RETURNING %2$s) SELECT COUNT(*), MAX(%2$s) FROM gone"
              .formatted(deleteSome(table, condition, time).strip(), time);
    };
  }

  /**
   * Has the database end this transaction if nothing is heard of it for so long, as an expression
   * to select. Its node may be lost with its connection half open, and its locks would stay.
   */
  String endIfIdleFor(Duration limit) {
    return switch (this) {
      case H2 -> "NULL"; // in the node's own process
      case POSTGRESQL ->
          "set_config('idle_in_transaction_session_timeout', '%d', TRUE)"
              .formatted(limit.toMillis());
    };
  }

  /**
   * Has the rest of the transaction read in the order of an index instead of sorting. PostgreSQL
   * takes a time between two bounds for a few rows, whatever there are, and would sort them all.
   */
  void orderByIndex(Connection connection) throws SQLException {
    if (this == POSTGRESQL) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET LOCAL enable_sort = off");
      }
    }
  }

  /** The script that makes the tables, as a resource. */
  String script() {
    return "META-INF/postbox/" + product.toLowerCase(Locale.ROOT) + "/inbox.sql";
  }

  /** The script that makes {@code inbox_message} divided by day, to be run before the other one. */
  String dividedScript() {
    return "META-INF/postbox/" + product.toLowerCase(Locale.ROOT) + "/inbox-divided.sql";
  }
}
