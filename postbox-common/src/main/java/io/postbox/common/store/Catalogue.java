package io.postbox.common.store;

import io.postbox.common.store.Script.Creation;
import io.postbox.common.store.Script.Creation.Kind;
import java.sql.Connection;
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
public final class Catalogue {
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

  /** Of a database that looks before it locks: nothing is known to be there. */
  public static Catalogue empty() {
    return new Catalogue(new HashSet<>());
  }

  /**
   * Reads it from PostgreSQL.
   *
   * @param schema the schema, or empty for the connection's own
   */
  public static Catalogue read(Connection connection, String schema) throws SQLException {
    return new Catalogue(
        new HashSet<>(
            Sql.list(
                connection, RELATIONS, row -> row.getString(1), schema.toLowerCase(Locale.ROOT))));
  }

  /**
   * Whether what a statement adds is not there yet; from now on it is. A column may be: only its
   * table is known here.
   */
  public boolean lacks(Creation creation) {
    if (creation.kind() == Kind.COLUMN || creation.kind() == Kind.NOTE) {
      return true;
    }
    String stored = creation.made().toLowerCase(Locale.ROOT);
    return names.add(stored.length() > LONGEST_NAME ? stored.substring(0, LONGEST_NAME) : stored);
  }
}
