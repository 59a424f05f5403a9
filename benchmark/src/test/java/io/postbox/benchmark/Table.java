package io.postbox.benchmark;

import java.sql.SQLException;

/**
 * A table of messages, and its partitions.
 *
 * @param messages its name
 * @param partitions the name of the other
 */
record Table(String messages, String partitions) {
  static final int PARTITIONS = 16;
  static final Table OUTBOX = new Table("outbox_message", "outbox_partition");

  /** One that no relay looks at, otherwise the same. */
  static Table floor(Postgres postgres) throws SQLException {
    postgres.execute("CREATE TABLE floor_message (LIKE outbox_message INCLUDING ALL)");
    postgres.execute("CREATE TABLE floor_partition (LIKE outbox_partition INCLUDING ALL)");
    postgres.execute("INSERT INTO floor_partition SELECT * FROM outbox_partition");
    return new Table("floor_message", "floor_partition");
  }

  /** Messages of 512 bytes, ten to a key, spread over all partitions, in one transaction. */
  void fill(Postgres postgres, int count) throws SQLException {
    fill(postgres, count, "PENDING");
  }

  void fill(Postgres postgres, int count, String status) throws SQLException {
    postgres.execute(
        """
        INSERT INTO %1$s (partition_no, id, destination, ordering_key, event_type, content_type,
          payload_text, headers, status, sent_at)
        SELECT n %% %2$d, gen_random_uuid(), 'drain', 'k' || n %% %2$d || '-' || n / %3$d,
          'OrderPlaced', 'text/plain', repeat('x', 512), '{}', '%4$s',
          CASE '%4$s' WHEN 'SENT' THEN clock_timestamp() END
        FROM generate_series(0, %5$d - 1) n
        """
            .formatted(messages, PARTITIONS, 10 * PARTITIONS, status, count));
  }

  boolean isEmpty(Postgres postgres) throws SQLException {
    return postgres.number(
            "SELECT COUNT(*) FROM (SELECT FROM %s WHERE status = 'PENDING' LIMIT 1) one"
                .formatted(messages))
        == 0;
  }

  void clean(Postgres postgres) throws SQLException {
    postgres.execute("VACUUM ANALYZE " + messages);
  }
}
