package io.postbox.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.PlanToken;
import io.postbox.inbox.KeptPlan.ForConsumer;
import io.postbox.inbox.KeptPlan.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The bounds of the values that an application can hand over. */
class BoundsTest {

  @Test
  void aMessageStaysAwayForAYearAtMost() {
    assertThat(new RetryLaterException(Duration.ZERO, "x").delay()).isZero();
    assertThat(new RetryLaterException(Duration.ofDays(365), "x").delay()).hasDays(365);
    for (Duration wrong : List.of(Duration.ofMillis(-1), Duration.ofDays(365).plusMillis(1))) {
      assertThatThrownBy(() -> new RetryLaterException(wrong, "x"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("A message can stay away for 0 to 365 days, and not for " + wrong);
    }
  }

  @Test
  void aPlanCountsOverAllConsumers() {
    Instant now = Instant.parse("2026-11-01T00:00:00Z");
    KeptPlan plan =
        new KeptPlan(
            new PlanToken(new UUID(1, 2), "ada", now),
            Kind.PARKED,
            KeptFilter.all(),
            9,
            List.of(
                new ForConsumer("shipping", 3, now, now), new ForConsumer("orders", 4, now, now)));

    assertThat(plan.messages()).isEqualTo(7);
  }
}
