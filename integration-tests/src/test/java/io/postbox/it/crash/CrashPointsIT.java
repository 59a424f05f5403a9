package io.postbox.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The server dies under load exactly where it matters: at named points, drawn like lots. */
class CrashPointsIT {

  @Test
  void everyAnsweredOrderIsShippedOnceWhereverTheServerDiesOnH2() {
    try (Campaign campaign = Campaign.onH2(Settings.read(), "points-h2")) {
      dieAtPoints(campaign);
    }
  }

  @Test
  void everyAnsweredOrderIsShippedOnceWhereverTheServerDiesOnPostgresWithXa() {
    try (Campaign campaign = Campaign.onPostgres(Settings.read(), "points-postgresql")) {
      dieAtPoints(campaign);
    }
  }

  private static void dieAtPoints(Campaign campaign) {
    List<Violation> violations = campaign.runAt(CrashPoint.on(campaign.database().name()));
    assertThat(violations).as(() -> campaign.explain(violations)).isEmpty();
  }
}
