package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Finds the session or prepared transaction that holds a partition's lock. */
public final class HolderQuery {
  private HolderQuery() {}

  /**
   * The holder of a partition's lock at this moment, in words. They leave out what the session
   * executes, because values may be in it.
   *
   * @return empty if nobody holds it, and on H2, which does not tell
   */
  public static Optional<String> holder(
      Connection connection, Dialect dialect, TableNames tables, int partition)
      throws SQLException {
    if (dialect == Dialect.H2) {
      return Optional.empty();
    }
    return Sql.first(connection, of(dialect, tables, partition), HolderQuery::words);
  }

  private static String words(ResultSet row) throws SQLException {
    String gid = row.getString("gid");
    if (gid != null) {
      return "prepared transaction " + gid;
    }
    StringBuilder words = new StringBuilder("session ").append(row.getString("pid"));
    String application = row.getString("application_name");
    if (application != null && !application.isEmpty()) {
      words.append(" (").append(application).append(')');
    }
    String address = row.getString("client_addr"); // none on a local socket
    if (address != null) {
      words.append(" from ").append(address);
    }
    String state = row.getString("state"); // none for whoever may not see it
    return (state == null ? words : words.append(", ").append(state)).toString();
  }

  /**
   * The query to run by hand.
   *
   * @param dialect the database's
   * @param tables where the tables are
   * @param partition its number
   */
  public static String of(Dialect dialect, TableNames tables, int partition) {
    return switch (dialect) {
      case H2 ->
          """
          SELECT session_id, user_name, session_start, executing_statement \
          FROM information_schema.sessions WHERE contains_uncommitted\
          """;
      case POSTGRESQL ->
          """
          SELECT l.pid, a.application_name, a.client_addr, a.state, a.xact_start, a.query, p.gid, p.prepared \
          FROM %s o \
          JOIN pg_locks l ON l.locktype = 'transactionid' AND l.granted AND l.transactionid = o.xmax \
          LEFT JOIN pg_stat_activity a ON a.pid = l.pid \
          LEFT JOIN pg_prepared_xacts p ON p.transaction = o.xmax \
          WHERE o.partition_no = %s\
          """
              .formatted(tables.qualified("outbox_partition"), partition);
    };
  }
}
