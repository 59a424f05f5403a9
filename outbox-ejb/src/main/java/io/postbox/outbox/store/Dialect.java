package io.postbox.outbox.store;

import io.postbox.common.store.SchemaException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What differs between the databases, and nothing else. */
public enum Dialect {
  /**
   * H2 2.x. Its CURRENT_TIMESTAMP is the time of the transaction's first statement, which for the
   * relay is the claim; what comes after sending needs the statement's own.
   */
  H2(
      "H2",
      "CURRENT_TIMESTAMP",
      """
      DATEADD(MILLISECOND, ?,
        (SELECT EXECUTING_STATEMENT_START FROM INFORMATION_SCHEMA.SESSIONS
         WHERE SESSION_ID = SESSION_ID()))\
      """,
      "",
      "",
      10,
      1 << 20),

  /** PostgreSQL 14 and later. */
  POSTGRESQL(
      "PostgreSQL",
      "clock_timestamp()",
      "clock_timestamp() + ? * INTERVAL '1 millisecond'",
      "ON CONFLICT (id) DO NOTHING",
      "SELECT pg_advisory_xact_lock(7378429814)",
      1,
      Integer.MAX_VALUE);

  /** The standard's and PostgreSQL's word for it, and H2's. */
  private static final Set<String> READ_ONLY = Set.of("25006", "90097");

  private final String product;
  private final String now;
  private final String nowPlusMillis;
  private final String unlessIdIsThere;
  private final String lockForCreation;
  private final int triesForCreation;
  private final int longestText;

  Dialect(
      String product,
      String now,
      String nowPlusMillis,
      String unlessIdIsThere,
      String lockForCreation,
      int triesForCreation,
      int longestText) {
    this.product = product;
    this.now = now;
    this.nowPlusMillis = nowPlusMillis;
    this.unlessIdIsThere = unlessIdIsThere;
    this.lockForCreation = lockForCreation;
    this.triesForCreation = triesForCreation;
    this.longestText = longestText;
  }

  /**
   * The dialect of the database behind a connection.
   *
   * @throws SchemaException if the database is not one of these
   */
  public static Dialect of(Connection connection) throws SQLException {
    String found = connection.getMetaData().getDatabaseProductName();
    return Arrays.stream(values())
        .filter(dialect -> dialect.product.equals(found))
        .findAny()
        .orElseThrow(
            () ->
                new SchemaException(
                    "The outbox does not know the database "
                        + found
                        + "; it knows "
                        + Arrays.stream(values())
                            .map(dialect -> dialect.product)
                            .collect(Collectors.joining(", "))
                        + ". Point postbox.outbox.data-source at one of these."));
  }

  /** The largest payload that a row can hold, in characters or bytes. */
  public int longestText() {
    return longestText;
  }

  /** The time when a statement begins, by the database's clock. */
  String now() {
    return now;
  }

  /** The same, later by a parameter in milliseconds. */
  String nowPlusMillis() {
    return nowPlusMillis;
  }

  /**
   * Makes an insert do nothing where the id is there already; empty where the database has no such
   * clause and does not abort the transaction for a duplicate either.
   */
  String unlessIdIsThere() {
    return unlessIdIsThere;
  }

  /**
   * The partition's parameter in an insert. On PostgreSQL the transaction has its number before the
   * row gets its place in the order, or {@link #writers} would not know of it.
   */
  String partitionToInsert() {
    return switch (this) {
      case H2 -> "?";
      case POSTGRESQL -> "CASE WHEN pg_current_xact_id() IS NOT NULL THEN CAST(? AS INTEGER) END";
    };
  }

  /**
   * Whether a column's place in the table decides if a transaction has its number before the row
   * has its place in the order: values are made in the order of the columns.
   */
  boolean numbersWritersInColumnOrder() {
    return this == POSTGRESQL;
  }

