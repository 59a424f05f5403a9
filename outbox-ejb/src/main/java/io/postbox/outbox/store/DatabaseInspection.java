package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Script;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Asks the database about itself, once at start. */
public final class DatabaseInspection {
  private static final Map<Dialect, String> SETTINGS =
      Map.of(
          Dialect.H2,
          """
          SELECT setting_name, setting_value FROM information_schema.settings
          WHERE setting_name = 'WRITE_DELAY'
          """,
          Dialect.POSTGRESQL,
          """
          SELECT name, setting FROM pg_settings
          WHERE name IN ('server_version_num', 'fsync', 'full_page_writes', 'synchronous_commit',
                         'max_prepared_transactions', 'transaction_timeout')
          """);

  private final Dialect dialect;
  private final TableNames tables;

  /**
   * @param dialect the database's
   * @param tables where the outbox's tables are
   */
  public DatabaseInspection(Dialect dialect, TableNames tables) {
    this.dialect = dialect;
    this.tables = tables;
  }

  /** What the database tells. */
  public DatabaseFacts facts(Connection connection) throws SQLException {
    DatabaseMetaData about = connection.getMetaData();
    return new DatabaseFacts(
        dialect,
        about.getDatabaseProductVersion(),
        about.getURL(),
        settings(connection),
        missingIndexes(connection));
  }

  private Map<String, String> settings(Connection connection) throws SQLException {
    Map<String, String> settings = new TreeMap<>();
    try (PreparedStatement select =
            connection.prepareStatement(String.valueOf(SETTINGS.get(dialect)));
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        settings.put(rows.getString(1), rows.getString(2));
      }
    }
    return settings;
  }

  /** By their columns: whoever makes the tables may name the indexes otherwise. */
  private List<String> missingIndexes(Connection connection) throws SQLException {
    Map<String, Collection<List<String>>> found = new HashMap<>();
    List<String> missing = new ArrayList<>();
    for (Script.Index index : Script.read(Dialect.class, dialect.script()).indexes()) {
      if (index.unique()) {
        continue; // nothing could be inserted without it
      }
      if (!found.containsKey(index.table())) {
        found.put(index.table(), indexes(connection, index.table()));
      }
      Collection<List<String>> there = found.getOrDefault(index.table(), Set.of());
      if (!there.isEmpty()
          && there.stream()
              .map(columns -> new Script.Index("", index.table(), columns, false))
              .noneMatch(index::isServedBy)) {
        missing.add(tables.prefix() + index.name());
      }
    }
    return missing;
  }

  /** The columns of each index of a table; none if the table is not where it is looked for. */
  private Collection<List<String>> indexes(Connection connection, String table)
      throws SQLException {
    DatabaseMetaData about = connection.getMetaData();
    String schema = tables.schema().isEmpty() ? connection.getSchema() : tables.schema();
    Map<String, List<String>> columns = new TreeMap<>();
    try (ResultSet rows =
        about.getIndexInfo(
            null, stored(about, schema), stored(about, tables.prefix() + table), false, true)) {
      while (rows.next()) {
        String column = rows.getString("COLUMN_NAME");
        if (column != null) { // else it is a line of statistics
          columns
              .computeIfAbsent(rows.getString("INDEX_NAME"), name -> new ArrayList<>())
              .add(column.toLowerCase(Locale.ROOT));
        }
      }
    }
    return columns.values();
  }

  private static String stored(DatabaseMetaData about, String name) throws SQLException {
    return about.storesUpperCaseIdentifiers()
        ? name.toUpperCase(Locale.ROOT)
        : name.toLowerCase(Locale.ROOT);
  }
}
