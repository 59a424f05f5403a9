package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.CountTable;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/** Counts the stored messages, from an index, and the paused consumers. Thread-safe. */
public final class CountStore extends CountTable<CountStore.Line> {

  public CountStore(Dialect dialect, TableNames tables) {
    super(
        dialect,
        tables.qualified("inbox_count"),
        """
        SELECT CASE WHEN %4$s THEN 'HANDED_BACK' ELSE status END AS kind, consumer,
          COUNT(*) AS messages, SUM(size) AS bytes, MIN(stored_at) AS since, %2$s AS read_at
        FROM %1$s WHERE status <> 'PROCESSED' GROUP BY consumer, kind
        UNION ALL
        SELECT 'PAUSED', consumer, 1, 0, since, %2$s FROM %3$s
        """
            .formatted(
                tables.qualified("inbox_stored"),
                dialect.now(),
                tables.qualified("inbox_switch"),
                StoredStatus.GOES_BACK),
        """
        SELECT kind, consumer, messages, bytes, since, due_at, %s AS read_at FROM %s
        WHERE kind <> 'AGGREGATES'
        """
            .formatted(dialect.now(), tables.qualified("inbox_count")),
        "kind IN ('PARKED', 'EARLY', 'QUARANTINED', 'PENDING', 'DELAYED', 'HANDED_BACK', 'HELD',"
            + " 'PAUSED')",
        """
        INSERT INTO %s (kind, consumer, messages, bytes, since)
        VALUES (?, ?, ?, ?, %s - CAST(? AS BIGINT) * INTERVAL '0.001' SECOND)
        """
            .formatted(tables.qualified("inbox_count"), dialect.now()));
  }

  /** The kind of a line of the count. The names are those in the statement. */
  public enum Kind {
    /** Messages that their handler could not handle. */
    PARKED,
    /** Messages that came too early in the order of versions, and wait for their turn. */
    EARLY,
    /** Deliveries without a usable id, or with a known id and other content. */
    QUARANTINED,
    /**
     * Messages that go back to their queue: their copies are on their way, or their retry is not
     * due yet.
     */
    HANDED_BACK,
    /** Captured messages that may be handled now, or are being handled. */
    PENDING,
    /** Captured messages that may be handled later. */
    DELAYED,
    /** Captured messages behind another one with their ordering key. */
    HELD,
    /** A consumer whose captured messages are not handled, because an operator said so. */
    PAUSED
  }

  /**
   * One line of the count.
   *
   * @param kind the kind of rows that it counts
   * @param consumer the consumer's name
   * @param rows how many
   * @param bytes their size
   * @param age how long ago the oldest of them was stored, or the consumer paused
   */
  public record Line(Kind kind, String consumer, long rows, long bytes, Duration age) {}

  @Override
  protected Line line(ResultSet row) throws SQLException {
    return new Line(
        Kind.valueOf(row.getString("kind")),
        row.getString("consumer"),
        row.getLong("messages"),
        row.getLong("bytes"),
        Duration.between(Sql.instant(row, "since"), Sql.instant(row, "read_at")));
  }

  @Override
  protected Object[] values(Line line) {
    return new Object[] {
      line.kind().name(), line.consumer(), line.rows(), line.bytes(), line.age().toMillis()
    };
  }
}
