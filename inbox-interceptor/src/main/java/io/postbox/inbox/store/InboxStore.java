package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Outcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The ids of completed messages, in the transaction in which a delivery is handled. Thread-safe.
 */
public final class InboxStore {
  private final Dialect dialect;
  private final String insertIfAbsent;
  private final String fingerprintOf;
  private final String ping;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public InboxStore(Dialect dialect, TableNames tables) {
    this.dialect = dialect;
    String table = tables.qualified("inbox_message");
    insertIfAbsent =
        """
        INSERT INTO %s
          (consumer, message_id, source, fingerprint, fingerprint_version, headers, outcome)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        %s
        """
            .formatted(table, dialect.onConflictDoNothing());
    fingerprintOf =
        """
        SELECT fingerprint, fingerprint_version FROM %s WHERE consumer = ? AND message_id = ?
        """
            .formatted(table);
    ping = dialect.tryToWrite(tables.qualified("postbox_schema"), "inbox");
  }

  /**
   * Inserts a message's id unless it exists; then the transaction is unchanged. Waits for another
   * transaction that has inserted the same id and has not ended.
   *
   * @return whether a row was inserted
   */
  public boolean insertIfAbsent(
      Connection connection, Delivery delivery, String messageId, Outcome outcome)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insertIfAbsent)) {
      statement.setString(1, delivery.consumer());
      statement.setString(2, messageId);
      statement.setString(3, delivery.source());
      Fingerprinted.set(statement, 4, delivery.fingerprint());
      statement.setString(6, delivery.headers());
      statement.setString(7, outcome.name());
      return dialect.insertIfAbsent(statement);
    }
  }

  /** The fingerprint of the body that was handled under an id; empty if there is no such row. */
  public Optional<Fingerprint> fingerprintOf(
      Connection connection, String consumer, String messageId) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(fingerprintOf)) {
      statement.setString(1, consumer);
      statement.setString(2, messageId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(Fingerprinted.get(row, 1)) : Optional.empty();
      }
    }
  }

  /**
   * Checks that the database is available and accepts writes; changes nothing.
   *
   * @param connection commits each statement, so that the check includes a commit
   */
  public void ping(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ping)) {
      statement.execute();
    }
  }
}
