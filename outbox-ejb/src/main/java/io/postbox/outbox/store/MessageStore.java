package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Lane;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Writes new messages on the connection of the caller's transaction. Thread-safe. */
public final class MessageStore {
  /** What a row has of a new message as it is, in the order of the parameters. */
  static final List<Column> COLUMNS =
      List.of(
          new Column("partition_no", "integer", Integer[]::new, NewMessage::partition),
          new Column("id", "uuid", Object[]::new, it -> it.envelope().id()),
          Column.text("destination", it -> it.envelope().destination()),
          Column.text("ordering_key", it -> it.envelope().orderingKey()),
          Column.text("aggregate_type", it -> it.envelope().aggregateType()),
          Column.text("aggregate_id", it -> it.envelope().aggregateId()),
          Column.text("data_subject", it -> it.envelope().dataSubject()),
          Column.text("event_type", it -> it.envelope().eventType()),
          Column.text("schema_version", it -> it.envelope().schemaVersion()),
          Column.text("content_type", it -> it.envelope().contentType()),
          Column.text("payload_text", NewMessage::text),
          new Column("payload_bytes", "bytea", byte[][]::new, NewMessage::octets),
          Column.text("reference_table", NewMessage::referenceTable),
          Column.text("reference_id", NewMessage::referenceId),
          Column.text("payload_key", NewMessage::payloadKey),
          Column.text("headers", it -> it.envelope().headers()),
          Column.text("trace_parent", it -> it.envelope().traceParent()));

  private final Dialect dialect;
  private final String insert;
  private final String insertUnlessThere;
  private final Optional<ListInsert> list;

  public MessageStore(Dialect dialect, TableNames tables) {
    this.dialect = dialect;
    OutboxDialect own = new OutboxDialect(dialect);
    insert =
        """
        INSERT INTO %4$s
          (%5$s, status, due_at, expires_at)
        VALUES (%1$s%6$s,
          CASE WHEN CAST(? AS TIMESTAMP WITH TIME ZONE) > %2$s THEN 'DELAYED' ELSE 'PENDING' END,
          CASE WHEN CAST(? AS TIMESTAMP WITH TIME ZONE) > %2$s
            THEN CAST(? AS TIMESTAMP WITH TIME ZONE) ELSE %2$s END,
          %3$s)
        """
            .formatted(
                own.partitionToInsert(),
                dialect.now(),
                own.nowPlusMillis(),
                tables.qualified("outbox_message"),
                String.join(", ", COLUMNS.stream().map(Column::name).toList()),
                ", ?".repeat(COLUMNS.size() - 1));
    insertUnlessThere = insert + own.unlessThere("id");
    list = ListInsert.of(dialect, tables);
  }

  /**
   * A column of a new message.
   *
   * @param type as PostgreSQL names it
   * @param array makes one of values: by the type of its elements the driver chooses how it sends
   *     it
   * @param value the message's
   */
  record Column(String name, String type, IntFunction<@Nullable Object[]> array, Value value) {
    /** The value of a message. */
    interface Value {
      @Nullable Object of(NewMessage message);
    }

    static Column text(String name, Value value) {
      return new Column(name, "text", String[]::new, value);
    }
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
    return dialect.insertIfAbsent(connection, insertUnlessThere, values(message));
  }

  /**
   * Inserts messages whose ids are new, in the order of the list, in one statement; if they are
   * larger than a mebibyte, in one for about each mebibyte.
   */
  public void insertFresh(Connection connection, List<NewMessage> messages) throws SQLException {
    if (messages.size() == 1) {
      // Not as a batch: the exception of a batch would quote the payload.
      Sql.update(connection, insert, values(messages.get(0)));
    } else if (list.isPresent()) {
      list.get().run(connection, messages);
    } else if (!messages.isEmpty()) {
      Sql.batch(connection, insert, messages, message -> new Object[] {values(message)});
    }
  }

  private static Sql.Values values(NewMessage message) {
    Instant notBefore = message.notBefore();
    Duration expiresAfter = message.expiresAfter();
    return Sql.values(
        new Sql.Values(COLUMNS.stream().map(column -> column.value().of(message)).toList()),
        Sql.values(notBefore, notBefore, notBefore),
        expiresAfter == null ? null : expiresAfter.toMillis());
  }
}
