package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.check.Finding;
import io.postbox.inbox.log.LogLines;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MissingHandlersTest {
  private final MissingHandlers handlers = new MissingHandlers(Set.of("shipping"));

  @Test
  void aConsumerOfThisNodeIsNoFinding() {
    handlers.counted(pending("shipping", 7));

    assertThat(handlers.finding()).isEmpty();
  }

  @Test
  void aConsumerWithoutAHandlerHereIsAFindingAndIsLoggedOnce() {
    try (LogLines lines = new LogLines()) {
      handlers.counted(pending("billing", 7));
      handlers.counted(pending("billing", 9));

      assertThat(lines.all())
          .singleElement()
          .asString()
          .startsWith("IBX0198 7 captured messages of the consumer 'billing' wait for a node");
    }
    assertThat(handlers.finding())
        .hasValueSatisfying(
            found -> {
              assertThat(found.name()).isEqualTo("waits-for-another-node");
              assertThat(found.text()).contains("billing");
            });
  }

  @Test
  void onceTheyAreHandledItIsNone() {
    handlers.counted(pending("billing", 7));
    handlers.counted(new KeptCounts(Map.of("billing", 1L), Map.of(), Map.of()));

    assertThat(handlers.finding()).map(Finding::name).isEmpty();
  }

  private static KeptCounts pending(String consumer, long messages) {
    return new KeptCounts(
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(consumer, new CapturedCount(messages, 0, 0, Duration.ZERO, 0, false)),
        Map.of());
  }
}
