package io.postbox.common.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LikePatternTest {

  @Test
  void nothingStandsForMoreThanItself() {
    assertThat(LikePattern.containing("100% of a_b!")).isEqualTo("%100!% of a!_b!!%");
  }
}
