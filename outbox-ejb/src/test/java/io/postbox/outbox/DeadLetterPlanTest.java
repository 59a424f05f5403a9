package io.postbox.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.PlanToken;
import io.postbox.outbox.DeadLetterPlan.ForDestination;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DeadLetterPlanTest {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");

  private static final PlanToken TOKEN = new PlanToken(new UUID(1, 2), "ada", NOW);

  private static DeadLetterPlan plan(int perSecond, ForDestination... found) {
    return new DeadLetterPlan(TOKEN, DeadLetterFilter.all(), NOW, perSecond, List.of(found));
  }

  private static ForDestination found(String destination, long letters, long followers) {
    return new ForDestination(destination, letters, 1, followers, 2, NOW, NOW);
  }

  @Test
  void itCountsOverAllDestinations() {
    DeadLetterPlan plan = plan(10, found("shipping", 7, 2), found("billing", 4, 30));

    assertThat(plan.letters()).isEqualTo(11);
    assertThat(plan.followers()).isEqualTo(32);
    assertThat(plan.expired()).isEqualTo(4);
  }

  @Test
  void aSecondThatHasBegunCounts() {
    assertThat(plan(10).takes()).isZero();
    assertThat(plan(10, found("shipping", 1, 0)).takes()).hasSeconds(1);
    assertThat(plan(10, found("shipping", 10, 0)).takes()).hasSeconds(1);
    assertThat(plan(10, found("shipping", 11, 0)).takes()).hasSeconds(2);
  }

  @Test
  void atAnotherRateItIsTheSameOtherwise() {
    DeadLetterPlan plan = plan(10, found("shipping", 20, 0));

    assertThat(plan.atRate(1)).isEqualTo(plan(1, found("shipping", 20, 0)));
    assertThat(plan.atRate(1).takes()).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  void theRateHasBounds() {
    assertThat(plan(1).perSecond()).isOne();
    assertThat(plan(1_000_000).perSecond()).isEqualTo(1_000_000);
    for (int wrong : new int[] {0, 1_000_001}) {
      assertThatThrownBy(() -> plan(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("A redrive goes at 1 to 1000000 messages per second, and not " + wrong);
    }
  }
}
