package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The names of the consumers that have rows. Thread-safe.
 *
 * @param sql reads them, up to a number
 */
record ConsumerNames(String sql) {
  /** How many names are read at most. */
  private static final int MOST = 1_000;

  /** Those with messages. */
  static ConsumerNames ofMessages(Dialect dialect, TableNames tables) {
    return in(dialect, tables, "inbox_message", "inbox_stored", "inbox_failure", "inbox_attempt");
  }

  /** Those with an order of versions. */
  static ConsumerNames ofAggregates(Dialect dialect, TableNames tables) {
    return in(dialect, tables, "inbox_aggregate", "inbox_discarded");
  }

  private static ConsumerNames in(Dialect dialect, TableNames tables, String... names) {
    return new ConsumerNames(names(dialect, Stream.of(names).map(tables::qualified).toList()));
  }

  /** The names in tables that have an index by consumer; each is looked up on PostgreSQL. */
  private static String names(Dialect dialect, List<String> tables) {
    return switch (dialect) {
      case H2 ->
          tables.stream()
                  .map("SELECT consumer FROM %s"::formatted)
                  .collect(Collectors.joining(" UNION "))
              + " ORDER BY 1 FETCH FIRST ? ROWS ONLY";
      case POSTGRESQL ->
          """
          WITH RECURSIVE names (consumer, place) AS (
            SELECT CAST('' AS VARCHAR) COLLATE "C", 0
            UNION ALL
            SELECT CAST(LEAST(%s) AS VARCHAR) COLLATE "C", n.place + 1
            FROM names n
            WHERE n.consumer IS NOT NULL AND n.place < ?
          )
          SELECT consumer FROM names WHERE place > 0 AND consumer IS NOT NULL ORDER BY place
          """
              .formatted(
                  tables.stream()
                      .map(
                          """

                          (SELECT m.consumer FROM %s m WHERE m.consumer > n.consumer
                           ORDER BY m.consumer FETCH FIRST 1 ROW ONLY)\
                          """
                              ::formatted)
                      .collect(Collectors.joining(",")));
    };
  }

  /** The names, in order. */
  List<String> read(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, MOST);
      List<String> found = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(row.getString(1));
        }
      }
      return found;
    }
  }
}
