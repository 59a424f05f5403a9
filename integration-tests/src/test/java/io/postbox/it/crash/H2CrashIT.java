package io.postbox.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** H2 in a file as the last participant, Liberty's embedded messaging: the sample's default. */
class H2CrashIT {

  @Test
  void everyAnsweredOrderIsShippedOnceHoweverOftenTheServerIsKilled() {
    try (Campaign campaign = Campaign.onH2(Settings.read(), "h2")) {
      campaign.start();
      List<Violation> violations = campaign.run();
      assertThat(violations).as(() -> campaign.explain(violations)).isEmpty();
    }
  }
}
