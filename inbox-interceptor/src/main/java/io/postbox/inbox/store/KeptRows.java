package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Conditions;
import io.postbox.common.store.Numbers;
import io.postbox.common.store.Sql;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptFilter.Criterion;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.store.KeptRow.Spot;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The statements of operators' actions on kept messages of one kind. Thread-safe. */
public final class KeptRows {
  private static final String BY_IDS = Numbers.in("m.id");

  private final Kind kind;
  private final String candidates;
  private final String read;
  private final String lock;
  private final String lockPlaces;
  private final String existing;
  private final String aggregates;
  private final String handBack;
  private final String takeBack;
  private final String hold;
  private final String delete;
  private final String deleteThese;
  private final String remember;
  private final String passOver;
  private final String deleteHistory;
  private final String endFailures;
  private final String deleteAttempts;
  private final String renewResults;
  private final String renewId;
  private final String fate;
  private final String replace;

  /**
   * The statements for those that are kept aside.
   *
   * @param kind the kind of messages
   * @param tables where the tables are
   */
  public KeptRows(Kind kind, TableNames tables) {
    this(kind, false, tables);
  }

  /**
   * @param kind the kind of messages
   * @param goBack whether they go back to their queue; otherwise they are kept aside
   * @param tables where the tables are
   */
  public KeptRows(Kind kind, boolean goBack, TableNames tables) {
    this.kind = kind;
    String these = goBack ? goesBack(kind) : keptAside(kind);
    String table = tables.qualified("inbox_stored");
    candidates =
        """
        SELECT m.id FROM %s m
        WHERE m.id > ? AND m.id <= ? %%s
        ORDER BY m.id
        FETCH FIRST ? ROWS ONLY
        """
            .formatted(table);
    String one =
        """
        SELECT %s FROM %s m
        WHERE m.id = ? AND %s
        """;
    read = one.formatted(KeptRow.COLUMNS, table, of(kind));
    lock = one.formatted(KeptRow.COLUMNS, table, these) + "%s FOR UPDATE";
    lockPlaces =
        """
        SELECT %s FROM %s m
        WHERE %s AND %s %%s
        ORDER BY m.id
        FOR UPDATE
        """
            .formatted(KeptRow.SPOT, table, BY_IDS, these);
    existing =
        "SELECT m.id FROM %s m WHERE %s AND %s %%s ORDER BY m.id".formatted(table, BY_IDS, these);
    aggregates =
        """
        SELECT m.id, m.consumer, m.aggregate_type, m.aggregate_id
        FROM %s m
        WHERE %s
          AND m.aggregate_type IS NOT NULL
          AND m.aggregate_id IS NOT NULL
          AND m.aggregate_version IS NOT NULL
        ORDER BY m.id
        """
            .formatted(table, BY_IDS);
    handBack =
        """
        UPDATE %s
        SET status = 'HANDED_BACK', generation = generation + 1, released_as = ?,
          reply_to = CASE WHEN ? THEN reply_to END, waited_for = 0, setbacks = 1,
          due_at = CURRENT_TIMESTAMP + CAST(? AS BIGINT) * INTERVAL '0.001' SECOND,
          kept_at = COALESCE(kept_at, CURRENT_TIMESTAMP)
        WHERE id = ?
        """
            .formatted(table);
    takeBack =
        """
        UPDATE %s
        SET status = CASE WHEN %s THEN 'DELAYED' ELSE '%s' END, due_at = CASE WHEN %2$s THEN due_at END
        WHERE id = ? AND generation = ? AND status = 'HANDED_BACK'
        """
            .formatted(
                table, goBack ? "TRUE" : "reason IN ('EARLY', 'VERSION_MISSING')", kind.name());
    hold =
        """
        UPDATE %s m
        SET status = 'PARKED', reason = CASE WHEN handled THEN '%s' ELSE '%s' END, due_at = NULL,
          setbacks = 0, waited_for = 0,
          kept_at = CURRENT_TIMESTAMP,
          attempts = (SELECT COUNT(*) FROM %s f WHERE f.consumer = m.consumer
            AND f.message_id = m.message_id AND f.kind = 'FAILED' AND NOT f.redriven)
        WHERE %s AND %s
        """
            .formatted(
                table,
                ParkReason.REPLY_NOT_SENT.name(),
                ParkReason.HELD.name(),
                tables.qualified("inbox_failure"),
                BY_IDS,
                these);
    delete = "DELETE FROM %s m WHERE %s".formatted(table, BY_IDS);
    deleteThese = delete + " AND " + these + " %s";
    // Fails if another transaction inserts one of these at the same time; the caller retries.
    remember =
        """
        INSERT INTO %1$s
          (consumer, message_id, source, fingerprint, fingerprint_version, headers, outcome)
        SELECT m.consumer, m.message_id, m.source, m.fingerprint, m.fingerprint_version, '{}',
          'DISCARDED'
        FROM %2$s m
        WHERE %3$s
          AND NOT EXISTS (SELECT 1 FROM %1$s d
                          WHERE d.consumer = m.consumer AND d.message_id = m.message_id)
        """
            .formatted(tables.qualified("inbox_message"), table, BY_IDS);
    passOver =
        """
        INSERT INTO %1$s (consumer, aggregate_type, aggregate_id, version)
        SELECT DISTINCT m.consumer, m.aggregate_type, m.aggregate_id, m.aggregate_version
        FROM %2$s m
        WHERE %3$s
          AND NOT m.handled
          AND m.aggregate_type IS NOT NULL
          AND m.aggregate_id IS NOT NULL
          AND m.aggregate_version IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM %1$s d
                          WHERE d.consumer = m.consumer
                            AND d.aggregate_type = m.aggregate_type
                            AND d.aggregate_id = m.aggregate_id
                            AND d.version = m.aggregate_version)
        """
            .formatted(tables.qualified("inbox_discarded"), table, BY_IDS);
    deleteHistory =
        "DELETE FROM %s WHERE consumer = ? AND message_id = ? AND redriven"
            .formatted(tables.qualified("inbox_failure"));
    endFailures =
        "UPDATE %s SET redriven = TRUE WHERE consumer = ? AND message_id = ? AND NOT redriven"
            .formatted(tables.qualified("inbox_failure"));
    deleteAttempts =
        "DELETE FROM %s WHERE consumer = ? AND message_id = ?"
            .formatted(tables.qualified("inbox_attempt"));
    renewResults =
        "UPDATE %s SET created_at = CURRENT_TIMESTAMP WHERE consumer = ? AND message_id = ?"
            .formatted(tables.qualified("inbox_result"));
    replace =
        """
        UPDATE %s
        SET body_type = ?, encrypted = ?, payload_text = ?, payload_bytes = ?, properties = ?,
          size = ?
        WHERE id = ?
        """
            .formatted(table);
    fate =
        """
        SELECT m.status, EXISTS (SELECT 1 FROM %s f WHERE f.consumer = m.consumer
            AND f.message_id = COALESCE(m.released_as, m.message_id) AND NOT f.redriven
            AND f.kind IN ('FAILED', 'REJECTED'))
        FROM %s m
        WHERE %s
        """
            .formatted(tables.qualified("inbox_failure"), table, BY_IDS);
    renewId =
        "UPDATE %s SET processed_at = CURRENT_TIMESTAMP WHERE consumer = ? AND message_id = ?"
            .formatted(tables.qualified("inbox_message"));
  }

