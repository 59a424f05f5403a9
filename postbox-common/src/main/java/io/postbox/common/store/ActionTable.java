package io.postbox.common.store;

import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.store.AuditStore.Entry;
import io.postbox.common.text.Storable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A module's table of operators' actions. One begins as a plan, a row in the state {@code PLANNED}
 * that nobody sees as an action. The row lock of an action is the claim on its next step.
 * Thread-safe.
 */
public final class ActionTable {
  /** How many actions may be unfinished. */
  public static final int MOST_UNFINISHED = 100;

  /** How long a plan is valid. */
  public static final Duration VALIDITY = Duration.ofHours(1);

  /** How many plans of one person are on record. */
  public static final int MOST_PLANS = 50;

  /** What stands for a plan that is not to be kept. */
  public static final String ERASED = "{}";

  private static final int LONGEST_NOTE = 1_000;

  /** A node that is silent for so long within a step has lost it. */
  private static final Duration LONGEST_SILENCE = Duration.ofMinutes(2);

  private static final String COLUMNS =
      "id, action, state, principal, reason, subject, total, done, failures, note, started_at,"
          + " changed_at";

  private final String forget;
  private final String keep;
  private final String planned;
  private final String begin;
  private final String next;
  private final String running;
  private final String read;
  private final String claim;
  private final String lock;
  private final String save;
  private final String toTheBack;
  private final String get;
  private final String first;
  private final String page;
  private final String progress;
  private final String now;

  /** Deletes the oldest that are finished, from before a time and up to a number, and old plans. */
  public static String deleteOld(Dialect dialect, String table) {
    return dialect.deleteSome(
        table,
        "finished_at < ? OR (state = 'PLANNED' AND finished_at < %s)".formatted(dialect.now()),
        "finished_at");
  }

  public ActionTable(Dialect dialect, String table) {
    forget =
        """
        DELETE FROM %1$s WHERE state = 'PLANNED' AND (finished_at < ? OR id IN (
          SELECT id FROM %1$s WHERE state = 'PLANNED' AND principal = ?
          ORDER BY started_at DESC, id DESC OFFSET %2$s ROWS))
        """
            .formatted(table, MOST_PLANS - 1);
    keep =
        """
        INSERT INTO %s (id, action, state, principal, reason, subject, total, plan, progress,
          finished_at)
        VALUES (?, 'plan', 'PLANNED', ?, '', ?, ?, ?, '', ?)
        """
            .formatted(table);
    planned =
        """
        SELECT state, principal, finished_at, %1$s, subject, total, plan, (
          SELECT COUNT(*) FROM (
            SELECT 1 AS one FROM %2$s WHERE finished_at IS NULL FETCH FIRST %3$s ROWS ONLY) u)
        FROM %2$s WHERE id = ? FOR UPDATE
        """
            .formatted(dialect.now(), table, MOST_UNFINISHED);
    begin =
        """
        UPDATE %1$s SET state = ?, action = ?, reason = ?, subject = ?, plan = ?, done = ?,
          started_at = %2$s, changed_at = %2$s, turn_at = %2$s,
          finished_at = CASE WHEN CAST(? AS BOOLEAN) THEN %2$s END
        WHERE id = ?
        """
            .formatted(table, dialect.now());
    next =
        """
        SELECT %s, plan, progress, %s, NULL FROM %s
        WHERE state = 'RUNNING' ORDER BY state, turn_at, id FETCH FIRST 1 ROW ONLY
        """
            .formatted(COLUMNS, dialect.now(), table);
    running =
        """
        SELECT id FROM %s
        WHERE state = 'RUNNING' ORDER BY state, turn_at, id FETCH FIRST %s ROWS ONLY
        """
            .formatted(table, MOST_UNFINISHED);
    read =
        """
        SELECT %s, plan, progress, %s, NULL FROM %s
        WHERE id = ? AND state = 'RUNNING'
        """
            .formatted(COLUMNS, dialect.now(), table);
    claim =
        """
        SELECT %s, plan, progress, %s, %s FROM %s
        WHERE id = ? FOR UPDATE SKIP LOCKED
        """
            .formatted(COLUMNS, dialect.now(), dialect.endIfIdleFor(LONGEST_SILENCE), table);
    lock =
        "SELECT %s FROM %s WHERE id = ? AND state <> 'PLANNED' FOR UPDATE"
            .formatted(COLUMNS, table);
    save =
        """
        UPDATE %s SET state = ?, total = GREATEST(total, done + ?), done = done + ?, failures = failures + ?, note = ?,
          progress = COALESCE(?, progress), changed_at = %s,
          plan = CASE WHEN CAST(? AS BOOLEAN) THEN '%s' ELSE plan END,
          finished_at = CASE WHEN CAST(? AS BOOLEAN) THEN %s END
        WHERE id = ?
        """
            .formatted(table, dialect.now(), ERASED, dialect.now());
    progress = "SELECT progress FROM %s WHERE id = ?".formatted(table);
    now = "SELECT " + dialect.now();
    toTheBack = "UPDATE %s SET turn_at = %s WHERE id = ?".formatted(table, dialect.now());
    get = "SELECT %s FROM %s WHERE id = ? AND state <> 'PLANNED'".formatted(COLUMNS, table);
    first =
        """
        SELECT %s FROM %s WHERE state <> 'PLANNED'
        ORDER BY started_at DESC, id DESC FETCH FIRST ? ROWS ONLY
        """
            .formatted(COLUMNS, table);
    page =
        """
        SELECT %s FROM %s
        WHERE started_at <= ? AND (started_at < ? OR id < ?) AND state <> 'PLANNED'
        ORDER BY started_at DESC, id DESC FETCH FIRST ? ROWS ONLY
        """
            .formatted(COLUMNS, table);
  }

