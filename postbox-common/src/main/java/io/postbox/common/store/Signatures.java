package io.postbox.common.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The signatures in the column {@code signature} of several tables, page by page. Reads only, by
 * index look-ups. Thread-safe.
 */
public final class Signatures {
  /**
   * The rows of one signature, with two parameters that are both the signature. A range and an
   * order, so that PostgreSQL reads the signature's own index and stops: with an equation it may
   * read another index, or first find all of them.
   */
  public static final String ONE = "signature BETWEEN ? AND ? ORDER BY signature";

  private static final int LARGEST_PAGE = 100;

  private final String after;

  /**
   * @param dialect the database's
   * @param sources where the signatures are
   */
  public Signatures(Dialect dialect, List<Source> sources) {
    after = after(dialect, sources);
  }

  /**
   * A table, or a part of it, with an index that begins with the signature.
   *
   * @param table the qualified name
   * @param condition the rows of the part; {@code TRUE} for all
   */
  public record Source(String table, String condition) {}

  /**
   * One page of signatures in their order.
   *
   * @param after the signature after which to begin; empty for the first
   * @param size how many to return: 1 to 100
   * @throws IllegalArgumentException if the size is out of bounds
   */
  public List<String> page(Connection connection, String after, int size) throws SQLException {
    if (size < 1 || size > LARGEST_PAGE) {
      throw new IllegalArgumentException(
          "A page has 1 to %s groups, and not %s".formatted(LARGEST_PAGE, size));
    }
    return Sql.list(connection, this.after, row -> row.getString(1), after, size);
  }

  /**
   * The query, with the signature after which to begin and the number of signatures as parameters.
   * PostgreSQL looks each signature up in the indexes: it would otherwise read every row of each.
   */
  private static String after(Dialect dialect, List<Source> sources) {
    return switch (dialect) {
      case H2 ->
          sources.stream()
                  .map(
                      source ->
                          "SELECT signature FROM %s WHERE %s AND signature > CAST(?1 AS VARCHAR)"
                              .formatted(source.table(), source.condition()))
                  .collect(Collectors.joining(" UNION "))
              + " ORDER BY 1 FETCH FIRST ?2 ROWS ONLY";
      case POSTGRESQL ->
          """
          WITH RECURSIVE page (signature, place) AS (
            SELECT CAST(? AS VARCHAR) COLLATE "C", 0
            UNION ALL
            SELECT CAST(LEAST(%s) AS VARCHAR) COLLATE "C", p.place + 1
            FROM page p
            WHERE p.signature IS NOT NULL AND p.place < ?
          )
          SELECT signature FROM page WHERE place > 0 AND signature IS NOT NULL ORDER BY place
          """
              .formatted(
                  sources.stream()
                      .map(
                          source ->
                              """

                              (SELECT s.signature FROM %s s
                               WHERE %s AND s.signature > p.signature
                               ORDER BY s.signature FETCH FIRST 1 ROW ONLY)\
                              """
                                  .formatted(source.table(), source.condition()))
                      .collect(Collectors.joining(",")));
    };
  }
}
