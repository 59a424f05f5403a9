package io.postbox.crash.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModeTest {
  /** As CONTRIBUTING.md, .ci/run and docs/crash-matrix.md say. */
  @ParameterizedTest
  @ValueSource(longs = {0, 6, 443})
  void elevenRunsInARowHaveAllModesButTheHostileOne(long first) {
    Set<Mode> drawn = EnumSet.noneOf(Mode.class);
    for (long seed = first; seed < first + 11; seed++) {
      drawn.addAll(Mode.drawn(seed));
    }
    assertThat(drawn).isEqualTo(EnumSet.complementOf(EnumSet.of(Mode.HOSTILE)));
  }
}
