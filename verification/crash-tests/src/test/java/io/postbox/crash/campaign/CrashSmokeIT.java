package io.postbox.crash.campaign;

import static io.postbox.crash.faults.CrashPoint.BROKER_COMMITTED;
import static io.postbox.crash.faults.CrashPoint.BROKER_PREPARED;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.crash.faults.CrashPoint;
import io.postbox.testkit.model.Violation;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Two crashes in every build, of which {@link CampaignIT} and {@link InboxPointsIT} have all: with
 * a batch sent and not yet deleted, and between the phases of a handled message's commit.
 */
class CrashSmokeIT {
  @Test
  void everyAnsweredOrderIsShippedOnceThoughTheServerDiesTwice() {
    List<String> points =
        Stream.of(BROKER_COMMITTED, BROKER_PREPARED).map(CrashPoint::name).toList();
    try (Campaign campaign =
        new Campaign(CampaignSettings.read().playing("crash-smoke", points), Mode.ARTEMIS)) {
      List<Violation> violations = campaign.run();
      assertThat(violations).as(() -> campaign.explain(violations)).isEmpty();
    }
  }
}
