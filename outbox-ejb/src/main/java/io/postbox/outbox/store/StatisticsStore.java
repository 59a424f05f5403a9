package io.postbox.outbox.store;

import io.postbox.outbox.config.TableNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts what is in the outbox, and reads which destinations are switched off. Thread-safe.
 *
 * <p>Each status has a query of its own with the status as a literal, so that PostgreSQL can take
 * the partial index of that status: rows that are kept as {@code SENT} are not counted, and in a
 * table that has mostly those they are not read.
 */
public final class StatisticsStore {
  private static final int LONGEST_COUNT_SECONDS = 60;

  private final String count;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public StatisticsStore(Dialect dialect, TableNames tables) {
    // due_at is when a message that nobody has tried yet may go, and that may be long after it was
    // enqueued. After a failed attempt it is when the next may start, and says nothing of the wait.
    count =
        """
        SELECT s.kind, s.destination, s.messages, s.since, %1$s AS counted_at, s.reason
        FROM (
          SELECT 'PENDING' AS kind, destination, COUNT(*) AS messages,
                 MIN(CASE WHEN attempts = 0 THEN due_at ELSE created_at END) AS since,
                 CAST(NULL AS VARCHAR(1000)) AS reason
          FROM %2$s WHERE status = 'PENDING' GROUP BY destination
          UNION ALL
          SELECT 'HELD', destination, COUNT(*),
                 MIN(CASE WHEN attempts = 0 THEN due_at ELSE created_at END),
                 CAST(NULL AS VARCHAR(1000))
          FROM %2$s WHERE status = 'HELD' GROUP BY destination
          UNION ALL
          SELECT CASE WHEN attempts = 0 THEN 'DELAYED' ELSE 'RETRY' END AS tried, destination,
                 COUNT(*), MIN(created_at), CAST(NULL AS VARCHAR(1000))
          FROM %2$s WHERE status = 'DELAYED'
          GROUP BY destination, CASE WHEN attempts = 0 THEN 'DELAYED' ELSE 'RETRY' END
          UNION ALL
          SELECT 'DEAD', destination, COUNT(*), MIN(created_at), CAST(NULL AS VARCHAR(1000))
          FROM %2$s WHERE status = 'DEAD' GROUP BY destination
          UNION ALL
          SELECT 'PAUSED', destination, 0, since, reason FROM %3$s
        ) s
        """
            .formatted(
                dialect.now(),
                tables.qualified("outbox_message"),
                tables.qualified("outbox_switch"));
  }

  /** What a line of the count is about. */
  public enum Kind {
    /** Messages to be sent as soon as it is their turn. */
    PENDING,
    /** Messages behind one of their key that is in trouble. */
    HELD,
    /** Messages that wait for the time at which they may go. */
    DELAYED,
    /** Messages that wait for the time at which they are tried again. */
    RETRY,
    /** Dead letters. */
    DEAD,
    /** Not messages, but a destination that somebody has switched off. */
    PAUSED
  }

  /**
   * One line of the count.
   *
   * @param kind what was counted
   * @param destination the logical name
   * @param messages how many
   * @param age for how long the oldest is there, by the database's clock; zero at least
   * @param reason why it is switched off, where it is
   */
  public record Line(
      Kind kind, String destination, long messages, Duration age, @Nullable String reason) {}

  /** The statement, for those who look at its plan. */
  String statement() {
    return count;
  }

  /** Counts in one statement, which gives up after a minute. */
  public List<Line> count(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(count)) {
      statement.setQueryTimeout(LONGEST_COUNT_SECONDS);
      List<Line> lines = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          Duration age = Duration.between(instant(rows, 4), instant(rows, 5));
          lines.add(
              new Line(
                  Kind.valueOf(rows.getString(1)),
                  rows.getString(2),
                  rows.getLong(3),
                  age.isNegative() ? Duration.ZERO : age,
                  rows.getString(6)));
        }
      }
      return List.copyOf(lines);
    }
  }

  private static Instant instant(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}
