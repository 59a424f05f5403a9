package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** The key of the service that owns the tables, the same for all its nodes. Thread-safe. */
public final class SecretStore {
  /** As many bytes as SHA-256 has. */
  private static final int LENGTH = 32;

  private static final String UNIQUE_VIOLATION = "23505";

  private final String select;
  private final String insert;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public SecretStore(Dialect dialect, TableNames tables) {
    String table = tables.qualified("outbox_secret");
    select = "SELECT secret FROM %s WHERE id = 1".formatted(table);
    insert =
        "INSERT INTO %s (id, secret) VALUES (1, ?) %s".formatted(table, dialect.unlessIdIsThere());
  }

  /**
   * The key; made at the first start, by one node of those that start at the same time.
   *
   * @param connection commits each statement, so that the second look sees another node's key
   */
  public byte[] readOrMake(Connection connection) throws SQLException {
    Optional<byte[]> found = read(connection);
    if (found.isEmpty()) {
      make(connection);
      found = read(connection);
    }
    return found.orElseThrow(
        () -> new SQLException("the key in outbox_secret was there and is gone again"));
  }

  private Optional<byte[]> read(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(select);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? Optional.of(row.getBytes(1)) : Optional.empty();
    }
  }

  private void make(Connection connection) throws SQLException {
    byte[] secret = new byte[LENGTH];
    new SecureRandom().nextBytes(secret);
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      statement.setBytes(1, secret);
      statement.executeUpdate();
    } catch (SQLException refused) {
      if (!UNIQUE_VIOLATION.equals(refused.getSQLState())) {
        throw refused; // H2 has no insert-if-absent: another node was first
      }
    }
  }
}
