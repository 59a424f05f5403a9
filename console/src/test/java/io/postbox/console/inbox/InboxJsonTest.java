package io.postbox.console.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.KeptMessage;
import jakarta.json.Json;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class InboxJsonTest {
  private static final String FINGERPRINT = "978fb32f".repeat(8);

  @Test
  void aFingerprintTellsEqualBodiesAndIsNotTheStoredOne() {
    assertThat(InboxJson.shown(FINGERPRINT))
        .matches("[0-9a-f]{16}")
        .isEqualTo(InboxJson.shown(FINGERPRINT))
        .isNotEqualTo(InboxJson.shown("a887".repeat(16)));
    assertThat(FINGERPRINT).doesNotContain(InboxJson.shown(FINGERPRINT));
  }

  /** As every other id, and as the requests take it. */
  @Test
  void theIdOfARowIsAText() {
    KeptMessage parked =
        new KeptMessage(
            31,
            "shipping",
            Optional.of("order-1"),
            "REJECTED",
            "no carrier",
            "",
            1,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            FINGERPRINT,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            "TEXT",
            false,
            Optional.empty(),
            Instant.EPOCH);
    KeptMessage quarantined =
        new KeptMessage(
            32,
            "shipping",
            Optional.empty(),
            "NO_ID",
            "",
            "",
            0,
            Optional.of("shop"),
            Optional.of("Placed"),
            Optional.of("Order"),
            Optional.of("7"),
            OptionalLong.empty(),
            FINGERPRINT,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            "TEXT",
            false,
            Optional.empty(),
            Instant.EPOCH);

    assertThat(InboxJson.parked(parked).build().get("id")).hasToString("\"31\"");
    assertThat(InboxJson.quarantined(quarantined).build().get("id")).hasToString("\"32\"");
    assertThat(InboxJson.quarantined(quarantined).build())
        .containsEntry("source", Json.createValue("shop"))
        .containsEntry("aggregateId", Json.createValue("7"));
  }
}
