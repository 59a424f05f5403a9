package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.config.TestConfig;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Each statement is executed in the same way as on a thousand rows, by indexes, and touches no
 * pages more than those by which the indexes have become deeper. PostgreSQL says so, with the
 * parameters planned for and, as it plans what is used often, without regard to them.
 * -Dpostbox.rows=10000000 tries ten million.
 */
class ManyRowsTest {
  private static final int MANY = Integer.getInteger("postbox.rows", 200_000);
  private static final int FEW = 1_000;
  private static final Instant LONG_AGO = Instant.parse("2026-01-01T00:00:00Z");

  private final TableNames tables = new TableNames("", "");
  private final List<Node> nodes = new ArrayList<>();
  private Connection connection;
  private int filled;

  @BeforeEach
  void aThousandRows() throws SQLException {
    String url = TestDatabase.POSTGRESQL.freshUrl();
    try (Connection start = TestDatabase.connect(url)) {
      new Schema(Dialect.POSTGRESQL, TestConfig.of("shop", tables, true)).prepare(start);
    }
    connection = TestDatabase.connect(url);
    execute("CREATE EXTENSION pageinspect");
    for (String table :
        List.of("inbox_message", "inbox_failure", "inbox_attempt", "inbox_result")) {
      execute("ALTER TABLE %s SET (autovacuum_enabled = off)".formatted(table));
      execute("ALTER TABLE %s SET UNLOGGED".formatted(table)); // filled in half the time
    }
    nodes.add(node(url, "force_custom_plan", 3));
    nodes.add(node(url, "force_generic_plan", 6));
    fill(FEW);
  }

  /** Something with a connection of its own, whose statements are planned in a way of its own. */
  private record Node(PlanRecorder recorder, HotStatements statements) {
    StatementCosts costs() throws SQLException {
      return StatementCosts.of(recorder, statements);
    }
  }

  private Node node(String url, String plans, int consumer) throws SQLException {
    return new Node(
        new PlanRecorder(TestDatabase.connect(url), "SET plan_cache_mode = " + plans),
        new HotStatements(
            tables, consumer, String.format(Locale.ROOT, "%036x", 990 + consumer), LONG_AGO));
  }

  @AfterEach
  void close() throws SQLException {
    for (Node node : nodes) {
      node.recorder.connection().close();
    }
    connection.close();
  }

  /**
   * Ten consumers; the first rows are old. One message in ten failed, and one left a result. Stored
   * messages lie by consumer, so that no node meets in its pages what the other has left there.
   */
  private void fill(int count) throws SQLException {
    fill(
        count,
        """
        inbox_message (consumer, message_id, processed_at, headers, source, fingerprint,
          fingerprint_version)
        SELECT consumer, id, at, '{"JMSType":"OrderPlaced"}', 'shop', sha256(''), 1 FROM row
        """);
    fill(
        count,
        """
        inbox_failure (consumer, message_id, failed_at, attempt, kind, reason)
        SELECT consumer, id, at, 1, 'FAILED', repeat('because ', 60) FROM row WHERE few OR n / 10 % 10 = 0
        """);
    fill(
        count,
        """
        inbox_attempt (consumer, message_id, node, alone, begun_at, alive_at)
        SELECT consumer, id, 'a process', FALSE, at, at FROM row WHERE few OR n / 10 % 10 = 0
        """);
    fill(
        count,
        """
        inbox_result (consumer, message_id, created_at, effect, result)
        SELECT consumer, 'not handled ' || id, at, '', repeat('result ', 60) FROM row
        WHERE few OR n / 10 % 10 = 1
        """);
    fill(
        count,
        """
        inbox_stored (consumer, message_id, captured, stored_at, kept_at, due_at, status,
          ordering_key, precedence, fingerprint, fingerprint_version, headers, size, body_type,
          payload_text, properties)
        SELECT consumer, 'captured ' || id, TRUE, at, CASE WHEN few AND n / 10 % 5 > 0 THEN at END,
          CASE n / 10 % 5 WHEN 1 THEN TIMESTAMPTZ '2300-01-01 00:00:00+00' END,
          CASE WHEN n / 10 % 5 = 0 THEN 'PENDING' WHEN few THEN 'PROCESSED'
               WHEN n / 10 % 5 = 1 THEN 'DELAYED' ELSE 'HELD' END,
          CASE WHEN n / 10 % 5 > 1 THEN 'key ' || n % 1000 END,
          5, sha256(''), 1, '{}', 600, 'TEXT', repeat('body ', 100), '{}' FROM row
        WHERE few OR n / 10 % 10 < 5
        ORDER BY consumer, n
        """);
    fill(
        count,
        """
        inbox_stored (consumer, message_id, kept_at, status, captured, precedence, reason, error,
          attempts, fingerprint, fingerprint_version, headers, size, body_type, payload_text,
          properties)
        SELECT consumer, 'parked ' || id, at, 'PARKED', FALSE, 5, 'TOO_MANY_FAILURES', 'an error',
          10, sha256(''), 1, '{}', 500, 'TEXT', repeat('body ', 100), '{}' FROM row WHERE few
        """);
    fill(
        count,
        """
        inbox_key (consumer, ordering_key) SELECT consumer, 'key ' || id FROM row
        WHERE few OR n / 10 % 10 = 0
        """);
    filled += count;
    execute(
        "VACUUM ANALYZE inbox_message, inbox_failure, inbox_attempt, inbox_result, inbox_stored,"
            + " inbox_key");
  }

