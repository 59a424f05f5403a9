package io.postbox.outbox.store;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;

/**
 * The statement that counts the messages by status and destination, rows kept as {@code SENT} left
 * out.
 *
 * <p>On PostgreSQL its cost is bounded: it counts a limited number of index entries of each lane
 * and no rows, and beyond that it divides the number that the index's statistics estimate. H2
 * counts every row, in the node's own process.
 */
final class CountQuery {
  /** At least this many entries of each lane are counted, independent of the number of lanes. */
  static final int LEAST_PER_LANE = 1_000;

  /**
   * The oldest message is among this many first ones of a lane; formerly delayed messages may
   * precede it.
   */
  private static final int AMONG_THE_FIRST = 100;

  private CountQuery() {}

  /**
   * The query: kind, destination, number, whether that is an estimate, since when the oldest could
   * be sent, and the time.
   *
   * @param mostPerStatus how many messages of a status to count about, where the database can
   *     estimate
   */
  static String of(Dialect dialect, TableNames tables, int mostPerStatus) {
    return switch (dialect) {
      case H2 -> exact(tables);
      case POSTGRESQL -> bounded(tables, mostPerStatus);
    };
  }

  /**
   * Each status has a query of its own. For a message without an attempt, due_at is when it may be
   * sent, which may be long after it was enqueued. After a failed attempt it is when the next one
   * may start, which does not show how long the message has waited.
   */
  private static String exact(TableNames tables) {
    return """
    SELECT s.kind, s.destination, s.messages, FALSE AS estimated, s.since,
           CURRENT_TIMESTAMP AS read_at
    FROM (
      SELECT 'PENDING' AS kind, destination, COUNT(*) AS messages,
             MIN(CASE WHEN attempts = 0 THEN due_at ELSE created_at END) AS since
      FROM %1$s WHERE status = 'PENDING' GROUP BY destination
      UNION ALL
      SELECT 'HELD', destination, COUNT(*),
             MIN(CASE WHEN attempts = 0 THEN due_at ELSE created_at END)
      FROM %1$s WHERE status = 'HELD' GROUP BY destination
      UNION ALL
      SELECT CASE WHEN attempts = 0 THEN 'DELAYED' ELSE 'RETRY' END AS tried, destination,
             COUNT(*), MIN(created_at)
      FROM %1$s WHERE status = 'DELAYED'
      GROUP BY destination, CASE WHEN attempts = 0 THEN 'DELAYED' ELSE 'RETRY' END
      UNION ALL
      SELECT 'DEAD', destination, COUNT(*), CURRENT_TIMESTAMP
      FROM %1$s WHERE status = 'DEAD' GROUP BY destination
    ) s
    """
        .formatted(tables.qualified("outbox_message"));
  }

