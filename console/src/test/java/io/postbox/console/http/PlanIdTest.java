package io.postbox.console.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.PlanToken;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanIdTest {
  private static final UUID ID = UUID.fromString("0191c0de-0000-7000-8000-000000000001");

  private static String shown(String action, String detail) {
    return PlanId.json("outbox", action, new PlanToken(ID, "ada", Instant.EPOCH), detail)
        .build()
        .getString("id");
  }

  /** No node keeps anything of a plan: all that there is of it is a row, and this id. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0191c0de-0000-7000-8000-000000000002",
        "0191c0de-0000-7000-8000-000000000002.00ff",
      })
  void everyPlanIsFoundOnAnyNodeByItsId(String detail) {
    PlanId plan = new PlanId("outbox", "discard-waiting", ID, detail);
    assertThat(PlanId.of(shown("discard-waiting", detail))).isEqualTo(plan);
    assertThat(PlanId.of(plan.toString(), "discard-waiting")).isEqualTo(plan);
  }

  @Test
  void aPlanForSomethingElseIsRefused() {
    assertThatThrownBy(() -> PlanId.of(shown("edit", ""), "cancel")).isInstanceOf(Problem.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "0191c0de-0000-7000-8000-000000000001",
        "outbox.redrive.",
        "outbox.redrive.------------------------------------",
        "elsewhere.redrive.0191c0de-0000-7000-8000-000000000001",
        "outbox.edit.0191c0de-0000-7000-8000-000000000001.",
        "outbox.edit.0191c0de-0000-7000-8000-000000000001.xyz",
        "outbox.redrive.0191c0de-0000-7000-8000-000000000001_inbox"
      })
  void whatIsNoPlanIsRefused(String id) {
    assertThatThrownBy(() -> PlanId.of(id)).isInstanceOf(Problem.class);
  }
}
