package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.message.Heartbeat;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/**
 * The service's processes that run or ended without an orderly stop, by the database's clock.
 * Thread-safe.
 */
public final class ProcessStore {
  private final String live;
  private final String begin;
  private final String others;
  private final String leave;
  private final String forget;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public ProcessStore(Dialect dialect, TableNames tables) {
    String table = tables.qualified("inbox_process");
    live = "UPDATE %s SET alive_at = %s WHERE node = ?".formatted(table, dialect.now());
    begin = "INSERT INTO %s (node) VALUES (?)".formatted(table);
    others = "SELECT node, alive_at, %s FROM %s WHERE node <> ?".formatted(dialect.now(), table);
    leave = "DELETE FROM %s WHERE node = ?".formatted(table);
    forget =
        "DELETE FROM %s WHERE alive_at < %s - CAST(? AS BIGINT) * INTERVAL '1' SECOND"
            .formatted(table, dialect.now());
  }

  /**
   * Renews the heartbeat of a process, or inserts it.
   *
   * @param node the process's unique name
   */
  public void live(Connection connection, String node) throws SQLException {
    if (update(connection, live, node) == 0) {
      update(connection, begin, node);
    }
  }

  /** The last heartbeats of all other processes. */
  public List<Heartbeat> others(Connection connection, String node) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(others)) {
      statement.setString(1, node);
      List<Heartbeat> found = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(
              new Heartbeat(
                  row.getString(1),
                  Duration.between(
                      row.getObject(2, OffsetDateTime.class),
                      row.getObject(3, OffsetDateTime.class))));
        }
      }
      return found;
    }
  }

  /** Deletes a process that stops in an orderly way. */
  public void leave(Connection connection, String node) throws SQLException {
    update(connection, leave, node);
  }

  /** Deletes the processes that had no heartbeat for this long. */
  public void forget(Connection connection, Duration silentFor) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(forget)) {
      statement.setLong(1, silentFor.toSeconds());
      statement.executeUpdate();
    }
  }

  private static int update(Connection connection, String sql, String node) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, node);
      return statement.executeUpdate();
    }
  }
}
