package io.postbox.outbox.store;

import io.postbox.common.PlanToken;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Condition;
import io.postbox.common.store.Conditions;
import io.postbox.common.store.Sql;
import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.DeadLetterPlan.ForDestination;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The API's view of dead letters, without their payloads. Reads only. Thread-safe. */
public final class DeadLetterViews {
  private static final String COLUMNS = LookupParts.SAME + ", m.due_at";

  private static final Condition DEAD_BY_NOW =
      Condition.of("(m.due_at <= CURRENT_TIMESTAMP) IS TRUE"); // as OperatorStore selects

  private final StoredErrors errors;
  private final String page;
  private final String one;
  private final String counts;
  private final String followers;

  public DeadLetterViews(TableNames tables, StoredErrors errors) {
    this(tables, errors, DeadLetterPlan.MOST_FOLLOWERS);
  }

  DeadLetterViews(TableNames tables, StoredErrors errors, long mostFollowers) {
    this.errors = errors;
    String message = tables.qualified("outbox_message");
    page = inOrder(COLUMNS, message);
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
   * Dead letters in the order in which they were enqueued, in one statement.
   *
   * @param after the place after which to begin
   * @throws IllegalArgumentException if the filter searches encrypted errors
   */
  public List<DeadLetter> page(
      Connection connection, DeadLetterFilter filter, long after, int limit) throws SQLException {
    Conditions conditions = searchable(filter);
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
   * one for each destination that has ordering keys among them. Without those that are dead from a
   * later time than the database's now, because its clock was set back: its actions leave them.
   *
   * @return a plan without a token, as of the epoch if there are none
   * @throws IllegalArgumentException if the filter searches encrypted errors
   */
  public DeadLetterPlan count(Connection connection, DeadLetterFilter filter) throws SQLException {
    Conditions conditions = searchable(filter).and(DEAD_BY_NOW);
    Instant[] asOf = {Instant.EPOCH};
    List<ForDestination> found =
        Sql.list(
            connection,
            counts.formatted(conditions.sql()),
            row -> {
              asOf[0] = Sql.instant(row, 6);
              String destination = row.getString(1);
              long keys = row.getLong(3);
              return new ForDestination(
                  destination,
                  row.getLong(2),
                  keys,
                  keys == 0 ? 0 : followers(connection, conditions, destination),
                  row.getLong(7),
                  Sql.instant(row, 4),
                  Sql.instant(row, 5));
            },
            conditions.values());
    return new DeadLetterPlan(PlanToken.NONE, filter, asOf[0], DeadLetterPlan.DEFAULT_RATE, found);
  }

  /** Up to a limit for each destination: the first would use up one of all. */
  private long followers(Connection connection, Conditions conditions, String destination)
      throws SQLException {
    return Sql.one(
        connection,
        followers.formatted(conditions.sql()),
        row -> row.getLong(1),
        conditions.values(),
        destination);
  }

  private Conditions searchable(DeadLetterFilter filter) {
    errors.requireSearchable(filter);
    return conditions(filter);
  }

  /** Reads columns of the first dead letters after a place, in order; takes more conditions. */
  static String inOrder(String columns, String message) {
    return """
    SELECT %s
    FROM %s m
    WHERE m.status = 'DEAD' AND m.seq > ? %%s
    ORDER BY m.status, m.seq
    FETCH FIRST ? ROWS ONLY
    """
        .formatted(columns, message);
  }

  /** Selects the messages that match a filter. */
  static Conditions conditions(DeadLetterFilter filter) {
    return Conditions.of(
        filter, Map.of("ids", "m.id", "enqueued", "m.created_at", "error", "m.last_error"));
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
