package io.postbox.inbox.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.testing.FakeMeters;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RequestCountersTest {
  private final FakeMeters metrics = new FakeMeters();
  private final InboxMeters counters =
      new InboxMeters(metrics, "shop", Set.of(), consumer -> false, Set.of(), consumer -> false);

  @Test
  void aConsumerHasAllOutcomesFromItsFirstRequestOn() {
    counters.answered("orders", RequestOutcome.FIRST);

    assertThat(metrics.counts)
        .hasSize(RequestOutcome.values().length)
        .containsEntry("requests shop orders first", 1L)
        .containsEntry("requests shop orders repeated", 0L)
        .containsEntry("requests shop orders unavailable", 0L);
  }

  @Test
  void theRegistryIsAskedOnceForEachCounter() {
    for (int request = 0; request < 100; request++) {
      counters.answered("orders", RequestOutcome.REPEATED);
    }

    assertThat(metrics.asked()).isEqualTo(RequestOutcome.values().length);
    assertThat(metrics.counts).containsEntry("requests shop orders repeated", 100L);
  }
}
