package io.postbox.outbox.server;

import io.postbox.common.testing.FakeMeters;
import io.postbox.common.testing.Golden;
import io.postbox.common.testing.SettableClock;
import io.postbox.outbox.config.Destinations;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MetricsGoldenTest {
  @Test
  void theMetricsKeepTheirNamesAndTags() {
    FakeMeters meters = new FakeMeters();
    new DestinationMeters(
        meters,
        "shop",
        new Destinations(Set.of("shipping"), Map.of(), Map.of()),
        new NodeGauges(),
        new SettableClock());

    Golden.of("metrics").holds(meters.contract());
  }
}
