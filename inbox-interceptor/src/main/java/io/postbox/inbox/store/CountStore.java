package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Counts what is kept aside, on one node for all of them, and keeps the result where every node
 * finds it. Thread-safe.
 */
public final class CountStore {
  private static final int LONGEST_COUNT_SECONDS = 60;
  private static final String CLAIM = "CLAIM";

  private final String count;
  private final String read;
  private final String claim;
  private final String forget;
  private final String keep;
  private final String setDue;

  /** What a line of the count is about. The names are those in the statement. */
  public enum Kind {
    /** Messages that their handler could not handle. */
    PARKED,
    /** Deliveries without a usable id, or with a known id and other content. */
    QUARANTINED
  }

  /**
   * One line of the count.
   *
   * @param kind what was counted
   * @param consumer whose it is
   * @param rows how many
   * @param bytes how large they are
   */
  public record Line(Kind kind, String consumer, long rows, long bytes) {}

  /**
   * The last count that any node has made.
   *
   * @param lines what it found
   * @param age how long ago it began
   * @param interval from its beginning to when the next is due
   */
  public record LastCount(List<Line> lines, Duration age, Duration interval) {
    /** Keeps a copy. */
    public LastCount {
      lines = List.copyOf(lines);
    }

    /** Whether it is time for the next. */
    public boolean isDue() {
      return age.compareTo(interval) >= 0;
    }
  }

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public CountStore(Dialect dialect, TableNames tables) {
    String kept = tables.qualified("inbox_count");
    count =
        """
        SELECT 'PARKED' AS kind, consumer, COUNT(*) AS messages, SUM(size) AS bytes
        FROM %s GROUP BY consumer
        UNION ALL
        SELECT 'QUARANTINED', consumer, COUNT(*), SUM(size) FROM %s GROUP BY consumer
        """
            .formatted(tables.qualified("inbox_parked"), tables.qualified("inbox_quarantine"));
    read =
        """
        SELECT kind, consumer, messages, bytes, counted_at, due_at, %s AS read_at FROM %s
        WHERE kind <> 'AGGREGATES'
        """
            .formatted(dialect.now(), kept);
    claim =
        """
        SELECT %1$s AS read_at, %2$s FROM %3$s
        WHERE kind = 'CLAIM' AND due_at <= %1$s FOR UPDATE SKIP LOCKED
        """
            .formatted(
                dialect.now(),
                dialect.endIfIdleFor(Duration.ofSeconds(LONGEST_COUNT_SECONDS)),
                kept);
    forget = "DELETE FROM %s WHERE kind IN ('PARKED', 'QUARANTINED')".formatted(kept);
    keep = "INSERT INTO %s (kind, consumer, messages, bytes) VALUES (?, ?, ?, ?)".formatted(kept);
    setDue = "UPDATE %s SET counted_at = ?, due_at = ? WHERE kind = 'CLAIM'".formatted(kept);
  }

  /** The statement, for those who look at its plan. */
  String statement() {
    return count;
  }

  /** Counts in one statement, which reads two indexes, and gives up after a minute. */
  public List<Line> count(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(count)) {
      statement.setQueryTimeout(LONGEST_COUNT_SECONDS);
      List<Line> lines = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          lines.add(line(row));
        }
      }
      return List.copyOf(lines);
    }
  }

  /** Reads the last count, in one statement that reads no message. */
  public LastCount read(Connection connection) throws SQLException {
    List<Line> lines = new ArrayList<>();
    @Nullable LastCount last = null;
    try (PreparedStatement statement = connection.prepareStatement(read);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        if (row.getString("kind").equals(CLAIM)) {
          Instant since = instant(row, "counted_at");
          last =
              new LastCount(
                  List.of(),
                  Duration.between(since, instant(row, "read_at")),
                  Duration.between(since, instant(row, "due_at")));
        } else {
          lines.add(line(row));
        }
      }
    }
    if (last == null) {
      throw new SQLException(
          "The table inbox_count has no row of kind CLAIM, so nobody counts; starting a node makes it");
    }
    return new LastCount(lines, last.age(), last.interval());
  }

  /**
   * Keeps other nodes from counting until the transaction ends, and the database ends it if it
   * hears nothing of this node for a minute.
   *
   * @return the database's time, or empty if another node counts or has counted meanwhile
   */
  public Optional<Instant> claim(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(claim);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? Optional.of(instant(row, "read_at")) : Optional.empty();
    }
  }

  /**
   * Puts a count in the place of the last one, within the transaction that has the claim.
   *
   * @param lines what was counted
   * @param began the time that the claim told
   * @param due when the next count is due
   */
  public void keep(Connection connection, List<Line> lines, Instant began, Instant due)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(forget)) {
      statement.executeUpdate();
    }
    if (!lines.isEmpty()) {
      try (PreparedStatement statement = connection.prepareStatement(keep)) {
        for (Line line : lines) {
          statement.setString(1, line.kind().name());
          statement.setString(2, line.consumer());
          statement.setLong(3, line.rows());
          statement.setLong(4, line.bytes());
          statement.addBatch();
        }
        statement.executeBatch();
      }
    }
    try (PreparedStatement statement = connection.prepareStatement(setDue)) {
      statement.setObject(1, OffsetDateTime.ofInstant(began, ZoneOffset.UTC));
      statement.setObject(2, OffsetDateTime.ofInstant(due, ZoneOffset.UTC));
      statement.executeUpdate();
    }
  }

  private static Line line(ResultSet row) throws SQLException {
    return new Line(
        Kind.valueOf(row.getString("kind")),
        row.getString("consumer"),
        row.getLong("messages"),
        row.getLong("bytes"));
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}