  /**
   * Counts in each lane. Held messages are in the order of their keys, so the age of all counted
   * ones is read. The condition on dead letters has no equality on the destination, because the
   * database could then use the index by seq for the order. The statistics give the number of
   * entries on a page of the index, and its size the present number of pages.
   */
  private static String bounded(TableNames tables, int mostPerStatus) {
    return """
    WITH RECURSIVE %4$s, %5$s,
    dead (destination) AS (
      SELECT (SELECT m.destination FROM %1$s m WHERE m.status = 'DEAD'
              ORDER BY m.destination FETCH FIRST 1 ROW ONLY)
      UNION ALL
      SELECT (SELECT m.destination FROM %1$s m
              WHERE m.status = 'DEAD' AND m.destination > l.destination
              ORDER BY m.destination FETCH FIRST 1 ROW ONLY)
      FROM dead l WHERE l.destination IS NOT NULL
    ),
    bound (status, messages) AS MATERIALIZED (
      SELECT 'PENDING', GREATEST(%2$s, %3$s / GREATEST(COUNT(destination), 1)) FROM pending
      UNION ALL
      SELECT 'HELD', GREATEST(%2$s, %3$s / GREATEST(COUNT(destination), 1)) FROM held
      UNION ALL
      SELECT 'DEAD', GREATEST(%2$s, %3$s / GREATEST(COUNT(destination), 1)) FROM dead
    ),
    counted (status, kind, destination, messages, since, is_more) AS MATERIALIZED (
      SELECT 'PENDING', 'PENDING', l.destination, c.messages, o.since, c.messages > b.messages
      FROM pending l JOIN bound b ON b.status = 'PENDING'
      CROSS JOIN LATERAL (
        SELECT COUNT(*) AS messages FROM (
          SELECT 1 FROM %1$s m
          WHERE m.status = 'PENDING' AND m.partition_no = l.partition_no
            AND m.destination = l.destination
          ORDER BY m.partition_no, m.destination, m.seq
          LIMIT (SELECT messages + 1 FROM bound WHERE status = 'PENDING')) x) c
      CROSS JOIN LATERAL (
        SELECT MIN(x.since) AS since FROM (
          SELECT CASE WHEN m.attempts = 0 THEN m.due_at ELSE m.created_at END AS since
          FROM %1$s m
          WHERE m.status = 'PENDING' AND m.partition_no = l.partition_no
            AND m.destination = l.destination
          ORDER BY m.partition_no, m.destination, m.seq FETCH FIRST %6$s ROWS ONLY) x) o
      WHERE l.destination IS NOT NULL
      UNION ALL
      SELECT 'HELD', 'HELD', l.destination, c.messages, c.since, c.messages > b.messages
      FROM held l JOIN bound b ON b.status = 'HELD'
      CROSS JOIN LATERAL (
        SELECT COUNT(*) AS messages, MIN(x.since) AS since FROM (
          SELECT CASE WHEN m.attempts = 0 THEN m.due_at ELSE m.created_at END AS since
          FROM %1$s m
          WHERE m.status = 'HELD' AND m.partition_no = l.partition_no
            AND m.destination = l.destination
          ORDER BY m.partition_no, m.destination, m.ordering_key, m.seq
          LIMIT (SELECT messages + 1 FROM bound WHERE status = 'HELD')) x) c
      WHERE l.destination IS NOT NULL
      UNION ALL
      SELECT 'DEAD', 'DEAD', l.destination, c.messages, NULL, c.messages > b.messages
      FROM dead l JOIN bound b ON b.status = 'DEAD'
      CROSS JOIN LATERAL (
        SELECT COUNT(*) AS messages FROM (
          SELECT 1 FROM %1$s m
          WHERE m.status = 'DEAD' AND m.destination BETWEEN l.destination AND l.destination
          ORDER BY m.destination, m.seq
          LIMIT (SELECT messages + 1 FROM bound WHERE status = 'DEAD')) x) c
      WHERE l.destination IS NOT NULL
      UNION ALL
      SELECT 'DELAYED', CASE WHEN x.attempts = 0 THEN 'DELAYED' ELSE 'RETRY' END,
             x.destination, COUNT(*), MIN(x.created_at), SUM(COUNT(*)) OVER () > %3$s
      FROM (SELECT m.destination, m.attempts, m.created_at FROM %1$s m
            WHERE m.status = 'DELAYED' ORDER BY m.due_at LIMIT %3$s + 1) x
      GROUP BY 2, 3
    ),
    entries (status, messages) AS (
      SELECT v.status,
             CASE WHEN c.reltuples > 0 AND c.relpages > 0 THEN
               CAST(c.reltuples AS FLOAT8) / c.relpages
               * (pg_relation_size(c.oid) / CAST(current_setting('block_size') AS INTEGER)) END
      FROM (VALUES ('PENDING', '%7$s'), ('HELD', '%8$s'), ('DELAYED', '%9$s'),
                   ('DEAD', '%10$s')) v (status, index_name)
      JOIN pg_class c ON c.oid = to_regclass(v.index_name)
    ),
    share (status, factor) AS (
      SELECT c.status,
             GREATEST(1, (MAX(e.messages)
                          - COALESCE(SUM(c.messages) FILTER (WHERE NOT c.is_more), 0))
                         / SUM(c.messages) FILTER (WHERE c.is_more))
      FROM counted c LEFT JOIN entries e ON e.status = c.status
      GROUP BY c.status
    )
    SELECT c.kind, c.destination,
           CAST(SUM(CASE WHEN c.is_more THEN c.messages * s.factor ELSE c.messages END)
             AS BIGINT) AS messages,
           BOOL_OR(c.is_more) AS estimated,
           COALESCE(MIN(c.since), clock_timestamp()) AS since, clock_timestamp() AS read_at
    FROM counted c JOIN share s ON s.status = c.status
    GROUP BY c.kind, c.destination
    """
        .formatted(
            tables.qualified("outbox_message"),
            LEAST_PER_LANE,
            mostPerStatus,
            lanes("PENDING", tables),
            lanes("HELD", tables),
            AMONG_THE_FIRST,
            tables.qualified("outbox_message_due_ix"),
            tables.qualified("outbox_message_held_ix"),
            tables.qualified("outbox_message_delayed_ix"),
            tables.qualified("outbox_message_dead_destination_ix"));
  }

  /**
   * The lanes with messages of a status, as a recursive query of its name. It steps from one
   * destination of a partition to the next, so that the cost grows with the lanes and not with the
   * messages.
   */
  static String lanes(String status, TableNames tables) {
    return """
    %1$s (partition_no, destination) AS (
      SELECT p.partition_no,
        (SELECT m.destination FROM %2$s m
         WHERE m.status = '%1$s' AND m.partition_no = p.partition_no
         ORDER BY m.status, m.partition_no, m.destination FETCH FIRST 1 ROW ONLY)
      FROM %3$s p
      UNION ALL
      SELECT l.partition_no,
        (SELECT m.destination FROM %2$s m
         WHERE m.status = '%1$s' AND m.partition_no = l.partition_no
           AND m.destination > l.destination
         ORDER BY m.status, m.partition_no, m.destination FETCH FIRST 1 ROW ONLY)
      FROM %1$s l WHERE l.destination IS NOT NULL
    )\
    """
        .formatted(
            status, tables.qualified("outbox_message"), tables.qualified("outbox_partition"));
  }
}
