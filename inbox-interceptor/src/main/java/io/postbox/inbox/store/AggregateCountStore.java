package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.CountTable;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.store.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Counts the aggregates that a consumer knows, on one node for all of them: its line in {@code
 * inbox_count} has the result, and its lock is the claim. Thread-safe.
 */
public final class AggregateCountStore {
  private final Dialect dialect;
  private final String read;
  private final String make;
  private final String claim;
  private final String count;
  private final String keep;

  /**
   * The last count of a consumer's aggregates.
   *
   * @param consumer the consumer's name
   * @param aggregates how many
   * @param countedAt when that count began
   * @param isDue whether the next count is due; it is if the database's clock was set back since
   */
  public record Line(String consumer, long aggregates, Instant countedAt, boolean isDue) {}

  public AggregateCountStore(Dialect dialect, TableNames tables) {
    this.dialect = dialect;
    String table = tables.qualified("inbox_count");
    read =
        "SELECT consumer, messages, since, due_at, %s FROM %s WHERE kind = 'AGGREGATES'"
            .formatted(dialect.now(), table);
    make =
        """
        INSERT INTO %s (kind, consumer, messages, bytes, since, due_at)
        VALUES ('AGGREGATES', ?, 0, 0, %2$s, %2$s)
        %3$s
        """
            .formatted(table, dialect.now(), dialect.onConflictDoNothing());
    claim =
        """
        SELECT %1$s, %2$s FROM %3$s
        WHERE kind = 'AGGREGATES' AND consumer = ? AND (due_at <= %1$s OR since > %1$s)
        FOR UPDATE SKIP LOCKED
        """
            .formatted(dialect.now(), dialect.endIfIdleFor(CountTable.LONGEST_COUNT), table);
    count =
        """
        SELECT COUNT(*) FROM
          (SELECT consumer FROM %s WHERE consumer = ? FETCH FIRST ? ROWS ONLY) counted
        """
            .formatted(tables.qualified("inbox_aggregate"));
    keep =
        """
        UPDATE %s SET messages = ?, since = ?, due_at = ?
        WHERE kind = 'AGGREGATES' AND consumer = ?
        """
            .formatted(table);
  }

  /** The counting statement, for tests of its plan. */
  String statement() {
    return count;
  }

  /** Reads the last counts of all consumers, in one statement that reads no aggregate. */
  public List<Line> read(Connection connection) throws SQLException {
    return Sql.list(
        connection,
        read,
        row ->
            new Line(
                row.getString(1),
                row.getLong(2),
                Sql.instant(row, 3),
                !Sql.instant(row, 4).isAfter(Sql.instant(row, 5))
                    || Sql.instant(row, 3).isAfter(Sql.instant(row, 5))));
  }

  /** Inserts the line of a consumer that has none; its count is due at once. */
  public void make(Connection connection, String consumer) throws SQLException {
    dialect.insertIfAbsent(connection, make, consumer);
  }

  /**
   * Keeps other nodes from counting a consumer's aggregates until the transaction ends; the
   * database ends it once this node has been silent for a minute.
   *
   * @return the database's time, or empty if another node counts or has counted meanwhile
   */
  public Optional<Instant> claim(Connection connection, String consumer) throws SQLException {
    return Sql.first(connection, claim, row -> Sql.instant(row, 1), consumer);
  }

  /**
   * Counts in one statement, which reads the key's index, and is cancelled after a minute.
   *
   * @param limit where it stops
   */
  public long count(Connection connection, String consumer, long limit) throws SQLException {
    return LocalTransactions.brief(
            on -> Sql.one(on, count, row -> row.getLong(1), consumer, limit),
            CountTable.LONGEST_COUNT)
        .on(connection);
  }

  /**
   * Replaces the last count, within the transaction that has the claim.
   *
   * @param began the time that the claim returned
   * @param due when the next count is due
   */
  public void keep(
      Connection connection, String consumer, long aggregates, Instant began, Instant due)
      throws SQLException {
    Sql.update(connection, keep, aggregates, began, due, consumer);
  }
}