  private void fill(int count, String insert) throws SQLException {
    execute(
        """
        WITH row AS (
          SELECT n, n < %3$s AS few, 'consumer-' || n %% 10 AS consumer,
            lpad(to_hex(n), 36, '0') AS id,
            TIMESTAMPTZ '2025-01-01 00:00:00+00' + n * INTERVAL '1 second'
              + CASE WHEN n < %3$s THEN INTERVAL '0' ELSE INTERVAL '700 days' END AS at
          FROM generate_series(%1$s, %2$s) n)
        INSERT INTO
        """
                .formatted(filled, filled + count - 1, FEW)
            + insert);
  }

  @Test
  void everyStatementIsExecutedAsOnAThousandRows() throws Exception {
    List<StatementCosts> few = costs();
    fill(MANY - FEW);
    List<StatementCosts> many = costs();

    many.get(0).tell(few.get(0), "many-rows.md");
    for (int node = 0; node < nodes.size(); node++) {
      many.get(node).assertOnlyDepthCosts(few.get(node));
    }
  }

  private List<StatementCosts> costs() throws SQLException {
    List<StatementCosts> costs = new ArrayList<>();
    for (Node node : nodes) {
      costs.add(node.costs());
    }
    return costs;
  }

  /**
   * PostgreSQL takes a name that it has not met for that of no rows, and then any index will do.
   */
  @Test
  void theRowsOfAConsumerThatIsNewSinceTheLastAnalyzeAreFoundByTheirKeys() throws SQLException {
    fill(20_000);
    for (String table :
        List.of("inbox_message", "inbox_failure", "inbox_attempt", "inbox_result")) {
      execute(
          """
          CREATE TEMPORARY TABLE newcomer AS SELECT * FROM %1$s WHERE consumer = 'consumer-5';
          UPDATE newcomer SET consumer = 'newcomer';
          INSERT INTO %1$s OVERRIDING USER VALUE SELECT * FROM newcomer;
          DROP TABLE newcomer;
          """
              .formatted(table));
    }
    InboxStore messages = new InboxStore(Dialect.POSTGRESQL, tables);
    FailureStore failures =
        new FailureStore(Dialect.POSTGRESQL, tables, KeptContents.CLEAR.texts());
    AttemptStore attempts = new AttemptStore(Dialect.POSTGRESQL, tables);
    ResultStore results = new ResultStore(Dialect.POSTGRESQL, tables, KeptContents.CLEAR.texts());
    String known = String.format(Locale.ROOT, "%036x", 995);

    for (Node node : nodes) {
      Connection on = node.recorder.connection();
      assertThat(messages.fingerprintOf(on, "newcomer", known)).isPresent();
      assertThat(failures.of(on, "newcomer", known).total()).isEqualTo(1);
      assertThat(attempts.left(on, "newcomer", known)).hasSize(1);
      assertThat(results.get(on, "newcomer", "not handled " + known, "")).isPresent();
      assertThat(node.recorder.take())
          .extracting(execution -> execution.searches().keySet())
          .containsExactly(
              Set.of("inbox_message_pk"),
              Set.of("inbox_failure_message_ix"),
              Set.of("inbox_attempt_message_ix"),
              Set.of("inbox_result_pk"));
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
