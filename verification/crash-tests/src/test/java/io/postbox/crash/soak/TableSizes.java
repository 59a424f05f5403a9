package io.postbox.crash.soak;

import io.postbox.crash.report.Gauge;
import io.postbox.crash.report.Gauge.Kind;
import io.postbox.testkit.database.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** How big Postbox's own tables are, read past the product; the sample's grow with its business. */
final class TableSizes {
  private static final Pattern OURS = Pattern.compile("(outbox|inbox|postbox)_\\w+");
  private static final double KILOBYTE = 1_024;

  /** With indexes, and what is free in them. */
  private static final String BYTES =
      """
      SELECT pg_total_relation_size('%s')
      """;

  private static final String ROWS =
      """
      SELECT COUNT(*)
      FROM %s
      """;

  /** How the server's connections are, apart from the one that asks. */
  private static final String CONNECTIONS =
      """
      SELECT COUNT(*), COUNT(*) FILTER (WHERE state LIKE 'idle in transaction%')
      FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
      """;

  private TableSizes() {}

  /** Rows of each table that ever has some; on PostgreSQL its bytes, and connections, too. */
  static Map<Gauge, Double> read(Database database) {
    Map<Gauge, Double> sizes = new TreeMap<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (String table : tables(connection)) {
        sizes.put(new Gauge(Kind.ROWS, table), number(statement, ROWS.formatted(table)));
        if (database.readableBesideServer()) {
          double bytes = number(statement, BYTES.formatted(table));
          sizes.put(new Gauge(Kind.BYTES, table), bytes / KILOBYTE);
        }
      }
      if (database.readableBesideServer()) {
        try (ResultSet row = statement.executeQuery(CONNECTIONS)) {
          row.next();
          sizes.put(new Gauge(Kind.CONNECTIONS, "in PostgreSQL"), row.getDouble(1));
          sizes.put(new Gauge(Kind.CONNECTIONS, "in an open transaction"), row.getDouble(2));
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Sizes cannot be read; " + database.whereabouts(), e);
    }
    return sizes;
  }

  private static List<String> tables(Connection connection) throws SQLException {
    List<String> tables = new ArrayList<>();
    try (ResultSet rows = connection.getMetaData().getTables(null, null, "%", null)) {
      while (rows.next()) {
        String table = rows.getString("TABLE_NAME").toLowerCase(Locale.ROOT);
        if (OURS.matcher(table).matches() && rows.getString("TABLE_TYPE").contains("TABLE")) {
          tables.add(table);
        }
      }
    }
    if (tables.isEmpty()) {
      throw new SQLException("There is no table of Postbox's");
    }
    return tables;
  }

  private static double number(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getDouble(1);
    }
  }
}
