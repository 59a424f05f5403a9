package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.store.Dialect;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.store.RetentionStore.Deleted;
import io.postbox.inbox.store.RetentionStore.Kept;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * On PostgreSQL, while an old snapshot is open, as that of a backup: no entry can be cleaned up.
 */
class RetentionFloorTest {
  private static final int BATCH = 1_000;
  private static final int BATCHES = 20;
  private final InboxConfig config = TestConfig.shop(true);
  private final RetentionStore store = new RetentionStore(Dialect.POSTGRESQL, config.tables());

  @ParameterizedTest
  @ValueSource(strings = {"force_custom_plan", "force_generic_plan"})
  void aBatchDoesNotWalkOverThoseBeforeIt(String plans) throws SQLException {
    List<Long> fromTheMark = pagesOfEachBatch(true, plans);
    List<Long> fromTheBeginning = pagesOfEachBatch(false, plans);

    assertThat(growth(fromTheMark)).as("%s", fromTheMark).isLessThan(100);
    assertThat(growth(fromTheBeginning))
        .as("or this would show nothing: %s", fromTheBeginning)
        .isGreaterThan(300);
  }

  private static long growth(List<Long> pages) {
    return pages.get(BATCHES - 1) - pages.get(0);
  }

  private List<Long> pagesOfEachBatch(boolean keepsTheMark, String plans) throws SQLException {
    String url = TestDatabase.POSTGRESQL.freshUrl();
    List<Long> pages = new ArrayList<>();
    try (Connection real = TestDatabase.connect(url);
        Connection old = TestDatabase.connect(url)) {
      new Schema(Dialect.POSTGRESQL, config).prepare(real);
      real.setAutoCommit(true);
      execute(
          real,
          """
          INSERT INTO inbox_message (consumer, message_id, headers, fingerprint,
            fingerprint_version, processed_at)
          SELECT 'shipping', 'id-' || n, '', sha256(''), 1, TIMESTAMPTZ '2025-01-01' + n * INTERVAL '1 s'
          FROM generate_series(1, 30000) n
          """);
      execute(real, "VACUUM ANALYZE inbox_message, inbox_stored");
      old.setAutoCommit(false);
      old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      execute(old, "SELECT COUNT(*) FROM inbox_message");
      PlanRecorder recorder = new PlanRecorder(real, "SET plan_cache_mode = " + plans);
      real.setAutoCommit(false);
      Instant from = RetentionStore.BEGINNING;
      for (int i = 0; i < BATCHES; i++) {
        Deleted deleted =
            store.delete(
                recorder.connection(), Kept.MESSAGE, "shipping", from, Instant.now(), BATCH);
        assertThat(deleted.rows()).isEqualTo(BATCH);
        from = keepsTheMark ? deleted.lowWaterMark() : from;
        real.commit();
        PlanRecorder.Execution execution = recorder.take().get(0);
        assertThat(execution.plan())
            .as("whatever PostgreSQL thinks of how many there are")
            .noneMatch(line -> line.contains("Sort"));
        pages.add(execution.pages());
      }
    }
    return pages;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
