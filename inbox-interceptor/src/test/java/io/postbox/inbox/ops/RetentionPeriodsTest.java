package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.store.RetentionStore.Kept;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RetentionPeriodsTest {
  private static RetentionPeriods ages(Map<String, String> settings) {
    return new RetentionPeriods(TestConfig.shop(settings));
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
  void whatBelongsToIdsIsKeptForAsLongAsTheirTables() {
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

  @Test
  void theRecordIsKeptForMoreThanAYear() {
    assertThat(ages(Map.of()).ofAudit()).isEqualTo(Duration.ofDays(400));
    assertThat(ages(Map.of("retention", "500d")).ofAudit()).isEqualTo(Duration.ofDays(500));
  }
}
