package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.CountTable;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/**
 * Counts the messages in the outbox, and reads which destinations are paused or redirected. If the
 * database can estimate, it counts at most about a million messages of a status, and estimates the
 * others. Thread-safe.
 */
public final class StatisticsStore extends CountTable<StatisticsStore.Line> {
  private static final int COUNTED_PER_STATUS = 1_000_000;

  public StatisticsStore(Dialect dialect, TableNames tables) {
    this(dialect, tables, COUNTED_PER_STATUS);
  }

  StatisticsStore(Dialect dialect, TableNames tables, int countedPerStatus) {
    super(
        dialect,
        tables.qualified("outbox_count"),
        CountQuery.of(dialect, tables, countedPerStatus),
        """
        SELECT kind, destination, messages, estimated, since, %1$s AS read_at, due_at
        FROM %2$s
        UNION ALL
        SELECT 'PAUSED', destination, 0, FALSE, since, %1$s, NULL FROM %3$s
        UNION ALL
        SELECT 'REDIRECTED', destination, 0, FALSE, since, %1$s, NULL FROM %4$s
        """
            .formatted(
                dialect.now(),
                tables.qualified("outbox_count"),
                tables.qualified("outbox_switch"),
                tables.qualified("outbox_redirect")),
        "kind <> 'CLAIM'",
        "INSERT INTO %s (kind, destination, messages, estimated, since) VALUES (?, ?, ?, ?, ?)"
            .formatted(tables.qualified("outbox_count")));
  }

  /** The kind of a line of the count. */
  public enum Kind {
    /** Messages that can be sent now. */
    PENDING,
    /** Messages behind a failed one of their key. */
    HELD,
    /** Messages that wait for their {@code notBefore}. */
    DELAYED,
    /** Messages that wait for their retry. */
    RETRY,
    /** Dead letters. */
    DEAD,
    /** Not messages, but a paused destination. */
    PAUSED,
    /** Not messages, but a redirected destination. */
    REDIRECTED
  }

  /**
   * One line of the count.
   *
   * @param kind the kind of count
   * @param destination the logical name
   * @param messages how many
   * @param estimated whether there are more than are counted, so that their number is an estimate
   * @param since since when the oldest one has been waiting, by the database's clock; for dead
   *     letters just the time of the count
   * @param at when the line was read, by the database's clock
   */
  public record Line(
      Kind kind, String destination, long messages, boolean estimated, Instant since, Instant at) {

    /** How long the oldest one has been waiting; at least zero. */
    public Duration age() {
      Duration age = Duration.between(since, at);
      return age.isNegative() ? Duration.ZERO : age;
    }
  }

  @Override
  protected Line line(ResultSet row) throws SQLException {
    return new Line(
        Kind.valueOf(row.getString("kind")),
        row.getString("destination"),
        row.getLong("messages"),
        row.getBoolean("estimated"),
        Sql.instant(row, "since"),
        Sql.instant(row, "read_at"));
  }

  @Override
  protected Object[] values(Line line) {
    return new Object[] {
      line.kind().name(), line.destination(), line.messages(), line.estimated(), line.since()
    };
  }
}
