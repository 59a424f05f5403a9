package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BatchSizesTest {
  private final BatchSizes sizes = new BatchSizes(100);

  @Test
  void aDestinationThatIsTooSlowGetsHalfAsManyEachTimeDownToOne() {
    assertThat(sizes.of("d")).isEqualTo(100);
    for (int expected : new int[] {50, 25, 12, 6, 3, 1, 1}) {
      sizes.tooSlow("d");
      assertThat(sizes.of("d")).isEqualTo(expected);
    }
    assertThat(sizes.of("e")).isEqualTo(100);
  }

  @Test
  void oneThatManagesGetsTwiceAsManyUpToWhatIsConfigured() {
    for (int i = 0; i < 6; i++) {
      sizes.tooSlow("d");
    }
    for (int expected : new int[] {2, 4, 8, 16, 32, 64, 100, 100}) {
      sizes.wentWell("d");
      assertThat(sizes.of("d")).isEqualTo(expected);
    }
  }

  @Test
  void oneMessageIsTheLeast() {
    BatchSizes single = new BatchSizes(1);
    single.tooSlow("d");
    assertThat(single.of("d")).isEqualTo(1);
  }
}
