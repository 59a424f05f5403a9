package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.MessageStore.NewMessage;
import io.postbox.outbox.store.OperatorStore.Place;
import java.sql.Connection;
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
    return Sql.first(
        connection, read, row -> new MessageRowMapper(row).message(), at.partition(), at.seq());
  }

  /** Replaces the dead letter at a place, which also holds its key under its new id. */
  public void replace(Connection connection, Place at, UUID oldId, NewMessage edited)
      throws SQLException {
    Sql.update(
        connection,
        replace,
        edited.envelope().id(),
        edited.envelope().contentType(),
        edited.text(),
        edited.octets(),
        edited.referenceId(),
        edited.referenceTable(),
        edited.referenceId(),
        edited.payloadKey(),
        edited.envelope().headers(),
        at.partition(),
        at.seq());
    if (edited.envelope().orderingKey() != null) {
      Sql.update(
          connection,
          head,
          edited.envelope().id(),
          at.partition(),
          edited.envelope().destination(),
          edited.envelope().orderingKey(),
          oldId);
    }
  }
}
