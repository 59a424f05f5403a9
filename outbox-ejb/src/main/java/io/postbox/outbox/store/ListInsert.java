package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.store.MessageStore.Column;
import io.postbox.outbox.store.MessageStore.NewMessage;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

  private static final List<Column> COLUMNS =
      Stream.concat(
              MessageStore.COLUMNS.stream(),
              Stream.of(
                  new Column(
                      "not_before", "timestamptz", String[]::new, it -> text(it.notBefore())),
                  new Column(
                      "expires_after", "bigint", Long[]::new, it -> millis(it.expiresAfter()))))
          .toList();

  private final String insert;

  private ListInsert(TableNames tables) {
    List<String> names = MessageStore.COLUMNS.stream().map(Column::name).toList();
    insert =
        """
        INSERT INTO %1$s
          (%2$s, status, due_at, expires_at)
        SELECT CASE WHEN pg_current_xact_id() IS NOT NULL THEN partition_no END, %3$s,
          CASE WHEN not_before > clock_timestamp() THEN 'DELAYED' ELSE 'PENDING' END,
          CASE WHEN not_before > clock_timestamp() THEN not_before ELSE clock_timestamp() END,
          clock_timestamp() + expires_after * INTERVAL '1 millisecond'
        FROM unnest(%4$s)
          WITH ORDINALITY AS message (%2$s, not_before, expires_after, place)
        ORDER BY place
        """
            .formatted(
                tables.qualified("outbox_message"),
                String.join(", ", names),
                String.join(", ", names.subList(1, names.size())),
                COLUMNS.stream()
                    .map(column -> "CAST(? AS %s[])".formatted(column.type()))
                    .collect(Collectors.joining(", ")));
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
        bind(connection, statement, left.subList(0, fitting));
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

  private static void bind(
      Connection connection, PreparedStatement statement, List<NewMessage> messages)
      throws SQLException {
    int index = 0;
    for (Column column : COLUMNS) {
      @Nullable Object[] values = messages.stream().map(column.value()::of).toArray(column.array());
      index++;
      statement.setArray(index, connection.createArrayOf(column.type(), values));
    }
  }

  private static @Nullable String text(@Nullable Instant moment) {
    return moment == null ? null : moment.toString();
  }

  private static @Nullable Long millis(@Nullable Duration duration) {
    return duration == null ? null : duration.toMillis();
  }
}
