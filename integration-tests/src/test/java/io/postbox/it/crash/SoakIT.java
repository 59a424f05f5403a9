package io.postbox.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.OwnServers;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Only with -Psoak: {@code ./mvnw verify -Psoak -Dsoak.minutes=60 -Dmodes=postgresql}. */
@OwnServers
@Tag("soak")
class SoakIT {
  private static final Settings SETTINGS = Settings.read();

  static List<Mode> modes() {
    return SETTINGS.modes();
  }

  @ParameterizedTest
  @MethodSource("modes")
  void nothingGrowsAndNothingIsLostHoweverLongItRuns(Mode mode) {
    try (Soak soak = new Soak(SETTINGS, mode)) {
      List<Violation> violations = soak.run();
      assertThat(violations).as(() -> soak.explain(violations)).isEmpty();
    }
  }
}
