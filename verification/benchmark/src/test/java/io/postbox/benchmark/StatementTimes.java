package io.postbox.benchmark;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** PostgreSQL's time for a relay: by statement, and for vacuum of its messages. */
final class StatementTimes {
  private static final int MOST = 6;

  private final Table table;
  private long vacuumBefore;

  /**
   * @param table of a server with {@link StatementCounts#SETTINGS}
   */
  StatementTimes(Table table) {
    this.table = table;
  }

  /** Counts from now on. */
  void begin() throws SQLException {
    StatementCounts.reset(table.database());
    vacuumBefore = vacuum();
  }

  /**
   * The statements that took most time, a line of a Markdown table each: milliseconds, calls and
   * pages per drain, and the statement. Those of the benchmark itself are left out.
   */
  List<String> perDrain(int drains) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Connection connection = table.database().connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT total_exec_time, calls, shared_blks_hit + shared_blks_read,
                  left(regexp_replace(query, '\\s+', ' ', 'g'), 110)
                FROM pg_stat_statements
                WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
                  AND query LIKE '%%outbox_%%'
                  AND query !~ '^(INSERT INTO outbox_message|VACUUM|TRUNCATE|WITH filled|SELECT COUNT)'
                ORDER BY total_exec_time DESC LIMIT %s
                """
                    .formatted(MOST))) {
      while (row.next()) {
        lines.add(
            String.format(
                Locale.ROOT,
                "| %.0f | %s | %s | `%s` |",
                row.getDouble(1) / drains,
                row.getLong(2) / drains,
                row.getLong(3) / drains,
                row.getString(4).replace('|', ' ')));
      }
    }
    lines.add("| %s | | | autovacuum |".formatted((vacuum() - vacuumBefore) / drains));
    return lines;
  }

  /** Milliseconds that autovacuum has taken for the messages so far. */
  private long vacuum() throws SQLException {
    return table
        .database()
        .number(
            "SELECT total_autovacuum_time + total_autoanalyze_time FROM pg_stat_user_tables WHERE relname = '%s'"
                .formatted(table.messages()));
  }
}
