package io.postbox.console.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.postbox.common.RetryPolicy;
import io.postbox.common.RuntimePolicy;
import io.postbox.console.api.Concern;
import io.postbox.console.api.Concern.Kind;
import io.postbox.inbox.InboxStatistics.ConsumerStatistics;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class InboxHalfTest {
  private static final Instant NOW = Instant.parse("2026-11-23T22:00:00Z");

  @Test
  void whatIsKeptSaysOfWhichConsumers() {
    assertThat(
            InboxHalf.concerns(
                List.of(
                    new ConsumerStatistics("shipping", 9, 0, 0, 1),
                    new ConsumerStatistics("orders", 9, 0, 2, 0),
                    new ConsumerStatistics("billing", 9, 0, 0, 0)),
                List.of(),
                List.of(),
                List.of()))
        .extracting(Concern::text)
        .containsExactly(
            "1 message is parked: shipping.", "2 deliveries are in quarantine: orders.");
  }

  @Test
  void aPolicyIsSaidUntilItEnds() {
    assertThat(
            InboxHalf.concerns(
                List.of(),
                List.of(),
                List.of(
                    new RuntimePolicy<>(
                        "shipping", RetryPolicy.asConfigured().maxAttempts(3), "slow", "ada", NOW)),
                List.of()))
        .extracting(Concern::kind, Concern::text, Concern::link)
        .containsExactly(
            tuple(
                Kind.POLICIES, "Somebody has set a policy of 1 consumer: shipping.", "#/policies"));
  }
}
