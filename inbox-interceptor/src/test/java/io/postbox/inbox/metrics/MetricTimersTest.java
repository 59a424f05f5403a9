package io.postbox.inbox.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.testing.FakeMeters;
import io.postbox.inbox.ops.KeptCounts;
import io.postbox.inbox.store.CountStore.Kind;
import io.postbox.inbox.store.CountStore.Line;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MetricTimersTest {
  private final FakeMeters metrics = new FakeMeters();
  private final Map<String, Duration> times = metrics.times;

  @Test
  void allOfAConsumerAreThereFromTheStartAndTheRegistryIsAskedOnceForEach() {
    InboxMeters timers =
        new InboxMeters(
            metrics, "shop", Set.of("shipping"), consumer -> false, Set.of(), consumer -> false);
    assertThat(times).containsOnlyKeys("handler shop shipping", "age shop shipping");
    int atStart = metrics.asked();
    for (int message = 0; message < 100; message++) {
      timers.handlerEnded("shipping", Duration.ofSeconds(2), Duration.ofSeconds(9));
      timers.handlerEnded("shipping", Duration.ofSeconds(1), null);
    }

    assertThat(metrics.asked()).isEqualTo(atStart);
    assertThat(times)
        .containsEntry("handler shop shipping", Duration.ofSeconds(300))
        .containsEntry("age shop shipping", Duration.ofSeconds(900));
    timers.handlerEnded("brought without JMS", Duration.ofSeconds(1), null);
    assertThat(times).containsEntry("handler shop brought without JMS", Duration.ofSeconds(1));
  }

  @Test
  void quarantinedMessagesHaveAGaugeAsParkedOnesHave() {
    InboxMeters all =
        new InboxMeters(
            metrics, "shop", Set.of("shipping"), "old"::equals, Set.of(), consumer -> false);
    assertThat(metrics.gauges)
        .containsOnlyKeys(
            "parked shop shipping",
            "quarantined_messages shop shipping",
            "handed_back shop shipping",
            "kept shop shipping",
            "quota_full shop shipping");
    KeptCounts last =
        KeptCounts.of(
            List.of(
                new Line(Kind.PARKED, "shipping", 2, 5, Duration.ZERO),
                new Line(Kind.QUARANTINED, "old", 3, 0, Duration.ZERO)));
    all.counted(last);
    int atFirst = metrics.asked();
    all.counted(last);

    assertThat(metrics.asked()).isEqualTo(atFirst);
    assertThat(gauge("parked shop shipping")).isEqualTo(2);
    assertThat(gauge("quarantined_messages shop shipping")).isEqualTo(0);
    assertThat(gauge("quarantined_messages shop old")).isEqualTo(3);
    assertThat(gauge("kept shop shipping")).isEqualTo(5);
    assertThat(gauge("quota_full shop shipping")).isEqualTo(0);
    assertThat(gauge("quota_full shop old")).isEqualTo(1);
  }

  @Test
  void capturedMessagesHaveAGaugeForEachStatusAndTheAgeOfTheOldest() {
    InboxMeters all =
        new InboxMeters(
            metrics, "shop", Set.of(), consumer -> false, Set.of("billing"), "old"::equals);
    assertThat(metrics.gauges)
        .containsOnlyKeys(
            "captured_messages shop billing pending",
            "captured_messages shop billing delayed",
            "captured_messages shop billing held",
            "captured_messages shop billing parked",
            "oldest_captured shop billing",
            "capture_full shop billing",
            "handling_paused shop billing");
    all.counted(
        KeptCounts.of(
            List.of(
                new Line(Kind.PARKED, "old", 4, 0, Duration.ofDays(1)),
                new Line(Kind.PENDING, "old", 1, 0, Duration.ofMillis(5_500)),
                new Line(Kind.DELAYED, "old", 2, 0, Duration.ofSeconds(5)),
                new Line(Kind.HELD, "old", 3, 0, Duration.ZERO),
                new Line(Kind.PAUSED, "old", 1, 0, Duration.ofDays(1)),
                new Line(Kind.HANDED_BACK, "old", 7, 7_000, Duration.ofDays(1)))));

    assertThat(gauge("captured_messages shop billing pending")).isZero();
    assertThat(gauge("captured_messages shop old pending")).isEqualTo(1);
    assertThat(gauge("captured_messages shop old delayed")).isEqualTo(2);
    assertThat(gauge("captured_messages shop old held")).isEqualTo(3);
    assertThat(gauge("captured_messages shop old parked")).isEqualTo(4);
    assertThat(gauge("handed_back shop old")).isEqualTo(7);
    assertThat(gauge("oldest_captured shop old")).isEqualTo(5.5);
    assertThat(gauge("capture_full shop old")).isEqualTo(1);
    assertThat(gauge("capture_full shop billing")).isZero();
    assertThat(gauge("handling_paused shop old")).isEqualTo(1);
    assertThat(gauge("handling_paused shop billing")).isZero();
  }

  private double gauge(String series) {
    return metrics.gauges.get(series).getAsDouble();
  }
}
