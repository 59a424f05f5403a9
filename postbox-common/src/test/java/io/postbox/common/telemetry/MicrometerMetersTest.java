package io.postbox.common.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.search.RequiredSearch;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MicrometerMetersTest {
  private static final Tags TAGS = Tags.of("service", "shop");

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final MicrometerMeters meters = new MicrometerMeters(registry, false);

  @Test
  void theNamesFollowMicrometersConvention() {
    meters.counter(Sample.DROPPED).add(2);
    meters.counter(Sample.DROPPED).add(3);
    meters.gauge(Sample.OLDEST, () -> 1.5);
    meters.timer(Sample.RELAY).record(Duration.ofSeconds(4));

    assertThat(
            registry.get("postbox.outbox.events.dropped").tag("destination", "a").counter().count())
        .isEqualTo(5);
    assertThat(registry.get("postbox.outbox.oldest.pending").tags(TAGS).gauge().value())
        .isEqualTo(1.5);
    assertThat(registry.get("postbox.outbox.oldest.pending").gauge().getId().getBaseUnit())
        .isEqualTo("seconds");
    assertThat(registry.get("postbox.outbox.relay").tags(TAGS).timer().totalTime(TimeUnit.SECONDS))
        .isEqualTo(4);
    assertThat(registry.get("postbox.outbox.relay").timer().getId().getDescription())
        .isEqualTo("Time until sent");
  }

  /** Whatever its own methods do, it publishes that and nothing else. */
  @Test
  void ofTheServersRegistryOnlyItsOwnMethodsAreCalled() {
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    MicrometerMeters published =
        new MicrometerMeters(
            new SimpleMeterRegistry() {
              @Override
              public Counter counter(String name, Iterable<Tag> tags) {
                return prometheus.counter(name, tags);
              }

              @Override
              public <T> T gauge(
                  String name, Iterable<Tag> tags, T value, ToDoubleFunction<T> read) {
                return prometheus.gauge(name, tags, value, read);
              }

              @Override
              public Timer timer(String name, Iterable<Tag> tags) {
                return prometheus.timer(name, tags);
              }

              @Override
              public RequiredSearch get(String name) {
                return prometheus.get(name);
              }

              @Override
              public io.micrometer.core.instrument.@Nullable Meter remove(
                  io.micrometer.core.instrument.Meter meter) {
                return prometheus.remove(meter);
              }
            },
            true);
    publish(published);
    System.gc(); // a registry has weak references
    assertNames(prometheus);

    published.close();
    assertThat(prometheus.getMeters()).isEmpty();
  }

  @Test
  void inPrometheusTheNamesAreThoseOfTheContract() {
    PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    MicrometerMeters published = new MicrometerMeters(prometheus, false);
    publish(published);

    assertNames(prometheus);
  }

  private static void publish(MicrometerMeters published) {
    published.counter(Sample.DROPPED).add(2);
    double one = 1;
    published.gauge(Sample.OLDEST, () -> one + 0.5);
    published.gauge(Sample.KEPT, () -> 7);
    published.gauge(Sample.PENDING, () -> 3);
    published.timer(Sample.RELAY).record(Duration.ofSeconds(4));
  }

  private static void assertNames(PrometheusMeterRegistry prometheus) {
    assertThat(prometheus.scrape())
        .contains("postbox_outbox_events_dropped_total{destination=\"a\",service=\"shop\"} 2")
        .contains("postbox_outbox_oldest_pending_seconds{service=\"shop\"} 1.5")
        .contains("postbox_inbox_kept_bytes{service=\"shop\"} 7")
        .contains("postbox_outbox_pending{service=\"shop\"} 3")
        .contains("postbox_outbox_relay_seconds_count{service=\"shop\"} 1")
        .contains("postbox_outbox_relay_seconds_sum{service=\"shop\"} 4");
  }

  @Test
  void aSeriesThatIsRemovedGoesAndTheOthersStay() {
    meters.counter(Sample.DROPPED);
    meters.counter(Sample.DROPPED_OF_B);
    meters.remove(Sample.DROPPED);
    meters.remove(Sample.PENDING);

    assertThat(registry.getMeters()).hasSize(1);
    assertThat(registry.find("postbox.outbox.events.dropped").tag("destination", "b").counter())
        .isNotNull();
  }

  /** The registry may be that of a shared library, which the next deployment finds again. */
  @Test
  void nothingStaysWhenTheApplicationEndsAndWhatIsOthersDoes() {
    registry.counter("theirs");
    meters.counter(Sample.DROPPED);
    meters.gauge(Sample.OLDEST, () -> 1.5);
    meters.timer(Sample.RELAY);
    meters.close();

    assertThat(registry.getMeters()).hasSize(1);
  }

  @Test
  void aRegistryThatIsAddedLaterShowsTheSameSeries() {
    CompositeMeterRegistry composite = new CompositeMeterRegistry();
    MicrometerMeters early = new MicrometerMeters(composite, false);
    early.gauge(Sample.OLDEST, () -> 1.5);
    composite.add(registry);

    assertThat(registry.get("postbox.outbox.oldest.pending").gauge().value()).isEqualTo(1.5);
  }
}
