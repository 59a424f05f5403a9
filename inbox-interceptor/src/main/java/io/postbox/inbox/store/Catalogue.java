package io.postbox.inbox.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The names of the tables and indexes that a schema has, in lower case.
 *
 * <p>PostgreSQL's {@code CREATE INDEX IF NOT EXISTS} locks the table against writing before it
 * looks whether there is something to do. Beside one long transaction that has written, it waits,
 * and every other write waits behind it. So it is not run at all where the index is there.
 */
final class Catalogue {
  private static final int LONGEST_NAME = 63;

  private static final String RELATIONS =
      """
      SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = COALESCE(NULLIF(?, ''), current_schema())
      """;

  private final Set<String> names;

  private Catalogue(Set<String> names) {
    this.names = names;
  }

  /**
   * Reads it; nothing where the database looks before it locks.
   *
   * @param schema the schema, or empty for the connection's own
   */
  static Catalogue read(Connection connection, Dialect dialect, String schema) throws SQLException {
    Set<String> names = new HashSet<>();
    if (dialect == Dialect.POSTGRESQL) {
      try (PreparedStatement select = connection.prepareStatement(RELATIONS)) {
        select.setString(1, schema.toLowerCase(Locale.ROOT));
        try (ResultSet row = select.executeQuery()) {
          while (row.next()) {
            names.add(row.getString(1));
          }
        }
      }
    }
    return new Catalogue(names);
  }

  /** Whether this is not there yet; from now on it is. */
  boolean lacks(String name) {
    String stored = name.toLowerCase(Locale.ROOT);
    return names.add(stored.length() > LONGEST_NAME ? stored.substring(0, LONGEST_NAME) : stored);
  }
}
