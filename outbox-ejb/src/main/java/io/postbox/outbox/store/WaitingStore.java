package io.postbox.outbox.store;

import io.postbox.common.PlanToken;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.store.DeadLetterStore.DeadLetterRow;
import io.postbox.outbox.store.DeadLetterStore.Place;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The messages that wait for one destination. All but {@link #count}, {@link #some} and {@link
 * #place} must run in the transaction that holds the partition's row lock. Thread-safe.
 */
public final class WaitingStore {
  /** The database cancels a count after so long. */
  static final int LONGEST_COUNT_SECONDS = 60;

  private static final String WAITING = "m.status IN ('PENDING', 'DELAYED', 'HELD')";

  private final String now;
  private final String pending;
  private final String delayed;
  private final String held;
  private final String count;
  private final String messages;
  private final String place;
  private final String message;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public WaitingStore(Dialect dialect, TableNames tables) {
    this(dialect, tables, WaitingPlan.MOST_COUNTED);
  }

  WaitingStore(Dialect dialect, TableNames tables, long mostCounted) {
    String message = tables.qualified("outbox_message");
    String partition = tables.qualified("outbox_partition");
    now = "SELECT %s FROM %s WHERE partition_no = 0".formatted(dialect.now(), partition);
    // By partition, because the indexes begin with it; and not all of millions in an incident.
    count =
        """
        SELECT
          (SELECT COUNT(*) FROM (
             SELECT 1 AS found FROM %2$s p JOIN %1$s m
               ON m.status = 'PENDING' AND m.partition_no = p.partition_no
             WHERE m.destination = ? AND m.created_at <= ? FETCH FIRST %3$s ROWS ONLY) x),
          (SELECT COUNT(*) FROM (
             SELECT 1 AS found FROM %1$s m
             WHERE m.status = 'DELAYED' AND m.destination = ? AND m.created_at <= ?
             FETCH FIRST %3$s ROWS ONLY) y),
          (SELECT COUNT(*) FROM (
             SELECT 1 AS found FROM %2$s p JOIN %1$s m
               ON m.status = 'HELD' AND m.partition_no = p.partition_no
             WHERE m.destination = ? AND m.created_at <= ? FETCH FIRST %3$s ROWS ONLY) z)
        FROM %2$s one WHERE one.partition_no = 0
        """
            .formatted(message, partition, mostCounted);
    String some =
        """
        SELECT m.partition_no, m.seq FROM %s m
        WHERE m.status = '%s' %s AND m.destination = ? AND m.created_at <= ?
        ORDER BY m.status, %s
        FETCH FIRST ? ROWS ONLY
        """;
    pending =
        some.formatted(
            message, "PENDING", "AND m.partition_no = ?", "m.partition_no, m.destination, m.seq");
    held =
        some.formatted(
            message,
            "HELD",
            "AND m.partition_no = ?",
            "m.partition_no, m.destination, m.ordering_key");
    delayed = some.formatted(message, "DELAYED", "", "m.due_at");
    messages =
        """
        SELECT m.seq, m.id, m.destination, m.ordering_key, h.head_id
        FROM %s m
        LEFT JOIN %s h
          ON h.partition_no = m.partition_no
          AND h.destination = m.destination AND h.ordering_key = m.ordering_key
        WHERE %s AND m.destination = ? AND m.created_at <= ? AND m.partition_no = ? AND %s
        ORDER BY m.seq
        """
            .formatted(message, tables.qualified("outbox_held_key"), WAITING, Seqs.CONDITION);
    place = "SELECT partition_no, seq FROM %s WHERE id = ?".formatted(message);
    this.message =
        """
        SELECT m.seq, m.id, m.destination, m.ordering_key, h.head_id
        FROM %s m
        LEFT JOIN %s h
          ON h.partition_no = m.partition_no
          AND h.destination = m.destination AND h.ordering_key = m.ordering_key
        WHERE %s AND m.partition_no = ? AND m.seq = ?
        """
            .formatted(message, tables.qualified("outbox_held_key"), WAITING);
  }

  /** The place of a message, whatever its state, without a lock. */
  public Optional<Place> place(Connection connection, UUID id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(place)) {
      statement.setObject(1, id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next()
            ? Optional.of(new Place(row.getInt(1), row.getLong(2)))
            : Optional.empty();
      }
    }
  }

  /** The message at a place, if it waits. */
  public Optional<DeadLetterRow> message(Connection connection, Place at) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(message)) {
      statement.setInt(1, at.partition());
      statement.setLong(2, at.seq());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(row(row)) : Optional.empty();
      }
    }
  }

  private static DeadLetterRow row(ResultSet row) throws SQLException {
    return new DeadLetterRow(
        row.getLong("seq"),
        row.getObject("id", UUID.class),
        row.getString("destination"),
        Optional.ofNullable(row.getString("ordering_key")),
        Optional.ofNullable(row.getObject("head_id", UUID.class)));
  }

  /** The state in which messages wait. */
  public enum State {
    /** They can be sent now. */
    PENDING,
    /** They wait for their time. */
    DELAYED,
    /** They wait behind another one of their key. */
    HELD
  }

  /**
   * Counts the messages that wait for a destination now, up to a limit for each state.
   *
   * @param token the plan's token
   */
  public WaitingPlan count(Connection connection, String destination, PlanToken token)
      throws SQLException {
    OffsetDateTime asOf;
    try (PreparedStatement statement = connection.prepareStatement(now);
        ResultSet row = statement.executeQuery()) {
      row.next();
      asOf = row.getObject(1, OffsetDateTime.class);
    }
    try (PreparedStatement statement = connection.prepareStatement(count)) {
      statement.setQueryTimeout(LONGEST_COUNT_SECONDS);
      for (int i = 1; i <= 6; i += 2) {
        statement.setString(i, destination);
        statement.setObject(i + 1, asOf);
      }
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new WaitingPlan(
            token, destination, asOf.toInstant(), row.getLong(1), row.getLong(2), row.getLong(3));
      }
    }
  }

  /**
   * The places of some messages that wait in a state, without a lock.
   *
   * @param partition its number; delayed messages are read from all of them
   */
  public List<Place> some(
      Connection connection, State state, int partition, WaitingPlan plan, int limit)
      throws SQLException {
    String sql =
        switch (state) {
          case PENDING -> pending;
          case DELAYED -> delayed;
          case HELD -> held;
        };
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int next = 1;
      if (state != State.DELAYED) {
        statement.setInt(next++, partition);
      }
      next = bind(statement, next, plan);
      statement.setInt(next, limit);
      List<Place> places = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          places.add(new Place(row.getInt(1), row.getLong(2)));
        }
      }
      return places;
    }
  }

  /** Those of these messages that still wait, in order. */
  public List<DeadLetterRow> messages(
      Connection connection, int partition, Collection<Long> seqs, WaitingPlan plan)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(messages)) {
      int next = bind(statement, 1, plan);
      statement.setInt(next, partition);
      Seqs.bind(statement, next + 1, seqs);
      List<DeadLetterRow> found = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(row(row));
        }
      }
      return found;
    }
  }

  private static int bind(PreparedStatement statement, int first, WaitingPlan plan)
      throws SQLException {
    Instant asOf = plan.asOf();
    statement.setString(first, plan.destination());
    statement.setObject(first + 1, OffsetDateTime.ofInstant(asOf, ZoneOffset.UTC));
    return first + 2;
  }
}
