package io.postbox.it.tools;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * Statements on a data source, on the connection of the transaction there is, if any.
 *
 * @param dataSource the server's
 */
public record Database(DataSource dataSource) {

  /** The one that applications get unless they ask for another. */
  public static Database byDefault() {
    return at("java:comp/DefaultDataSource");
  }

  /** The one with a global JNDI name. */
  public static Database at(String jndiName) {
    return new Database(Names.lookup(jndiName, DataSource.class));
  }

  /** Runs a statement and returns the number of rows that it changed. */
  public int run(String sql, Object... parameters) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = prepared(connection, sql, parameters)) {
      return statement.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(sql + ": " + e.getMessage(), e);
    }
  }

  /** The first column of each row, as text. */
  public List<String> column(String sql, Object... parameters) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = prepared(connection, sql, parameters);
        ResultSet rows = statement.executeQuery()) {
      List<String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    } catch (SQLException e) {
      throw new IllegalStateException(sql + ": " + e.getMessage(), e);
    }
  }

  /** The only value of a query. */
  public String value(String sql, Object... parameters) {
    List<String> values = column(sql, parameters);
    if (values.size() != 1) {
      throw new IllegalStateException(sql + " gave " + values + " instead of one row");
    }
    return values.get(0);
  }

  /** How many rows a table has. */
  public long count(String table) {
    return Long.parseLong(value("SELECT COUNT(*) FROM " + table));
  }

  private static PreparedStatement prepared(Connection connection, String sql, Object... parameters)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int i = 0; i < parameters.length; i++) {
      statement.setObject(i + 1, parameters[i]);
    }
    return statement;
  }
}
