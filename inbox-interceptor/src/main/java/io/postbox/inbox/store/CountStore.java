package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.CountTable;
import io.postbox.common.store.Dialect;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Counts the parked and quarantined messages, from two indexes. Thread-safe. */
public final class CountStore extends CountTable<CountStore.Line> {

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public CountStore(Dialect dialect, TableNames tables) {
    super(
        dialect,
        tables.qualified("inbox_count"),
        """
        SELECT 'PARKED' AS kind, consumer, COUNT(*) AS messages, SUM(size) AS bytes
        FROM %s GROUP BY consumer
        UNION ALL
        SELECT 'QUARANTINED', consumer, COUNT(*), SUM(size) FROM %s GROUP BY consumer
        """
            .formatted(tables.qualified("inbox_parked"), tables.qualified("inbox_quarantine")),
        """
        SELECT kind, consumer, messages, bytes, since, due_at, %s AS read_at FROM %s
        WHERE kind <> 'AGGREGATES'
        """
            .formatted(dialect.now(), tables.qualified("inbox_count")),
        "kind IN ('PARKED', 'QUARANTINED')",
        "INSERT INTO %s (kind, consumer, messages, bytes) VALUES (?, ?, ?, ?)"
            .formatted(tables.qualified("inbox_count")));
  }

  /** The kind of a line of the count. The names are those in the statement. */
  public enum Kind {
    /** Messages that their handler could not handle. */
    PARKED,
    /** Deliveries without a usable id, or with a known id and other content. */
    QUARANTINED
  }

  /**
   * One line of the count.
   *
   * @param kind what it counts
   * @param consumer the consumer's name
   * @param rows how many
   * @param bytes their size
   */
  public record Line(Kind kind, String consumer, long rows, long bytes) {}

  @Override
  protected Line line(ResultSet row) throws SQLException {
    return new Line(
        Kind.valueOf(row.getString("kind")),
        row.getString("consumer"),
        row.getLong("messages"),
        row.getLong("bytes"));
  }

  @Override
  protected void bind(PreparedStatement insert, Line line) throws SQLException {
    insert.setString(1, line.kind().name());
    insert.setString(2, line.consumer());
    insert.setLong(3, line.rows());
    insert.setLong(4, line.bytes());
  }
}
