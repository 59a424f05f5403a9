package io.postbox.inbox.store;

import static io.postbox.inbox.store.StatementCosts.undone;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.store.Dialect;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.store.RetentionStore.Kept;
import io.postbox.inbox.store.StatementCosts.Use;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Where the ids are divided by day, a statement about one id meets the table of its day alone, and
 * many rows cost what they cost in a table in one piece: the depth of that day's indexes. So it is
 * whether the parameters are planned for or not. -Dpostbox.rows=1000000 tries a million rows, over
 * eight days.
 */
class DividedRowsTest {
  private static final int MANY = Integer.getInteger("postbox.rows", 100_000);
  private static final int FEW = 5_500;
  private static final int DAYS = 3 + 1 + MessageTables.AHEAD;
  private static final int FRESH = 80_000_000; // later on each day than every row
  private static final int WITHOUT_ROW = 81_000_000;
  private static final String CONSUMER = "consumer-3";
  private static final Map<String, String> DAILY =
      Map.of("table-partitioning", "daily", "retention", "3d", "create-tables", "true");

  private static final String FIRST_DAY =
      "SELECT MIN(relname) FROM pg_class WHERE relispartition AND relkind = 'r'";

  private static final String TOUCHED =
      """
      SELECT relname, heap_blks_read + heap_blks_hit FROM pg_statio_user_tables
      UNION ALL
      SELECT indexrelname, idx_blks_read + idx_blks_hit FROM pg_statio_user_indexes
      """;

  private final InboxConfig config = TestConfig.shop(DAILY);
  private final InboxStore messages = new InboxStore(Dialect.POSTGRESQL, config.tables());
  private final RetentionStore retention = new RetentionStore(Dialect.POSTGRESQL, config.tables());
  private final List<PlanRecorder> recorders = new ArrayList<>();
  private Connection connection;
  private IdDay first;
  private IdDay day;
  private int filled;
  private int used;

