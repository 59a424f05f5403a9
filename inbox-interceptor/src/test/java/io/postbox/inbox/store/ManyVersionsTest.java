package io.postbox.inbox.store;

import static io.postbox.inbox.store.StatementCosts.undone;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.store.StatementCosts.Statement;
import io.postbox.inbox.store.StatementCosts.Use;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Each statement of the order of versions is executed in the same way as on a thousand rows, with
 * as many buffered versions of one aggregate, and with as many aggregates of which one version is
 * buffered. -Dpostbox.rows=1000000 tries a million.
 */
class ManyVersionsTest {
  private static final int MANY = Integer.getInteger("postbox.rows", 100_000);
  private static final int FEW = 1_000;
  private static final String CONSUMER = "consumer-3";

  private final TableNames tables = new TableNames("", "");
  private final VersionStore versions = new VersionStore(Dialect.POSTGRESQL, tables);
  private final HandBackStore handBacks =
      new HandBackStore(Dialect.POSTGRESQL, tables, KeptContents.CLEAR);
  private Connection connection;
  private PlanRecorder recorder;
  private int filled;

  @BeforeEach
  void aThousandRows() throws SQLException {
    String url = TestDatabase.POSTGRESQL.freshUrl();
    try (Connection start = TestDatabase.connect(url)) {
      new Schema(Dialect.POSTGRESQL, TestConfig.of("shop", tables, true)).prepare(start);
    }
    connection = TestDatabase.connect(url);
    execute("CREATE EXTENSION pageinspect");
    for (String table : List.of("inbox_aggregate", "inbox_stored", "inbox_discarded")) {
      execute("ALTER TABLE %s SET (autovacuum_enabled = off)".formatted(table));
      execute("ALTER TABLE %s SET UNLOGGED".formatted(table));
    }
    recorder =
        new PlanRecorder(TestDatabase.connect(url), "SET plan_cache_mode = force_generic_plan");
    fill(FEW);
  }

  @AfterEach
  void close() throws SQLException {
    recorder.connection().close();
    connection.close();
  }

  /** Ten consumers; each has one aggregate with many versions and many with one. */
  private void fill(int count) throws SQLException {
    String rows = "generate_series(%s, %s) n".formatted(filled, filled + count - 1);
    if (filled == 0) {
      execute(
          """
          INSERT INTO inbox_aggregate (consumer, aggregate_type, aggregate_id, version, waiting_since)
          SELECT 'consumer-' || n, 'Order', 'one', 0, clock_timestamp() FROM generate_series(0, 9) n
          """);
    }
    execute(
        """
        INSERT INTO inbox_aggregate (consumer, aggregate_type, aggregate_id, version, waiting_since)
        SELECT 'consumer-' || n %% 10, 'Order', 'o-' || lpad(n::text, 9, '0'), 1, clock_timestamp()
        FROM %s
        """
            .formatted(rows));
    execute(
        """
        INSERT INTO inbox_discarded SELECT consumer, aggregate_type, aggregate_id, 2
        FROM inbox_aggregate WHERE aggregate_id > 'o-' ON CONFLICT DO NOTHING
        """);
    for (String aggregate : List.of("'one', n + 2", "'o-' || lpad(n::text, 9, '0'), 4")) {
      execute(
          """
          INSERT INTO inbox_stored (consumer, aggregate_type, aggregate_id, aggregate_version,
            message_id, status, captured, precedence, reason, fingerprint, fingerprint_version,
            headers, size, body_type, payload_text, properties, kept_at)
          SELECT 'consumer-' || n %% 10, 'Order', %s, 'm-' || %s || lpad(n::text, 9, '0'), 'EARLY',
            FALSE, 5, 'EARLY', sha256(''), 1, '{}', 500, 'TEXT', repeat('body ', 100), '{}',
            clock_timestamp() FROM %s
          """
              .formatted(aggregate, aggregate.length(), rows));
    }
    if (filled == 0) {
      execute(
          "UPDATE inbox_stored SET status = 'HANDED_BACK', due_at = clock_timestamp() WHERE"
              + " aggregate_id < 'o-000000020'");
    }
    filled += count;
    execute("VACUUM ANALYZE inbox_stored, inbox_aggregate, inbox_discarded");
  }

  private Map<Use, Statement> statements() {
    Map<Use, Statement> all = new LinkedHashMap<>();
    Aggregate one = new Aggregate("Order", "one", 0);
    Aggregate of = new Aggregate("Order", "o-000000503", 1);
    all.put(
        new Use("the place of an aggregate", "inbox_aggregate"),
        on -> assertThat(versions.lock(on, CONSUMER, of, 1).isAwaited()).isTrue());
    all.put(
        new Use("it moves on", "inbox_aggregate"),
        undone(on -> versions.moveOn(on, CONSUMER, of, true)));
    all.put(
        new Use("it is awaited", "inbox_aggregate"),
        undone(on -> versions.await(on, CONSUMER, of)));
    for (Aggregate each : List.of(one, of)) {
      all.put(
          new Use("the first that waits, of " + each.id(), "inbox_stored"),
          on -> assertThat(versions.firstWaiting(on, CONSUMER, each)).isPresent());
    }
    all.put(
        new Use("the next version is released", "inbox_stored"),
        undone(
            on ->
                assertThat(versions.mark(on, CONSUMER, new Aggregate("Order", "one", 5)))
                    .isPositive()));
    all.put(
        new Use("whether all between are discarded", "inbox_discarded"),
        on ->
            assertThat(versions.allDiscarded(on, CONSUMER, new Aggregate("Order", of.id(), 3), 1))
                .isTrue());
    all.put(
        new Use("whether it waits already", "inbox_stored"),
        on -> assertThat(versions.fingerprintOfWaiting(on, CONSUMER, "m-12000000503")).isPresent());
    all.put(
        new Use("what is to be sent", "inbox_stored"),
        on -> assertThat(handBacks.due(on, CONSUMER, 2)).hasSize(2));
    return all;
  }

  @Test
  @Tag("full")
  void everyStatementIsExecutedAsOnAThousandRows() throws Exception {
    StatementCosts few = StatementCosts.of(recorder, this::statements);
    fill(MANY - FEW);
    StatementCosts many = StatementCosts.of(recorder, this::statements);

    many.tell(few, "many-versions.md");
    many.assertOnlyDepthCosts(few);
  }

  private void execute(String sql) throws SQLException {
    try (java.sql.Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
