package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.DeadLetterFilter;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Finds the dead letters for an action. All but {@link #candidates} and {@link #fate} must run in
 * the transaction that holds the partition's row lock. Thread-safe.
 */
public final class DeadLetterStore {
  /** A node that is silent for so long within a transaction has lost it. */
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(2);

  /** How long one statement waits for a partition; the transaction is then tried again. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

  private static final Set<String> LOCK_TIMEOUTS = Set.of("55P03", "HYT00");

  private final String candidates;
  private final String lock;
  private final String letters;
  private final String waiting;
  private final String fate;
  private final ExpiredTogether together;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public DeadLetterStore(Dialect dialect, TableNames tables) {
    String message = tables.qualified("outbox_message");
    String heldKey = tables.qualified("outbox_held_key");
    together = new ExpiredTogether(tables);
    candidates =
        """
        SELECT m.partition_no, m.seq
        FROM %s m
        WHERE m.status = 'DEAD' AND m.seq > ? %%s
        ORDER BY m.status, m.seq
        FETCH FIRST ? ROWS ONLY
        """
            .formatted(message);
    lock =
        dialect.lockRow(
            dialect.now(),
            tables.qualified("outbox_partition"),
            "partition_no = ?",
            LONGEST_SILENCE,
            LONGEST_WAIT);
    letters =
        """
        SELECT m.seq, m.id, m.destination, m.ordering_key, h.head_id
        FROM %s m
        LEFT JOIN %s h
          ON h.partition_no = m.partition_no
          AND h.destination = m.destination AND h.ordering_key = m.ordering_key
        WHERE m.status = 'DEAD' AND m.partition_no = ? AND %s %%s
        ORDER BY m.seq
        """
            .formatted(message, heldKey, Seqs.CONDITION);
    // Few unsent rows of a lane are in front of a dead letter, because the relay reads in order.
    waiting =
        """
        SELECT m.seq, m.id, m.destination, m.ordering_key
        FROM (SELECT MIN(seq) AS seq FROM %1$s
              WHERE status = 'PENDING' AND partition_no = ? AND destination = ? AND seq < ?
                AND ordering_key = ANY (?)
              GROUP BY ordering_key) w
        JOIN %1$s m ON m.partition_no = ? AND m.seq = w.seq
        """
            .formatted(message);
    fate =
        """
        SELECT
          COUNT(CASE WHEN status = 'DEAD' OR (status <> 'SENT' AND attempts > 0) THEN 1 END),
          COUNT(CASE WHEN status IN ('PENDING', 'HELD', 'DELAYED') AND attempts = 0 THEN 1 END)
        FROM %s
        WHERE id = ANY (?)
        """
            .formatted(message);
  }

  /**
   * The fate of redriven letters.
   *
   * @param failedAgain how many have failed again, and are not sent yet
   * @param waiting how many have not been tried yet
   */
  public record Fate(long failedAgain, long waiting) {}

  /**
   * The place of a dead letter.
   *
   * @param partition its partition
   * @param seq its sequence number
   */
  public record Place(int partition, long seq) {
    /** The sequence numbers of places, by partition in ascending order. */
    public static Map<Integer, List<Long>> byPartition(Collection<Place> places) {
      return places.stream()
          .collect(
              Collectors.groupingBy(
                  Place::partition,
                  TreeMap::new,
                  Collectors.mapping(Place::seq, Collectors.toList())));
    }
  }

  /**
   * Letters about which an operator has decided.
   *
   * @param chosen these, in order
   * @param left those that died together with one of them, which holds their key, and that nobody
   *     has decided about
   */
  public record Letters(List<DeadLetterRow> chosen, List<DeadLetterRow> left) {}

  /**
   * The columns of a dead letter that actions need.
   *
   * @param seq its sequence number
   * @param id its id
   * @param destination the logical name
   * @param key its ordering key
   * @param heldBy the id of the message that holds this key
   */
  public record DeadLetterRow(
      long seq, UUID id, String destination, Optional<String> key, Optional<UUID> heldBy) {
    /** Whether the messages behind it wait for it, or it has none of its own. */
    public boolean isFirst() {
      return key.isEmpty() || heldBy.equals(Optional.of(id));
    }
  }

  /**
   * The places of dead letters, in order, without a lock.
   *
   * @param after the place after which to begin
   */
  public List<Place> candidates(
      Connection connection, DeadLetterFilter filter, Instant asOf, long after, int limit)
      throws SQLException {
    DeadLetterConditions conditions = DeadLetterConditions.of(filter).deadAt(asOf);
    String sql = candidates.formatted(conditions.sql());
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, after);
      int next = conditions.bind(statement, 2);
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

  /**
   * Locks a partition until the transaction ends; waits some time if a relay has the lock.
   *
   * @return the database's time
   * @throws SQLException with the state of a lock time-out if another session has it
   */
  public Instant lock(Connection connection, int partition) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(lock)) {
      statement.setInt(1, partition);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new IllegalStateException("There is no partition " + partition);
        }
        return row.getObject(1, OffsetDateTime.class).toInstant();
      }
    } catch (SQLException failed) {
      if (LOCK_TIMEOUTS.contains(String.valueOf(failed.getSQLState()))) {
        throw new SQLException(
            "The partition %s is locked by another session for too long: a relay that is stuck in its batch, or an operator. Nothing of this step was changed; the health data name a stuck partition and its holder"
                .formatted(partition),
            failed.getSQLState(),
            failed);
      }
      throw failed;
    }
  }

  /** The fate of redriven letters, in a transaction without a claim. */
  public Fate fate(Connection connection, Collection<UUID> ids) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(fate)) {
      statement.setArray(1, connection.createArrayOf("UUID", ids.toArray()));
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return new Fate(row.getLong(1), row.getLong(2));
      }
    }
  }

  /**
   * Those of these messages that are still dead letters and match the filter, in order, with those
   * that match it and died together with one of them: a decision about the message that holds a key
   * is carried out for all of them in one step, because none may overtake another.
   */
  public Letters letters(
      Connection connection,
      int partition,
      Collection<Long> seqs,
      DeadLetterFilter filter,
      Instant asOf)
      throws SQLException {
    DeadLetterConditions conditions = DeadLetterConditions.of(filter).deadAt(asOf);
    List<DeadLetterRow> found = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement(letters.formatted(conditions.sql()))) {
      statement.setInt(1, partition);
      conditions.bind(statement, Seqs.bind(statement, 2, seqs));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(heldLetter(row));
        }
      }
    }
    ExpiredTogether.Found others = together.with(connection, partition, found, conditions);
    found.addAll(others.wanted());
    found.sort(Comparator.comparing(DeadLetterRow::seq));
    return new Letters(found, others.left());
  }

  /** The first waiting message of each key in front of a sequence number. */
  public List<DeadLetterRow> waiting(
      Connection connection,
      int partition,
      String destination,
      Collection<String> keys,
      long before)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(waiting)) {
      statement.setInt(1, partition);
      statement.setString(2, destination);
      statement.setLong(3, before);
      statement.setArray(4, connection.createArrayOf("VARCHAR", keys.toArray()));
      statement.setInt(5, partition);
      List<DeadLetterRow> found = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          found.add(letter(row, Optional.empty()));
        }
      }
      return found;
    }
  }

  /** A letter, and the message that holds its key. */
  static DeadLetterRow heldLetter(ResultSet row) throws SQLException {
    return letter(row, Optional.ofNullable(row.getObject("head_id", UUID.class)));
  }

  private static DeadLetterRow letter(ResultSet row, Optional<UUID> heldBy) throws SQLException {
    return new DeadLetterRow(
        row.getLong("seq"),
        row.getObject("id", UUID.class),
        row.getString("destination"),
        Optional.ofNullable(row.getString("ordering_key")),
        heldBy);
  }
}
