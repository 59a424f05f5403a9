package io.postbox.inbox.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.testing.FakeMeters;
import io.postbox.inbox.MessageCaptured;
import io.postbox.inbox.MessageFailed;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageQuarantined;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.ReplyRefused;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MetricCountersTest {
  private static final Optional<String> NONE = Optional.empty();

  private final FakeMeters metrics = new FakeMeters();
  private final Map<String, Long> counts = metrics.counts;
  private final InboxMeters counters =
      new InboxMeters(
          metrics, "shop", Set.of("shipping"), consumer -> false, Set.of(), consumer -> false);

  @Test
  void allOfAConsumerAreThereFromTheStart() {
    assertThat(counts)
        .containsOnlyKeys(
            "processed shop shipping",
            "failures shop shipping",
            "captured shop shipping",
            "quarantined shop shipping",
            "replies_refused shop shipping",
            "skipped shop shipping duplicate",
            "skipped shop shipping stale",
            "skipped shop shipping for-another");
    assertThat(counts.values()).containsOnly(0L);
  }

  @Test
  void eachReasonForSkippingIsCountedByItself() {
    skip(Why.DUPLICATE);
    skip(Why.DUPLICATE);
    skip(Why.STALE);
    skip(Why.FOR_ANOTHER);

    assertThat(counts)
        .containsEntry("skipped shop shipping duplicate", 2L)
        .containsEntry("skipped shop shipping stale", 1L)
        .containsEntry("skipped shop shipping for-another", 1L)
        .containsEntry("processed shop shipping", 0L);
  }

  @Test
  void parkedMessagesAreCountedElsewhereAndAllElseHere() {
    counters.happened(new MessageProcessed("shipping", "id", NONE, 1));
    counters.happened(new MessageCaptured("shipping", "id", NONE));
    counters.happened(new MessageFailed("shipping", NONE, NONE, 1, true, ""));
    counters.happened(new MessageQuarantined("shipping", NONE, NONE, "", "", NONE));
    counters.happened(new MessageParked("shipping", "id", NONE, 1, "", ""));
    counters.happened(new ReplyRefused("shipping", "id", NONE, NONE, ReplyRefused.Why.NOT_ALLOWED));

    assertThat(counts)
        .hasSize(8)
        .containsEntry("captured shop shipping", 1L)
        .containsEntry("replies_refused shop shipping", 1L)
        .containsEntry("processed shop shipping", 1L)
        .containsEntry("failures shop shipping", 1L)
        .containsEntry("quarantined shop shipping", 1L);
  }

  @Test
  void theRegistryIsAskedOnceForEachCounterAndNotForEachMessage() {
    int atStart = metrics.asked();
    for (int message = 0; message < 100; message++) {
      skip(Why.DUPLICATE);
      counters.happened(new MessageProcessed("brought without JMS", "id", NONE, 1));
    }

    assertThat(metrics.asked()).isEqualTo(atStart + 1);
    assertThat(counts).containsEntry("processed shop brought without JMS", 100L);
  }

  private void skip(Why why) {
    counters.happened(new MessageSkipped("shipping", "id", NONE, why));
  }
}
