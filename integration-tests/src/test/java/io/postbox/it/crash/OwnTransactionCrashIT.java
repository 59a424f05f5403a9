package io.postbox.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The server dies where a delivery in a transaction of the inbox's own could come to harm. */
class OwnTransactionCrashIT {

  @Test
  void everyAnsweredOrderIsShippedOnceOnH2() {
    try (Campaign campaign = Campaign.onH2(Settings.read(), "own-h2")) {
      dieAtPoints(campaign);
    }
  }

  @Test
  void everyAnsweredOrderIsShippedOnceOnPostgres() {
    try (Campaign campaign = Campaign.onPostgres(Settings.read(), "own-postgresql")) {
      dieAtPoints(campaign);
    }
  }

  private static void dieAtPoints(Campaign campaign) {
    List<Violation> violations =
        campaign
            .inOwnTransactions()
            .runAt(CrashPoint.inOwnTransactions(campaign.database().name()));
    assertThat(violations).as(() -> campaign.explain(violations)).isEmpty();
  }
}
