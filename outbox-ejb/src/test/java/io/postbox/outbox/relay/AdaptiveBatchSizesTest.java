package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AdaptiveBatchSizesTest {
  private final AdaptiveBatchSizes sizes = new AdaptiveBatchSizes(100);

  @Test
  void aDestinationThatIsTooSlowGetsHalfAsManyEachTimeDownToOne() {
    assertThat(sizes.of("d")).isEqualTo(100);
    for (int expected : new int[] {50, 25, 12, 6, 3, 1, 1}) {
      sizes.timedOut("d");
      assertThat(sizes.of("d")).isEqualTo(expected);
    }
    assertThat(sizes.of("e")).isEqualTo(100);
  }

  @Test
  void oneThatManagesGetsTwiceAsManyUpToWhatIsConfigured() {
    for (int i = 0; i < 6; i++) {
      sizes.timedOut("d");
    }
    for (int expected : new int[] {2, 4, 8, 16, 32, 64, 100, 100}) {
      sizes.succeeded("d");
      assertThat(sizes.of("d")).isEqualTo(expected);
    }
  }

  @Test
  void oneMessageIsTheLeast() {
    AdaptiveBatchSizes single = new AdaptiveBatchSizes(1);
    single.timedOut("d");
    assertThat(single.of("d")).isEqualTo(1);
  }
}
