package io.postbox.inbox.store;

import io.postbox.inbox.config.TableNames;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Quarantined;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HexFormat;
import java.util.Optional;

/** The statements of a delivery, in the transaction in which it is handled. Thread-safe. */
public final class InboxStore {
  private final Dialect dialect;
  private final String insertIfAbsent;
  private final String fingerprintOf;
  private final String quarantine;
  private final String ping;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public InboxStore(Dialect dialect, TableNames tables) {
    this.dialect = dialect;
    insertIfAbsent =
        """
        INSERT INTO %s
          (consumer, message_id, source, fingerprint, fingerprint_version, headers)
        VALUES (?, ?, ?, ?, ?, ?)
        %s
        """
            .formatted(tables.qualified("inbox_message"), dialect.unlessIdIsThere());
    fingerprintOf =
        """
        SELECT fingerprint_version, fingerprint FROM %s WHERE consumer = ? AND message_id = ?
        """
            .formatted(tables.qualified("inbox_message"));
    quarantine =
        """
        INSERT INTO %s
          (consumer, message_id, reason, fingerprint, fingerprint_version,
           stored_fingerprint, stored_fingerprint_version,
           body_type, payload_text, payload_bytes, properties)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
            .formatted(tables.qualified("inbox_quarantine"));
    ping =
        "SELECT consumer FROM %s WHERE consumer = '' AND message_id = ''"
            .formatted(tables.qualified("inbox_message"));
  }

  /**
   * Remembers a message unless its id is there already; then the transaction is as it was before.
   * Waits for another transaction that has inserted the same id and has not ended.
   *
   * @return whether a row was inserted
   */
  public boolean insertIfAbsent(Connection connection, Delivery delivery, String messageId)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insertIfAbsent)) {
      statement.setString(1, delivery.consumer());
      statement.setString(2, messageId);
      statement.setString(3, delivery.source());
      statement.setBytes(4, bytes(delivery.fingerprint()));
      statement.setInt(5, delivery.fingerprint().version());
      statement.setString(6, delivery.headers());
      return statement.executeUpdate() == 1;
    } catch (SQLException failed) {
      if (dialect.idIsThere(failed)) {
        return false;
      }
      throw failed;
    }
  }

  /** The fingerprint of the body that was handled under an id; empty if there is no such row. */
  public Optional<Fingerprint> fingerprintOf(
      Connection connection, String consumer, String messageId) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(fingerprintOf)) {
      statement.setString(1, consumer);
      statement.setString(2, messageId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(new Fingerprint(row.getInt(1), HexFormat.of().formatHex(row.getBytes(2))))
            : Optional.empty();
      }
    }
  }

  /** Keeps a delivery aside. */
  public void quarantine(Connection connection, Quarantined quarantined) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(quarantine)) {
      statement.setString(1, quarantined.consumer());
      statement.setString(2, quarantined.messageId());
      statement.setString(3, quarantined.reason().name());
      statement.setBytes(4, bytes(quarantined.fingerprint()));
      statement.setInt(5, quarantined.fingerprint().version());
      Fingerprint stored = quarantined.stored();
      statement.setBytes(6, stored == null ? null : bytes(stored));
      statement.setObject(7, stored == null ? null : stored.version(), Types.INTEGER);
      statement.setString(8, quarantined.content().type().name());
      statement.setString(9, quarantined.content().text());
      ByteBuffer bytes = quarantined.content().bytes();
      statement.setBytes(10, bytes == null ? null : array(bytes));
      statement.setString(11, quarantined.content().properties());
      statement.executeUpdate();
    }
  }

  /** Fails unless the inbox's table can be read. */
  public void ping(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ping);
        ResultSet none = statement.executeQuery()) {
      none.next();
    }
  }

  private static byte[] array(ByteBuffer bytes) {
    byte[] array = new byte[bytes.remaining()];
    bytes.duplicate().get(array);
    return array;
  }

  private static byte[] bytes(Fingerprint fingerprint) {
    return HexFormat.of().parseHex(fingerprint.sha256());
  }
}
