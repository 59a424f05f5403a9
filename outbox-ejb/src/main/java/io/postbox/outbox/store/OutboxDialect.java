package io.postbox.outbox.store;

import io.postbox.common.store.Dialect;

/**
 * The databases' differences in statements that only the outbox runs.
 *
 * @param dialect the database's
 */
public record OutboxDialect(Dialect dialect) {
  private static final int LONGEST_H2_TEXT = 1 << 20;

  /** The largest payload that a row can hold, in characters or bytes. */
  public int longestText() {
    return dialect == Dialect.H2 ? LONGEST_H2_TEXT : Integer.MAX_VALUE;
  }

  /**
   * The database's time at the start of the statement, plus a parameter in milliseconds. H2's
   * CURRENT_TIMESTAMP would be the time of the claim.
   */
  String nowPlusMillis() {
    return switch (dialect) {
      case H2 -> "DATEADD(MILLISECOND, ?, %s)".formatted(statementStart());
      case POSTGRESQL -> "clock_timestamp() + ? * INTERVAL '1 millisecond'";
    };
  }

  /** The database's time at the start of the statement, also where {@code now()} is earlier. */
  String statementStart() {
    return switch (dialect) {
      case H2 ->
          """
          (SELECT EXECUTING_STATEMENT_START FROM INFORMATION_SCHEMA.SESSIONS
            WHERE SESSION_ID = SESSION_ID())\
          """;
      case POSTGRESQL -> "clock_timestamp()";
    };
  }

  /**
   * Adds a failure to a message's history in the slot that its number gives: the first failure
   * keeps its own, and the later ones share the others in turn. Written under the lock of the
   * message's partition, so that no number is given twice. The parameters are message, destination,
   * attempt, dead, node, class, frame, error, signature, aggregate type and id, data subject, and
   * the message again.
   *
   * @param table the table of failures
   * @param slots how many failures are kept besides the first
   */
  String addFailure(String table, int slots) {
    String next =
        """
        SELECT CAST(? AS UUID) AS message_id, COALESCE(MAX(failure_no), 0) + 1 AS failure_no,
               CAST(? AS VARCHAR) AS destination, CAST(? AS INTEGER) AS attempt,
               CAST(? AS BOOLEAN) AS dead, CAST(? AS VARCHAR) AS node,
               CAST(? AS VARCHAR) AS error_class, CAST(? AS VARCHAR) AS frame,
               CAST(? AS VARCHAR) AS error, CAST(? AS VARCHAR) AS signature,
               CAST(? AS VARCHAR) AS aggregate_type, CAST(? AS VARCHAR) AS aggregate_id,
               CAST(? AS VARCHAR) AS data_subject
        FROM %s WHERE message_id = ?\
        """
            .formatted(table);
    String slot =
        "CASE n.failure_no WHEN 1 THEN 0 ELSE 1 + MOD(n.failure_no - 2, %s) END".formatted(slots);
    String columns =
        """
        message_id, slot, failure_no, destination, attempt, dead, node, error_class, frame,
            error, signature, aggregate_type, aggregate_id, data_subject, failed_at\
        """;
    String values =
        """
        n.message_id, %s, n.failure_no, n.destination, n.attempt, n.dead, n.node, n.error_class,
            n.frame, n.error, n.signature, n.aggregate_type, n.aggregate_id, n.data_subject, %s\
        """
            .formatted(slot, statementStart());
    return switch (dialect) {
      case H2 ->
          """
          MERGE INTO %1$s f USING (%2$s) n ON f.message_id = n.message_id AND f.slot = %3$s
          WHEN MATCHED THEN UPDATE SET
            failure_no = n.failure_no, destination = n.destination, attempt = n.attempt,
            dead = n.dead, node = n.node, error_class = n.error_class, frame = n.frame,
            error = n.error, signature = n.signature, aggregate_type = n.aggregate_type,
            aggregate_id = n.aggregate_id, data_subject = n.data_subject, failed_at = %6$s
          WHEN NOT MATCHED THEN INSERT (%4$s) VALUES (%5$s)
          """
              .formatted(table, next, slot, columns, values, statementStart());
      case POSTGRESQL ->
          """
          INSERT INTO %1$s (%3$s)
          SELECT %4$s FROM (%2$s) n
          ON CONFLICT (message_id, slot) DO UPDATE SET
            failure_no = EXCLUDED.failure_no, destination = EXCLUDED.destination,
            attempt = EXCLUDED.attempt, dead = EXCLUDED.dead, node = EXCLUDED.node,
            error_class = EXCLUDED.error_class, frame = EXCLUDED.frame, error = EXCLUDED.error,
            signature = EXCLUDED.signature, aggregate_type = EXCLUDED.aggregate_type,
            aggregate_id = EXCLUDED.aggregate_id, data_subject = EXCLUDED.data_subject,
            failed_at = EXCLUDED.failed_at
          """
              .formatted(table, next, columns, values);
    };
  }

