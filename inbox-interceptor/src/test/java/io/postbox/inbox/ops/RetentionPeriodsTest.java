package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.testing.SettableClock;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.store.RetentionStore.Kept;
import io.postbox.inbox.store.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RetentionPeriodsTest {
  private static RetentionPeriods ages(Map<String, String> settings) {
    InboxConfig config = TestConfig.shop(settings);
    return new RetentionPeriods(
        config, RuntimePolicies.on(config, new JdbcDataSource(), new SettableClock()));
  }

  @Test
  void aConsumerHasItsOwnRetentionOrThatOfAll() {
    RetentionPeriods ages = ages(Map.of("retention", "3d", "consumer.shipping.retention", "30d"));

    assertThat(ages.of(Kept.MESSAGE, "shipping")).isEqualTo(Duration.ofDays(30));
    assertThat(ages.of(Kept.MESSAGE, "unheard of")).isEqualTo(Duration.ofDays(3));
    assertThat(ages.of(Kept.RESULT, "unheard of")).isEqualTo(Duration.ofDays(3));
    assertThat(ages.of(Kept.FAILURE, "unheard of")).isEqualTo(Duration.ofDays(3));
    assertThat(ages.longestMemory()).isEqualTo(Duration.ofDays(30));
    assertThat(ages.longest()).isEqualTo(Duration.ofDays(30));
  }

  @Test
  void everythingIsKeptForAsLongAsTheirMessageMayBeTried() {
    RetentionPeriods ages =
        ages(
            Map.of(
                "retention",
                "1h",
                "max-transient-failures",
                "2",
                "consumer.slow.backoff.max",
                "1d",
                "consumer.slow.max-attempts",
                "12",
                "consumer.endless.max-attempts",
                "1000000",
                "consumer.endless.backoff.max",
                "1d"));

    assertThat(ages.of(Kept.FAILURE, "slow")).isEqualTo(Duration.ofDays(14));
    assertThat(ages.of(Kept.RESULT, "slow")).isEqualTo(Duration.ofDays(14));
    assertThat(ages.of(Kept.MESSAGE, "slow")).isEqualTo(Duration.ofDays(14));
    assertThat(ages.of(Kept.MESSAGE, "quick")).isEqualTo(Duration.ofHours(1));
    assertThat(ages.longest()).isEqualTo(Duration.ofDays(36_500));
    assertThat(ages.longestMemory()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void rowsOfIdsAreKeptForAsLongAsTheirTables() {
    RetentionPeriods ages =
        ages(
            Map.of(
                "table-partitioning",
                "daily",
                "retention",
                "3d",
                "consumer.shipping.retention",
                "30d"));

    assertThat(ages.of(Kept.RESULT, "billing")).isEqualTo(Duration.ofDays(32));
    assertThat(ages.of(Kept.FAILURE, "billing")).isEqualTo(Duration.ofDays(32));
    assertThat(ages.longest()).isEqualTo(Duration.ofDays(32));
  }

  @ParameterizedTest
  @EnumSource
  void aPolicyWithLongerRetriesKeepsEverythingLongerAndNoneShorter(TestDatabase database)
      throws SQLException {
    RetentionFixture fixture =
        new RetentionFixture(
            database,
            Map.of(
                "retention", "1h",
                "max-transient-failures", "2",
                "consumer.own.backoff.max", "1d"));
    fixture.execute(
        """
        INSERT INTO shop.pb_inbox_policy (consumer, max_attempts, backoff_max_ms, reason, principal)
        VALUES ('patient', 18, 86400000, 'x', 'ada'), ('own', 1, NULL, 'x', 'ada')
        """);
    fixture.policies.cache().refresh();
    RetentionPeriods ages = new RetentionPeriods(fixture.config, fixture.policies);
    for (Kept kept : Kept.values()) {
      assertThat(ages.of(kept, "patient")).as("%s", kept).isEqualTo(Duration.ofDays(20));
      assertThat(ages.of(kept, "own")).as("%s", kept).isEqualTo(Duration.ofDays(12));
      assertThat(ages.of(kept, "other")).as("%s", kept).isEqualTo(Duration.ofHours(1));
    }
    assertThat(ages.longest()).isEqualTo(Duration.ofDays(20));
    assertThat(ages.longestMemory()).isEqualTo(Duration.ofHours(1));

    for (String consumer : new String[] {"patient", "other"}) {
      fixture.handled(consumer, consumer, 1, 19);
      fixture.failed(consumer, "m", 19);
    }
    fixture.tickAfter(Duration.ofMinutes(1));
    fixture.tickAfter(Duration.ofMinutes(1));
    assertThat(fixture.column("SELECT consumer FROM shop.pb_inbox_message"))
        .containsExactly("patient");
    assertThat(fixture.column("SELECT consumer FROM shop.pb_inbox_failure"))
        .containsExactly("patient");
  }

  @Test
  void theRecordIsKeptForMoreThanAYear() {
    assertThat(ages(Map.of()).ofAudit()).isEqualTo(Duration.ofDays(400));
    assertThat(ages(Map.of("retention", "500d")).ofAudit()).isEqualTo(Duration.ofDays(500));
  }
}
