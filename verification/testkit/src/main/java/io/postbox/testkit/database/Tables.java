package io.postbox.testkit.database;

import io.postbox.testkit.model.FinalState;
import io.postbox.testkit.model.FinalState.Captures;
import io.postbox.testkit.model.FinalState.HandledVersion;
import io.postbox.testkit.model.FinalState.Invoice;
import io.postbox.testkit.model.FinalState.JobRun;
import io.postbox.testkit.model.FinalState.JobSend;
import io.postbox.testkit.model.FinalState.Jobs;
import io.postbox.testkit.model.FinalState.KeptAside;
import io.postbox.testkit.model.FinalState.Message;
import io.postbox.testkit.model.FinalState.Order;
import io.postbox.testkit.model.FinalState.Shipment;
import io.postbox.testkit.model.FinalState.Stored;
import io.postbox.testkit.model.FinalState.Versions;
import io.postbox.testkit.model.HostileMessage;
import io.postbox.testkit.model.Sent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Every SQL statement of the campaign: it reads the tables past the product. */
public final class Tables {
  private static final String ORDERS =
      """
      SELECT id, sku, quantity, status, message_id
      FROM orders
      ORDER BY id
      """;
  private static final String SHIPMENTS =
      """
      SELECT id, order_id, sku, quantity
      FROM shipment
      ORDER BY %s
      """;
  private static final String INVOICES =
      """
      SELECT id, order_id, shipment_id
      FROM invoice
      ORDER BY id
      """;
  private static final String STOCK =
      """
      SELECT sku, quantity
      FROM stock
      """;
  private static final String OUTBOX =
      """
      SELECT id, destination, aggregate_id, status, attempts, last_error
      FROM outbox_message
      ORDER BY partition_no, seq
      """;
  private static final String NODES =
      """
      SELECT 'outbox ' || node, alive_at > CURRENT_TIMESTAMP - INTERVAL '15' SECOND FROM outbox_node
      UNION ALL
      SELECT 'inbox ' || node, alive_at > CURRENT_TIMESTAMP - INTERVAL '15' SECOND FROM inbox_node
      """;
  private static final String NODE_VERSIONS =
      """
      SELECT 'outbox ' || version FROM outbox_node
      WHERE alive_at > CURRENT_TIMESTAMP - INTERVAL '15' SECOND
      UNION ALL
      SELECT 'inbox ' || version FROM inbox_node
      WHERE alive_at > CURRENT_TIMESTAMP - INTERVAL '15' SECOND
      ORDER BY 1
      """;
  private static final String HELD_KEYS =
      """
      SELECT destination, ordering_key
      FROM outbox_held_key
      """;
  private static final String KEPT_ASIDE =
      """
      SELECT consumer, message_id, reason, properties, body_type, size
      FROM inbox_stored
      WHERE status IN ('EARLY', 'PARKED', 'QUARANTINED')
      """;
  private static final String HANDLED =
      """
      SELECT message_id
      FROM inbox_message
      WHERE consumer = 'shipping' AND outcome = 'PROCESSED'
      """;
  private static final String STORED =
      """
      SELECT consumer, message_id, COALESCE(ordering_key, ''), status
      FROM inbox_stored
      WHERE captured OR status IN ('DELAYED', 'HANDED_BACK')
      ORDER BY id
      """;
  private static final String KEYS =
      """
      SELECT consumer, ordering_key
      FROM inbox_key
      """;
  private static final String CAPTURED_WITHOUT_ROW =
      """
      SELECT consumer, message_id
      FROM inbox_message m
      WHERE outcome = 'CAPTURED'
        AND NOT EXISTS (SELECT 1 FROM inbox_stored c
                        WHERE c.captured AND c.consumer = m.consumer AND c.message_id = m.message_id)
      """;
  private static final String BILLED =
      """
      SELECT COUNT(*)
      FROM inbox_message
      WHERE consumer = 'billing' AND outcome = 'PROCESSED'
      """;

  private static final String ATTEMPTS =
      """
      SELECT message_id, consumer, node
      FROM inbox_attempt
      """;

