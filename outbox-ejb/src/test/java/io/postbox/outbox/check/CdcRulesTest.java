package io.postbox.outbox.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.check.Finding;
import io.postbox.common.platform.ServerFacts;
import io.postbox.common.store.DatabaseFacts;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.testing.TestConfig;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CdcRulesTest {
  private static final Map<String, String> GOOD =
      Map.of(
          "wal_level", "logical",
          "max_slot_wal_keep_size", "-1",
          "idle_replication_slot_timeout", "0");

  private static List<Finding> findings(Map<String, String> settings, boolean isAnyLeft) {
    return GuaranteeRules.findings(
        TestConfig.DEFAULT.withCdc().config(),
        new DatabaseFacts(
            Dialect.POSTGRESQL,
            "18.6",
            "jdbc:postgresql://db/shop",
            settings,
            List.of(),
            List.of()),
        ServerFacts.UNKNOWN,
        PayloadFacts.NONE,
        isAnyLeft);
  }

  @Test
  void goodSettingsAndUnknownOnesHaveNoFinding() {
    assertThat(findings(GOOD, false)).isEmpty();
    assertThat(findings(Map.of(), false)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "wal_level, replica, cdc-wal-level, wal_level=replica",
    "wal_level, minimal, cdc-wal-level, wal_level=minimal",
    "max_slot_wal_keep_size, 0, cdc-wal-keep-size, max_slot_wal_keep_size=0MB",
    "max_slot_wal_keep_size, 1024, cdc-wal-keep-size, max_slot_wal_keep_size=1024MB",
    "idle_replication_slot_timeout, 60, cdc-idle-slot, idle_replication_slot_timeout=60s",
  })
  void aSettingWithWhichMessagesWouldBeLostIsFound(
      String setting, String value, String name, String text) {
    assertThat(findings(Map.of(setting, value), false))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.name()).isEqualTo(name);
              assertThat(finding.text()).contains(text);
            });
  }

  @Test
  void messagesThatWaitForARelayAreFound() {
    assertThat(findings(GOOD, true))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.name()).isEqualTo("cdc-rows-left");
              assertThat(finding.text()).contains("nobody sends them", "relay.mode=polling");
            });
  }
}