  @BeforeEach
  void someRowsOfEachDay() throws SQLException {
    String url = TestDatabase.POSTGRESQL.freshUrl();
    try (Connection start = TestDatabase.connect(url)) {
      new Schema(Dialect.POSTGRESQL, config).prepare(start);
    }
    connection = TestDatabase.connect(url);
    execute("CREATE EXTENSION pageinspect");
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(FIRST_DAY)) {
      row.next();
      first = IdDay.of(row.getString(1)).orElseThrow();
      day = first.plus(5);
    }
    for (int n = 0; n < DAYS; n++) {
      execute("ALTER TABLE %s SET (autovacuum_enabled = off)".formatted(first.plus(n).table()));
    }
    for (String plans : List.of("force_custom_plan", "force_generic_plan")) {
      recorders.add(new PlanRecorder(TestDatabase.connect(url), "SET plan_cache_mode = " + plans));
    }
    for (int n = 0; n < 100; n++) {
      execute(
          "INSERT INTO inbox_result (consumer, message_id, effect, created_at) VALUES ('%s', '%s', '', '2025-01-01')"
              .formatted(CONSUMER, id(WITHOUT_ROW + n)));
    }
    fill(FEW);
  }

  @AfterEach
  void close() throws SQLException {
    for (PlanRecorder recorder : recorders) {
      recorder.connection().close();
    }
    connection.close();
  }

  /** An id of {@link #day}, that many milliseconds after midnight. */
  private String id(int n) {
    long millis = day.date().atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli() + n;
    return new UUID(millis << 16 | 0x7000, 0x8000000000000000L | n).toString();
  }

  /**
   * Messages of each day for which there is a table, for ten consumers. Some name somebody: of an
   * index without entries PostgreSQL does not remember how deep it is, and asks each time.
   */
  private void fill(int count) throws SQLException {
    execute(
        """
        INSERT INTO inbox_message (consumer, message_id, headers, source, fingerprint,
          fingerprint_version, data_subject)
        SELECT 'consumer-' || n / %1$s %% 10,
          overlay(millis PLACING '-' FROM 9 FOR 0) || '-7000-8000-' || lpad(to_hex(n), 12, '0'),
          '{"JMSType":"OrderPlaced"}', 'shop', sha256(''), 1,
          CASE WHEN n %% 7 = 0 THEN 'digest ' || n END
        FROM generate_series(%2$s, %3$s) n, LATERAL (
          SELECT lpad(to_hex(CAST(EXTRACT(EPOCH FROM DATE '%4$s' + n %% %1$s) AS BIGINT) * 1000 + n),
            12, '0') AS millis)
        """
            .formatted(DAYS, filled, filled + count - 1, first.date()));
    filled += count;
    execute("VACUUM ANALYZE inbox_message, inbox_result, inbox_stored");
  }

  private Map<Use, StatementCosts.Statement> delivery() {
    String id = id(FRESH + ++used);
    Delivery delivery = TestDelivery.of(id).to(CONSUMER).delivery();
    Map<Use, StatementCosts.Statement> round = new LinkedHashMap<>();
    for (boolean isNew : List.of(true, false)) {
      round.put(
          new Use(isNew ? "a message is new" : "a message is not new", day.table()),
          on ->
              assertThat(messages.insertIfAbsent(on, delivery, id, Outcome.PROCESSED))
                  .isEqualTo(isNew));
    }
    round.put(
        new Use("its fingerprint", day.table()),
        on -> assertThat(messages.fingerprintOf(on, CONSUMER, id)).isPresent());
    return round;
  }

  private Map<Use, StatementCosts.Statement> deliveryAndRetention() {
    Map<Use, StatementCosts.Statement> round = delivery();
    round.put(
        new Use("what is over, RESULT", "inbox_result"),
        undone(
            on ->
                assertThat(
                        retention
                            .delete(on, Kept.RESULT, CONSUMER, Instant.EPOCH, Instant.now(), 10)
                            .rows())
                    .isEqualTo(10)));
    return round;
  }

  @Test
  void anIdMeetsTheTableOfItsDayAlone() throws SQLException {
    String table = day.table();
    String key = table + "_pkey";
    Map<String, Set<String>> expected =
        Map.of(
            "a message is new", Set.of(table, key),
            "a message is not new", Set.of(table, key),
            "its fingerprint", Set.of(table, key));

    for (PlanRecorder recorder : recorders) {
      StatementCosts.of(recorder, this::delivery); // the first plans ask indexes for their depth
      for (Map.Entry<Use, StatementCosts.Statement> use : delivery().entrySet()) {
        Map<String, Long> before = touched(recorder);
        use.getValue().on(recorder.connection());
        Map<String, Long> now = touched(recorder);
        now.keySet().removeIf(name -> !name.startsWith("inbox_message"));
        now.entrySet().removeIf(pages -> pages.getValue().equals(before.get(pages.getKey())));
        assertThat(now.keySet())
            .as("%s: %s", use.getKey(), recorder.take())
            .isEqualTo(expected.get(use.getKey().purpose()));
      }
    }
  }

  @Test
  void manyRowsCostTheDepthOfOneDaysIndexes() throws Exception {
    List<StatementCosts> few = costs();
    fill(MANY - FEW);
    List<StatementCosts> many = costs();

    many.get(0).tell(few.get(0), "divided-rows.md");
    for (int i = 0; i < recorders.size(); i++) {
      many.get(i).assertOnlyDepthCosts(few.get(i));
    }
  }

  private List<StatementCosts> costs() throws SQLException {
    List<StatementCosts> costs = new ArrayList<>();
    for (PlanRecorder recorder : recorders) {
      costs.add(StatementCosts.of(recorder, this::deliveryAndRetention));
    }
    return costs;
  }

  /** How many pages of each table and index were ever touched. */
  private Map<String, Long> touched(PlanRecorder recorder) throws SQLException {
    for (Connection each : List.of(recorder.connection(), connection)) {
      try (Statement statement = each.createStatement()) {
        statement.execute("SELECT pg_stat_force_next_flush()");
      }
    }
    Map<String, Long> touched = new TreeMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(TOUCHED)) {
      while (row.next()) {
        touched.put(row.getString(1), row.getLong(2));
      }
    }
    return touched;
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
