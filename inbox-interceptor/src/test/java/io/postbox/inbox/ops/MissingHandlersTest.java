package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.check.Finding;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.store.CountStore.Kind;
import io.postbox.inbox.store.CountStore.Line;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MissingHandlersTest {
  private final MissingHandlers handlers = new MissingHandlers(Set.of("shipping"));

  @Test
  void aConsumerOfThisNodeIsNoFinding() {
    handlers.counted(counted(Kind.PENDING, "shipping", 7));

    assertThat(handlers.finding()).isEmpty();
  }

  @Test
  void aConsumerWithoutAHandlerHereIsAFindingAndIsLoggedOnce() {
    try (LogLines lines = new LogLines()) {
      handlers.counted(counted(Kind.PENDING, "billing", 7));
      handlers.counted(counted(Kind.PENDING, "billing", 9));

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
    handlers.counted(counted(Kind.PENDING, "billing", 7));
    handlers.counted(counted(Kind.PARKED, "billing", 1));

    assertThat(handlers.finding()).map(Finding::name).isEmpty();
  }

  private static KeptCounts counted(Kind kind, String consumer, long messages) {
    return KeptCounts.of(List.of(new Line(kind, consumer, messages, 0, Duration.ZERO)));
  }
}
