package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.ops.FailureQueries;
import io.postbox.outbox.FailedAttempt;
import io.postbox.outbox.FailureGroup;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.store.FailureViews;
import io.postbox.outbox.store.StoredErrors;
import io.postbox.outbox.testing.PlanRecorder;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailureQueriesTest {
  private static final Set<String> BY_MESSAGE =
      Set.of("Index Scan pb_outbox_failure pb_outbox_failure_pk");
  private static final Set<String> BY_SIGNATURE =
      Set.of(
          "Index Scan pb_outbox_failure pb_outbox_failure_signature_ix",
          "Index Only Scan pb_outbox_failure pb_outbox_failure_signature_ix",
          "Index Only Scan pb_outbox_message pb_outbox_message_dead_signature_ix",
          "Index Only Scan pb_outbox_message pb_outbox_message_delayed_signature_ix");

  private static FailureQueries<FailedAttempt, FailureGroup> queries(
      DeadLetterFixture fixture, DataSource dataSource) {
    return new FailureQueries<>(
        DeadLetterFixture.calls(dataSource),
        new FailureViews(fixture.database.dialect(), fixture.config.tables(), StoredErrors.CLEAR));
  }

  /** Two failures each of so many messages that are gone. */
  static void fail(DeadLetterFixture fixture, int messages, String signature) {
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_outbox_failure
          (message_id, slot, failure_no, destination, attempt, dead, node, error_class, frame,
           error, signature)
        SELECT CAST('00000000-0000-7000-%s-' || LPAD(CAST(i AS VARCHAR), 12, '0') AS UUID), s.n,
          s.n + 1, 'd', s.n + 1, FALSE, 'n', '', '', 'why', '%s'
        FROM %s(1, %s) m (i) CROSS JOIN (VALUES (0), (1)) s (n)
        """
            .formatted(
                signature.repeat(2),
                signature,
                fixture.database == TestDatabase.H2 ? "SYSTEM_RANGE" : "generate_series",
                messages));
  }

  @ParameterizedTest
  @EnumSource
  void pagesFollowOneAnother(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    FailureQueries<FailedAttempt, FailureGroup> queries =
        queries(fixture, fixture.counting.dataSource());
    for (int i = 10; i < 35; i++) {
      fail(fixture, 2, Integer.toString(i));
    }
    fixture.dead(3, "d"); // 5ef0, without a history
    List<FailureGroup> found = new ArrayList<>();
    int before = fixture.counting.statements();
    List<FailureGroup> page = queries.groups("", 10);
    while (!page.isEmpty()) {
      found.addAll(page);
      page = queries.groups(page.get(page.size() - 1).signature(), 10);
    }

    assertThat(found).hasSize(26).extracting(FailureGroup::signature).isSorted();
    assertThat(found.subList(0, 25)).allMatch(group -> group.failures() == 4);
    assertThat(found.get(25).dead()).isEqualTo(3);
    assertThat(fixture.counting.statements() - before)
        .as("one for each page, the last of them empty, and two for each group")
        .isEqualTo(4 + 2 * 26);
  }

  @ParameterizedTest
  @EnumSource
  void countingEnds(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fail(fixture, 7_000, "aa");
    fixture.rows.execute("UPDATE shop.pb_outbox_message SET signature = 'aa'");

    FailureGroup group = queries(fixture, fixture.counting.dataSource()).groups("", 1).get(0);
    assertThat(group.failures()).isEqualTo(FailureGroup.MOST_COUNTED);
    assertThat(group.dead()).isZero();
  }

  /** Of fifty thousand failures of one cause it reads a share, and of ten thousand messages too. */
  @ParameterizedTest
  @ValueSource(strings = {"", "SET plan_cache_mode = force_generic_plan"})
  void onPostgresqlGroupsAndHistoriesAreReadByIndexesOnly(String settings) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL);
    fixture.insert("SENT", 5_000, "d", "'k'");
    fixture.insert("PENDING", 5_000, "d", "'k' || i");
    fixture.insert("DEAD", 10_000, "d", "'k' || i");
    fixture.insert("DELAYED", 2_000, "d", "'k' || i");
    fixture.rows.execute(
        "UPDATE shop.pb_outbox_message SET signature = NULL WHERE status IN ('PENDING', 'SENT')");
    fail(fixture, 25_000, "aa");
    fail(fixture, 25_000, "bb");
    fail(fixture, 1, "cc");
    UUID id = UUID.fromString("00000000-0000-7000-aaaa-000000000017");
    fixture.rows.execute("VACUUM ANALYZE shop.pb_outbox_message");
    fixture.rows.execute("VACUUM ANALYZE shop.pb_outbox_failure");
    PlanRecorder recorder = new PlanRecorder(fixture.counting.dataSource(), settings);
    FailureQueries<FailedAttempt, FailureGroup> queries = queries(fixture, recorder.dataSource());

    assertThat(queries.of(id)).hasSize(2);
    assertThat(recorder.take())
        .singleElement()
        .satisfies(history -> assertThat(history.steps()).anyMatch(BY_MESSAGE::contains));
    assertThat(queries.groups("", 100))
        .extracting(FailureGroup::signature)
        .containsExactly("5ef0", "aa", "bb", "cc");
    assertThat(recorder.take())
        .hasSize(1 + 4 * 2)
        .allSatisfy(
            execution -> {
              assertThat(execution.steps().stream().filter(step -> step.contains("pb_outbox")))
                  .as(execution.sql())
                  .isNotEmpty()
                  .isSubsetOf(BY_SIGNATURE);
              assertThat(execution.pages()).as(execution.sql()).isLessThan(200);
            });
  }

  @Test
  void onPostgresqlRetentionDeletesByAnIndex() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL);
    fail(fixture, 25_000, "aa");
    fixture.rows.execute(
        "UPDATE shop.pb_outbox_failure SET failed_at = failed_at - INTERVAL '900' DAY WHERE"
            + " failure_no = 2");
    fixture.rows.execute("ANALYZE shop.pb_outbox_failure");
    ExplainingDataSource explaining = new ExplainingDataSource(fixture.counting.dataSource());
    new Housekeeping(
            new OutboxTables(fixture.database.dialect(), fixture.config, explaining.dataSource()),
            fixture.clock)
        .runIfDue(Runnable::run);

    assertThat(explaining.plans())
        .filteredOn(plan -> plan.contains("pb_outbox_failure"))
        .isNotEmpty()
        .allMatch(plan -> plan.contains("Index Scan using pb_outbox_failure_failed_ix"));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 101})
  void aPageHasBounds(int size) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.H2);
    FailureQueries<FailedAttempt, FailureGroup> queries =
        queries(fixture, fixture.counting.dataSource());

    assertThatThrownBy(() -> queries.groups("", size))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A page has 1 to 100 groups, and not " + size);
  }

  @Test
  void aDatabaseThatFailsIsReported() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.H2);
    FailureQueries<FailedAttempt, FailureGroup> queries =
        queries(fixture, fixture.counting.dataSource());
    fixture.rows.execute("DROP TABLE shop.pb_outbox_failure");

    assertThatThrownBy(() -> queries.of(UUID.randomUUID()))
        .isInstanceOf(OutboxException.class)
        .hasMessageStartingWith("Recorded failures cannot be read: ");
  }
}
