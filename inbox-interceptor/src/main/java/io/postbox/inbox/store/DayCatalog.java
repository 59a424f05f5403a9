package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads PostgreSQL's catalogue about {@code inbox_message} and its daily partitions. Thread-safe.
 */
final class DayCatalog {
  /**
   * The comment on a table that is about to be dropped, unlike one that an operator detached to
   * keep.
   */
  static final String GIVEN_UP = "Postbox drops this table";

  private static final String IS_DIVIDED =
      "SELECT c.relname, c.relkind = 'p' FROM pg_class c WHERE c.oid = to_regclass(?)";

  private static final String ATTACHED =
      """
      SELECT c.relname, i.inhdetachpending FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = to_regclass(?)
      """;

  private static final String DETACHED =
      """
      SELECT c.relname, TRUE FROM pg_class c
      WHERE c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass(?))
        AND obj_description(c.oid, 'pg_class') = '%s'
        AND NOT EXISTS (SELECT 1 FROM pg_inherits i WHERE i.inhrelid = c.oid)
      """
          .formatted(GIVEN_UP);

  private final TableNames tables;
  private final String message;

  DayCatalog(TableNames tables) {
    this.tables = tables;
    message = tables.qualified("inbox_message");
  }

  /** Whether the table is partitioned. */
  boolean isDivided(Connection connection) throws SQLException {
    return holds(connection, IS_DIVIDED);
  }

  /** Each day that has a table, and whether a node began to detach it. */
  SortedMap<IdDay, Boolean> attached(Connection connection) throws SQLException {
    return days(connection, ATTACHED);
  }

  /** The days whose tables were detached to be dropped. */
  Iterable<IdDay> detached(Connection connection) throws SQLException {
    return days(connection, DETACHED).keySet();
  }

  private SortedMap<IdDay, Boolean> days(Connection connection, String sql) throws SQLException {
    SortedMap<IdDay, Boolean> found = new TreeMap<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, message);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          boolean value = row.getBoolean(2);
          day(row.getString(1)).ifPresent(day -> found.put(day, value));
        }
      }
    }
    return found;
  }

  private Optional<IdDay> day(String table) {
    return table.startsWith(tables.prefix())
        ? IdDay.of(table.substring(tables.prefix().length()))
        : Optional.empty();
  }

  private boolean holds(Connection connection, String sql) throws SQLException {
    return Sql.first(connection, sql, row -> row.getBoolean(2), message).orElse(false);
  }
}