  /** The campaign's own table, which is there where a consumer has an order of versions. */
  private static final String HAS_VERSIONS =
      """
      SELECT COUNT(*)
      FROM information_schema.tables
      WHERE table_name IN ('handled_version', 'HANDLED_VERSION')
      """;

  private static final String VERSIONS =
      """
      SELECT aggregate, version, after_version
      FROM handled_version
      """;
  private static final String AWAITED =
      """
      SELECT aggregate_id
      FROM inbox_aggregate
      WHERE waiting_since IS NOT NULL
      """;
  private static final String REMEMBERED_VERSIONS =
      """
      SELECT COUNT(*)
      FROM inbox_message
      WHERE consumer LIKE 'versions%' AND outcome = 'PROCESSED'
      """;

  /** The campaign's own table, which is there where an operator is at work. */
  private static final String HAS_JOBS =
      """
      SELECT COUNT(*)
      FROM information_schema.tables
      WHERE table_name IN ('job_run', 'JOB_RUN')
      """;

  private static final String JOB_RUNS =
      """
      SELECT ran_at, job, consumer, message_id, content
      FROM job_run
      ORDER BY ran_at
      """;

  private static final String WAITING =
      """
      SELECT COUNT(*)
      FROM inbox_stored
      WHERE status IN ('PENDING', 'DELAYED', 'HELD', 'HANDED_BACK')
      """;

  /** After its name, wherever that stands; of few properties, the header is the only one. */
  private static final Pattern TAG =
      Pattern.compile(
          "(?<=\"(?:JMSCorrelationID|" + HostileMessage.TAG + ")\".{1,30})[0-9a-f-]{36}");

  private static final String CLAIM_ALL_PARTITIONS =
      """
      SELECT partition_no
      FROM outbox_partition
      FOR UPDATE
      """;

  /** PostgreSQL only. A claim that works is idle while it sends, but not for so long. */
  private static final String OLD_CLAIMS =
      """
      SELECT DISTINCT a.pid || ' in ' || a.query
      FROM pg_stat_activity a
      JOIN pg_locks l ON l.pid = a.pid
      JOIN pg_class c ON c.oid = l.relation
      WHERE c.relname = 'outbox_partition' AND l.mode = 'RowShareLock' AND l.granted
        AND a.state = 'idle in transaction'
        AND a.state_change < clock_timestamp() - INTERVAL '1 second'
      """;

  /** PostgreSQL only. For transactions that begin from now on, of all sessions. */
  private static final String TAKE_NO_WRITES =
      "ALTER SYSTEM SET default_transaction_read_only = on";

  private static final String TAKE_WRITES = "ALTER SYSTEM RESET default_transaction_read_only";

  /** PostgreSQL only. What asks for the time without naming the catalogue asks this one. */
  private static final String[] CLOCK = {
    "CREATE SCHEMA campaign_clock",
    "CREATE TABLE campaign_clock.step (by_seconds DOUBLE PRECISION NOT NULL)",
    "INSERT INTO campaign_clock.step VALUES (0)",
    """
    CREATE FUNCTION campaign_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    $$
    SELECT pg_catalog.clock_timestamp()
           + (SELECT by_seconds FROM campaign_clock.step) * INTERVAL '1 second'
    $$
    """,
    """
    DO $$ BEGIN
      EXECUTE 'ALTER DATABASE ' || quote_ident(current_database())
              || ' SET search_path = public, campaign_clock, pg_catalog';
    END $$
    """
  };

  private static final String READ_SETTINGS = "SELECT pg_reload_conf()";

  /** PostgreSQL only, as the outbox does: the transaction has a number before its rows have. */
  private static final String HAVE_A_NUMBER = "SELECT pg_current_xact_id()";

  /** PostgreSQL only. Messages with consecutive numbers in their ids. */
  private static final String BACKLOG =
      """
      INSERT INTO outbox_message (partition_no, id, destination, ordering_key, content_type,
                                  payload_text, headers, status)
      SELECT 0, CAST(? || lpad(to_hex(number), 12, '0') AS uuid), ?, ?, 'text/plain',
             repeat('x', ?), '{}', CASE WHEN number = 0 THEN 'PENDING' ELSE ? END
      FROM generate_series(CAST(? AS bigint), CAST(? AS bigint)) AS number
      ORDER BY number
      """;

