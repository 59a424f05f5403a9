package io.postbox.console.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.console.http.Plans.OfModule;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlansTest {
  private static final UUID ID = UUID.fromString("0191c0de-0000-7000-8000-000000000001");
  private final Plans plans = new Plans();

  @Test
  void aModulesPlanIsFoundOnAnyNodeByItsId() {
    Plans.Taken taken =
        new Plans().take(Plans.id("outbox", "discard-waiting", ID), "whoever the module lets");
    assertThat(taken.action()).isEqualTo("discard-waiting");
    assertThat(taken.plan()).isEqualTo(new OfModule("outbox", ID));
    assertThat(plans.take(Plans.id("inbox", "erase", ID), "erase", OfModule.class, "ada").id())
        .isEqualTo(ID);
  }

  @Test
  void aPlanOfTheConsoleIsTakenOnceByItsOwner() {
    String id = plans.keep("edit", "the edit", "ada").id().toString();
    assertThatThrownBy(() -> plans.take(id, "edit", String.class, "eve"))
        .isInstanceOf(ProblemException.class);
    assertThatThrownBy(() -> plans.take(id, "cancel", String.class, "ada"))
        .as("for something else")
        .isInstanceOf(ProblemException.class);
    assertThat(plans.take(id, "edit", String.class, "ada")).isEqualTo("the edit");
    assertThatThrownBy(() -> plans.take(id, "edit", String.class, "ada"))
        .isInstanceOf(ProblemException.class);
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
        "outbox.redrive.0191c0de-0000-7000-8000-000000000001_inbox"
      })
  void whatIsNoPlanIsRefused(String id) {
    assertThatThrownBy(() -> plans.take(id, "ada")).isInstanceOf(ProblemException.class);
  }
}
