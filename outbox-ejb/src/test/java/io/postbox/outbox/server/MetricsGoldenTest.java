package io.postbox.outbox.server;

import io.postbox.common.testing.FakeMeters;
import io.postbox.common.testing.Golden;
import io.postbox.common.testing.SettableClock;
import io.postbox.outbox.config.Destinations;
import io.postbox.outbox.ops.Snapshot;
import java.lang.reflect.Proxy;
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
        unasked(),
        new SettableClock());

    Golden.of("metrics").holds(meters.contract());
  }

  private static NodeGauges unasked() {
    return (NodeGauges)
        Proxy.newProxyInstance(
            NodeGauges.class.getClassLoader(),
            new Class<?>[] {NodeGauges.class},
            (proxy, method, arguments) ->
                method.getReturnType() == Snapshot.class ? Snapshot.NOTHING : 0L);
  }
}
