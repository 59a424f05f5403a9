package io.postbox.crash.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.crash.campaign.CampaignSettings;
import io.postbox.crash.campaign.Mode;
import io.postbox.testkit.model.Violation;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Only with -Psoak: {@code ./mvnw verify -Psoak -Dsoak.minutes=60 -Dmodes=postgresql}. */
@Tag("soak")
class SoakIT {
  private static final CampaignSettings SETTINGS = CampaignSettings.read();

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
