package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AdaptiveBatchSizesTest {
  private static final Duration QUICK = AdaptiveBatchSizes.QUICK;
  private static final Duration SLOW = AdaptiveBatchSizes.SLOW;

  private final AdaptiveBatchSizes sizes = new AdaptiveBatchSizes(1_000);

  @Test
  void aDestinationThatTimesOutGetsHalfAsManyEachTimeDownToOne() {
    assertThat(sizes.of("d")).isEqualTo(100);
    for (int expected : new int[] {50, 25, 12, 6, 3, 1, 1}) {
      sizes.timedOut("d", sizes.of("d"));
      assertThat(sizes.of("d")).isEqualTo(expected);
    }
    assertThat(sizes.of("e")).as("another one").isEqualTo(100);
  }

  @Test
  void afterTimeOutsItGetsTwiceAsManyEachTimeHoweverSlowItIsAndWhateverWaits() {
    for (int i = 0; i < 6; i++) {
      sizes.timedOut("d", sizes.of("d"));
    }
    for (int expected : new int[] {2, 4, 8, 16, 32, 64, 100, 100}) {
      sizes.succeeded("d", false, SLOW.plusMillis(1));
      assertThat(sizes.of("d")).isEqualTo(expected);
    }
  }

  @Test
  void whileALaneStaysFullAndTheBrokerIsQuickABatchGrowsToTheMaximum() {
    for (int expected : new int[] {200, 400, 800, 1_000, 1_000}) {
      sizes.succeeded("d", true, QUICK);
      assertThat(sizes.of("d")).isEqualTo(expected);
    }
    assertThat(sizes.of("e")).as("another one").isEqualTo(100);
  }

  @Test
  void betweenQuickAndSlowItStaysAsItIs() {
    sizes.succeeded("d", true, QUICK);
    sizes.succeeded("d", true, QUICK.plusMillis(1));
    sizes.succeeded("d", true, SLOW);
    assertThat(sizes.of("d")).isEqualTo(200);
  }

  @Test
  void whereTheBrokerIsSlowItShrinksToTheInitialSizeAndNoFurther() {
    grow();
    for (int expected : new int[] {500, 250, 125, 100, 100}) {
      sizes.succeeded("d", true, SLOW.plusMillis(1));
      assertThat(sizes.of("d")).isEqualTo(expected);
    }
  }

  @Test
  void whereMessagesNoLongerFillItItShrinksToo() {
    grow();
    for (int expected : new int[] {500, 250, 125, 100, 100}) {
      sizes.succeeded("d", false, Duration.ZERO);
      assertThat(sizes.of("d")).isEqualTo(expected);
    }
  }

  @Test
  void aTimeOutHalvesALargeOneAsWell() {
    grow();
    sizes.timedOut("d", 1_000);
    assertThat(sizes.of("d")).isEqualTo(500);
  }

  /** Or batches of that size would fail again until half of what is allowed is less. */
  @Test
  void aSmallBatchThatTimesOutIsHalvedItself() {
    sizes.timedOut("d", 20);
    assertThat(sizes.of("d")).isEqualTo(10);
  }

  @Test
  void aSmallMaximumIsTheInitialSize() {
    AdaptiveBatchSizes single = new AdaptiveBatchSizes(1);
    assertThat(single.of("d")).isEqualTo(1);
    single.succeeded("d", true, QUICK);
    assertThat(single.of("d")).isEqualTo(1);
    single.timedOut("d", 1);
    assertThat(single.of("d")).isEqualTo(1);
  }

  private void grow() {
    for (int i = 0; i < 4; i++) {
      sizes.succeeded("d", true, QUICK);
    }
    assertThat(sizes.of("d")).isEqualTo(1_000);
  }
}
