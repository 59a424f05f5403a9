package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.store.MessageStore.NewMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Inserts any number of messages by one statement whose parameters are the columns, as arrays. With
 * a statement for each row PostgreSQL would prepare the table's indexes, checks and generated
 * columns anew for every row; that is most of what an insert of one row costs. The transaction gets
 * its number before the first row gets its sequence number, as {@link
 * OutboxDialect#partitionToInsert} explains. Thread-safe.
 */
final class ListInsert {
  /**
   * The most octets of payloads and headers in one execution, unless one message alone has more: a
   * driver limits the size of a parameter, and both sides keep all of them in memory.
   */
  private static final long MOST_OCTETS = 1 << 20;

  /** The types of the parameters, in the order of the columns. */
  private static final List<String> TYPES =
      List.of(
          "integer",
          "uuid",
          "text",
          "text",
          "text",
          "text",
          "text",
          "text",
          "text",
          "text",
          "text",
          "bytea",
          "text",
          "text",
          "text",
          "text",
          "text",
          "timestamptz",
          "bigint");

  private final String insert;

  private ListInsert(TableNames tables) {
    String arrays = String.join(", ", TYPES.stream().map("CAST(? AS %s[])"::formatted).toList());
    insert =
        """
        INSERT INTO %1$s
          (partition_no, id, destination, ordering_key, aggregate_type, aggregate_id,
           data_subject, event_type, schema_version, content_type, payload_text, payload_bytes, reference_table,
           reference_id, payload_key, headers, trace_parent, status, due_at, expires_at)
        SELECT CASE WHEN pg_current_xact_id() IS NOT NULL THEN partition_no END, id, destination,
          ordering_key, aggregate_type, aggregate_id, data_subject, event_type, schema_version,
          content_type, payload_text, payload_bytes, reference_table, reference_id, payload_key, headers,
          trace_parent,
          CASE WHEN not_before > clock_timestamp() THEN 'DELAYED' ELSE 'PENDING' END,
          CASE WHEN not_before > clock_timestamp() THEN not_before ELSE clock_timestamp() END,
          clock_timestamp() + expires_after * INTERVAL '1 millisecond'
        FROM unnest(%2$s)
          WITH ORDINALITY AS message (partition_no, id, destination, ordering_key, aggregate_type,
            aggregate_id, data_subject, event_type, schema_version, content_type, payload_text, payload_bytes,
            reference_table, reference_id, payload_key, headers, trace_parent, not_before,
            expires_after, place)
        ORDER BY place
        """
            .formatted(tables.qualified("outbox_message"), arrays);
  }

  /** For a database that gains by it; a statement costs H2 little, in the same process. */
  static Optional<ListInsert> of(Dialect dialect, TableNames tables) {
    return switch (dialect) {
      case H2 -> Optional.empty();
      case POSTGRESQL -> Optional.of(new ListInsert(tables));
    };
  }

  void run(Connection connection, List<NewMessage> messages) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      List<NewMessage> left = messages;
      while (!left.isEmpty()) {
        int fitting = fitting(left);
        new Parameters(statement, left.subList(0, fitting)).bind();
        statement.executeUpdate();
        left = left.subList(fitting, left.size());
      }
    }
  }

  /** How many of the first messages go into one execution. */
  private static int fitting(List<NewMessage> messages) {
    int count = 0;
    long octets = 0;
    for (NewMessage message : messages) {
      Envelope envelope = message.envelope();
      octets += envelope.body().size() + envelope.headers().length();
      if (count > 0 && octets > MOST_OCTETS) {
        break;
      }
      count++;
    }
    return count;
  }

  private interface Value {
    @Nullable Object of(NewMessage message);
  }

  /** The parameters of one execution; each call of a method sets the next. */
  private static final class Parameters {
    private final PreparedStatement statement;
    private final List<NewMessage> messages;
    private int index;

    Parameters(PreparedStatement statement, List<NewMessage> messages) {
      this.statement = statement;
      this.messages = messages;
    }

    void bind() throws SQLException {
      int count = messages.size();
      set(new @Nullable Integer[count], NewMessage::partition);
      set(new @Nullable Object[count], it -> it.envelope().id());
      text(it -> it.envelope().destination());
      text(it -> it.envelope().orderingKey());
      text(it -> it.envelope().aggregateType());
      text(it -> it.envelope().aggregateId());
      text(it -> it.envelope().dataSubject());
      text(it -> it.envelope().eventType());
      text(it -> it.envelope().schemaVersion());
      text(it -> it.envelope().contentType());
      text(NewMessage::text);
      set(new byte[count] @Nullable [], NewMessage::octets);
      text(NewMessage::referenceTable);
      text(NewMessage::referenceId);
      text(NewMessage::payloadKey);
      text(it -> it.envelope().headers());
      text(it -> it.envelope().traceParent());
      text(it -> text(it.notBefore()));
      set(new @Nullable Long[count], it -> millis(it.expiresAfter()));
    }

    /** By the type of its elements the driver chooses how it sends an array. */
    private void text(Value value) throws SQLException {
      set(new @Nullable String[messages.size()], value);
    }

    private void set(@Nullable Object[] values, Value value) throws SQLException {
      for (int i = 0; i < values.length; i++) {
        values[i] = value.of(messages.get(i));
      }
      String type = TYPES.get(index);
      index++;
      statement.setArray(index, statement.getConnection().createArrayOf(type, values));
    }

    private static @Nullable String text(@Nullable Instant moment) {
      return moment == null ? null : moment.toString();
    }

    private static @Nullable Long millis(@Nullable Duration duration) {
      return duration == null ? null : duration.toMillis();
    }
  }
}