  /** Whether a filter selects messages that go back to their queue. */
  public static boolean goBack(KeptFilter filter) {
    return goBack(filter.criteria().get(Criterion.REASON));
  }

  /** Whether this is the status of messages that go back to their queue. */
  static boolean goBack(@Nullable Object reason) {
    return StoredStatus.DELAYED.name().equals(reason)
        || StoredStatus.HANDED_BACK.name().equals(reason);
  }

  /** Since when a message is here: kept aside, or else stored. */
  static final String SINCE = "COALESCE(m.kept_at, m.stored_at)";

  /** The condition for all messages that a person sees as of this kind. */
  static String of(Kind kind) {
    return "(%s OR %s)".formatted(keptAside(kind), goesBack(kind));
  }

  /** The condition for messages of a kind, with those that wait for the versions before them. */
  static String keptAside(Kind kind) {
    return kind == Kind.QUARANTINED
        ? "m.status = 'QUARANTINED'"
        : "m.status IN ('EARLY', 'PARKED')";
  }

  /**
   * The condition for those that wait for a retry or go back to their queue; a quarantined one with
   * its new id.
   */
  static String goesBack(Kind kind) {
    return "m.status IN ('DELAYED', 'HANDED_BACK') AND m.variant %s ''"
        .formatted(kind == Kind.QUARANTINED ? "<>" : "=");
  }

