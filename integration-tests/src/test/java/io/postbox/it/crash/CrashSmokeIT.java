package io.postbox.it.crash;

import static io.postbox.it.crash.CrashPoint.BROKER_COMMITTED;
import static io.postbox.it.crash.CrashPoint.BROKER_PREPARED;
import static io.postbox.it.crash.CrashPoint.CLAIMED;
import static io.postbox.it.crash.CrashPoint.HANDLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.frame.OwnServers;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Four crashes in every build, of which {@link CampaignIT} and {@link InboxPointsIT} have all: with
 * a batch claimed, with a batch sent and not yet deleted, with a message handled and not committed,
 * and between the phases of its commit.
 */
@OwnServers
class CrashSmokeIT {
  @Test
  void everyAnsweredOrderIsShippedOnceThoughTheServerDiesFourTimes() {
    List<String> points =
        Stream.of(CLAIMED, BROKER_COMMITTED, HANDLED, BROKER_PREPARED)
            .map(CrashPoint::name)
            .toList();
    try (Campaign campaign =
        new Campaign(Settings.read().playing("crash-smoke", points), Mode.ARTEMIS)) {
      List<Violation> violations = campaign.run();
      assertThat(violations).as(() -> campaign.explain(violations)).isEmpty();
    }
  }
}
