package io.postbox.outbox.relay;

import io.postbox.common.store.Dialect;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.config.OutboxConfig.AfterSending;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.relay.PartitionClaims.Claim;
import io.postbox.outbox.store.ClaimStore;
import io.postbox.outbox.store.PollStore;
import io.postbox.outbox.store.Schema;
import io.postbox.outbox.testing.PlanRecorder;
import io.postbox.outbox.testing.PlanRecorder.Execution;
import io.postbox.outbox.testing.Rows;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.sql.DataSource;

/**
 * PostgreSQL tables of very many rows, and a node whose every plan is recorded. Nothing vacuums or
 * analyses the tables unless a test does.
 */
final class HotTables {
  static final int PARTITIONS = 16;
  static final int BATCH = 50;

  /** A plan without regard to the parameters, such as a statement gets that is used often. */
  static final String GENERIC = "SET plan_cache_mode = force_generic_plan";

  final Rows rows;
  private final DataSource database = TestDatabase.POSTGRESQL.fresh();
  private int filled;

  HotTables() throws SQLException {
    OutboxConfig config = TestConfig.DEFAULT.config();
    rows = new Rows(database, config.tables());
    try (Connection connection = database.getConnection()) {
      new Schema(Dialect.POSTGRESQL, config).prepare(connection);
    }
    for (String table :
        List.of("message", "partition", "held_key", "archive", "switch", "failure")) {
      rows.execute("ALTER TABLE outbox_" + table + " SET (autovacuum_enabled = off)");
    }
    // Without a log they are filled in half the time; pages and plans are the same.
    rows.execute("ALTER TABLE outbox_message SET UNLOGGED");
  }

  /** Messages, spread over all partitions, as enqueueing them leaves them; ten to a key. */
  void fill(int count, String destination, String status) {
    rows.execute(
        """
        INSERT INTO outbox_message (partition_no, id, destination, ordering_key, event_type,
          content_type, payload_text, headers, status, sent_at)
        SELECT n %% 16, lpad(to_hex(n + %4$s), 32, '0')::uuid, '%2$s', '%2$s-' || n %% 16 || '-' || n / 160,
          'OrderPlaced', 'text/plain', repeat('x', 100), '{}', '%3$s',
          CASE '%3$s' WHEN 'SENT' THEN clock_timestamp() - INTERVAL '1 hour' END
        FROM generate_series(0, %1$s - 1) n
        """
            .formatted(count, destination, status, filled));
    filled += count;
  }

  /** Messages of one key in partition 0: the first may go, and all others are held behind it. */
  void fillBehindAHead(int count, String destination, String key) {
    rows.execute(
        """
        INSERT INTO outbox_message (partition_no, id, destination, ordering_key, event_type,
          content_type, payload_text, headers, status)
        SELECT 0, lpad(to_hex(n + %4$s), 32, '0')::uuid, '%2$s', '%3$s', 'OrderPlaced',
          'text/plain', repeat('x', 100), '{}', CASE n WHEN 0 THEN 'PENDING' ELSE 'HELD' END
        FROM generate_series(0, %1$s - 1) n
        """
            .formatted(count, destination, key, filled));
    rows.execute(
        """
        INSERT INTO outbox_held_key (partition_no, destination, ordering_key, head_id)
        SELECT partition_no, destination, ordering_key, id FROM outbox_message
        WHERE partition_no = 0 AND destination = '%s' AND ordering_key = '%s'
          AND status = 'PENDING'
        """
            .formatted(destination, key));
    filled += count;
  }

  /** Failures of other messages, two of each. */
  void fillFailures(int messages) {
    rows.execute(
        """
        INSERT INTO outbox_failure (message_id, slot, failure_no, destination, attempt, dead, node,
          error_class, frame, error, signature)
        SELECT ('f' || lpad(to_hex(n), 31, '0'))::uuid, s, s + 1, 'd', s + 1, FALSE, 'n', '', '', 'why',
          to_hex(n %% 100)
        FROM generate_series(1, %s) n CROSS JOIN generate_series(0, 1) s
        """
            .formatted(messages));
  }

