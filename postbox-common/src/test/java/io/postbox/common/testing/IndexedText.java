package io.postbox.common.testing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** What of PostgreSQL's indexes goes by the operating system's order of text. */
public final class IndexedText {
  private static final String NOT_PLAIN =
      """
      SELECT i.relname || ' (' || a.attname || ')'
      FROM pg_class i JOIN pg_attribute a ON a.attrelid = i.oid
      WHERE i.relkind IN ('i', 'I') AND a.attcollation NOT IN (0, CAST('"C"' AS REGCOLLATION))
        AND i.relnamespace NOT IN
          (CAST('pg_catalog' AS REGNAMESPACE), CAST('pg_toast' AS REGNAMESPACE))
      ORDER BY 1
      """;

  private IndexedText() {}

  /** The indexes with a column of text that has another collation than C. */
  public static List<String> sortedByTheSystem(Connection connection) throws SQLException {
    List<String> found = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(NOT_PLAIN);
        ResultSet row = select.executeQuery()) {
      while (row.next()) {
        found.add(row.getString(1));
      }
    }
    return found;
  }
}
