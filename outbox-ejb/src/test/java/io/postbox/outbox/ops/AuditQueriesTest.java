package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.AuditEntry;
import io.postbox.common.AuditFilter;
import io.postbox.common.LookupPage;
import io.postbox.common.ops.AuditQueries;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.testing.PlanRecorder;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AuditQueriesTest {
  private static final AuditFilter ALL = AuditFilter.all();

  private static AuditQueries queries(DeadLetterFixture fixture) {
    return new AuditQueries(
        DeadLetterFixture.calls(fixture.counting.dataSource()), fixture.config.tables());
  }

  private static void record(DeadLetterFixture fixture, String module, int howMany) {
    String numbers =
        fixture.database == TestDatabase.H2
            ? "(SELECT X AS i FROM SYSTEM_RANGE(1, %s))"
            : "(SELECT generate_series AS i FROM generate_series(1, %s))";
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_postbox_audit
          (id, at, module, service, action, principal, reason, subject, messages)
        SELECT %s, CURRENT_TIMESTAMP - (i / 2) * INTERVAL '1' SECOND, '%s', 'shop',
          CASE MOD(i, 3) WHEN 0 THEN 'pause' ELSE 'discard' END, 'bob', 'why ' || i, 'all', i
        FROM %s n
        """
            .formatted(
                fixture.database == TestDatabase.H2 ? "RANDOM_UUID()" : "gen_random_uuid()",
                module,
                numbers.formatted(howMany)));
  }

  @ParameterizedTest
  @EnumSource
  void anActionIsListedWithWhoWhenWhyWhatAndHowMany(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(3, "d");
    fixture.redrive(fixture.plan());

    AuditEntry entry = queries(fixture).find(ALL, "", 10).items().get(0);
    assertThat(Duration.between(entry.at(), Instant.now()).abs()).isLessThan(Duration.ofHours(1));
    assertThat(entry)
        .isEqualTo(
            new AuditEntry(
                entry.id(),
                entry.at(),
                "outbox",
                "shop",
                "redrive",
                DeadLetterFixture.WHO,
                "why not",
                entry.subject(),
                3));
    assertThat(entry.subject()).contains("all");
  }

  @ParameterizedTest
  @EnumSource
  void entriesAreFoundByModuleActionPrincipalAndTime(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    record(fixture, "outbox", 30);
    record(fixture, "inbox", 30);
    AuditQueries queries = queries(fixture);

    assertThat(queries.find(ALL, "", 100).items())
        .hasSize(60)
        .extracting(AuditEntry::at)
        .isSortedAccordingTo((one, other) -> other.compareTo(one));
    assertThat(queries.find(ALL.module("inbox").action("pause"), "", 100).items()).hasSize(10);
    assertThat(queries.find(ALL.principal("eve"), "", 100).items()).isEmpty();
    Instant newest = queries.find(ALL, "", 1).items().get(0).at();
    assertThat(queries.find(ALL.from(newest), "", 100).items()).isNotEmpty();
    assertThat(queries.find(ALL.from(newest.plusSeconds(1)), "", 100).items()).isEmpty();
    assertThat(queries.find(ALL.before(newest.minusSeconds(5)), "", 100).items())
        .isNotEmpty()
        .allMatch(entry -> entry.at().isBefore(newest.minusSeconds(5)));
    List<AuditEntry> paged = new ArrayList<>();
    LookupPage<AuditEntry> page = queries.find(ALL.action("discard"), "", 7);
    paged.addAll(page.items());
    while (page.next().isPresent()) {
      page = queries.find(ALL.action("discard"), page.next().get(), 7);
      paged.addAll(page.items());
    }
    assertThat(paged).hasSize(40).doesNotHaveDuplicates();
  }

  @Test
  void onPostgresqlEntriesAreReadByTime() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL);
    record(fixture, "outbox", 30_000);
    fixture.rows.execute("VACUUM ANALYZE shop.pb_postbox_audit");
    PlanRecorder recorder = new PlanRecorder(fixture.counting.dataSource(), "");
    AuditQueries queries =
        new AuditQueries(DeadLetterFixture.calls(recorder.dataSource()), fixture.config.tables());
    Instant now = Instant.now();

    String next = queries.find(ALL, "", 50).next().orElseThrow();
    queries.find(ALL, next, 50);
    queries.find(ALL.principal("eve"), "", 50);
    queries.find(ALL.principal("eve").before(now.minusSeconds(3_000)), "", 50);
    assertThat(recorder.take())
        .hasSize(1 + 1 + 2 + 2)
        .allSatisfy(
            execution -> {
              assertThat(execution.steps().stream().filter(step -> step.contains("Scan pb_")))
                  .as("%s", execution)
                  .isNotEmpty()
                  .allMatch(step -> step.endsWith("pb_postbox_audit_at_ix"));
              assertThat(execution.pages()).as("%s", execution).isLessThan(12_000);
            });
  }

  @Test
  void aDatabaseThatFailsIsReported() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.H2);
    AuditQueries queries = queries(fixture);
    assertThatThrownBy(() -> queries.find(ALL, "", 101))
        .isInstanceOf(IllegalArgumentException.class);
    fixture.rows.execute("DROP TABLE shop.pb_postbox_audit");

    assertThatThrownBy(() -> queries.find(ALL, "", 9))
        .isInstanceOf(OutboxException.class)
        .hasMessageStartingWith("The audit trail cannot be read: ");
  }
}
