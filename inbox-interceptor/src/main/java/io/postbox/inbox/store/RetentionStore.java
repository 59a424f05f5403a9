package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.ActionTable;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Deletes rows past their retention, a few at a time, the oldest first. Thread-safe. */
public final class RetentionStore {
  /**
   * No name sorts between a name and that name followed by this character, because names have no
   * control characters. (For a condition of "greater than a name" H2 would read all rows of that
   * name.)
   */
  private static final char FIRST_CHARACTER = ' ';

  /** The mark of a consumer of which nothing is known yet. */
  public static final Instant BEGINNING = Instant.EPOCH;

  private final Dialect dialect;
  private final Map<Kept, Statements> statements = new EnumMap<>(Kept.class);
  private final String audit;
  private final String actions;

  public RetentionStore(Dialect dialect, TableNames tables) {
    this.dialect = dialect;
    for (Kept kept : Kept.values()) {
      String table = tables.qualified(kept.table);
      statements.put(
          kept,
          new Statements(
              deleteAndCount(table, kept.condition(tables, ""), kept.time),
              deleteAndCount(
                  table, kept.condition(tables, " AND %s >= ?".formatted(kept.time)), kept.time),
              "SELECT consumer FROM %s WHERE consumer >= ? ORDER BY consumer FETCH FIRST ROW ONLY"
                  .formatted(table)));
    }
    actions = ActionTable.deleteOld(dialect, tables.qualified("inbox_action"));
    audit = AuditStore.deleteOld(dialect, "inbox", tables);
  }

  /**
   * Deletes as {@link Dialect#deleteSome} does, and returns the number of rows and their latest
   * time.
   *
   * @param time the column by which the rows are ordered
   */
  private String deleteAndCount(String table, String condition, String time) {
    String delete = dialect.deleteSome(table, condition, time).strip();
    return switch (dialect) {
      case H2 -> "SELECT COUNT(*), MAX(%s) FROM OLD TABLE (%s)".formatted(time, delete);
      case POSTGRESQL ->
          "WITH gone AS (%1$s RETURNING %2$s) SELECT COUNT(*), MAX(%2$s) FROM gone"
              .formatted(delete, time);
    };
  }

  /**
   * Makes the rest of the transaction read in the order of an index instead of sorting. PostgreSQL
   * always expects few rows between two times, and would sort them all.
   */
  private void orderByIndex(Connection connection) throws SQLException {
    if (dialect == Dialect.POSTGRESQL) {
      Sql.execute(connection, "SET LOCAL enable_sort = off");
    }
  }

  /** A consumer's rows with a retention. */
  public enum Kept {
    /** The ids of messages, unless a message is stored, and may still be handled. */
    MESSAGE("inbox_message", "processed_at"),
    /** The recorded failures, unless the message is stored: they count against its budget. */
    FAILURE("inbox_failure", "failed_at"),
    /** The results for redelivered messages, unless such a message may still arrive. */
    RESULT("inbox_result", "created_at"),
    /** The stored messages that are kept although they are handled. */
    STORED("inbox_stored", "kept_at");

    /** The stored messages that are not handled yet, however long they wait. */
    private static final String WAITING = "inbox_stored";

    private final String table;
    private final String time;

    Kept(String table, String time) {
      this.table = table;
      this.time = time;
    }

    private List<String> unlessIn() {
      return switch (this) {
        case MESSAGE -> List.of(WAITING);
        case FAILURE -> List.of(WAITING);
        case RESULT -> List.of("inbox_message", "inbox_failure", WAITING);
        case STORED -> List.of();
      };
    }

    /**
     * The condition that none of those tables has the message. OFFSET forces one lookup for each
     * row: a join could read the whole other table for a few rows.
     */
    private String condition(TableNames tables, String lowerBound) {
      StringBuilder condition =
          new StringBuilder("consumer = ? AND %s < ?%s".formatted(time, lowerBound));
      if (this == STORED) {
        condition.append(" AND status = 'PROCESSED'");
      }
      for (String other : unlessIn()) {
        condition.append(
            """

            AND NOT EXISTS (SELECT 1 FROM %1$s o
              WHERE o.consumer = %2$s.consumer AND o.message_id = %2$s.message_id%3$s OFFSET 0 ROWS)
            """
                .formatted(
                    tables.qualified(other),
                    tables.prefix() + table,
                    other.equals(WAITING)
                        ? " AND o.variant = '' AND o.status <> 'PROCESSED'"
                        : ""));
      }
      return condition.toString();
    }
  }

  /**
   * The next consumer in the order of names, found by one index lookup independent of the number of
   * rows.
   *
   * @param last the previous name; empty for the first one
   */
  Optional<String> nextConsumer(Connection connection, Kept kept, String last) throws SQLException {
    return Sql.first(
        connection, of(kept).nextConsumer(), row -> row.getString(1), last + FIRST_CHARACTER);
  }

  /** All consumers with such rows, in the order of names: one look-up for each. */
  public List<String> consumers(Connection connection, Kept kept) throws SQLException {
    List<String> names = new ArrayList<>();
    Optional<String> next = nextConsumer(connection, kept, "");
    while (next.isPresent()) {
      names.add(next.get());
      next = nextConsumer(connection, kept, next.get());
    }
    return names;
  }

  /**
   * The result of a deletion.
   *
   * @param rows how many
   * @param lowWaterMark where to continue if there may be more: older rows are deleted or have to
   *     stay. The index keeps entries of deleted rows until a vacuum, and a batch that started at
   *     the beginning would step over those of all batches before it
   */
  public record Deleted(int rows, Instant lowWaterMark) {}

  /**
   * Deletes the oldest rows past their retention.
   *
   * @param from older rows are left out; {@link #BEGINNING} leaves out none
   * @param before the end of the retention
   * @param limit the most rows to delete
   */
  public Deleted delete(
      Connection connection, Kept kept, String consumer, Instant from, Instant before, int limit)
      throws SQLException {
    boolean bounded = from.isAfter(BEGINNING);
    if (bounded) {
      orderByIndex(connection);
    }
    return Sql.one(
        connection,
        bounded ? of(kept).deleteFrom() : of(kept).delete(),
        row -> {
          OffsetDateTime latest = row.getObject(2, OffsetDateTime.class);
          return new Deleted(row.getInt(1), latest == null ? from : latest.toInstant());
        },
        consumer,
        before,
        bounded ? Sql.values(from) : Sql.values(),
        limit);
  }

  /** Deletes the oldest rows of the inbox's audit. */
  public int deleteAudit(Connection connection, Instant before, int limit) throws SQLException {
    return Sql.update(connection, audit, before, limit);
  }

  /** Deletes the oldest of the operators' actions that are finished. */
  public int deleteActions(Connection connection, Instant before, int limit) throws SQLException {
    return Sql.update(connection, actions, before, limit);
  }

  private Statements of(Kept kept) {
    return Objects.requireNonNull(statements.get(kept));
  }

  /** About one kind of rows. */
  private record Statements(String delete, String deleteFrom, String nextConsumer) {}
}