  /** Messages whose deletion an old snapshot sees; the caller ends it. */
  Connection fillWithDeadRows(int count, String destination) throws SQLException {
    Connection snapshot = database.getConnection();
    snapshot.setAutoCommit(false);
    snapshot.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement statement = snapshot.createStatement()) {
      statement.execute("SELECT 1 FROM outbox_partition");
    }
    fill(count, destination, "PENDING");
    rows.execute("DELETE FROM outbox_message");
    return snapshot;
  }

  void analyse() {
    rows.execute("ANALYZE");
  }

  Node node(AfterSending afterSending, String settings) {
    return new Node(database, afterSending, settings);
  }

  Node node() {
    return node(AfterSending.DELETE, "");
  }

  /** A relay on these tables, one batch at a time. */
  static final class Node {
    final FakeBroker broker = new FakeBroker();
    final CircuitBreakers breakers;
    private final PlanRecorder recorder;
    private final PartitionClaims claims;
    private final BatchProcessor pass;
    private final VirtualClock clock = new VirtualClock();

    /** How long a read from the start of a lane takes. */
    Duration startTakes = Duration.ZERO;

    private Node(DataSource database, AfterSending afterSending, String settings) {
      OutboxConfig config = TestConfig.DEFAULT.withRelay(1, BATCH).config();
      recorder = new PlanRecorder(database, settings);
      claims =
          new JdbcPartitionClaims(
              recorder.dataSource(),
              new ClaimStore(
                  Dialect.POSTGRESQL,
                  config.tables(),
                  afterSending,
                  Relay.longestSilence(config),
                  ""),
              new PollStore(Dialect.POSTGRESQL, config.tables()));
      breakers = new CircuitBreakers(clock);
      pass =
          new BatchProcessor(
              timed(PartitionClaims.class, claims),
              lane -> broker,
              breakers,
              new RelayFixture.RecordingListener(),
              config.delivery(),
              config::recovery,
              config.relay().batchSize(),
              () -> 0.5,
              clock);
    }

    private <T> T timed(Class<T> type, T real) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (proxy, method, arguments) -> timed(real, method, arguments)));
    }

    private Object timed(Object real, Method method, Object[] arguments) throws Throwable {
      Object result;
      try {
        result = method.invoke(real, arguments);
      } catch (InvocationTargetException failed) {
        throw failed.getCause();
      }
      if (method.getName().equals("read") && arguments[1].equals(0L)) {
        clock.pass(startTakes);
      }
      return result instanceof Optional<?> claim
          ? claim.map(it -> timed(Claim.class, (Claim) it))
          : result;
    }

    private List<Execution> recorded(Callable<?> work) throws Exception {
      recorder.take();
      work.call();
      return recorder.take();
    }

    /** A second after the one before, so that each begins at the lane's start. */
    List<Execution> pass(int partition, String destination) throws Exception {
      return pass(partition, destination, Duration.ofSeconds(1));
    }

    /** So long after the one before. */
    List<Execution> pass(int partition, String destination, Duration wait) throws Exception {
      clock.pass(wait);
      return recorded(() -> pass.run(new Lane(partition, destination)));
    }

    List<Execution> poll() throws Exception {
      return recorded(claims::poll);
    }

    List<Lane> lanes() throws SQLException {
      return claims.poll().lanes();
    }

    List<Execution> wakeDelayed() throws Exception {
      return recorded(claims::wakeDelayed);
    }

    List<Execution> first(int partition, String destination) throws Exception {
      return recorded(() -> claims.first(new Lane(partition, destination)));
    }
  }

  /** All pages that statements touched, each as often as it was. */
  static long pages(List<Execution> executions) {
    return executions.stream().mapToLong(Execution::pages).sum();
  }
}
