package io.postbox.benchmark;

import java.sql.SQLException;

/**
 * A table of messages, and its partitions.
 *
 * @param database where it is
 * @param messages its name
 * @param partitions the name of the other
 */
record Table(Database database, String messages, String partitions) {
  static final int PARTITIONS = 16;

  /** The one of the relay. */
  static Table outbox(Database database) {
    return new Table(database, "outbox_message", "outbox_partition");
  }

  /** One that no relay looks at, otherwise the same. */
  static Table floor(Database database) throws SQLException {
    database.execute("CREATE TABLE floor_message (LIKE outbox_message INCLUDING ALL)");
    database.execute("CREATE TABLE floor_partition (LIKE outbox_partition INCLUDING ALL)");
    database.execute("INSERT INTO floor_partition SELECT * FROM outbox_partition");
    return new Table(database, "floor_message", "floor_partition");
  }

  /**
   * Messages of 512 bytes that wait, in one transaction.
   *
   * @return how many of their keys do not fail: asked afterwards, the relay may have sent some
   */
  long fill(Keys keys, int count) throws SQLException {
    return database.number(
        """
        WITH filled AS (%s RETURNING event_type)
        SELECT COUNT(*) FROM filled WHERE event_type = 'OrderPlaced'
        """
            .formatted(filling(keys, count, "PENDING", "NULL")));
  }

  /** Messages that were sent and are kept. */
  void fillSent(int count) throws SQLException {
    database.execute(filling(Keys.TEN_EACH, count, "SENT", "clock_timestamp()"));
  }

  /** Rows to another destination that no relay sends. */
  void fillAside(String destination, String status, String dueAt, int count) throws SQLException {
    database.execute(
        """
        INSERT INTO %1$s (partition_no, id, destination, ordering_key, event_type, content_type,
          payload_text, headers, status, due_at)
        SELECT %2$s, gen_random_uuid(), '%3$s', %4$s, 'OrderPlaced', 'text/plain',
          repeat('x', 512), '{}', '%5$s', %6$s
        FROM generate_series(0, %7$s - 1) n
        """
            .formatted(
                messages,
                Keys.TEN_EACH.partition(),
                destination,
                Keys.TEN_EACH.key(),
                status,
                dueAt,
                count));
  }

  /** Rows where the relay reads, inserted and deleted in one transaction. */
  void fillAndDelete(int count) throws SQLException {
    database.execute(
        "BEGIN; %s; DELETE FROM %s; COMMIT"
            .formatted(filling(Keys.TEN_EACH, count, "PENDING", "NULL"), messages));
  }

  /** As an operator would. */
  void pause(String destination) throws SQLException {
    database.execute(
        "INSERT INTO outbox_switch (destination, reason, principal) VALUES ('%s', 'waits', 'ada')"
            .formatted(destination));
  }

  /** Takes away all rows and pauses, while no relay is at work. */
  void forgetAll() throws SQLException {
    database.execute("DELETE FROM outbox_switch; TRUNCATE " + messages);
  }

  private String filling(Keys keys, int count, String status, String sentAt) {
    return """
    INSERT INTO %1$s (partition_no, id, destination, ordering_key, event_type, content_type,
      payload_text, headers, status, sent_at)
    SELECT %2$s, gen_random_uuid(), 'drain', %3$s,
      CASE WHEN %4$s THEN 'OrderDoomed' ELSE 'OrderPlaced' END, 'text/plain',
      repeat('x', 512), CASE WHEN %4$s AND n / 16 %% 10 = 0 THEN 'unreadable' ELSE '{}' END,
      '%5$s', %6$s
    FROM generate_series(0, %7$s - 1) n
    """
        .formatted(messages, keys.partition(), keys.key(), keys.doomed(), status, sentAt, count);
  }

  /** Whether no message waits, but those whose keys fail. */
  boolean isDrained() throws SQLException {
    return database.number(
            """
            SELECT COUNT(*) FROM (SELECT FROM %s
              WHERE status = 'PENDING' AND event_type IS DISTINCT FROM 'OrderDoomed'
                AND partition_no BETWEEN 0 AND 15 AND destination < 'waiting'
              ORDER BY partition_no, destination, seq LIMIT 1) one
            """
                .formatted(messages))
        == 0;
  }

  /** Takes away what failed, under the locks of all partitions, so that no relay is at work. */
  void forgetFailed() throws SQLException {
    database.execute(
        """
        BEGIN;
        SELECT put_back FROM %1$s FOR UPDATE;
        DELETE FROM outbox_held_key;
        DELETE FROM %2$s WHERE event_type = 'OrderDoomed';
        COMMIT
        """
            .formatted(partitions, messages));
  }

  void clean() throws SQLException {
    database.execute("VACUUM ANALYZE " + messages);
  }
}
