package io.postbox.test.store;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * Statements that a test writes.
 *
 * @param dataSource runs them
 */
public record Effects(DataSource dataSource) {

  /** Runs a statement, committed by itself. */
  public void execute(String sql) {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failed) {
      throw new IllegalArgumentException(
          "The database refuses the test's statement: " + sql, failed);
    }
  }

  /**
   * The number that a query returns.
   *
   * @throws IllegalArgumentException unless it returns one row with one number
   */
  public long count(String query) {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      if (rows.next() && rows.getMetaData().getColumnCount() == 1) {
        BigDecimal number = rows.getBigDecimal(1);
        if (!rows.next()) {
          return number == null ? 0 : number.longValueExact(); // the SUM of no rows is null
        }
      }
    } catch (SQLException | ArithmeticException failed) {
      throw new IllegalArgumentException(
          "The database cannot count effects with the test's query: " + query, failed);
    }
    throw new IllegalArgumentException(
        "A query that counts effects returns one row with one number, such as SELECT COUNT(*) FROM shipment; this one does not: "
            + query);
  }
}
