package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.DeadLetterStore.Place;
import io.postbox.outbox.store.MessageStore.NewMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/**
 * Reads and replaces a dead letter, in the transaction that holds its partition's row lock.
 * Thread-safe.
 */
public final class EditStore {
  private final String read;
  private final String replace;
  private final String head;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public EditStore(Dialect dialect, TableNames tables) {
    String message = tables.qualified("outbox_message");
    read =
        """
        SELECT m.*, %s AS read_at, CAST(NULL AS UUID) AS head_id, CAST(NULL AS VARCHAR) AS target
        FROM %s m WHERE m.partition_no = ? AND m.seq = ? AND m.status = 'DEAD'
        """
            .formatted(dialect.now(), message);
    replace =
        """
        UPDATE %s
        SET id = ?, content_type = ?, payload_text = ?, payload_bytes = ?,
          payload_sha256 = CASE WHEN CAST(? AS VARCHAR) IS NULL THEN NULL ELSE payload_sha256 END,
          reference_table = ?, reference_id = ?, payload_key = ?, headers = ?
        WHERE partition_no = ? AND seq = ? AND status = 'DEAD'
        """
            .formatted(message);
    head =
        """
        UPDATE %s SET head_id = ?
        WHERE partition_no = ? AND destination = ? AND ordering_key = ? AND head_id = ?
        """
            .formatted(tables.qualified("outbox_held_key"));
  }

  /** The dead letter at a place; empty if there is none (any more). */
  public Optional<StoredMessage> read(Connection connection, Place at) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(read)) {
      statement.setInt(1, at.partition());
      statement.setLong(2, at.seq());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(new MessageRowMapper(row).message()) : Optional.empty();
      }
    }
  }

  /** Replaces the dead letter at a place, which also holds its key under its new id. */
  public void replace(Connection connection, Place at, UUID oldId, NewMessage edited)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(replace)) {
      statement.setObject(1, edited.envelope().id());
      statement.setString(2, edited.envelope().contentType());
      statement.setString(3, edited.text());
      statement.setBytes(4, edited.octets());
      statement.setString(5, edited.referenceId());
      statement.setString(6, edited.referenceTable());
      statement.setString(7, edited.referenceId());
      statement.setString(8, edited.payloadKey());
      statement.setString(9, edited.envelope().headers());
      statement.setInt(10, at.partition());
      statement.setLong(11, at.seq());
      statement.executeUpdate();
    }
    if (edited.envelope().orderingKey() != null) {
      try (PreparedStatement statement = connection.prepareStatement(head)) {
        statement.setObject(1, edited.envelope().id());
        statement.setInt(2, at.partition());
        statement.setString(3, edited.envelope().destination());
        statement.setString(4, edited.envelope().orderingKey());
        statement.setObject(5, oldId);
        statement.executeUpdate();
      }
    }
  }
}
