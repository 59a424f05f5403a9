package io.postbox.common.testing;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Searches every column of every table for a text, whichever tables and columns there are, so that
 * one that is added later is searched too. Letter case does not count.
 */
public final class MarkerSearch {
  private static final Pattern SYSTEM = Pattern.compile("(?i)information_schema|pg_.*");

  private MarkerSearch() {}

  /**
   * Where the text is, as {@code table.column}, in lower case.
   *
   * @param dataSource of the tables
   * @param marker the text to look for
   * @param tables which tables, by their names in lower case
   */
  public static SortedSet<String> in(DataSource dataSource, String marker, Pattern tables)
      throws SQLException {
    SortedSet<String> found = new TreeSet<>();
    try (Connection connection = dataSource.getConnection()) {
      for (String table : tables(connection, tables)) {
        search(connection, table, marker.toLowerCase(Locale.ROOT), found);
      }
    }
    return found;
  }

  private static List<String> tables(Connection connection, Pattern wanted) throws SQLException {
    DatabaseMetaData metaData = connection.getMetaData();
    List<String> tables = new ArrayList<>();
    String[] kinds = {"TABLE", "BASE TABLE", "PARTITIONED TABLE"};
    try (ResultSet row = metaData.getTables(null, null, "%", kinds)) {
      while (row.next()) {
        String schema = row.getString("TABLE_SCHEM");
        String table = row.getString("TABLE_NAME");
        if (!SYSTEM.matcher(schema).matches()
            && wanted.matcher(table.toLowerCase(Locale.ROOT)).matches()) {
          tables.add("\"%s\".\"%s\"".formatted(schema, table));
        }
      }
    }
    if (tables.isEmpty()) {
      throw new IllegalStateException("there are no tables like " + wanted);
    }
    return tables;
  }

  private static void search(
      Connection connection, String table, String marker, SortedSet<String> found)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement("SELECT * FROM " + table);
        ResultSet row = statement.executeQuery()) {
      int columns = row.getMetaData().getColumnCount();
      while (row.next()) {
        for (int column = 1; column <= columns; column++) {
          if (text(row, column).toLowerCase(Locale.ROOT).contains(marker)) {
            found.add(
                (table.replaceAll(".*\\.", "").replace("\"", "")
                        + "."
                        + row.getMetaData().getColumnName(column))
                    .toLowerCase(Locale.ROOT));
          }
        }
      }
    }
  }

  private static String text(ResultSet row, int column) throws SQLException {
    int type = row.getMetaData().getColumnType(column);
    if (type == Types.BINARY || type == Types.VARBINARY || type == Types.LONGVARBINARY) {
      byte[] octets = row.getBytes(column);
      return octets == null ? "" : new String(octets, StandardCharsets.ISO_8859_1);
    }
    String text = row.getString(column);
    return text == null ? "" : text;
  }
}
