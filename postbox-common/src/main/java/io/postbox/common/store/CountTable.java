package io.postbox.common.store;

import io.postbox.common.store.CountTable.LastCount;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Counts a module's messages on one node for all of them, and stores the result in a table that
 * every node reads. The row of kind {@code CLAIM} says when the last count began and when the next
 * is due; its row lock is the claim on counting. Thread-safe.
 *
 * @param <L> a line of the count
 */
public abstract class CountTable<L> {
  protected static final String CLAIM = "CLAIM";

  /** How long a count may take; a node that is silent for as long loses its claim. */
  public static final Duration LONGEST_COUNT = Duration.ofMinutes(1);

  /** How long a {@link #keepHistory history} may be, in characters. */
  public static final int LONGEST_HISTORY = 65_536;

  private final String table;
  private final String count;
  private final String read;
  private final String claim;
  private final String forget;
  private final String keep;
  private final String setDue;
  private final String readHistory;
  private final String keepHistory;

  /**
   * @param dialect the database's
   * @param table the qualified name of the table of counts
   * @param count counts the messages
   * @param read reads the lines of the last count and the claim's row, with {@code kind}, {@code
   *     since}, {@code due_at} and {@code read_at}
   * @param lines the condition on the rows that are lines of the count
   * @param keep inserts a line
   */
  protected CountTable(
      Dialect dialect, String table, String count, String read, String lines, String keep) {
    this.table = table;
    this.count = count;
    this.read = read;
    this.keep = keep;
    claim =
        """
        SELECT %1$s AS read_at, %2$s FROM %3$s
        WHERE kind = 'CLAIM' AND (due_at <= %1$s OR since > %1$s) FOR UPDATE SKIP LOCKED
        """
            .formatted(dialect.now(), dialect.endIfIdleFor(LONGEST_COUNT), table);
    forget = "DELETE FROM %s WHERE %s".formatted(table, lines);
    setDue = "UPDATE %s SET since = ?, due_at = ? WHERE kind = 'CLAIM'".formatted(table);
    readHistory = "SELECT history FROM %s WHERE kind = 'CLAIM'".formatted(table);
    keepHistory = "UPDATE %s SET history = ? WHERE kind = 'CLAIM'".formatted(table);
  }

  /**
   * The last count that any node has made.
   *
   * @param lines its lines
   * @param age how long ago it began
   * @param interval from its beginning to when the next is due
   */
  public record LastCount<L>(List<L> lines, Duration age, Duration interval) {
    /** Keeps a copy. */
    public LastCount {
      lines = List.copyOf(lines);
    }

    /** Whether it is time for the next; it is if the database's clock was set back since. */
    public boolean isDue() {
      return age.isNegative() || age.compareTo(interval) >= 0;
    }
  }

  /** A row of the count. */
  protected abstract L line(ResultSet row) throws SQLException;

  /** The parameters of the insert. */
  protected abstract Object[] values(L line);

  /** The statement, for tests of its plan. */
  public final String statement() {
    return count;
  }

  /** Counts in one statement, for which the connection has a limit of time. */
  public final List<L> count(Connection connection) throws SQLException {
    return List.copyOf(Sql.list(connection, count, this::line));
  }

  /** Reads the last count, in one statement that reads no message. */
  public final LastCount<L> read(Connection connection) throws SQLException {
    List<L> lines = new ArrayList<>();
    @Nullable Instant since = null;
    Instant readAt = Instant.EPOCH;
    Instant dueAt = Instant.EPOCH;
    try (PreparedStatement statement = connection.prepareStatement(read);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        if (row.getString("kind").equals(CLAIM)) {
          since = Sql.instant(row, "since");
          readAt = Sql.instant(row, "read_at");
          dueAt = Sql.instant(row, "due_at");
        } else {
          lines.add(line(row));
        }
      }
    }
    if (since == null) {
      throw new SQLException(
          "The table %s has no row of kind CLAIM, so no node counts; starting a node inserts it"
              .formatted(table));
    }
    return new LastCount<>(lines, Duration.between(since, readAt), Duration.between(since, dueAt));
  }

  /**
   * Keeps other nodes from counting until the transaction ends; the database ends it once this node
   * has been silent for a minute.
   *
   * @return the database's time, or empty if another node counts or has counted meanwhile
   */
  public final Optional<Instant> claim(Connection connection) throws SQLException {
    return Sql.first(connection, claim, row -> Sql.instant(row, "read_at"));
  }

  /**
   * Replaces the last count, within the transaction that has the claim.
   *
   * @param lines the new count
   * @param began the time that the claim returned
   * @param due when the next count is due
   */
  public final void keep(Connection connection, List<L> lines, Instant began, Instant due)
      throws SQLException {
    Sql.update(connection, forget);
    if (!lines.isEmpty()) {
      Sql.batch(connection, keep, lines, this::values);
    }
    Sql.update(connection, setDue, began, due);
  }

  /** What a node has last kept as the course of the counts; empty if none has. */
  public final Optional<String> history(Connection connection) throws SQLException {
    return Sql.first(connection, readHistory, row -> row.getString(1));
  }

  /** Keeps the course of the counts, for all nodes and beyond them; waits for a count that runs. */
  public final void keepHistory(Connection connection, String history) throws SQLException {
    if (history.length() > LONGEST_HISTORY) {
      throw new IllegalArgumentException(
          "A history of %s characters is longer than %s"
              .formatted(history.length(), LONGEST_HISTORY));
    }
    Sql.update(connection, keepHistory, history);
  }
}