  /**
   * The partition's parameter in an insert. On PostgreSQL the transaction must have its number
   * before the row gets its sequence number; otherwise {@link #writers} would miss it.
   */
  String partitionToInsert() {
    return switch (dialect) {
      case H2 -> "?";
      case POSTGRESQL -> "CASE WHEN pg_current_xact_id() IS NOT NULL THEN CAST(? AS INTEGER) END";
    };
  }

  /**
   * The numbers of the oldest transaction that may still commit and of the statement's own. (The
   * end of PostgreSQL's snapshot cannot replace the latter, because transactions beyond it may have
   * begun.) Each is a query of its own, so that it is evaluated once and not for each row. H2 has
   * no such numbers, and needs none because it keeps no deleted index entries.
   */
  String writers() {
    return switch (dialect) {
      case H2 -> "-1 AS oldest_writer, 0 AS own_number";
      case POSTGRESQL ->
          """
          (SELECT CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT))
            AS oldest_writer,
          (SELECT CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT)) AS own_number\
          """;
    };
  }

  /**
   * Makes an insert skip a row whose value in a unique column exists; empty if the insert fails
   * instead and leaves the transaction usable.
   */
  String unlessThere(String column) {
    return dialect == Dialect.POSTGRESQL ? "ON CONFLICT (" + column + ") DO NOTHING" : "";
  }

  /**
   * Puts due delayed messages back to work, the longest due first; the parameter is their number.
   * Its form has the reasons of {@link Dialect#deleteSome}. On PostgreSQL a query of its own reads
   * the time, so that it is read once and bounds the index scan, and rows that another node is
   * waking are skipped.
   */
  String wakeSome(String table) {
    return switch (dialect) {
      case H2 ->
          """
          SELECT partition_no, destination FROM FINAL TABLE (
            UPDATE %s SET status = 'PENDING'
            WHERE status = 'DELAYED' AND due_at <= CURRENT_TIMESTAMP
            FETCH FIRST ? ROWS ONLY)
          """
              .formatted(table);
      case POSTGRESQL ->
          """
          UPDATE %1$s SET status = 'PENDING' WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM %1$s
            WHERE status = 'DELAYED' AND due_at <= (SELECT clock_timestamp())
            ORDER BY due_at FETCH FIRST ? ROWS ONLY FOR UPDATE SKIP LOCKED))
          RETURNING partition_no, destination
          """
              .formatted(table);
    };
  }

  /**
   * Sets the time of retries that are due after another time; the parameters are both times, and
   * how many at most. A redriven letter has no attempts, and still the signature of its failure,
   * which a message that its sender delays has not.
   */
  String hastenSome(String table) {
    return switch (dialect) {
      case H2 ->
          """
          UPDATE %s SET due_at = ?
          WHERE status = 'DELAYED' AND (attempts > 0 OR signature IS NOT NULL) AND due_at > ?
          FETCH FIRST ? ROWS ONLY
          """
              .formatted(table);
      case POSTGRESQL ->
          """
          UPDATE %1$s SET due_at = ? WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM %1$s
            WHERE status = 'DELAYED' AND (attempts > 0 OR signature IS NOT NULL) AND due_at > ?
            ORDER BY due_at FETCH FIRST ? ROWS ONLY FOR UPDATE SKIP LOCKED))
          """
              .formatted(table);
    };
  }

