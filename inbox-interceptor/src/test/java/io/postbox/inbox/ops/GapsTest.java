package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.ErasureTarget;
import io.postbox.common.LookupPage;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanToken;
import io.postbox.common.RedrivePace;
import io.postbox.common.log.RecordedError;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.GapFilter;
import io.postbox.inbox.GapPlan;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.SkippedGaps;
import io.postbox.inbox.VersionGap;
import io.postbox.inbox.VersionGap.Versions;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Subject;
import io.postbox.inbox.store.FailureStore;
import io.postbox.inbox.store.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GapsTest {
  private KeptFixture fixture;
  private Gaps gaps;
  private Dialect dialect;

  private void on(TestDatabase database) throws SQLException {
    fixture = new KeptFixture(database);
    dialect = database == TestDatabase.H2 ? Dialect.H2 : Dialect.POSTGRESQL;
    gaps = fixture.gaps(fixture.dataSource);
  }

  /** An aggregate with its last version, and messages that wait. */
  private void gap(String id, long last, int minutes, long... waiting) {
    fixture.run(
        """
        INSERT INTO shop.pb_inbox_aggregate
          (consumer, aggregate_type, aggregate_id, version, waiting_since)
        VALUES ('ordered', 'Order', '%s', %s, CURRENT_TIMESTAMP - %s * INTERVAL '1' MINUTE)
        """
            .formatted(id, last, minutes));
    for (long version : waiting) {
      message(id, version, "EARLY");
    }
  }

  private void message(String id, long version, String reason) {
    fixture.run(
        """
        INSERT INTO shop.pb_inbox_stored
          (consumer, message_id, status, captured, precedence, size, headers, kept_at, reason,
           aggregate_type, aggregate_id, aggregate_version, fingerprint, fingerprint_version,
           destination, body_type, payload_text, properties)
        VALUES ('ordered', '%1$s@%2$s', '%5$s', FALSE, 5, 0, '{}', CURRENT_TIMESTAMP, '%3$s', 'Order',
          '%1$s', %2$s, %4$s, 1, 'queue:Q', 'TEXT', 'body', '{"headers":{},"properties":{}}')
        """
            .formatted(
                id,
                version,
                reason,
                fixture.fingerprint(),
                reason.equals("EARLY") ? "EARLY" : "PARKED"));
  }

  private VersionGap only() {
    return gaps.find(GapFilter.all(), "", 10).items().get(0);
  }

  @ParameterizedTest
  @EnumSource
  void aGapIsTheVersionsBetweenTheLastAndTheFirstThatWaits(TestDatabase database)
      throws SQLException {
    on(database);
    gap("42", 4, 20, 9, 12);
    message("42", 7, "TOO_MANY_FAILURES");
    fixture.run("INSERT INTO shop.pb_inbox_discarded VALUES ('ordered', 'Order', '42', 6)");

    VersionGap found = only();

    assertThat(found.consumer()).isEqualTo("ordered");
    assertThat(found.aggregateType()).isEqualTo("Order");
    assertThat(found.aggregateId()).isEqualTo("42");
    assertThat(found.lastHandled()).isEqualTo(4);
    assertThat(found.firstWaiting()).isEqualTo(9);
    assertThat(found.missing()).containsExactly(new Versions(5, 5), new Versions(7, 8));
    assertThat(found.missingVersions()).isEqualTo("5, 7 to 8");
    assertThat(found.waiting()).isEqualTo(2);
    assertThat(found.kept()).as("the parked one").hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void pagesGoByConsumerAndAgeAndFiltersApply(TestDatabase database) throws SQLException {
    on(database);
    for (int number = 1; number <= 5; number++) {
      gap("a" + number, 1, number, 3);
    }
    gap("nothing waits any more", 1, 9);
    List<String> found = new ArrayList<>();
    String after = "";
    do {
      LookupPage<VersionGap> page = gaps.find(GapFilter.all(), after, 2);
      page.items().forEach(each -> found.add(each.aggregateId()));
      after = page.next().orElse("");
    } while (!after.isEmpty());

    assertThat(found).containsExactly("a5", "a4", "a3", "a2", "a1");
    assertThat(gaps.find(GapFilter.all().aggregate("Order", "a3"), "", 10).items()).hasSize(1);
    assertThat(gaps.find(GapFilter.all().consumer("other"), "", 10).items()).isEmpty();
    assertThat(
            gaps.find(GapFilter.all().missingBefore(only().missingSince().plusSeconds(90)), "", 10)
                .items())
        .extracting(VersionGap::aggregateId)
        .containsExactly("a5", "a4");
    assertThatThrownBy(() -> gaps.find(GapFilter.all(), "x", 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Begin with the first page");
    assertThat(gaps.overdue("ordered", Duration.ofSeconds(210), 10).number()).isEqualTo(2);
    assertThat(gaps.overdue("ordered", Duration.ofSeconds(30), 3).number()).isEqualTo(3);
  }

  private SkippedGaps skip(PlanToken plan, String who, String why) {
    return gaps.skip(plan.id(), who, why, consumer -> {});
  }

  @ParameterizedTest
  @EnumSource
  void aSkipLeavesOneRowForAGapOfABillionVersions(TestDatabase database) throws SQLException {
    on(database);
    gap("42", 4, 20, 1_000_000_000, 1_000_000_001);
    GapPlan plan = gaps.plan(GapFilter.all(), KeptFixture.WHO);

    assertThat(skip(plan.token(), KeptFixture.WHO, "the sender lost them"))
        .isEqualTo(new SkippedGaps(1, 0));

    assertThat(fixture.column("SELECT version FROM shop.pb_inbox_aggregate"))
        .containsExactly("999999999");
    assertThat(fixture.column("SELECT version FROM shop.pb_inbox_discarded"))
        .as("so that a late copy of it is stale, as are those before it")
        .containsExactly("999999999");
    assertThat(
            fixture.column(
                "SELECT message_id FROM shop.pb_inbox_stored WHERE status = 'HANDED_BACK'"))
        .containsExactly("42@1000000000");
    assertThat(fixture.column(KeptFixture.AUDIT))
        .containsExactlyInAnyOrder(
            "skip-gaps ada the sender lost them 1 inbox shop",
            "skip-versions ada the sender lost them 1 inbox shop");
    assertThat(
            fixture.column(
                "SELECT subject FROM shop.pb_postbox_audit WHERE action = 'skip-versions'"))
        .containsExactly(
            "'ordered', Order 42: missing 5 to 999999999; last handled 4, first waiting"
                + " 1000000000");
  }

  private void captured(String id, long version, String status) {
    fixture.run(
        """
        INSERT INTO shop.pb_inbox_stored
          (consumer, message_id, status, captured, precedence, aggregate_type, aggregate_id,
           aggregate_version, fingerprint, fingerprint_version, headers, size, body_type, properties)
        VALUES ('ordered', '%1$s@%2$s', '%3$s', TRUE, 5, 'Order', '%1$s', %2$s, %4$s, 1, '{}', 0, 'NONE',
          '{"headers":{},"properties":{}}')
        """
            .formatted(id, version, status, fixture.fingerprint()));
  }

  private void failed(String id, long version) {
    Failure failure =
        new Failure(
            "ordered",
            id + "@" + version,
            1,
            Failure.Kind.FAILED,
            null,
            RecordedError.of("no stock"),
            0,
            false,
            new Subject("Order", id, version),
            null);
    try {
      new LocalTransactions(fixture.dataSource)
          .commit(
              connection -> {
                new FailureStore(dialect, fixture.config.tables(), fixture.contents.texts())
                    .insert(connection, "node", failure);
                return true;
              });
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMissingVersionThatIsHereIsShownWithItsReason(TestDatabase database) throws SQLException {
    on(database);
    gap("42", 4, 20, 12);
    captured("42", 5, "HELD");
    captured("42", 6, "DELAYED");
    failed("42", 6);
    captured("42", 7, "PENDING");
    failed("42", 8);
    failed("42", 8);
    message("42", 9, "TOO_MANY_FAILURES");
    failed("42", 9);
    captured("42", 4, "PROCESSED");
    captured("42", 13, "PENDING");
    captured("43", 5, "PENDING");

    VersionGap found = only();

    assertThat(found.here())
        .extracting(VersionGap.Here::toString)
        .containsExactly("5 (HELD)", "6 (DELAYED)", "7 (PENDING)", "8 (FAILING)");
    assertThat(found.kept()).hasSize(1);
    assertThat(found.isAnyHere()).isTrue();
  }

  /** It may have expired in its queue, or its sender's broker may be gone. */
  @ParameterizedTest
  @EnumSource
  void aVersionWhoseRedeliveryIsLongOverdueIsNotHere(TestDatabase database) throws SQLException {
    on(database);
    gap("42", 4, 20, 12);
    failed("42", 7);
    failed("42", 8);
    fixture.run("UPDATE shop.pb_inbox_failure SET failed_at = failed_at - INTERVAL '2' HOUR");
    fixture.run(
        "UPDATE shop.pb_inbox_failure SET wait_millis = 7200000 WHERE aggregate_version = 7");

    assertThat(only().here()).extracting(VersionGap.Here::toString).containsExactly("7 (FAILING)");
  }

  @ParameterizedTest
  @EnumSource
  void aPlanLooksBehindGapsWhoseVersionsAreHere(TestDatabase database) throws SQLException {
    on(database);
    for (String id : List.of("a", "b", "c")) {
      gap(id, 4, 20, 6);
      captured(id, 5, "HELD");
    }
    gap("lost", 4, 20, 6);

    assertThat(gaps.plan(GapFilter.all(), KeptFixture.WHO, 2).gaps())
        .extracting(VersionGap::aggregateId)
        .containsExactly("lost");
  }

  /** Its message would be skipped as stale when its turn comes. */
  @ParameterizedTest
  @EnumSource
  void aVersionThatIsHereIsSkippedOnlyIfItsAggregateIsNamed(TestDatabase database)
      throws SQLException {
    on(database);
    for (String id : List.of("captured", "failing", "parked", "lost")) {
      gap(id, 4, 20, 6);
    }
    captured("captured", 5, "HELD");
    failed("failing", 5);
    message("parked", 5, "TOO_MANY_FAILURES");

    GapPlan all = gaps.plan(GapFilter.all(), KeptFixture.WHO);

    assertThat(all.gaps()).extracting(VersionGap::aggregateId).containsExactly("lost");
    for (String id : List.of("captured", "failing", "parked")) {
      GapPlan one = gaps.plan(GapFilter.all().aggregate("Order", id), KeptFixture.WHO);
      assertThat(skip(one.token(), KeptFixture.WHO, "I know")).isEqualTo(new SkippedGaps(1, 0));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aVersionThatHasArrivedSinceThePlanWasMadeIsNotSkipped(TestDatabase database)
      throws SQLException {
    on(database);
    gap("42", 4, 20, 6);
    GapPlan plan = gaps.plan(GapFilter.all(), KeptFixture.WHO);
    captured("42", 5, "PENDING");

    assertThat(skip(plan.token(), KeptFixture.WHO, "lost")).isEqualTo(new SkippedGaps(0, 1));

    assertThat(fixture.column("SELECT version FROM shop.pb_inbox_aggregate")).containsExactly("4");
  }

  @ParameterizedTest
  @EnumSource
  void aGapThatHasChangedIsLeftAlone(TestDatabase database) throws SQLException {
    on(database);
    gap("moved", 4, 20, 7);
    gap("nearer", 4, 20, 7);
    gap("gone", 4, 20, 7);
    gap("same", 4, 20, 7);
    GapPlan plan = gaps.plan(GapFilter.all(), KeptFixture.WHO);
    fixture.run("UPDATE shop.pb_inbox_aggregate SET version = 5 WHERE aggregate_id = 'moved'");
    message("nearer", 6, "EARLY");
    fixture.run("DELETE FROM shop.pb_inbox_aggregate WHERE aggregate_id = 'gone'");

    assertThat(skip(plan.token(), KeptFixture.WHO, "x")).isEqualTo(new SkippedGaps(1, 3));

    assertThat(
            fixture.column(
                "SELECT message_id FROM shop.pb_inbox_stored WHERE status = 'HANDED_BACK'"))
        .containsExactly("same@7");
    assertThat(
            fixture.column(
                "SELECT aggregate_id || ' ' || version FROM shop.pb_inbox_aggregate ORDER BY 1"))
        .containsExactly("moved 5", "nearer 4", "same 6");
  }

  @ParameterizedTest
  @EnumSource
  void aPlanIsValidOnceAndForItsMakerAndAsItIs(TestDatabase database) throws SQLException {
    on(database);
    gap("42", 4, 20, 7);
    GapPlan plan = gaps.plan(GapFilter.all(), KeptFixture.WHO);

    assertThatThrownBy(() -> skip(plan.token(), "eve", "x"))
        .isInstanceOf(PlanRefusedException.class);
    assertThatThrownBy(() -> skip(plan.token(), KeptFixture.WHO, " "))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> skip(fixture.plan().token(), KeptFixture.WHO, "x"))
        .as("a plan for something else")
        .isInstanceOf(PlanRefusedException.class);
    assertThat(fixture.column("SELECT version FROM shop.pb_inbox_aggregate")).containsExactly("4");
    skip(plan.token(), KeptFixture.WHO, "x");
    assertThatThrownBy(() -> skip(plan.token(), KeptFixture.WHO, "x"))
        .isInstanceOf(PlanRefusedException.class);
  }

  /** A sender chooses the ids. */
  @ParameterizedTest
  @EnumSource
  void aPlanOfGapsOrOfAnErasureRedrivesNothing(TestDatabase database) throws SQLException {
    on(database);
    gap("5% off", 4, 20, 7);
    BackgroundActions actions = fixture.background(fixture.dataSource, fixture.clock);
    List<UUID> others =
        List.of(
            gaps.plan(GapFilter.all(), KeptFixture.WHO).token().id(),
            actions
                .erasure()
                .plan(ErasureTarget.aggregate("Order", "5% off"), KeptFixture.WHO)
                .token()
                .id());

    for (UUID other : others) {
      assertThatThrownBy(() -> actions.discard(other, KeptFixture.WHO, "x"))
          .isInstanceOf(PlanRefusedException.class);
      assertThatThrownBy(
              () ->
                  actions.redrive(
                      other, ReplyOnRedrive.KEEP, RedrivePace.FASTEST, KeptFixture.WHO, "x"))
          .isInstanceOf(PlanRefusedException.class);
    }
  }

  @ParameterizedTest
  @EnumSource(value = TestDatabase.class, names = "POSTGRESQL")
  void gapsAreFoundByIndexes(TestDatabase database) throws SQLException {
    on(database);
    fixture.run(
        """
        INSERT INTO shop.pb_inbox_aggregate
          (consumer, aggregate_type, aggregate_id, version, waiting_since)
        SELECT 'ordered', 'Order', 'o-' || i, 1,
          CASE WHEN i %% 1000 = 0 THEN CURRENT_TIMESTAMP - INTERVAL '1 hour' END
        FROM generate_series(1, %s) i
        """
            .formatted(Integer.getInteger("postbox.rows", 50_000)));
    fixture.run(
        """
        INSERT INTO shop.pb_inbox_stored
          (consumer, message_id, status, captured, precedence, size, headers, kept_at, reason,
           aggregate_type, aggregate_id, aggregate_version, fingerprint, fingerprint_version, body_type,
           properties)
        SELECT consumer, 'm' || aggregate_id, 'EARLY', FALSE, 5, 0, '{}', CURRENT_TIMESTAMP, 'EARLY',
          aggregate_type, aggregate_id, 3, %s, 1, 'NONE', '{}'
        FROM shop.pb_inbox_aggregate
        """
            .formatted(fixture.fingerprint()));
    fixture.run("VACUUM ANALYZE shop.pb_inbox_aggregate, shop.pb_inbox_stored");
    Explaining explaining = new Explaining(fixture.dataSource);
    Gaps explained = fixture.gaps(explaining.dataSource());

    LookupPage<VersionGap> page = explained.find(GapFilter.all(), "", 3);
    explained.find(GapFilter.all(), page.next().orElseThrow(), 3);
    explained.find(GapFilter.all().consumer("ordered"), "", 3);
    explained.overdue("ordered", Duration.ofMinutes(10), 10);

    assertThat(page.items()).hasSize(3);
    assertThat(explaining.plans())
        .noneMatch(plan -> plan.contains("Seq Scan on pb_inbox_aggregate"))
        .noneMatch(plan -> plan.contains("Seq Scan on pb_inbox_stored"));
  }
}
