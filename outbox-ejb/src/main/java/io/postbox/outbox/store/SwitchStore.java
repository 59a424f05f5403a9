package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.common.store.SwitchTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The paused destinations, and whether any message waits. Thread-safe. */
public final class SwitchStore extends SwitchTable {
  private final String isAnyWaiting;
  private final String isAnyWaitingFor;
  private final String isAnyFor;

  public SwitchStore(Dialect dialect, TableNames tables) {
    super(dialect, tables.qualified("outbox_switch"), "destination");
    String message = tables.qualified("outbox_message");
    isAnyWaiting =
        """
        SELECT CASE WHEN EXISTS (SELECT 1 FROM %1$s WHERE status = 'PENDING')
          OR EXISTS (SELECT 1 FROM %1$s WHERE status = 'HELD')
          OR EXISTS (SELECT 1 FROM %1$s WHERE status = 'DELAYED') THEN 1 ELSE 0 END
        """
            .formatted(message);
    // By partition, because the indexes begin with it.
    String isAny =
        """
        SELECT CASE WHEN EXISTS (
            SELECT 1 FROM %2$s p WHERE EXISTS (
              SELECT 1 FROM %1$s m WHERE m.status = 'PENDING'
                AND m.partition_no = p.partition_no AND m.destination = ?))
          OR EXISTS (
            SELECT 1 FROM %2$s p WHERE EXISTS (
              SELECT 1 FROM %1$s m WHERE m.status = 'HELD'
                AND m.partition_no = p.partition_no AND m.destination = ?))
          OR EXISTS (SELECT 1 FROM %1$s m WHERE m.status = 'DELAYED' AND m.destination = ?)
          %3$s THEN 1 ELSE 0 END
        """;
    String partition = tables.qualified("outbox_partition");
    String orDead = "OR EXISTS (SELECT 1 FROM %s m WHERE m.status = 'DEAD' AND m.destination = ?)";
    isAnyWaitingFor = isAny.formatted(message, partition, "");
    isAnyFor = isAny.formatted(message, partition, orDead.formatted(message));
  }

  /** Whether any message is still to be sent. */
  public boolean isAnyWaiting(Connection connection) throws SQLException {
    return Sql.one(connection, isAnyWaiting, SwitchStore::isOne);
  }

  /** Whether any message to a destination is still to be sent. */
  public boolean isAnyWaiting(Connection connection, String destination) throws SQLException {
    return Sql.one(connection, isAnyWaitingFor, SwitchStore::isOne, Sql.times(3, destination));
  }

  /** Whether any message to a destination is still to be sent, or is a dead letter. */
  public boolean isAnyUnsent(Connection connection, String destination) throws SQLException {
    return Sql.one(connection, isAnyFor, SwitchStore::isOne, Sql.times(4, destination));
  }

  private static boolean isOne(ResultSet row) throws SQLException {
    return row.getInt(1) == 1;
  }
}