  /**
   * The first messages of a lane: as many as the last parameter, and of these only as many as fit
   * into the octets of another parameter together, but at least one; {@code found} is the number
   * before that cut. Both databases sum the sizes before they read any payload: PostgreSQL reads
   * each row once and stores large values apart until it sends them, while H2 takes the sizes from
   * the index and reads the rows that fit. For H2 the order names all columns of the index, because
   * it does not recognise that three of them are constant.
   *
   * @return a format with placeholders for the time, the tables of messages, held keys and
   *     switches, the numbers of writers, and the table of redirects
   */
  String readNoMoreThan(int octets) {
    return switch (dialect) {
      case H2 ->
          """
          SELECT m.seq, m.id, m.destination, m.ordering_key, m.aggregate_type, m.aggregate_id,
                 m.data_subject, m.event_type, m.schema_version, m.content_type, m.payload_text, m.payload_bytes,
                 m.reference_table, m.reference_id, m.payload_sha256, m.payload_key, m.headers,
                 m.trace_parent, m.attempts, m.created_at, m.expires_at, %%1$s AS read_at,
                 CASE WHEN m.seq > h.released_to OR m.id = h.head_id THEN h.head_id END AS head_id,
                 f.found, (SELECT r.target FROM %%6$s r WHERE r.destination = ?) AS target, %%5$s
          FROM (
            SELECT l.partition_no, l.seq, l.row_bytes, COUNT(*) OVER () AS found,
                   SUM(l.row_bytes) OVER (ORDER BY l.seq ROWS UNBOUNDED PRECEDING) AS octets
            FROM (
              SELECT m.partition_no, m.seq, m.row_bytes
              FROM %%2$s m
              WHERE m.status = 'PENDING' AND m.partition_no = ? AND m.destination = ? AND m.seq > ?
                AND NOT EXISTS (SELECT 1 FROM %%4$s s WHERE s.destination IN (?, '*'))
              ORDER BY m.status, m.partition_no, m.destination, m.seq
              FETCH FIRST ? ROWS ONLY
            ) l
          ) f
          JOIN %%2$s m ON m.partition_no = f.partition_no AND m.seq = f.seq
          LEFT JOIN %%3$s h
            ON h.partition_no = m.partition_no
            AND h.destination = m.destination AND h.ordering_key = m.ordering_key
          WHERE f.octets <= %1$s OR f.octets = f.row_bytes
          ORDER BY m.seq
          """
              .formatted(octets);
      case POSTGRESQL ->
          """
          SELECT f.*, (SELECT r.target FROM %%6$s r WHERE r.destination = ?) AS target
          FROM (
            SELECT l.*, COUNT(*) OVER () AS found,
                   SUM(l.row_bytes) OVER (ORDER BY l.seq ROWS UNBOUNDED PRECEDING) AS octets
            FROM (
              SELECT m.seq, m.id, m.destination, m.ordering_key, m.aggregate_type, m.aggregate_id,
                     m.data_subject, m.event_type, m.schema_version, m.content_type, m.payload_text,
                     m.payload_bytes, m.reference_table, m.reference_id, m.payload_sha256,
                     m.payload_key, m.headers, m.trace_parent, m.attempts, m.created_at,
                     m.expires_at, m.row_bytes, %%1$s AS read_at,
                     CASE WHEN m.seq > h.released_to OR m.id = h.head_id THEN h.head_id END
                       AS head_id, %%5$s
              FROM %%2$s m
              LEFT JOIN %%3$s h
                ON h.partition_no = m.partition_no
                AND h.destination = m.destination AND h.ordering_key = m.ordering_key
              WHERE m.status = 'PENDING' AND m.partition_no = ? AND m.destination = ? AND m.seq > ?
                AND NOT EXISTS (SELECT 1 FROM %%4$s s WHERE s.destination IN (?, '*'))
              ORDER BY m.seq
              FETCH FIRST ? ROWS ONLY
            ) l
          ) f
          WHERE f.octets <= %1$s OR f.octets = f.row_bytes
          ORDER BY f.seq
          """
              .formatted(octets);
    };
  }

  /**
   * Puts the first followers of a key back to work. For PostgreSQL the statement names their
   * largest number: it would estimate a condition on their sequence numbers at a third of all rows,
   * and might read the whole table.
   */
  String putBackFirst(String table, String condition, int atMost) {
    return switch (dialect) {
      case H2 -> "UPDATE %s SET status = 'PENDING' WHERE %s".formatted(table, condition);
      case POSTGRESQL ->
          """
          UPDATE %1$s SET status = 'PENDING' WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM %1$s WHERE %2$s
            ORDER BY partition_no, destination, ordering_key, seq FETCH FIRST %3$s ROWS ONLY))
          """
              .formatted(table, condition, atMost);
    };
  }
}
