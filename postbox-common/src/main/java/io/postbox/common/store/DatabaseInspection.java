package io.postbox.common.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Script.Index;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
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

/** Reads the database's settings and the indexes of a module's tables, once at start. */
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
                         'max_prepared_transactions', 'transaction_timeout', 'wal_level',
                         'max_slot_wal_keep_size', 'idle_replication_slot_timeout')
          """);

  /** PostgreSQL 15 is the first to record it. */
  private static final String COLLATION_VERSIONS =
      """
      SELECT 'collation_version', datcollversion
      FROM pg_database WHERE datname = current_database()
      UNION ALL
      SELECT 'collation_actual_version', pg_database_collation_actual_version(oid)
      FROM pg_database WHERE datname = current_database()
      """;

  private static final int RECORDS_COLLATION_VERSION = 150_000;

  private final Dialect dialect;
  private final TableNames tables;
  private final List<Index> wanted;
  private final Set<String> unindexedParts;

  /**
   * @param dialect the database's
   * @param tables where the module's tables are
   * @param script creates them
   * @param unindexedParts the tables that need no index, only their keys, where they are
   *     partitioned
   */
  public DatabaseInspection(
      Dialect dialect, TableNames tables, Script script, Set<String> unindexedParts) {
    this.dialect = dialect;
    this.tables = tables;
    this.wanted = script.indexes();
    this.unindexedParts = Set.copyOf(unindexedParts);
  }

  /** Reads them. */
  public DatabaseFacts facts(Connection connection) throws SQLException {
    DatabaseMetaData about = connection.getMetaData();
    Map<String, List<Index>> found = new TreeMap<>();
    Set<String> partitioned = new HashSet<>();
    for (String table : unindexedParts) {
      if (isFound(connection, table, "PARTITIONED TABLE")) {
        partitioned.add(table);
      }
    }
    for (Index index : wanted) {
      if (!found.containsKey(index.table()) && isFound(connection, index.table(), null)) {
        found.put(index.table(), indexes(connection, index.table()));
      }
    }
    return new DatabaseFacts(
        dialect,
        about.getDatabaseProductVersion(),
        about.getURL(),
        settings(connection),
        missing(wanted.stream().filter(Index::unique).toList(), found),
        missing(
            wanted.stream()
                .filter(index -> !index.unique() && !partitioned.contains(index.table()))
                .toList(),
            found));
  }

  private Map<String, String> settings(Connection connection) throws SQLException {
    Map<String, String> settings = new TreeMap<>();
    read(connection, String.valueOf(SETTINGS.get(dialect)), settings);
    if (Integer.parseInt(settings.getOrDefault("server_version_num", "0"))
        >= RECORDS_COLLATION_VERSION) {
      read(connection, COLLATION_VERSIONS, settings);
    }
    settings.put(DatabaseFacts.ISOLATION, String.valueOf(connection.getTransactionIsolation()));
    return settings;
  }

  private static void read(Connection connection, String sql, Map<String, String> settings)
      throws SQLException {
    // A collation such as C has no version.
    Sql.list(connection, sql, row -> Map.entry(row.getString(1), Sql.text(row, 2)))
        .forEach(each -> each.getValue().ifPresent(value -> settings.put(each.getKey(), value)));
  }

  /** Compares columns: a user's own script may name the indexes otherwise. */
  private List<String> missing(List<Index> needed, Map<String, List<Index>> found) {
    return needed.stream()
        .filter(index -> found.containsKey(index.table()))
        .filter(
            index ->
                found.getOrDefault(index.table(), List.of()).stream().noneMatch(index::isServedBy))
        .map(index -> tables.prefix() + index.name())
        .toList();
  }

  /** Whether a table exists, of a type if that matters. */
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

  private List<Index> indexes(Connection connection, String table) throws SQLException {
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
                new Index(index.getKey(), table, index.getValue(), unique.contains(index.getKey())))
        .toList();
  }

  /** A name that was not quoted, as the catalogue has it. */
  static String stored(DatabaseMetaData about, String name) throws SQLException {
    return about.storesUpperCaseIdentifiers()
        ? name.toUpperCase(Locale.ROOT)
        : name.toLowerCase(Locale.ROOT);
  }
}