  /** The database's time. */
  public Instant now(Connection connection) throws SQLException {
    return Sql.one(connection, now, row -> Sql.instant(row, 1));
  }

  /** Where an action goes on, in the module's words; empty if there is no such action. */
  public String progress(Connection connection, UUID id) throws SQLException {
    return Sql.first(connection, progress, row -> row.getString(1), id).orElse("");
  }

  /**
   * An action, as it was read for its next step.
   *
   * @param action its state
   * @param plan the work to do, in the module's words
   * @param progress where it goes on, in the module's words; empty before the first step
   * @param now the database's time
   */
  public record Claimed(OperatorAction action, String plan, String progress, Instant now) {}

  /**
   * The change that a step makes to its action.
   *
   * @param state where it stands then
   * @param done how many messages were changed
   * @param failures how many failed
   * @param progress where it goes on; {@code null} if that has not changed
   * @param note why it stops, or {@code null}
   */
  public record Change(
      State state, long done, long failures, @Nullable String progress, @Nullable String note) {}

  /**
   * A plan, as its row has it.
   *
   * @param isOpen whether nobody has begun to carry it out
   * @param principal whose it is
   * @param isExpired whether its time is over
   * @param subject what it is about, readable
   * @param total how many messages it counted
   * @param plan the work to do, in the module's words
   * @param isFull whether as many actions are unfinished as may be
   */
  public record Planned(
      boolean isOpen,
      String principal,
      boolean isExpired,
      String subject,
      long total,
      String plan,
      boolean isFull) {}

  /**
   * Forgets plans: those that expired a while ago, and the oldest of a person who has as many as
   * may be.
   */
  public void forgetPlans(Connection connection, String principal, Instant expiredBefore)
      throws SQLException {
    Sql.update(connection, forget, expiredBefore, principal);
  }

  /**
   * Keeps a plan.
   *
   * @param entry with its id, the principal and the subject
   * @param plan the work to do
   * @param total how many messages it has
   * @param expiresAt until when it is valid
   */
  public void keep(Connection connection, Entry entry, String plan, long total, Instant expiresAt)
      throws SQLException {
    Sql.update(
        connection, keep, entry.id(), entry.principal(), entry.subject(), total, plan, expiresAt);
  }

