package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Standing;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** The place of each aggregate in a consumer's version order. Thread-safe. */
public final class VersionStore {
  private final Dialect dialect;
  private final String place;
  private final String insertIfAbsent;
  private final String discarded;
  private final String moveOn;
  private final String forget;
  private final String await;
  private final String skip;
  private final String next;
  private final String release;
  private final String waiting;

  private static final String LOCK = " FOR UPDATE";

  private static final String OF_AGGREGATE =
      "consumer = ? AND aggregate_type = ? AND aggregate_id = ?";

  public VersionStore(Dialect dialect, TableNames tables) {
    this.dialect = dialect;
    String table = tables.qualified("inbox_aggregate");
    place =
        """
        SELECT first_version, version, waiting_since IS NOT NULL FROM %s
        WHERE %s
        """
            .formatted(table, OF_AGGREGATE);
    insertIfAbsent =
        """
        INSERT INTO %s (consumer, aggregate_type, aggregate_id, version, first_version)
        VALUES (?, ?, ?, ?, ?)
        %s
        """
            .formatted(table, dialect.onConflictDoNothing());
    discarded =
        """
        SELECT COUNT(*) FROM %s
        WHERE %s
          AND version > ? AND version < ?
        """
            .formatted(tables.qualified("inbox_discarded"), OF_AGGREGATE);
    moveOn =
        """
        UPDATE %1$s SET version = ?, changed_at = %2$s, waiting_since = CASE WHEN ? THEN %2$s END
        WHERE %3$s
        """
            .formatted(table, dialect.now(), OF_AGGREGATE);
    forget = "DELETE FROM %s WHERE %s".formatted(table, OF_AGGREGATE);
    skip =
        """
        INSERT INTO %s (consumer, aggregate_type, aggregate_id, version)
        VALUES (?, ?, ?, ?)
        %s
        """
            .formatted(tables.qualified("inbox_discarded"), dialect.onConflictDoNothing());
    await =
        "UPDATE %s SET waiting_since = %s WHERE %s AND waiting_since IS NULL"
            .formatted(table, dialect.now(), OF_AGGREGATE);
    String stored = tables.qualified("inbox_stored");
    next =
        """
        SELECT aggregate_version FROM %s
        WHERE %s AND aggregate_version > ? AND %s
        ORDER BY consumer, aggregate_type, aggregate_id, aggregate_version
        FETCH FIRST 1 ROW ONLY
        """
            .formatted(stored, OF_AGGREGATE, StoredStatus.WAITING);
    release =
        """
        UPDATE %s
        SET status = 'HANDED_BACK', generation = generation + 1, due_at = %s, setbacks = 0
        WHERE %s AND aggregate_version <= ? AND %s
        """
            .formatted(stored, dialect.now(), OF_AGGREGATE, StoredStatus.WAITING);
    waiting =
        """
        SELECT fingerprint, fingerprint_version FROM %s
        WHERE consumer = ? AND message_id = ? AND variant = '' AND %s
        """
            .formatted(stored, StoredStatus.WAITING);
  }

  /** Deletes the row of an aggregate that this transaction has inserted and not changed. */
  public void forget(Connection connection, String consumer, Aggregate aggregate)
      throws SQLException {
    Sql.update(connection, forget, key(consumer, aggregate));
  }

  /**
   * Locks an aggregate's place until the transaction ends.
   *
   * @param aggregate which one
   * @param first the version with which it begins if it is not known yet
   * @return its place
   */
  public Standing lock(Connection connection, String consumer, Aggregate aggregate, long first)
      throws SQLException {
    Optional<Standing> known = lock(connection, consumer, aggregate);
    return known.isPresent() ? known.get() : insert(connection, consumer, aggregate, first);
  }

  private Standing insert(Connection connection, String consumer, Aggregate aggregate, long first)
      throws SQLException {
    if (dialect.insertIfAbsent(
        connection, insertIfAbsent, key(consumer, aggregate), first - 1, first)) {
      return new Standing(first, first - 1, true, false);
    }
    return lock(connection, consumer, aggregate)
        .orElseThrow(
            () ->
                new SQLException(
                    "the position of " + aggregate + " existed and was deleted meanwhile"));
  }

  /**
   * Locks an aggregate's place; empty if another transaction has. Waits only for one that begins
   * this aggregate.
   */
  public Optional<Standing> lockUnlessBusy(
      Connection connection, String consumer, Aggregate aggregate, long first) throws SQLException {
    Optional<Standing> free = find(connection, place + LOCK + " SKIP LOCKED", consumer, aggregate);
    return free.isPresent() || find(connection, place, consumer, aggregate).isPresent()
        ? free
        : Optional.of(insert(connection, consumer, aggregate, first));
  }

  private Optional<Standing> lock(Connection connection, String consumer, Aggregate aggregate)
      throws SQLException {
    return find(connection, place + LOCK, consumer, aggregate);
  }

  private static Optional<Standing> find(
      Connection connection, String sql, String consumer, Aggregate aggregate) throws SQLException {
    return Sql.first(
        connection,
        sql,
        row -> new Standing(row.getLong(1), row.getLong(2), false, row.getBoolean(3)),
        key(consumer, aggregate));
  }

