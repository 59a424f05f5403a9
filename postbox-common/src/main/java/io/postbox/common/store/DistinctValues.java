package io.postbox.common.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The texts in one column of several tables, page by page. Reads only, by index look-ups.
 * Thread-safe.
 */
public final class DistinctValues {
  private final String after;

  /**
   * @param dialect the database's
   * @param column the column's name in each table
   * @param sources where it is
   */
  public DistinctValues(Dialect dialect, String column, List<Source> sources) {
    after = after(dialect, column, sources);
  }

  /**
   * A table, or a part of it, with an index that begins with the column.
   *
   * @param table the qualified name
   * @param condition the rows of the part; {@code TRUE} for all
   */
  public record Source(String table, String condition) {}

  /**
   * One page of them in their order.
   *
   * @param after the text after which to begin; empty for the first
   * @param size how many to return at most
   */
  public List<String> page(Connection connection, String after, int size) throws SQLException {
    return Sql.list(connection, this.after, row -> row.getString(1), after, size);
  }

  /**
   * The query, with the text after which to begin and the number of texts as parameters. PostgreSQL
   * looks each text up in the indexes: it would otherwise read every row of each.
   */
  private static String after(Dialect dialect, String column, List<Source> sources) {
    return switch (dialect) {
      case H2 ->
          sources.stream()
                  .map(
                      source ->
                          "SELECT %1$s FROM %2$s WHERE %3$s AND %1$s > CAST(?1 AS VARCHAR)"
                              .formatted(column, source.table(), source.condition()))
                  .collect(Collectors.joining(" UNION "))
              + " ORDER BY 1 FETCH FIRST ?2 ROWS ONLY";
      case POSTGRESQL ->
          """
          WITH RECURSIVE page (found, place) AS (
            SELECT CAST(? AS VARCHAR) COLLATE "C", 0
            UNION ALL
            SELECT CAST(LEAST(%s) AS VARCHAR) COLLATE "C", p.place + 1
            FROM page p
            WHERE p.found IS NOT NULL AND p.place < ?
          )
          SELECT found FROM page WHERE place > 0 AND found IS NOT NULL ORDER BY place
          """
              .formatted(
                  sources.stream()
                      .map(
                          source ->
                              """

                              (SELECT s.%1$s FROM %2$s s
                               WHERE %3$s AND s.%1$s > p.found
                               ORDER BY s.%1$s FETCH FIRST 1 ROW ONLY)\
                              """
                                  .formatted(column, source.table(), source.condition()))
                      .collect(Collectors.joining(",")));
    };
  }
}