  /**
   * The ids of messages, in order, without a lock.
   *
   * @param after the id after which to begin
   * @param upTo the last one
   */
  public List<Long> candidates(
      Connection connection, KeptFilter filter, long after, long upTo, int limit)
      throws SQLException {
    Conditions conditions = KeptConditions.of(kind, filter);
    String sql = candidates.formatted(conditions.sql());
    return Sql.list(
        connection, sql, row -> row.getLong(1), after, upTo, conditions.values(), limit);
  }

  /** A message with its content; empty if it is gone, or not kept aside any more. */
  public Optional<KeptRow> read(Connection connection, long id) throws SQLException {
    return Sql.first(connection, read, KeptRow::of, id);
  }

  /** The same, locked until the transaction ends. */
  public Optional<KeptRow> lock(Connection connection, long id) throws SQLException {
    return lock(connection, Conditions.NONE, id);
  }

  /** The same, if a plan still selects it: it may have become another's since its page was read. */
  public Optional<KeptRow> lock(Connection connection, KeptFilter plan, long id)
      throws SQLException {
    return lock(connection, KeptConditions.of(kind, plan), id);
  }

  private Optional<KeptRow> lock(Connection connection, Conditions conditions, long id)
      throws SQLException {
    return Sql.first(
        connection, lock.formatted(conditions.sql()), KeptRow::of, id, conditions.values());
  }

  /**
   * Locks those of these messages that a plan still selects, in order, until the transaction ends.
   *
   * @param ids not empty
   * @param waits whether to wait for those that other transactions have; they are left out
   *     otherwise
   */
  public List<Spot> lock(
      Connection connection, KeptFilter plan, Collection<Long> ids, boolean waits)
      throws SQLException {
    Conditions conditions = KeptConditions.of(kind, plan);
    String sql = lockPlaces.formatted(conditions.sql());
    return Sql.list(
        connection,
        waits ? sql : sql + " SKIP LOCKED",
        Spot::of,
        Numbers.of(ids),
        conditions.values());
  }

  /** Those of these messages that a plan still selects, in order, without a lock. */
  public List<Long> existing(Connection connection, KeptFilter plan, Collection<Long> ids)
      throws SQLException {
    Conditions conditions = KeptConditions.of(kind, plan);
    return Sql.list(
        connection,
        existing.formatted(conditions.sql()),
        row -> row.getLong(1),
        Numbers.of(ids),
        conditions.values());
  }

  /**
   * A message about an aggregate.
   *
   * @param row the id of its row
   */
  public record About(long row, String consumer, String type, String id) {}

  /**
   * The aggregates that messages are about, in the order of the messages.
   *
   * @param ids not empty
   */
  public List<About> aggregates(Connection connection, Collection<Long> ids) throws SQLException {
    return Sql.list(
        connection,
        aggregates,
        row -> new About(row.getLong(1), row.getString(2), row.getString(3), row.getString(4)),
        Numbers.of(ids));
  }