  private static final String HOLD_KEY =
      """
      INSERT INTO outbox_held_key (partition_no, destination, ordering_key, head_id)
      VALUES (0, ?, ?, CAST(? AS uuid))
      """;

  private static final int A_FEW_BYTES = 100;

  /** The logical destination of backlogs. */
  public static final String BACKLOG_DESTINATION = "backlog";

  private Tables() {}

  /** All messages that the inbox has quarantined or parked so far. */
  public static List<KeptAside> keptAside(Database database) {
    try (Connection connection = database.connect()) {
      return keptAside(connection);
    } catch (SQLException e) {
      throw new IllegalStateException(
          "The quarantined and parked messages cannot be read; " + database.whereabouts(), e);
    }
  }

  private static List<KeptAside> keptAside(Connection connection) throws SQLException {
    return list(
        connection,
        KEPT_ASIDE,
        row ->
            new KeptAside(
                row.getString(1),
                text(row.getString(2)),
                row.getString(3),
                tag(row.getString(4)),
                !row.getString(5).equals("NOT_KEPT"),
                row.getLong(6)));
  }

  /** Has every transaction that begins from now on only read; PostgreSQL only. */
  public static void takeNoWrites(Database database) {
    execute(database, TAKE_NO_WRITES, READ_SETTINGS);
  }

  /** Ends {@link #takeNoWrites}. */
  public static void takeWrites(Database database) {
    execute(database, TAKE_WRITES, READ_SETTINGS);
  }

  /** Gives the database a clock that can be set, before a server connects; PostgreSQL only. */
  public static void haveClock(Database database) {
    execute(database, CLOCK);
  }

  /** Sets that clock so many seconds off. */
  public static void setClock(Database database, long seconds) {
    execute(database, "UPDATE campaign_clock.step SET by_seconds = " + seconds);
  }

