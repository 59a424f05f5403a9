package io.postbox.crash.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.testkit.model.Violation;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plays faults of servers, database, broker and network, in every mode. */
@Tag("crash")
@Tag("draws")
class CampaignIT {
  private static final CampaignSettings SETTINGS = CampaignSettings.read();

  static List<Mode> modes() {
    return SETTINGS.modes();
  }

  @ParameterizedTest
  @MethodSource("modes")
  void everyAnsweredOrderIsShippedOnceWhateverHappens(Mode mode) {
    try (Campaign campaign = new Campaign(SETTINGS, mode)) {
      List<Violation> violations = campaign.run();
      assertThat(violations).as(() -> campaign.explain(violations)).isEmpty();
    }
  }
}
