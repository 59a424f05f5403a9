package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;

/**
 * The query with which an operator finds the session or prepared transaction that holds a
 * partition's lock.
 */
public final class HolderQuery {
  private HolderQuery() {}

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
          FROM information_schema.sessions WHERE contains_uncommitted""";
      case POSTGRESQL ->
          """
          SELECT l.pid, a.client_addr, a.state, a.xact_start, a.query, p.gid, p.prepared \
          FROM %s o \
          JOIN pg_locks l ON l.locktype = 'transactionid' AND l.granted AND l.transactionid = o.xmax \
          LEFT JOIN pg_stat_activity a ON a.pid = l.pid \
          LEFT JOIN pg_prepared_xacts p ON p.transaction = o.xmax \
          WHERE o.partition_no = %d"""
              .formatted(tables.qualified("outbox_partition"), partition);
    };
  }
}
