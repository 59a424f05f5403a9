package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Lane;
import java.sql.Connection;
import java.sql.JDBCType;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes new messages on the connection of the caller's transaction. Thread-safe. */
public final class MessageStore {
  private static final String UNIQUE_VIOLATION = "23505";

  private final String insert;
  private final String insertUnlessThere;
  private final Optional<ListInsert> list;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public MessageStore(Dialect dialect, TableNames tables) {
    OutboxDialect own = new OutboxDialect(dialect);
    insert =
        """
        INSERT INTO %4$s
          (partition_no, id, destination, ordering_key, aggregate_type, aggregate_id,
           data_subject, event_type, schema_version, content_type, payload_text, payload_bytes, reference_table,
           reference_id, payload_key, headers, trace_parent, status, due_at, expires_at)
        VALUES (%1$s, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
          CASE WHEN CAST(? AS TIMESTAMP WITH TIME ZONE) > %2$s THEN 'DELAYED' ELSE 'PENDING' END,
          CASE WHEN CAST(? AS TIMESTAMP WITH TIME ZONE) > %2$s
            THEN CAST(? AS TIMESTAMP WITH TIME ZONE) ELSE %2$s END,
          %3$s)
        """
            .formatted(
                own.partitionToInsert(),
                dialect.now(),
                own.nowPlusMillis(),
                tables.qualified("outbox_message"));
    insertUnlessThere = insert + own.unlessThere("id");
    list = ListInsert.of(dialect, tables);
  }

  /**
   * A message, its partition, and the times between which it may be sent.
   *
   * @param partition its partition
   * @param envelope the message
   * @param notBefore the earliest moment, by the database's clock
   * @param expiresAfter its time to live from now on
   */
  public record NewMessage(
      int partition,
      Envelope envelope,
      @Nullable Instant notBefore,
      @Nullable Duration expiresAfter) {

    /** The lane in which the relay finds it. */
    public Lane lane() {
      return new Lane(partition, envelope.destination());
    }

    @Nullable String text() {
      return envelope.body() instanceof Body.Text text ? text.value() : null;
    }

    byte @Nullable [] octets() {
      if (envelope.body() instanceof Body.Bytes bytes) {
        return bytes.value();
      }
      return envelope.body() instanceof Body.Encrypted encrypted ? encrypted.value() : null;
    }

    @Nullable String referenceTable() {
      return envelope.body() instanceof Body.Reference reference ? reference.table() : null;
    }

    @Nullable String referenceId() {
      return envelope.body() instanceof Body.Reference reference ? reference.id() : null;
    }

    @Nullable String payloadKey() {
      return envelope.body() instanceof Body.Encrypted encrypted ? encrypted.key() : null;
    }
  }

  /**
   * Inserts one message in one statement.
   *
   * @return whether it was inserted; if not, its id is in the table already, and the transaction is
   *     still usable
   */
  public boolean insert(Connection connection, NewMessage message) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insertUnlessThere)) {
      bind(statement, message);
      return statement.executeUpdate() == 1;
    } catch (SQLException refused) {
      if (UNIQUE_VIOLATION.equals(refused.getSQLState())) {
        return false; // H2 has no insert-if-absent, but the transaction stays usable
      }
      throw refused;
    }
  }

  /**
   * Inserts messages whose ids are new, in the order of the list, in one statement; if they are
   * larger than a mebibyte, in one for about each mebibyte.
   */
  public void insertFresh(Connection connection, List<NewMessage> messages) throws SQLException {
    if (messages.size() == 1) {
      insertOne(connection, messages.get(0));
    } else if (list.isPresent()) {
      list.get().run(connection, messages);
    } else {
      insertBatch(connection, messages);
    }
  }

  /** Not as a batch: the exception of a batch would quote the payload. */
  private void insertOne(Connection connection, NewMessage message) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      bind(statement, message);
      statement.executeUpdate();
    }
  }

  private void insertBatch(Connection connection, List<NewMessage> messages) throws SQLException {
    if (messages.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      for (NewMessage message : messages) {
        bind(statement, message);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private static void bind(PreparedStatement statement, NewMessage message) throws SQLException {
    Envelope envelope = message.envelope();
    statement.setInt(1, message.partition());
    statement.setObject(2, envelope.id());
    statement.setString(3, envelope.destination());
    statement.setString(4, envelope.orderingKey());
    statement.setString(5, envelope.aggregateType());
    statement.setString(6, envelope.aggregateId());
    statement.setString(7, envelope.dataSubject());
    statement.setString(8, envelope.eventType());
    statement.setString(9, envelope.schemaVersion());
    statement.setString(10, envelope.contentType());
    statement.setString(11, message.text());
    statement.setBytes(12, message.octets());
    statement.setString(13, message.referenceTable());
    statement.setString(14, message.referenceId());
    statement.setString(15, message.payloadKey());
    statement.setString(16, envelope.headers());
    statement.setString(17, envelope.traceParent());
    Instant notBefore = message.notBefore();
    for (int index = 18; index <= 20; index++) {
      statement.setObject(index, notBefore == null ? null : notBefore.atOffset(ZoneOffset.UTC));
    }
    Duration expiresAfter = message.expiresAfter();
    statement.setObject(
        21,
        expiresAfter == null ? null : expiresAfter.toMillis(),
        JDBCType.BIGINT.getVendorTypeNumber());
  }
}
