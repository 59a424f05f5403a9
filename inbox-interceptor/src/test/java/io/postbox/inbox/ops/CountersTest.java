package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.MessageSkipped.Why;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CountersTest {
  private final Counters counters = new Counters();

  @Test
  void eachConsumersEndsAreCountedApart() {
    counters.happened(processed("shipping"));
    counters.happened(processed("shipping"));
    counters.happened(processed("orders"));
    counters.happened(new MessageSkipped("shipping", "m-1", Optional.empty(), Why.DUPLICATE));

    assertThat(counters.consumers()).containsExactlyInAnyOrder("shipping", "orders");
    assertThat(counters.of("shipping", MessageProcessed.class)).isEqualTo(2);
    assertThat(counters.of("shipping", MessageSkipped.class)).isOne();
    assertThat(counters.of("orders", MessageProcessed.class)).isOne();
    assertThat(counters.of("orders", MessageSkipped.class)).isZero();
    assertThat(counters.of("billing", MessageProcessed.class)).isZero();
  }

  private static MessageProcessed processed(String consumer) {
    return new MessageProcessed(consumer, "m-1", Optional.empty(), 1);
  }
}
