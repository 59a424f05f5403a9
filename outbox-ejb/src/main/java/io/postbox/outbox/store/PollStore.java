package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.outbox.message.Lane;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The relay's statements without a claim, each in a transaction of its own; a result may be stale
 * as soon as it is read. Thread-safe.
 */
public final class PollStore {
  private static final int WOKEN_AT_ONCE = 1_000;

  private final Dialect dialect;
  private final TableNames tables;
  private final String poll;
  private final String wakeDelayed;
  private final String nextDue;
  private final String first;

  public PollStore(Dialect dialect, TableNames tables) {
    this.dialect = dialect;
    this.tables = tables;
    String message = tables.qualified("outbox_message");
    String paused = tables.qualified("outbox_switch");
    String now = dialect.now();
    poll =
        """
        WITH RECURSIVE %2$s
        SELECT 'LANE' AS kind, l.partition_no, l.destination, CAST(NULL AS TIMESTAMP WITH TIME ZONE)
          AS due_at, %4$s AS read_at
        FROM pending l WHERE l.destination IS NOT NULL
        UNION ALL
        SELECT 'PAUSED', 0, s.destination, NULL, %4$s FROM %3$s s
        UNION ALL
        SELECT 'DELAYED', 0, '', d.due_at, %4$s
        FROM (SELECT m.due_at FROM %1$s m WHERE m.status = 'DELAYED'
              ORDER BY m.status, m.due_at FETCH FIRST 1 ROW ONLY) d
        """
            .formatted(message, CountQuery.lanes("PENDING", tables), paused, now);
    nextDue =
        """
        SELECT m.due_at, %s AS read_at FROM %s m
        WHERE m.status = 'DELAYED' ORDER BY m.status, m.due_at FETCH FIRST 1 ROW ONLY
        """
            .formatted(now, message);
    wakeDelayed = new OutboxDialect(dialect).wakeSome(message);
    first =
        """
        SELECT m.seq FROM %s m
        WHERE m.status = 'PENDING' AND m.partition_no = ? AND m.destination = ?
        ORDER BY m.status, m.partition_no, m.destination, m.seq
        FETCH FIRST 1 ROW ONLY
        """
            .formatted(message);
  }

  /**
   * The result of a poll.
   *
   * @param lanes the lanes with messages to send now, without paused ones
   * @param nextDue how long until the first delayed message is due; negative if it is overdue
   * @param paused the paused destinations; {@code *} means all
   */
  public record Poll(List<Lane> lanes, Optional<Duration> nextDue, Set<String> paused) {
    /** Keeps copies. */
    public Poll {
      lanes = List.copyOf(lanes);
      paused = Set.copyOf(paused);
    }
  }

  /**
   * Delayed messages that went back to work.
   *
   * @param lanes theirs
   * @param nextDue how long until the next one is due; zero if there may be more that are
   */
  public record Woken(Set<Lane> lanes, Optional<Duration> nextDue) {
    /** Keeps a copy. */
    public Woken {
      lanes = Set.copyOf(lanes);
    }
  }

  /**
   * Finds the lanes with messages to send, in one statement whose cost does not grow with the
   * number of waiting messages.
   */
  public Poll poll(Connection connection) throws SQLException {
    List<Lane> lanes = new ArrayList<>();
    Set<String> paused = new HashSet<>();
    Optional<Duration> nextDue = Optional.empty();
    try (PreparedStatement statement = connection.prepareStatement(poll);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        switch (row.getString("kind")) {
          case "LANE" ->
              lanes.add(new Lane(row.getInt("partition_no"), row.getString("destination")));
          case "PAUSED" -> paused.add(row.getString("destination"));
          default ->
              nextDue = Optional.of(Duration.between(time(row, "read_at"), time(row, "due_at")));
        }
      }
    }
    lanes.removeIf(lane -> paused.contains("*") || paused.contains(lane.destination()));
    return new Poll(lanes, nextDue, paused);
  }

  private static OffsetDateTime time(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class);
  }

  /**
   * Puts due delayed messages back to work, a bounded number at a time. It needs no claim, because
   * a delayed message either has no ordering key or holds it.
   */
  public Woken wakeDelayed(Connection connection) throws SQLException {
    List<Lane> woken =
        Sql.list(
            connection,
            wakeDelayed,
            row -> new Lane(row.getInt(1), row.getString(2)),
            WOKEN_AT_ONCE);
    return new Woken(
        Set.copyOf(woken),
        woken.size() == WOKEN_AT_ONCE ? Optional.of(Duration.ZERO) : nextDue(connection));
  }

  private Optional<Duration> nextDue(Connection connection) throws SQLException {
    return Sql.first(
        connection, nextDue, row -> Duration.between(time(row, "read_at"), time(row, "due_at")));
  }

  /** The sequence number of a lane's first message. */
  public OptionalLong first(Connection connection, Lane lane) throws SQLException {
    return Sql.first(
            connection,
            first,
            row -> OptionalLong.of(row.getLong(1)),
            lane.partition(),
            lane.destination())
        .orElse(OptionalLong.empty());
  }

  /** The query with which an operator finds the session that holds a partition's lock. */
  public String holderQuery(int partition) {
    return HolderQuery.of(dialect, tables, partition);
  }
}
