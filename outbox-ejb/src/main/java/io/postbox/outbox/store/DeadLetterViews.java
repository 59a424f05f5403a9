package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Sql;
import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.DeadLetterPlan.ForDestination;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

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
    MessageConditions conditions = conditions(filter);
    return Sql.list(
        connection,
        page.formatted(conditions.sql()),
        this::letter,
        after,
        conditions.values(),
        limit);
  }

  /** The message with this id, if it is a dead letter. */
  public Optional<DeadLetter> one(Connection connection, UUID id) throws SQLException {
    return Sql.first(connection, one, this::letter, id);
  }

  /**
   * Counts the dead letters that match a filter, and the messages behind them, in a statement and
   * one for each destination that has ordering keys among them.
   *
   * @throws IllegalArgumentException if the filter searches encrypted errors
   */
  public Counted count(Connection connection, DeadLetterFilter filter) throws SQLException {
    MessageConditions conditions = conditions(filter);
    Instant[] asOf = {Instant.EPOCH};
    List<ForDestination> found =
        Sql.list(
            connection,
            counts.formatted(conditions.sql()),
            row -> {
              asOf[0] = Sql.instant(row, 6);
              return new ForDestination(
                  row.getString(1),
                  row.getLong(2),
                  row.getLong(3),
                  0,
                  row.getLong(7),
                  Sql.instant(row, 4),
                  Sql.instant(row, 5));
            },
            conditions.values());
    List<ForDestination> complete = new ArrayList<>();
    for (ForDestination each : found) { // each has a limit: the first would use up one of all
      complete.add(
          each.orderingKeys() == 0
              ? each
              : withFollowers(
                  each,
                  Sql.one(
                      connection,
                      followers.formatted(conditions.sql()),
                      row -> row.getLong(1),
                      conditions.values(),
                      each.destination())));
    }
    return new Counted(asOf[0], complete);
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

  private MessageConditions conditions(DeadLetterFilter filter) {
    errors.requireSearchable(filter);
    return MessageConditions.of(filter);
  }

  private DeadLetter letter(ResultSet row) throws SQLException {
    String destination = row.getString("destination");
    String signature = Sql.text(row, "signature").orElse("");
    return new DeadLetter(
        row.getLong("seq"),
        row.getObject("id", UUID.class),
        destination,
        Sql.text(row, "ordering_key"),
        Sql.text(row, "aggregate_type"),
        Sql.text(row, "aggregate_id"),
        Sql.text(row, "event_type"),
        Sql.text(row, "schema_version"),
        row.getString("content_type"),
        Sql.text(row, "trace_parent"),
        row.getInt("attempts"),
        Sql.instant(row, "created_at"),
        Sql.instant(row, "due_at"),
        errors.openOrTell(destination, signature, Sql.text(row, "last_error").orElse("")),
        signature);
  }
}
