package io.postbox.common.store;

import io.postbox.common.config.TableNames;
import java.sql.Connection;
import java.sql.SQLException;

/** Writes a row that is to be rolled back. Thread-safe. */
public final class TrialStore {
  private final String insert;
  private final String delete;

  /**
   * @param tables where the tables are
   */
  public TrialStore(TableNames tables) {
    String table = tables.qualified("postbox_schema");
    insert = "INSERT INTO %s (module, service, version) VALUES (?, ?, 0)".formatted(table);
    delete = "DELETE FROM %s WHERE module = ?".formatted(table);
  }

  /**
   * Writes it.
   *
   * @param mark distinguishes it from the rows of other nodes; 20 characters at most
   */
  public void insert(Connection connection, String mark, String service) throws SQLException {
    Sql.update(connection, insert, mark, service);
  }

  /**
   * Removes it.
   *
   * @return whether it was there
   */
  public boolean delete(Connection connection, String mark) throws SQLException {
    return Sql.update(connection, delete, mark) > 0;
  }
}
