package io.postbox.outbox.store;

import io.postbox.common.PlanToken;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.outbox.WaitingPlan;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;

/** Counts the messages that wait for one destination. Thread-safe. */
public final class WaitingStore {
  private final String now;
  private final String count;

  /**
   * @param dialect the database's
   * @param tables where the tables are
   */
  public WaitingStore(Dialect dialect, TableNames tables) {
    this(dialect, tables, WaitingPlan.MOST_COUNTED);
  }

  WaitingStore(Dialect dialect, TableNames tables, long mostCounted) {
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
            .formatted(tables.qualified("outbox_message"), partition, mostCounted);
  }

  /**
   * Counts the messages that wait for a destination now, up to a limit for each state.
   *
   * @param token the plan's token
   */
  public WaitingPlan count(Connection connection, String destination, PlanToken token)
      throws SQLException {
    Instant asOf = Sql.one(connection, now, row -> Sql.instant(row, 1));
    return Sql.one(
        connection,
        count,
        row ->
            new WaitingPlan(
                token, destination, asOf, row.getLong(1), row.getLong(2), row.getLong(3)),
        Sql.times(3, destination, asOf));
  }
}