  /**
   * The numbers of the oldest transaction that may still commit and of one's own, as a statement
   * sees it. (The end of PostgreSQL's snapshot would not do instead of one's own: transactions
   * beyond it may have begun.) Each as a query of its own, so that it is asked once and not for
   * each row. H2 has none, and keeps no deleted index entries that would need them.
   */
  String writers() {
    return switch (this) {
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
   * Has the database end this transaction if nothing is heard of it for so long, as an expression
   * to select. Its node may be lost with its connection half open, and its locks would stay.
   */
  String endIfIdleFor(Duration limit) {
    return switch (this) {
      case H2 -> "NULL"; // in the node's own process
      case POSTGRESQL ->
          "set_config('idle_in_transaction_session_timeout', '%d', TRUE)"
              .formatted(limit.toMillis());
    };
  }

  /** The same for another unique column. */
  String unlessThere(String column) {
    return this == POSTGRESQL ? "ON CONFLICT (" + column + ") DO NOTHING" : "";
  }

  /** Keeps other nodes from making the tables at the same time; empty where no other node can. */
  String lockForCreation() {
    return lockForCreation;
  }

  /**
   * Has what follows in the transaction give up if it would wait for a lock for so long; empty
   * where the URL of the database says how long.
   */
  String waitForLocks(Duration limit) {
    return this == POSTGRESQL ? "SET LOCAL lock_timeout = '%dms'".formatted(limit.toMillis()) : "";
  }

  /** Whether a statement gave up waiting for a lock as {@link #waitForLocks} has said. */
  boolean gaveUpWaiting(SQLException failed) {
    return this == POSTGRESQL && "55P03".equals(failed.getSQLState());
  }

  /**
   * Finds out whether one can write, without leaving anything: an autocommitted statement that is
   * refused where the database is read-only, and that otherwise writes to the log and has that
   * flushed. On PostgreSQL that is a row lock, which makes no new version of the row; if another
   * session has it, that one is writing. H2 does not refuse a lock.
   *
   * @param table the qualified name of {@code postbox_schema}
   */
  String tryToWrite(String table) {
    return switch (this) {
      case H2 -> "UPDATE %s SET version = version WHERE module = 'outbox'".formatted(table);
      case POSTGRESQL ->
          "SELECT version FROM %s WHERE module = 'outbox' FOR UPDATE SKIP LOCKED".formatted(table);
    };
  }

  /**
   * Whether the database refused to write because it is read-only: a standby, a full managed disk,
   * or a setting.
   */
  public static boolean isReadOnly(SQLException refused) {
    return READ_ONLY.contains(String.valueOf(refused.getSQLState()));
  }

  /**
   * How often to try to make the tables. H2 throws, in spite of IF NOT EXISTS, when another
   * connection makes the same table at the same time.
   */
  int triesForCreation() {
    return triesForCreation;
  }

  /** The script that makes the tables, as a resource. */
  public String script() {
    return "META-INF/postbox/" + product.toLowerCase(Locale.ROOT) + "/outbox.sql";
  }

  /**
   * Deletes some rows that nobody changes any more, the first in an order; the last parameter says
   * how many. H2 would run a query within the statement once for each row; PostgreSQL would read a
   * whole small table if it were to find the rows by their key.
   */
  String deleteSome(String table, String condition, String order) {
    return switch (this) {
      case H2 -> "DELETE FROM %s WHERE %s FETCH FIRST ? ROWS ONLY".formatted(table, condition);
      case POSTGRESQL ->
          """
          DELETE FROM %1$s WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM %1$s WHERE %2$s ORDER BY %3$s FETCH FIRST ? ROWS ONLY))
          """
              .formatted(table, condition, order);
    };
  }

  /**
   * Puts some delayed messages to work that are due, those first that are longest; the parameter
   * says how many. Its form has the reasons of {@link #deleteSome}; on PostgreSQL the time stands
   * in a query of its own, so that it is taken once and the index is read only as far as that, and
   * what another node is waking is left to it.
   */
  String wakeSome(String table) {
    return switch (this) {
      case H2 ->
          """
          UPDATE %s SET status = 'PENDING'
          WHERE status = 'DELAYED' AND due_at <= CURRENT_TIMESTAMP
          FETCH FIRST ? ROWS ONLY
          """
              .formatted(table);
      case POSTGRESQL ->
          """
          UPDATE %1$s SET status = 'PENDING' WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM %1$s
            WHERE status = 'DELAYED' AND due_at <= (SELECT clock_timestamp())
            ORDER BY due_at FETCH FIRST ? ROWS ONLY FOR UPDATE SKIP LOCKED))
          """
              .formatted(table);
    };
  }

  /**
   * The first messages of a lane, as many as the last parameter says, and of these only as many as
   * have so many octets together, but one at least; {@code found} is how many there were before
   * that. Both databases sum up before any payload leaves its place: PostgreSQL reads each row once
   * and keeps large values apart until it sends them, while H2 takes the sizes from the index and
   * reads the rows that fit. H2 is told all columns of the index in the order, for it does not see
   * that three of them are constant.
   *
   * @return with places for the time, the tables of messages, held keys and switches, the numbers
   *     of writers, and the table of redirects
   */
  String readNoMoreThan(int octets) {
    return switch (this) {
      case H2 ->
          """
          SELECT m.seq, m.id, m.destination, m.ordering_key, m.aggregate_type, m.aggregate_id,
                 m.event_type, m.schema_version, m.content_type, m.payload_text, m.payload_bytes,
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
          WHERE f.octets <= %1$d OR f.octets = f.row_bytes
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
                     m.event_type, m.schema_version, m.content_type, m.payload_text,
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
          WHERE f.octets <= %1$d OR f.octets = f.row_bytes
          ORDER BY f.seq
          """
              .formatted(octets);
    };
  }

  /**
   * Puts the first followers of a key back to work. PostgreSQL is told how many there are at most:
   * it takes a condition on their places for a third of all there are, and may read the table.
   */
  String putBackFirst(String table, String condition, int atMost) {
    return switch (this) {
      case H2 -> "UPDATE %s SET status = 'PENDING' WHERE %s".formatted(table, condition);
      case POSTGRESQL ->
          """
          UPDATE %1$s SET status = 'PENDING' WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM %1$s WHERE %2$s
            ORDER BY partition_no, destination, ordering_key, seq FETCH FIRST %3$d ROWS ONLY))
          """
              .formatted(table, condition, atMost);
    };
  }

  /** The script that makes an archive divided by time, to be run before the other one. */
  String dividedArchiveScript() {
    return "META-INF/postbox/" + product.toLowerCase(Locale.ROOT) + "/outbox-archive-divided.sql";
  }
}
