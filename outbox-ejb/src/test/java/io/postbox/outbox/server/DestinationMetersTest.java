package io.postbox.outbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.metrics.Meter.Tag;
import io.postbox.common.testing.FakeMeters;
import io.postbox.common.testing.SettableClock;
import io.postbox.outbox.OutboxStatistics.DestinationStatistics;
import io.postbox.outbox.config.Destinations;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.ops.SlotMonitor.Slot;
import io.postbox.outbox.ops.Snapshot;
import io.postbox.outbox.testing.Messages;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DestinationMetersTest {
  private final FakeMeters metrics = new FakeMeters();
  private final SettableClock clock = new SettableClock();
  private Snapshot shown = Snapshot.NOTHING;
  private Slot slot = Slot.UNKNOWN;
  private String openBreaker = "";
  private long refusals;

  @Test
  void aDestinationThatIsListedHasItsSeriesFromTheStart() {
    meters(new Destinations(Set.of("shipping"), Map.of(), Map.of()));

    assertThat(series()).containsExactly("shipping");
  }

  @Test
  void aDestinationThatIsNotListedMakesNoSeries() {
    DestinationMeters meters = meters(new Destinations(Set.of("shipping"), Map.of(), Map.of()));
    meters.attemptFailed(message("shiping"), 1, "why");
    meters.sent(message("shiping"));
    meters.enqueued("shiping", 1);

    assertThat(series()).containsExactly("shipping");
  }

  @Test
  void enqueuesAreCountedAndTheRegistryIsAskedOnceForEachMetric() {
    DestinationMeters meters = meters(Destinations.ANY);
    meters.enqueued("shipping", 2);
    int asked = metrics.asked();
    for (int message = 0; message < 100; message++) {
      meters.enqueued("shipping", 3);
      meters.sent(message("shipping"));
    }

    assertThat(of("enqueued", "shipping")).isEqualTo(302);
    assertThat(of("relayed", "shipping")).isEqualTo(100);
    assertThat(metrics.asked()).isEqualTo(asked);
  }

  @Test
  void theSlotIsShownAsItWasLastSeen() {
    meters(Destinations.ANY);
    assertThat(gauge("slot_missing", "")).isZero();
    assertThat(gauge("slot_lag", "")).isZero();

    slot = new Slot(false, 4_711);
    assertThat(gauge("slot_missing", "")).isZero();
    assertThat(gauge("slot_lag", "")).isEqualTo(4_711);

    slot = new Slot(true, 0);
    assertThat(gauge("slot_missing", "")).isEqualTo(1);
  }

  @Test
  void refusalsCountedElsewhereAreAddedOnce() {
    DestinationMeters meters = meters(Destinations.ANY);
    refusals = 3;
    meters.polled();
    meters.polled();
    refusals = 5;
    meters.polled();

    assertThat(metrics.counts).containsEntry("refused shop", 5L);
  }

  /** Next to a hundred others in a dashboard, none has a heading that explains it. */
  @Test
  void eachDescriptionStandsAlone() {
    meters(new Destinations(Set.of("shipping"), Map.of(), Map.of()));

    assertThat(metrics.descriptions).hasSizeGreaterThan(15).allMatch(each -> each.length() > 40);
    assertThat(metrics.descriptions)
        .allMatch(each -> each.contains("outbox") || each.contains("this destination"));
  }

  @Test
  void withoutAListAnyDestinationHasItsSeriesWhenItIsHeardOf() {
    DestinationMeters meters = meters(Destinations.ANY);
    assertThat(series()).isEmpty();
    meters.attemptFailed(message("shiping"), 1, "why");

    assertThat(series()).containsExactly("shiping");
  }

  /** A name may come from what somebody typed, and each would have its series for good. */
  @Test
  void howeverManyNamesThereAreTheSeriesAreBounded() {
    DestinationMeters meters = meters(new Destinations(Set.of(), Map.of(), Map.of()));
    for (int i = 1; i <= 1_000; i++) {
      meters.enqueued("d" + i, 1);
      meters.sent(message("d" + i));
      meters.attemptFailed(message("d" + i), 1, "why");
    }
    assertThat(series()).hasSize(101).contains("d1", "d100", "other").doesNotContain("d101");
    assertThat(of("enqueued", "other")).isEqualTo(900);
    assertThat(of("relayed", "other")).isEqualTo(900);
    assertThat(of("enqueued", "d1")).isEqualTo(1);

    shown =
        new Snapshot(
            Map.of("d1", pending("d1", 5), "d200", pending("d200", 7), "d300", pending("d300", 8)),
            Set.of("d300"),
            Set.of());
    meters.polled();
    assertThat(series()).hasSize(101);
    assertThat(gauge("pending", "d1")).isEqualTo(5);
    assertThat(gauge("pending", "other")).isEqualTo(15);
    assertThat(gauge("paused", "other")).isEqualTo(1);
    assertThat(gauge("breaker_open", "other")).isZero();
    openBreaker = "d200";
    assertThat(gauge("breaker_open", "other")).isEqualTo(1);
    assertThat(gauge("breaker_open", "d1")).isZero();
  }

  @Test
  void aListedDestinationHasItsOwnSeriesAmongManyOthers() {
    Set<String> listed = new TreeSet<>();
    for (int i = 1; i <= 200; i++) {
      listed.add("d" + i);
    }
    meters(new Destinations(listed, Map.of(), Map.of()));

    assertThat(series()).hasSize(200).doesNotContain("other");
  }

  @Test
  void aDestinationThatIsCalledAsTheOthersIsCountedWithThem() {
    DestinationMeters meters = meters(Destinations.ANY);
    meters.enqueued("other", 2);
    shown = new Snapshot(Map.of("other", pending("other", 3)), Set.of(), Set.of());

    assertThat(series()).containsExactly("other");
    assertThat(of("enqueued", "other")).isEqualTo(2);
    assertThat(gauge("pending", "other")).isEqualTo(3);
  }

  @Test
  void theSeriesOfADestinationThatIsNotUsedGoAfterADay() {
    DestinationMeters meters = meters(Destinations.ANY);
    meters.enqueued("idle", 1);
    meters.enqueued("full", 1);
    meters.enqueued("busy", 1);
    int each =
        (int)
            metrics.all().filter(it -> it.tags().contains(new Tag("destination", "idle"))).count();
    shown = new Snapshot(Map.of("full", pending("full", 3)), Set.of(), Set.of());
    clock.advance(Duration.ofHours(24));
    meters.polled();
    assertThat(metrics.removed).isEmpty();
    clock.advance(Duration.ofMillis(1));
    meters.sent(message("busy"));
    meters.polled();

    assertThat(metrics.removed).hasSize(each).hasSize(11).allMatch(id -> id.endsWith(" shop idle"));
    meters.enqueued("idle", 4);
    assertThat(of("enqueued", "idle"))
        .as("the registry of this test keeps its number")
        .isEqualTo(5);
  }

  @Test
  void theSeriesOfADestinationThatIsListedStay() {
    DestinationMeters meters = meters(new Destinations(Set.of("idle"), Map.of(), Map.of()));
    clock.advance(Duration.ofDays(30));
    meters.polled();

    assertThat(metrics.removed).isEmpty();
  }

  private static DestinationStatistics pending(String destination, long messages) {
    return new DestinationStatistics(destination, messages, 0, 0, 0, Duration.ZERO, false);
  }

  private long of(String name, String destination) {
    return metrics.counts.getOrDefault(name + " shop " + destination, 0L);
  }

  private double gauge(String name, String destination) {
    return metrics.gauges.get((name + " shop " + destination).strip()).getAsDouble();
  }

  /** The destinations that have series. */
  private Set<String> series() {
    return metrics
        .all()
        .flatMap(meter -> meter.tags().stream())
        .filter(tag -> tag.name().equals("destination"))
        .map(Tag::value)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private DestinationMeters meters(Destinations destinations) {
    return new DestinationMeters(metrics, "shop", destinations, new Shown(), clock);
  }

  private static StoredMessage message(String destination) {
    Envelope envelope =
        Messages.envelope(Messages.id(1), destination, null, new Body.Text("x"), "{}", null);
    return new StoredMessage(1, envelope, 0, Instant.EPOCH, Duration.ZERO, null, null);
  }

  private final class Shown extends NodeGauges {
    @Override
    Snapshot last() {
      return shown;
    }

    @Override
    boolean isBreakerOpen(String destination) {
      return destination.equals(openBreaker);
    }

    @Override
    int stuckPartitions() {
      return 0;
    }

    @Override
    boolean isBacklogHigh() {
      return false;
    }

    @Override
    boolean isBacklogFull() {
      return false;
    }

    @Override
    long refusals() {
      return refusals;
    }

    @Override
    long eventsDropped() {
      return 0;
    }

    @Override
    Slot slot() {
      return DestinationMetersTest.this.slot;
    }

    @Override
    int findings() {
      return 0;
    }
  }
}
