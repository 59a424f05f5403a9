package io.postbox.outbox.store;

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
 * Counts what is in the outbox, on one node for all of them, keeps the result where every node
 * finds it, and reads which destinations are switched off. Thread-safe.
 */
public final class StatisticsStore {
  private static final int LONGEST_COUNT_SECONDS = 60;
  private static final int COUNTED_PER_STATUS = 1_000_000;
  private static final String CLAIM = "CLAIM";

  private final String count;
  private final String read;
  private final String claim;
  private final String forget;
  private final String keep;
  private final String setDue;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public StatisticsStore(Dialect dialect, TableNames tables) {
    this(dialect, tables, COUNTED_PER_STATUS);
  }

  StatisticsStore(Dialect dialect, TableNames tables, int countedPerStatus) {
    count = CountQuery.of(dialect, tables, countedPerStatus);
    String kept = tables.qualified("outbox_count");
    read =
        """
        SELECT kind, destination, messages, estimated, since, %1$s AS read_at, due_at,
               CAST(NULL AS VARCHAR(1000)) AS reason
        FROM %2$s
        UNION ALL
        SELECT 'PAUSED', destination, 0, FALSE, since, %1$s, NULL, reason FROM %3$s
        UNION ALL
        SELECT 'REDIRECTED', destination, 0, FALSE, since, %1$s, NULL, target FROM %4$s
        """
            .formatted(
                dialect.now(),
                kept,
                tables.qualified("outbox_switch"),
                tables.qualified("outbox_redirect"));
    claim =
        """
        SELECT %1$s AS read_at, %2$s FROM %3$s
        WHERE kind = 'CLAIM' AND due_at <= %1$s FOR UPDATE SKIP LOCKED
        """
            .formatted(
                dialect.now(),
                dialect.endIfIdleFor(Duration.ofSeconds(LONGEST_COUNT_SECONDS)),
                kept);
    forget = "DELETE FROM %s WHERE kind <> 'CLAIM'".formatted(kept);
    keep =
        "INSERT INTO %s (kind, destination, messages, estimated, since) VALUES (?, ?, ?, ?, ?)"
            .formatted(kept);
    setDue = "UPDATE %s SET since = ?, due_at = ? WHERE kind = 'CLAIM'".formatted(kept);
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
    PAUSED,
    /** Not messages, but a destination whose messages go elsewhere. */
    REDIRECTED
  }

  /**
   * One line of the count.
   *
   * @param kind what was counted
   * @param destination the logical name
   * @param messages how many
   * @param estimated whether there are more than are counted, so that their number is an estimate
   * @param since since when the oldest waits, by the database's clock; of dead letters no more than
   *     when they were counted
   * @param at when the line was read, by the database's clock
   * @param reason why it is switched off, where it is; or where its messages go instead
   */
  public record Line(
      Kind kind,
      String destination,
      long messages,
      boolean estimated,
      Instant since,
      Instant at,
      @Nullable String reason) {

    /** For how long the oldest is there; zero at least. */
    public Duration age() {
      Duration age = Duration.between(since, at);
      return age.isNegative() ? Duration.ZERO : age;
    }
  }

  /**
   * The last count that any node has made.
   *
   * @param lines what it found, and what is switched off now
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

  /** The statement, for those who look at its plan. */
  String statement() {
    return count;
  }

  /**
   * Counts in one statement, which gives up after a minute. Where the database can estimate, it
   * counts about a million messages of a status at most, and estimates how many more there are.
   */
  public List<Line> count(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(count)) {
      statement.setQueryTimeout(LONGEST_COUNT_SECONDS);
      List<Line> lines = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          lines.add(line(row, null));
        }
      }
      return List.copyOf(lines);
    }
  }

  /** Reads the last count and the switches, in one statement that reads no message. */
  public LastCount read(Connection connection) throws SQLException {
    List<Line> lines = new ArrayList<>();
    @Nullable LastCount last = null;
    try (PreparedStatement statement = connection.prepareStatement(read);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        if (row.getString("kind").equals(CLAIM)) {
          Instant since = instant(row, "since");
          last =
              new LastCount(
                  List.of(),
                  Duration.between(since, instant(row, "read_at")),
                  Duration.between(since, instant(row, "due_at")));
        } else {
          lines.add(line(row, row.getString("reason")));
        }
      }
    }
    if (last == null) {
      throw new SQLException(
          "The table outbox_count has no row of kind CLAIM, so nobody counts; starting a node makes it");
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
          statement.setString(2, line.destination());
          statement.setLong(3, line.messages());
          statement.setBoolean(4, line.estimated());
          statement.setObject(5, time(line.since()));
          statement.addBatch();
        }
        statement.executeBatch();
      }
    }
    try (PreparedStatement statement = connection.prepareStatement(setDue)) {
      statement.setObject(1, time(began));
      statement.setObject(2, time(due));
      statement.executeUpdate();
    }
  }

  private static Line line(ResultSet row, @Nullable String reason) throws SQLException {
    return new Line(
        Kind.valueOf(row.getString("kind")),
        row.getString("destination"),
        row.getLong("messages"),
        row.getBoolean("estimated"),
        instant(row, "since"),
        instant(row, "read_at"),
        reason);
  }

  private static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  private static OffsetDateTime time(Instant instant) {
    return OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
  }
}
