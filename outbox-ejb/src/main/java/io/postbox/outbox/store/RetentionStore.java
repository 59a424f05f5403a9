package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.ActionTable;
import io.postbox.common.store.AuditStore;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Deletes rows past their retention, a few at a time, the oldest first. Thread-safe. */
public final class RetentionStore {
  private final String lock;
  private final Map<Kept, String> deletes;
  private final String longestBackoff;
  private final String hasten;

  public RetentionStore(Dialect dialect, TableNames tables) {
    lock =
        "SELECT %s FROM %s WHERE module = 'outbox' FOR UPDATE SKIP LOCKED"
            .formatted(dialect.now(), tables.qualified("postbox_schema"));
    deletes =
        Map.of(
            Kept.SENT,
            dialect.deleteSome(
                tables.qualified("outbox_message"), "status = 'SENT' AND sent_at < ?", "sent_at"),
            Kept.ARCHIVE,
            dialect.deleteSome(tables.qualified("outbox_archive"), "ended_at < ?", "ended_at, seq"),
            Kept.FAILURES,
            dialect.deleteSome(tables.qualified("outbox_failure"), "failed_at < ?", "failed_at"),
            Kept.ACTIONS,
            ActionTable.deleteOld(dialect, tables.qualified("outbox_action")),
            Kept.AUDIT,
            AuditStore.deleteOld(dialect, "outbox", tables));
    longestBackoff =
        "SELECT MAX(backoff_first_ms), MAX(backoff_max_ms) FROM %s"
            .formatted(tables.qualified("outbox_policy"));
    hasten = new OutboxDialect(dialect).hastenSome(tables.qualified("outbox_message"));
  }

  /** Rows with a retention. */
  public enum Kept {
    /** Messages that were sent and kept. */
    SENT,
    /** The archive, discarded letters included. */
    ARCHIVE,
    /** The histories of failing messages. */
    FAILURES,
    /** Operators' actions that are finished. */
    ACTIONS,
    /** The audit of operators' actions. */
    AUDIT
  }

  /**
   * Locks housekeeping against other nodes until the transaction ends.
   *
   * @return the database's time, or empty if another node has the lock
   */
  public Optional<Instant> lock(Connection connection) throws SQLException {
    return Sql.first(connection, lock, row -> Sql.instant(row, 1));
  }

  /** The longest wait for a retry that a destination's policy has; zero if none has one. */
  public Duration longestBackoff(Connection connection) throws SQLException {
    return Sql.one(
        connection,
        longestBackoff,
        row -> Duration.ofMillis(Math.max(row.getLong(1), row.getLong(2))));
  }

  /**
   * Lets retries that wait for longer than any backoff wait for that long. A message that waits for
   * its {@code notBefore} has had no attempt, and is left alone.
   *
   * @param now the database's time
   * @param limit the most rows to change
   * @return how many were changed
   */
  public int hasten(Connection connection, Instant now, Duration longestBackoff, int limit)
      throws SQLException {
    Instant latest = now.plus(longestBackoff);
    return Sql.update(connection, hasten, latest, latest, limit);
  }

  /**
   * Deletes the oldest rows past their retention.
   *
   * @param before the end of the retention
   * @param limit the most rows to delete
   * @return how many were deleted
   */
  public int delete(Connection connection, Kept kept, Instant before, int limit)
      throws SQLException {
    return Sql.update(connection, Objects.requireNonNull(deletes.get(kept)), before, limit);
  }
}