  private static void execute(Database database, String... statements) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(
          List.of(statements) + " failed; " + database.whereabouts(), e);
    }
  }

  /** A message that may go, with number 0, and so many behind it that wait for it. */
  public static void insertHeldKey(Database database, long key, int followers) {
    inTransaction(
        database,
        connection -> {
          insertBacklog(connection, key, orderingKey(key), 0, followers + 1, A_FEW_BYTES, "HELD");
          try (PreparedStatement statement = connection.prepareStatement(HOLD_KEY)) {
            statement.setString(1, BACKLOG_DESTINATION);
            statement.setString(2, orderingKey(key));
            statement.setString(3, prefix(key) + "0".repeat(12));
            statement.executeUpdate();
          }
        });
  }

  /** More of that key, as they are when they are enqueued. */
  public static void insertFollowers(Database database, long key, int first, int number) {
    inTransaction(
        database,
        connection ->
            insertBacklog(
                connection, key, orderingKey(key), first, number, A_FEW_BYTES, "PENDING"));
  }

  /** Large messages of one lane, without an ordering key. */
  public static void insertBig(Database database, long key, int number, int bytes) {
    inTransaction(
        database, connection -> insertBacklog(connection, key, null, 0, number, bytes, "PENDING"));
  }

  private static void insertBacklog(
      Connection connection,
      long key,
      @Nullable String orderingKey,
      int first,
      int number,
      int bytes,
      String status)
      throws SQLException {
    list(connection, HAVE_A_NUMBER, row -> row.getString(1));
    try (PreparedStatement statement = connection.prepareStatement(BACKLOG)) {
      statement.setString(1, prefix(key));
      statement.setString(2, BACKLOG_DESTINATION);
      statement.setString(3, orderingKey);
      statement.setInt(4, bytes);
      statement.setString(5, status);
      statement.setLong(6, first);
      statement.setLong(7, first + number - 1L);
      statement.executeUpdate();
    }
  }

  @FunctionalInterface
  private interface Work {
    void in(Connection connection) throws SQLException;
  }

  private static void inTransaction(Database database, Work work) {
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      work.in(connection);
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException("A backlog cannot be written; " + database.whereabouts(), e);
    }
  }

  private static String orderingKey(long key) {
    return "backlog-" + key;
  }

  private static String prefix(long key) {
    return "ba" + HexFormat.of().toHexDigits(key, 6) + "-0000-7000-8000-";
  }

  /** Whether a message is of a backlog. */
  public static boolean isOf(String messageId, long key) {
    return messageId.startsWith(prefix(key));
  }

  /** The number of a message in its backlog, from 0. */
  public static long number(UUID messageId) {
    return messageId.getLeastSignificantBits() & 0xffff_ffff_ffffL;
  }

  /** Everything that the checker wants to know, but for attempts. */
  public static FinalState read(
      Database database, Map<String, Long> stockBefore, Map<String, Long> queues, List<Sent> sent) {
    return read(database, stockBefore, queues, sent, Set.of(), Duration::ofNanos);
  }

  /**
   * The same with attempts, and with times by a history's clock.
   *
   * @param processes the ids of the latest process of each server: no other's attempts count
   * @param time from a time of the machine's monotonic clock
   */
  public static FinalState read(
      Database database,
      Map<String, Long> stockBefore,
      Map<String, Long> queues,
      List<Sent> sent,
      Set<Long> processes,
      LongFunction<Duration> time) {
    try (Connection connection = database.connect()) {
      return new FinalState(
          list(
              connection,
              ORDERS,
              row ->
                  new Order(
                      row.getLong(1),
                      row.getString(2),
                      row.getInt(3),
                      row.getString(4),
                      row.getString(5))),
          list(
              connection,
              SHIPMENTS.formatted(database.orderOfWriting()),
              row -> new Shipment(row.getLong(1), row.getLong(2), row.getString(3), row.getInt(4))),
          list(
              connection,
              INVOICES,
              row -> new Invoice(row.getLong(1), row.getLong(2), row.getLong(3))),
          stockBefore,
          stock(connection),
          list(
              connection,
              OUTBOX,
              row ->
                  new Message(
                      row.getString(1),
                      row.getString(2),
                      number(row.getString(3)),
                      row.getString(4),
                      row.getInt(5),
                      text(row.getString(6)))),
          list(connection, HELD_KEYS, row -> row.getString(1) + " " + row.getString(2)),
          keptAside(connection),
          Set.copyOf(list(connection, HANDLED, row -> row.getString(1))),
          captures(connection, processes),
          versions(connection),
          jobs(connection, sent, time),
          queues,
          sent,
          list(connection, database.preparedTransactions(), row -> row.getString(1)));
    } catch (SQLException e) {
      throw new IllegalStateException("The tables cannot be read; " + database.whereabouts(), e);
    }
  }

  private static Captures captures(Connection connection, Set<Long> processes) throws SQLException {
    return new Captures(
        list(
            connection,
            STORED,
            row ->
                new Stored(row.getString(1), row.getString(2), row.getString(3), row.getString(4))),
        list(connection, KEYS, row -> row.getString(1) + " " + row.getString(2)),
        list(connection, CAPTURED_WITHOUT_ROW, row -> row.getString(1) + " " + row.getString(2)),
        list(connection, BILLED, row -> row.getLong(1)).get(0),
        attempts(connection, processes));
  }

  private static Versions versions(Connection connection) throws SQLException {
    if (list(connection, HAS_VERSIONS, row -> row.getLong(1)).get(0) == 0) {
      return Versions.NONE;
    }
    return new Versions(
        list(
            connection,
            VERSIONS,
            row -> new HandledVersion(row.getString(1), row.getLong(2), row.getLong(3))),
        list(connection, AWAITED, row -> row.getString(1)),
        list(connection, REMEMBERED_VERSIONS, row -> row.getLong(1)).get(0));
  }

  private static Jobs jobs(Connection connection, List<Sent> sent, LongFunction<Duration> time)
      throws SQLException {
    if (list(connection, HAS_JOBS, row -> row.getLong(1)).get(0) == 0) {
      return Jobs.NONE;
    }
    return new Jobs(
        list(
            connection,
            JOB_RUNS,
            row ->
                new JobRun(
                    time.apply(row.getLong(1)),
                    row.getLong(2),
                    row.getString(3),
                    row.getString(4),
                    row.getString(5))),
        sent.stream().map(one -> new JobSend(time.apply(one.at()), one.messageId())).toList());
  }

  /** Those of a process that died stay until its message is handled again, or for a week. */
  private static List<String> attempts(Connection connection, Set<Long> processes)
      throws SQLException {
    List<Attempt> all =
        list(
            connection,
            ATTEMPTS,
            row -> new Attempt(row.getString(1), row.getString(2), row.getString(3)));
    return all.stream()
        .filter(attempt -> processes.contains(attempt.process()))
        .map(Attempt::toString)
        .toList();
  }

  private record Attempt(String messageId, String consumer, String node) {
    /** A node's name begins with it. */
    long process() {
      return Long.parseLong(node.substring(0, node.indexOf('@')));
    }

    @Override
    public String toString() {
      return "%s of '%s' by %s".formatted(messageId, consumer, node);
    }
  }

  /**
   * Whether the inbox has no message that waits for anybody but a person, and none of these
   * processes' attempts at any message. One that is handed back is not done, however long its copy
   * takes: whoever handles that deletes the row.
   */
  public static boolean isInboxAtRest(Database database, Set<Long> processes) {
    try (Connection connection = database.connect()) {
      return list(connection, WAITING, row -> row.getLong(1)).get(0) == 0
          && attempts(connection, processes).isEmpty();
    } catch (SQLException e) {
      throw new IllegalStateException(
          "The inbox's tables cannot be read; " + database.whereabouts(), e);
    }
  }

  /** The transactions that are prepared and not yet decided. */
  public static List<String> inDoubt(Database database) {
    try (Connection connection = database.connect()) {
      return list(connection, database.preparedTransactions(), row -> row.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException(
          "Prepared transactions cannot be read; " + database.whereabouts(), e);
    }
  }

  /** The transactions that hold a claim and have done nothing for a second; PostgreSQL only. */
  public static List<String> oldClaims(Database database) {
    try (Connection connection = database.connect()) {
      return list(connection, OLD_CLAIMS, row -> row.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException("Claims cannot be read; " + database.whereabouts(), e);
    }
  }

  /** The nodes that have reported, each of outbox and inbox, and whether within 15 seconds. */
  public static Map<String, Boolean> nodes(Database database) {
    try (Connection connection = database.connect()) {
      Map<String, Boolean> nodes = new TreeMap<>();
      list(connection, NODES, row -> nodes.put(row.getString(1), row.getBoolean(2)));
      return nodes;
    } catch (SQLException e) {
      throw new IllegalStateException("The nodes cannot be read; " + database.whereabouts(), e);
    }
  }

  /** The module and version of each living node, in order. */
  public static List<String> versions(Database database) {
    try (Connection connection = database.connect()) {
      return list(connection, NODE_VERSIONS, row -> row.getString(1));
    } catch (SQLException e) {
      throw new IllegalStateException("The nodes cannot be read; " + database.whereabouts(), e);
    }
  }

  /** Takes the relay's work away from it, for as long as the connection's transaction lasts. */
  public static void claimAllPartitions(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    list(connection, CLAIM_ALL_PARTITIONS, row -> row.getInt(1));
  }

  private static Map<String, Long> stock(Connection connection) throws SQLException {
    Map<String, Long> stock = new TreeMap<>();
    list(connection, STOCK, row -> stock.put(row.getString(1), row.getLong(2)));
    return stock;
  }

  @FunctionalInterface
  private interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  private static <T> List<T> list(Connection connection, String sql, Row<T> reader)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet rows = statement.executeQuery()) {
      List<T> list = new ArrayList<>();
      while (rows.next()) {
        list.add(reader.read(rows));
      }
      return list;
    }
  }

  private static String tag(String properties) {
    Matcher matcher = TAG.matcher(properties);
    return matcher.find() ? matcher.group() : "";
  }

  private static String text(@Nullable String value) {
    return Objects.requireNonNullElse(value, "");
  }

  private static long number(@Nullable String value) {
    return value != null && value.matches("\\d{1,18}") ? Long.parseLong(value) : 0;
  }
}
