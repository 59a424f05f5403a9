package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReleasePaceTest {
  private long now = Long.MAX_VALUE - 1_000; // a clock may overflow
  private final ReleasePace pace = new ReleasePace(() -> now, () -> 1.0);

  @Test
  void afterAFailureOfTheBrokerNothingIsSentForAWhileThatGrows() {
    assertThat(pace.isOpen()).isTrue();
    assertThat(pace.outage()).as("is logged").isTrue();
    assertThat(pace.isOpen()).isFalse();
    assertThat(pace.rest()).isEqualTo(Duration.ofMillis(500));
    assertThat(pace.outage()).as("one that was on its way").isFalse();
    assertThat(pace.rest()).isEqualTo(Duration.ofMillis(500));

    for (int failures = 2; failures <= 10; failures++) {
      pass(pace.rest());
      assertThat(pace.isOpen()).isTrue();
      assertThat(pace.outage()).as("logged once").isFalse();
    }
    assertThat(pace.rest()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void afterAFailureOneMessageAtATimeAsksAndTheRestGrowsWithEach() {
    assertThat(pace.take()).isTrue();
    assertThat(pace.take()).as("nothing has failed yet").isTrue();
    pace.outage();
    for (int millis = 500; millis <= 16_000; millis *= 2) {
      assertThat(pace.rest()).isEqualTo(Duration.ofMillis(millis));
      assertThat(pace.take()).isFalse();
      pass(pace.rest());
      assertThat(pace.take()).isTrue();
      assertThat(pace.take()).as("another one asks").isFalse();
      pass(Duration.ofMinutes(1));
      assertThat(pace.take()).as("it still does").isFalse();
      pace.outage();
    }
    pass(pace.rest());
    assertThat(pace.take()).isTrue();
    pace.giveBack();
    assertThat(pace.take()).as("the first one failed by itself").isTrue();
    pace.succeeded(1);
    assertThat(pace.take()).isTrue();
    assertThat(pace.take()).isTrue();
  }

  @Test
  void theFirstMessageThatIsSentEndsTheOutage() {
    assertThat(pace.succeeded(1)).isFalse();
    pace.outage();
    pass(pace.rest());

    assertThat(pace.succeeded(1)).isTrue();
    assertThat(pace.succeeded(2)).isFalse();
    assertThat(pace.rest()).isZero();
    assertThat(pace.outage()).isTrue();
    assertThat(pace.rest()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void aMessageThatFailsByItselfHoldsUpNoOther() {
    assertThat(pace.failed(7)).isEqualTo(Duration.ofMillis(500));
    assertThat(pace.failed(7)).isEqualTo(Duration.ofSeconds(1));
    assertThat(pace.failed(8)).isEqualTo(Duration.ofMillis(500));
    assertThat(pace.isOpen()).isTrue();

    pace.succeeded(7);
    assertThat(pace.failed(7)).isEqualTo(Duration.ofMillis(500));
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }
}
