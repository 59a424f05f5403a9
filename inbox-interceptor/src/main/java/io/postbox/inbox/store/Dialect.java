package io.postbox.inbox.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What differs between the databases, and nothing else. */
public enum Dialect {
  /** H2 2.x. */
  H2("H2", "", "23505", "", 10),

  /** PostgreSQL 14 and later. */
  POSTGRESQL(
      "PostgreSQL",
      "ON CONFLICT (consumer, message_id) DO NOTHING",
      "",
      "SELECT pg_advisory_xact_lock(7378429814)",
      1);

  private final String product;
  private final String unlessIdIsThere;
  private final String idIsThere;
  private final String lockForCreation;
  private final int triesForCreation;

  Dialect(
      String product,
      String unlessIdIsThere,
      String idIsThere,
      String lockForCreation,
      int triesForCreation) {
    this.product = product;
    this.unlessIdIsThere = unlessIdIsThere;
    this.idIsThere = idIsThere;
    this.lockForCreation = lockForCreation;
    this.triesForCreation = triesForCreation;
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

  /** Makes the insert do nothing where the id is there already; empty where it fails instead. */
  String unlessIdIsThere() {
    return unlessIdIsThere;
  }

  /**
   * Whether the insert failed because the id is there already, in a database where that leaves the
   * transaction as it was before the statement.
   */
  boolean idIsThere(SQLException failed) {
    return !idIsThere.isEmpty() && idIsThere.equals(failed.getSQLState());
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

  /** The script that makes the tables, as a resource. */
  String script() {
    return "META-INF/postbox/" + product.toLowerCase(Locale.ROOT) + "/inbox.sql";
  }
}
