package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Script;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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
                         'max_prepared_transactions')
          """);

  private final Dialect dialect;
  private final TableNames tables;

  /**
   * @param dialect the database's
   * @param tables where the inbox's tables are
   */
  public DatabaseInspection(Dialect dialect, TableNames tables) {
    this.dialect = dialect;
    this.tables = tables;
  }

  /** What the database tells. */
  public DatabaseFacts facts(Connection connection) throws SQLException {
    DatabaseMetaData about = connection.getMetaData();
    Map<String, List<Script.Index>> indexes = new TreeMap<>();
    boolean divided = isFound(connection, "inbox_message", "PARTITIONED TABLE");
    List<Script.Index> wanted =
        Script.read(Dialect.class, dialect.script()).indexes().stream()
            .filter(index -> index.unique() || !divided || !index.table().equals("inbox_message"))
            .toList();
    for (Script.Index index : wanted) {
      if (!indexes.containsKey(index.table()) && isFound(connection, index.table(), null)) {
        indexes.put(index.table(), indexes(connection, index.table()));
      }
    }
    return new DatabaseFacts(
        dialect,
        about.getDatabaseProductVersion(),
        about.getURL(),
        settings(connection),
        missing(wanted.stream().filter(Script.Index::unique).toList(), indexes),
        missing(wanted.stream().filter(index -> !index.unique()).toList(), indexes));
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
    settings.put(DatabaseFacts.ISOLATION, String.valueOf(connection.getTransactionIsolation()));
    return settings;
  }

  /** By their columns: whoever makes the tables may name the indexes otherwise. */
  private List<String> missing(List<Script.Index> wanted, Map<String, List<Script.Index>> indexes) {
    return wanted.stream()
        .filter(index -> indexes.containsKey(index.table()))
        .filter(
            index ->
                indexes.getOrDefault(index.table(), List.of()).stream()
                    .noneMatch(index::isServedBy))
        .map(index -> tables.prefix() + index.name())
        .toList();
  }

  /** Whether a table is where it is looked for, of a type if that matters. */
  private boolean isFound(Connection connection, String table, @Nullable String type)
      throws SQLException {
    DatabaseMetaData about = connection.getMetaData();
    try (ResultSet found =
        about.getTables(
            null,
            stored(about, schema(connection)),
            stored(about, tables.prefix() + table),
            type == null ? null : new String[] {type})) {
      return found.next();
    }
  }

  private String schema(Connection connection) throws SQLException {
    return tables.schema().isEmpty() ? connection.getSchema() : tables.schema();
  }

  private List<Script.Index> indexes(Connection connection, String table) throws SQLException {
    DatabaseMetaData about = connection.getMetaData();
    String schema = schema(connection);
    Map<String, List<String>> columns = new TreeMap<>();
    Set<String> unique = new HashSet<>();
    try (ResultSet rows =
        about.getIndexInfo(
            null, stored(about, schema), stored(about, tables.prefix() + table), false, true)) {
      while (rows.next()) {
        String column = rows.getString("COLUMN_NAME");
        if (column == null) {
          continue; // a line of statistics
        }
        String name = rows.getString("INDEX_NAME");
        columns
            .computeIfAbsent(name, key -> new ArrayList<>())
            .add(column.toLowerCase(Locale.ROOT));
        if (!rows.getBoolean("NON_UNIQUE")) {
          unique.add(name);
        }
      }
    }
    return columns.entrySet().stream()
        .map(
            index ->
                new Script.Index(
                    index.getKey(), table, index.getValue(), unique.contains(index.getKey())))
        .toList();
  }

  private static String stored(DatabaseMetaData about, String name) throws SQLException {
    return about.storesUpperCaseIdentifiers()
        ? name.toUpperCase(Locale.ROOT)
        : name.toLowerCase(Locale.ROOT);
  }
}
