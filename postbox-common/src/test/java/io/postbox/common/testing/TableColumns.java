package io.postbox.common.testing;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** The columns of tables as the database knows them, for a golden file. */
public final class TableColumns {
  private TableColumns() {}

  /** A line for each column, by table and place: name, type, nullability and origin of a value. */
  public static Stream<String> of(Connection connection, Set<String> tables) throws SQLException {
    List<String> lines = new ArrayList<>();
    for (String table : tables) {
      try (ResultSet column =
          connection
              .getMetaData()
              .getColumns(null, null, stored(connection, table).replace("_", "\\_"), null)) {
        while (column.next()) {
          lines.add(line(table, column));
        }
      }
    }
    return lines.stream();
  }

  private static String stored(Connection connection, String name) throws SQLException {
    return connection.getMetaData().storesUpperCaseIdentifiers()
        ? name.toUpperCase(Locale.ROOT)
        : name;
  }

  private static String line(String table, ResultSet column) throws SQLException {
    boolean isSized =
        Set.of(Types.VARCHAR, Types.VARBINARY).contains(column.getInt("DATA_TYPE"))
            && column.getInt("COLUMN_SIZE") < Integer.MAX_VALUE;
    return table
        + "."
        + column.getString("COLUMN_NAME").toLowerCase(Locale.ROOT)
        + " "
        + column.getString("TYPE_NAME").toLowerCase(Locale.ROOT)
        + (isSized ? "(" + column.getInt("COLUMN_SIZE") + ")" : "")
        + (column.getString("IS_NULLABLE").equals("NO") ? " not null" : "")
        + origin(column);
  }

  private static String origin(ResultSet column) throws SQLException {
    if (column.getString("IS_AUTOINCREMENT").equals("YES")) {
      return " identity";
    }
    if (column.getString("IS_GENERATEDCOLUMN").equals("YES")) {
      return " generated";
    }
    return column.getString("COLUMN_DEF") == null ? "" : " default";
  }
}
