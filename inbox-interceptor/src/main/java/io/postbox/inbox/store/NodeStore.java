package io.postbox.inbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.NodeTable;
import io.postbox.common.store.Sql;
import io.postbox.inbox.message.Heartbeat;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The service's nodes that run or ended without an orderly stop, by the database's clock.
 * Thread-safe.
 */
public final class NodeStore extends NodeTable {
  private final String others;

  public NodeStore(Dialect dialect, TableNames tables) {
    super(dialect, tables.qualified("inbox_node"));
    others =
        "SELECT node, alive_at, %s, started_at FROM %s WHERE node <> ?"
            .formatted(dialect.now(), tables.qualified("inbox_node"));
  }

  /** The last heartbeats of all other nodes. */
  public List<Heartbeat> others(Connection connection, String node) throws SQLException {
    return Sql.list(
        connection,
        others,
        row -> {
          Instant alive = Sql.instant(row, 2);
          return new Heartbeat(
              row.getString(1),
              Duration.between(alive, Sql.instant(row, 3)),
              Duration.between(Sql.instant(row, 4), alive));
        },
        node);
  }
}