  /** Locks a plan, or the action that it has become; empty if there is neither. */
  public Optional<Planned> planned(Connection connection, UUID id) throws SQLException {
    return Sql.first(connection, planned, ActionTable::planned, id);
  }

  private static Planned planned(ResultSet row) throws SQLException {
    boolean open = row.getString(1).equals("PLANNED");
    return new Planned(
        open,
        row.getString(2),
        open && !Sql.instant(row, 4).isBefore(Sql.instant(row, 3)),
        row.getString(5),
        row.getLong(6),
        row.getString(7),
        row.getInt(8) >= MOST_UNFINISHED);
  }

  /**
   * Makes an action of a locked plan.
   *
   * @param entry of the audit, with the plan's id
   * @param plan the work to do
   * @param state where it stands
   * @param done how many messages are done
   */
  public void begin(Connection connection, Entry entry, String plan, State state, long done)
      throws SQLException {
    Sql.update(
        connection,
        begin,
        state.name(),
        entry.action(),
        entry.reason(),
        entry.subject(),
        plan,
        done,
        state.isFinished(),
        entry.id());
  }

  /** The action whose turn it is, without a lock; one look at an index if none runs. */
  public Optional<Claimed> next(Connection connection) throws SQLException {
    return Sql.first(connection, next, ActionTable::claimed);
  }

  /** The actions that run, in the order of their turns. */
  public List<UUID> running(Connection connection) throws SQLException {
    return Sql.list(connection, running, row -> row.getObject(1, UUID.class));
  }

  /** An action, without a lock, if it runs. */
  public Optional<Claimed> read(Connection connection, UUID id) throws SQLException {
    return Sql.first(connection, read, ActionTable::claimed, id);
  }

  /** Locks an action until the transaction ends; empty if another transaction has it. */
  public Optional<Claimed> claim(Connection connection, UUID id) throws SQLException {
    return Sql.first(connection, claim, ActionTable::claimed, id);
  }

  /** Locks an action until the transaction ends; waits for its present step. */
  public Optional<OperatorAction> lock(Connection connection, UUID id) throws SQLException {
    return Sql.first(connection, lock, ActionTable::action, id);
  }

  /** Saves a change of a locked action. One that cannot go on any more forgets its plan. */
  public void save(Connection connection, UUID id, Change change) throws SQLException {
    boolean isFinished = change.state().isFinished();
    Sql.update(
        connection,
        save,
        change.state().name(),
        change.done(), // of a plan that was not counted to its end
        change.done(),
        change.failures(),
        change.note() == null ? null : Storable.line(change.note(), LONGEST_NOTE),
        change.progress(),
        isFinished && !change.state().isResumable(),
        isFinished,
        id);
  }

  /** Puts a locked action behind those that run. */
  public void toTheBack(Connection connection, UUID id) throws SQLException {
    Sql.update(connection, toTheBack, id);
  }

  /** One action. */
  public Optional<OperatorAction> get(Connection connection, UUID id) throws SQLException {
    return Sql.first(connection, get, ActionTable::action, id);
  }

  /** The actions that were started last, newest first. */
  public List<OperatorAction> list(Connection connection, int size) throws SQLException {
    return Sql.list(connection, first, ActionTable::action, size);
  }

  /** The actions that were started before another one, newest first. */
  public List<OperatorAction> list(Connection connection, OperatorAction before, int size)
      throws SQLException {
    return Sql.list(
        connection,
        page,
        ActionTable::action,
        before.startedAt(),
        before.startedAt(),
        before.id(),
        size);
  }

  private static Claimed claimed(ResultSet row) throws SQLException {
    return new Claimed(action(row), row.getString(13), row.getString(14), Sql.instant(row, 15));
  }

  private static OperatorAction action(ResultSet row) throws SQLException {
    return new OperatorAction(
        row.getObject(1, UUID.class),
        row.getString(2),
        State.valueOf(row.getString(3)),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getLong(7),
        row.getLong(8),
        row.getLong(9),
        row.getString(10),
        Sql.instant(row, 11),
        Sql.instant(row, 12));
  }
}