  /**
   * Has a locked message handled by the copy that is to be sent once this is committed.
   *
   * @param releasedAs the id under which it is sent, if that is a new one
   * @param replies whether it keeps its reply destination
   * @param patience how long until the copy is sent again if it has not come
   */
  public void handBack(
      Connection connection,
      Spot at,
      @Nullable String releasedAs,
      ReplyOnRedrive replies,
      Duration patience)
      throws SQLException {
    Sql.update(
        connection,
        handBack,
        releasedAs,
        replies == ReplyOnRedrive.KEEP,
        patience.toMillis(),
        at.id());
  }

  /**
   * Makes the recorded failures of a locked message history, in place of those from before an
   * earlier redrive, and deletes its crashes: neither counts any longer. Restarts the retention of
   * its records.
   */
  public void endFailures(Connection connection, String consumer, String messageId)
      throws SQLException {
    for (String each : List.of(deleteHistory, endFailures, deleteAttempts, renewId, renewResults)) {
      Sql.update(connection, each, consumer, messageId);
    }
  }

  /**
   * Keeps a message aside that was handed back, because no copy of it could be sent; one that goes
   * on by itself does so after the time that was set for its copy.
   *
   * @param generation that with which it was handed back
   * @return whether it had not been handled meanwhile
   */
  public boolean takeBack(Connection connection, long id, int generation) throws SQLException {
    return Sql.update(connection, takeBack, id, generation) == 1;
  }

  /**
   * Parks messages that go back to their queue; a copy that is on its way is not handled any more.
   * One that is handled, and only its reply is not sent, stays so.
   *
   * @param ids not empty
   * @return how many
   */
  public int hold(Connection connection, Collection<Long> ids) throws SQLException {
    return Sql.update(connection, hold, Numbers.of(ids));
  }

  /**
   * Deletes those of these messages that a plan still selects.
   *
   * @param ids not empty
   * @return how many
   */
  public int deleteThese(Connection connection, KeptFilter plan, Collection<Long> ids)
      throws SQLException {
    Conditions conditions = KeptConditions.of(kind, plan);
    return Sql.update(
        connection, deleteThese.formatted(conditions.sql()), Numbers.of(ids), conditions.values());
  }

  /**
   * Deletes messages.
   *
   * @param ids not empty
   * @return how many of them existed
   */
  public int delete(Connection connection, Collection<Long> ids) throws SQLException {
    return Sql.update(connection, delete, Numbers.of(ids));
  }

  /**
   * Records that parked messages were discarded, unless they were handled meanwhile.
   *
   * @param ids not empty
   */
  public void remember(Connection connection, Collection<Long> ids) throws SQLException {
    Sql.update(connection, remember, Numbers.of(ids));
  }

  /**
   * Lets version order pass over the aggregates' versions of parked messages.
   *
   * @param ids not empty
   */
  public void passOver(Connection connection, Collection<Long> ids) throws SQLException {
    Sql.update(connection, passOver, Numbers.of(ids));
  }

  /**
   * Replaces the content of a locked message.
   *
   * @param row the message
   * @param contents encrypts it, if there is a cipher
   */
  public void replace(Connection connection, KeptRow row, Content content, KeptContents contents)
      throws SQLException {
    Sql.update(
        connection,
        replace,
        contents.seal(row.place(), content).values(),
        content.size(),
        row.at().id());
  }

  /** The result of a redrive for one message. */
  public enum Fate {
    /** Its consumer has handled it and sent its reply, or skips it. */
    DONE,
    /** A charged attempt has failed, or it is kept aside again. */
    FAILED,
    /** Neither yet. */
    WAITING
  }

  /**
   * Reads the results of a redrive for messages; none of those whose rows are gone, which are done.
   *
   * @param ids not empty
   */
  public List<Fate> fates(Connection connection, Collection<Long> ids) throws SQLException {
    return Sql.list(
        connection,
        fate,
        row ->
            switch (StoredStatus.valueOf(row.getString(1))) {
              case PROCESSED -> Fate.DONE;
              case PARKED, QUARANTINED, EARLY -> Fate.FAILED;
              case PENDING, DELAYED, HELD, HANDED_BACK ->
                  row.getBoolean(2) ? Fate.FAILED : Fate.WAITING;
            },
        Numbers.of(ids));
  }
}
