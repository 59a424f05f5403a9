package io.postbox.inbox.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
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

  /** The script that makes the tables, as a resource. */
  String script() {
    return "META-INF/postbox/" + product.toLowerCase(Locale.ROOT) + "/inbox.sql";
  }

  /** The script that makes {@code inbox_message} divided by day, to be run before the other one. */
  String dividedScript() {
    return "META-INF/postbox/" + product.toLowerCase(Locale.ROOT) + "/inbox-divided.sql";
  }
}