  /**
   * Whether an operator has discarded every version between the last and an aggregate's.
   *
   * @param last the version that was handled last
   */
  public boolean allDiscarded(
      Connection connection, String consumer, Aggregate aggregate, long last) throws SQLException {
    long between =
        Sql.one(
            connection,
            discarded,
            row -> row.getLong(1),
            key(consumer, aggregate),
            last,
            aggregate.version());
    return between == aggregate.version() - last - 1;
  }

  /**
   * Records the version of an aggregate, whose row is locked, as its last handled one.
   *
   * @param isAwaited whether later versions wait, from now on for the next one
   */
  public void moveOn(Connection connection, String consumer, Aggregate aggregate, boolean isAwaited)
      throws SQLException {
    Sql.update(connection, moveOn, aggregate.version(), isAwaited, key(consumer, aggregate));
  }

  /** Notes that a version of an aggregate, whose row is locked, waits for those before it. */
  public void await(Connection connection, String consumer, Aggregate aggregate)
      throws SQLException {
    Sql.update(connection, await, key(consumer, aggregate));
  }

  /** Whether a message was released, and whether others still wait. */
  public record Release(boolean any, boolean isAwaited) {}

  /**
   * Releases the next version of an aggregate, whose row is locked, if it waits: the lowest that
   * does, if operators have discarded all between. All messages with that version are released, and
   * those with earlier ones, of which nothing else would become.
   *
   * @param aggregate its version is the one that was handled last
   */
  public Release release(Connection connection, String consumer, Aggregate aggregate)
      throws SQLException {
    Optional<Long> first = firstWaiting(connection, consumer, aggregate);
    boolean isNext =
        first.isPresent()
            && (first.get() == aggregate.version() + 1
                || allDiscarded(
                    connection,
                    consumer,
                    new Aggregate(aggregate.type(), aggregate.id(), first.get()),
                    aggregate.version()));
    Aggregate upTo =
        isNext ? new Aggregate(aggregate.type(), aggregate.id(), first.get()) : aggregate;
    return new Release(
        mark(connection, consumer, upTo) > 0,
        isNext ? firstWaiting(connection, consumer, upTo).isPresent() : first.isPresent());
  }

  /** Marks the messages that wait with versions up to that of an aggregate as released. */
  int mark(Connection connection, String consumer, Aggregate upTo) throws SQLException {
    return Sql.update(connection, release, key(consumer, upTo), upTo.version());
  }

  /**
   * Releases the next version of an aggregate, whose row is locked, after versions between were
   * discarded or skipped. A row that says nothing any more is deleted.
   *
   * @param aggregate its version is the one that was handled last
   * @param first the version with which it began
   * @return whether a message was released
   */
  public boolean settle(Connection connection, String consumer, Aggregate aggregate, long first)
      throws SQLException {
    Release released = release(connection, consumer, aggregate);
    if (!released.isAwaited() && aggregate.version() < first) {
      forget(connection, consumer, aggregate);
    } else if (!released.isAwaited() || released.any()) {
      moveOn(connection, consumer, aggregate, released.isAwaited());
    }
    return released.any();
  }

  /**
   * Skips the versions before one of an aggregate, whose row is locked, and releases that one. The
   * last of those skipped is noted as discarded, so that a late copy of it is stale, too.
   *
   * @param aggregate its version is the lowest that waits
   * @param first the version with which it began
   */
  public void skipTo(Connection connection, String consumer, Aggregate aggregate, long first)
      throws SQLException {
    Aggregate last = new Aggregate(aggregate.type(), aggregate.id(), aggregate.version() - 1);
    markDiscarded(connection, consumer, last);
    moveOn(connection, consumer, last, true);
    settle(connection, consumer, last, first);
  }

  /**
   * Notes that a version of an aggregate, whose row is locked, was discarded, and releases the next
   * one if it waits for nothing else.
   *
   * @param aggregate its version is the discarded one
   * @param place the aggregate's
   */
  void passOver(Connection connection, String consumer, Aggregate aggregate, Standing place)
      throws SQLException {
    markDiscarded(connection, consumer, aggregate);
    settle(
        connection,
        consumer,
        new Aggregate(aggregate.type(), aggregate.id(), place.version()),
        place.first());
  }

  private void markDiscarded(Connection connection, String consumer, Aggregate aggregate)
      throws SQLException {
    dialect.insertIfAbsent(connection, skip, key(consumer, aggregate), aggregate.version());
  }

  /** The lowest version that waits, after that of an aggregate. */
  public Optional<Long> firstWaiting(Connection connection, String consumer, Aggregate aggregate)
      throws SQLException {
    return Sql.first(
        connection, next, row -> row.getLong(1), key(consumer, aggregate), aggregate.version());
  }

  /** Whether an operator has discarded a version of an aggregate. */
  public boolean isDiscarded(Connection connection, String consumer, Aggregate aggregate)
      throws SQLException {
    return allDiscarded(
        connection,
        consumer,
        new Aggregate(aggregate.type(), aggregate.id(), aggregate.version() + 1),
        aggregate.version() - 1);
  }

  /** The fingerprint of a message with an id that waits for the versions before it. */
  public Optional<Fingerprint> fingerprintOfWaiting(
      Connection connection, String consumer, String messageId) throws SQLException {
    return Sql.first(connection, waiting, row -> Fingerprinted.get(row, 1), consumer, messageId);
  }

  /** The parameters of {@link #OF_AGGREGATE}. */
  private static Sql.Values key(String consumer, Aggregate aggregate) {
    return new Sql.Values(List.of(consumer, aggregate.type(), aggregate.id()));
  }
}
