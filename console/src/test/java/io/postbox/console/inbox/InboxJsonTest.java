package io.postbox.console.inbox;

import static org.assertj.core.api.Assertions.assertThat;

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
}
