package io.postbox.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.store.AuditStore.Entry;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AuditStoreTest {

  /** Filters hold what somebody else has written, and a principal is what its realm calls it. */
  @Test
  void nobodyCanForgeARowNorHaveItReadInAnotherOrder() {
    Entry entry =
        new Entry(
            UUID.randomUUID(), "discard", "eve\r\nadmin", "why", "errorContains=x\u001b[2J\u202Ey");

    assertThat(entry.principal()).isEqualTo("eve admin");
    assertThat(entry.subject()).isEqualTo("errorContains=x [2J\\u202Ey");
  }

  @Test
  void textsThatAreTooLongAreCut() {
    Entry entry =
        new Entry(UUID.randomUUID(), "discard", "p".repeat(201), "why", "\u202E".repeat(2_000));

    assertThat(entry.principal()).hasSize(200);
    assertThat(entry.subject()).hasSize(2_000);
  }
}
