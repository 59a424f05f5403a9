package io.postbox.common.store;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A query for the signatures in the column {@code signature} of several tables, page by page. Its
 * parameters are the signature after which to begin and the number of signatures.
 */
public final class Signatures {
  private Signatures() {}

  /**
   * A table, or a part of it, with an index that begins with the signature.
   *
   * @param table the qualified name
   * @param condition the rows of the part; {@code TRUE} for all
   */
  public record Source(String table, String condition) {}

  /**
   * The query. PostgreSQL looks each signature up in the indexes: it would otherwise read every row
   * of each.
   *
   * @param sources where they are
   */
  public static String after(Dialect dialect, List<Source> sources) {
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
            SELECT CAST(? AS VARCHAR), 0
            UNION ALL
            SELECT CAST(LEAST(%s) AS VARCHAR), p.place + 1
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
