package io.postbox.outbox.store;

import io.postbox.outbox.config.TableNames;
import io.postbox.outbox.message.Envelope;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** Writes new messages on the connection of the caller's transaction. Thread-safe. */
public final class MessageStore {
  private static final String UNIQUE_VIOLATION = "23505";

  private final String insert;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public MessageStore(Dialect dialect, TableNames tables) {
    insert =
        """
        INSERT INTO %s
          (partition_no, id, destination, ordering_key, aggregate_type, aggregate_id, event_type,
           schema_version, content_type, payload_text, payload_bytes, headers)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        %s
        """
            .formatted(tables.qualified("outbox_message"), dialect.unlessIdIsThere());
  }

  /**
   * A message and where it belongs.
   *
   * @param partition its partition
   * @param envelope the message
   */
  public record Placed(int partition, Envelope envelope) {}

  /**
   * Inserts one message in one statement.
   *
   * @return whether it was inserted; if not, its id is in the table already, and the transaction is
   *     still usable
   */
  public boolean insert(Connection connection, Placed message) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      bind(statement, message);
      return statement.executeUpdate() == 1;
    } catch (SQLException refused) {
      if (UNIQUE_VIOLATION.equals(refused.getSQLState())) {
        return false; // H2 has no insert-if-absent, and keeps the transaction usable
      }
      throw refused;
    }
  }

  /**
   * Inserts messages with fresh ids in one batch, in the order of the list. (A driver may answer a
   * batch without row counts, so messages whose id could be there already are inserted one by one.)
   */
  public void insertFresh(Connection connection, List<Placed> messages) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      for (Placed message : messages) {
        bind(statement, message);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static void bind(PreparedStatement statement, Placed message) throws SQLException {
    Envelope envelope = message.envelope();
    statement.setInt(1, message.partition());
    statement.setObject(2, envelope.id());
    statement.setString(3, envelope.destination());
    statement.setString(4, envelope.orderingKey());
    statement.setString(5, envelope.aggregateType());
    statement.setString(6, envelope.aggregateId());
    statement.setString(7, envelope.eventType());
    statement.setString(8, envelope.schemaVersion());
    statement.setString(9, envelope.contentType());
    statement.setString(10, envelope.text());
    statement.setBytes(11, envelope.bytes());
    statement.setString(12, envelope.headers());
  }
}
