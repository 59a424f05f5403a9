package io.postbox.outbox.testing;

import io.postbox.common.config.TableNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Looks at the tables, and changes them, behind the outbox's back.
 *
 * @param dataSource where they are
 * @param tables their names
 */
public record Rows(DataSource dataSource, TableNames tables) {

  /** The columns of a message's row that tests read. */
  public record Row(long seq, String id, String status, int attempts, String lastError) {}

  /** All messages, in order. */
  public List<Row> messages() {
    List<Row> found = new ArrayList<>();
    query(
        "SELECT seq, id, status, attempts, last_error FROM "
            + tables.qualified("outbox_message")
            + " ORDER BY seq",
        row ->
            found.add(
                new Row(
                    row.getLong(1),
                    row.getObject(2, UUID.class).toString(),
                    row.getString(3),
                    row.getInt(4),
                    String.valueOf(row.getString(5)))));
    return found;
  }

  /** How many messages are like this. */
  public int countMessages(String condition) {
    int[] count = new int[1];
    query(
        "SELECT COUNT(*) FROM " + tables.qualified("outbox_message") + " WHERE " + condition,
        row -> count[0] = row.getInt(1));
    return count[0];
  }

  /** How many rows a table has. */
  public int count(String table) {
    int[] count = new int[1];
    query("SELECT COUNT(*) FROM " + tables.qualified(table), row -> count[0] = row.getInt(1));
    return count[0];
  }

  /** The only row of a query with one column. */
  public String text(String sql) {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    } catch (SQLException failed) {
      throw new IllegalStateException(sql, failed);
    }
  }

  /** Puts every delayed message to work, as if its time had come. */
  public void makeDue() {
    execute(
        "UPDATE "
            + tables.qualified("outbox_message")
            + " SET status = 'PENDING', due_at = created_at WHERE status = 'DELAYED'");
  }

  /** Executes a statement and commits. */
  public void execute(String sql) {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException failed) {
      throw new IllegalStateException(sql, failed);
    }
  }

  private interface RowReader {
    void read(ResultSet row) throws SQLException;
  }

  private void query(String sql, RowReader reader) {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        reader.read(rows);
      }
    } catch (SQLException failed) {
      throw new IllegalStateException(sql, failed);
    }
  }
}
