package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.DeadLetterPlan.ForDestination;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** The API's view of dead letters, without their payloads. Reads only. Thread-safe. */
public final class DeadLetterViews {
  private static final String COLUMNS =
      """
      m.partition_no, m.seq, m.id, m.destination, m.ordering_key, m.aggregate_type, m.aggregate_id,
      m.event_type, m.schema_version, m.content_type, m.trace_parent, m.attempts, m.created_at,
      m.due_at, m.last_error, m.signature\
      """;

  private final StoredErrors errors;
  private final String page;
  private final String one;
  private final String counts;
  private final String followers;

  /**
   * @param tables where the tables are
   * @param errors decrypts the recorded errors
   */
  public DeadLetterViews(TableNames tables, StoredErrors errors) {
    this(tables, errors, DeadLetterPlan.MOST_FOLLOWERS);
  }

  DeadLetterViews(TableNames tables, StoredErrors errors, long mostFollowers) {
    this.errors = errors;
    String message = tables.qualified("outbox_message");
    page =
        """
        SELECT %s
        FROM %s m
        WHERE m.status = 'DEAD' AND m.seq > ? %%s
        ORDER BY m.status, m.seq
        FETCH FIRST ? ROWS ONLY
        """
            .formatted(COLUMNS, message);
    one =
        """
        SELECT %s
        FROM %s m
        WHERE m.id = ? AND m.status = 'DEAD'
        """
            .formatted(COLUMNS, message);
    counts =
        """
        SELECT m.destination, COUNT(*), COUNT(DISTINCT m.ordering_key), MIN(m.created_at),
               MAX(m.created_at), CURRENT_TIMESTAMP,
               SUM(CASE WHEN m.expires_at <= CURRENT_TIMESTAMP THEN 1 ELSE 0 END)
        FROM %s m
        WHERE m.status = 'DEAD' %%s
        GROUP BY m.destination
        ORDER BY m.destination
        """
            .formatted(message);
    followers =
        """
        SELECT COUNT(*)
        FROM (
          SELECT 1 AS one
          FROM %1$s f
          WHERE f.status = 'HELD' AND EXISTS (
            SELECT 1 FROM %1$s m
            WHERE m.status = 'DEAD' AND m.partition_no = f.partition_no
              AND m.destination = f.destination AND m.ordering_key = f.ordering_key %%s)
            AND f.destination = ?
          FETCH FIRST %2$s ROWS ONLY) f
        """
            .formatted(message, mostFollowers);
  }

  /**
   * The number of dead letters that match a filter.
   *
   * @param asOf the database's time when they were counted; the epoch if there are none
   * @param destinations the number by destination, without those that have no dead letter
   */
  public record Counted(Instant asOf, List<ForDestination> destinations) {}

  /**
   * Dead letters in the order in which they were enqueued, in one statement.
   *
   * @param after the place after which to begin
   * @throws IllegalArgumentException if the filter searches encrypted errors
   */
  public List<DeadLetter> page(
      Connection connection, DeadLetterFilter filter, long after, int limit) throws SQLException {
    DeadLetterConditions conditions = conditions(filter);
    try (PreparedStatement statement =
        connection.prepareStatement(page.formatted(conditions.sql()))) {
      statement.setLong(1, after);
      statement.setInt(conditions.bind(statement, 2), limit);
      List<DeadLetter> found = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(letter(row));
        }
      }
      return found;
    }
  }

  /** The message with this id, if it is a dead letter. */
  public Optional<DeadLetter> one(Connection connection, UUID id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(one)) {
      statement.setObject(1, id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(letter(row)) : Optional.empty();
      }
    }
  }

  /**
   * Counts the dead letters that match a filter, and the messages behind them, in a statement and
   * one for each destination that has ordering keys among them; those take a minute together.
   *
   * @throws IllegalArgumentException if the filter searches encrypted errors
   */
  public Counted count(Connection connection, DeadLetterFilter filter) throws SQLException {
    DeadLetterConditions conditions = conditions(filter);
    Instant asOf = Instant.EPOCH;
    List<ForDestination> found = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement(counts.formatted(conditions.sql()))) {
      statement.setQueryTimeout(WaitingStore.LONGEST_COUNT_SECONDS);
      conditions.bind(statement, 1);
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          asOf = instant(row, 6);
          found.add(
              new ForDestination(
                  row.getString(1),
                  row.getLong(2),
                  row.getLong(3),
                  0,
                  row.getLong(7),
                  instant(row, 4),
                  instant(row, 5)));
        }
      }
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WaitingStore.LONGEST_COUNT_SECONDS);
    List<ForDestination> complete = new ArrayList<>();
    for (ForDestination each : found) {
      int left = (int) TimeUnit.NANOSECONDS.toSeconds(end - System.nanoTime());
      complete.add(
          each.orderingKeys() == 0
              ? each
              : withFollowers(
                  each, followers(connection, conditions, each.destination(), Math.max(1, left))));
    }
    return new Counted(asOf, complete);
  }

  /** Each destination has a limit of its own: the first would use up one of all. */
  private long followers(
      Connection connection, DeadLetterConditions conditions, String destination, int seconds)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(followers.formatted(conditions.sql()))) {
      statement.setQueryTimeout(seconds);
      statement.setString(conditions.bind(statement, 1), destination);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }

  private static ForDestination withFollowers(ForDestination counted, long followers) {
    return new ForDestination(
        counted.destination(),
        counted.letters(),
        counted.orderingKeys(),
        followers,
        counted.expired(),
        counted.oldest(),
        counted.newest());
  }

  private DeadLetterConditions conditions(DeadLetterFilter filter) {
    errors.requireSearchable(filter);
    return DeadLetterConditions.of(filter);
  }

  private DeadLetter letter(ResultSet row) throws SQLException {
    String destination = row.getString("destination");
    String signature = text(row, "signature").orElse("");
    return new DeadLetter(
        row.getLong("seq"),
        row.getObject("id", UUID.class),
        destination,
        text(row, "ordering_key"),
        text(row, "aggregate_type"),
        text(row, "aggregate_id"),
        text(row, "event_type"),
        text(row, "schema_version"),
        row.getString("content_type"),
        text(row, "trace_parent"),
        row.getInt("attempts"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        row.getObject("due_at", OffsetDateTime.class).toInstant(),
        errors.openOrTell(destination, signature, text(row, "last_error").orElse("")),
        signature);
  }

  private static Optional<String> text(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getString(column));
  }

  private static Instant instant(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}
