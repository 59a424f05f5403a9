package io.postbox.common.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OpenTelemetryMetersTest {
  private final Reader reader = new Reader();
  private final OpenTelemetryMeters meters =
      new OpenTelemetryMeters(
          telemetry(SdkMeterProvider.builder().registerMetricReader(reader).build()),
          "io.postbox.outbox");

  @Test
  void theNamesAndUnitsFollowOpenTelemetrysConventions() {
    meters.counter(Sample.DROPPED).add(2);
    meters.counter(Sample.DROPPED).add(3);
    meters.counter(Sample.DROPPED_OF_B).add(1);
    meters.gauge(Sample.OLDEST, () -> 1.5);
    meters.gauge(Sample.KEPT, () -> 7);
    meters.gauge(Sample.PENDING, () -> 3);
    meters.timer(Sample.RELAY).record(Duration.ofSeconds(4));

    Map<String, MetricData> all = reader.read();
    assertThat(all)
        .containsOnlyKeys(
            "postbox.outbox.events_dropped",
            "postbox.outbox.oldest_pending",
            "postbox.inbox.kept",
            "postbox.outbox.pending",
            "postbox.outbox.relay");
    MetricData dropped = all.get("postbox.outbox.events_dropped");
    assertThat(dropped.getDescription()).isEqualTo("Events dropped");
    assertThat(dropped.getLongSumData().isMonotonic()).isTrue();
    assertThat(counts(dropped)).isEqualTo(Map.of("a", 5L, "b", 1L));
    assertThat(dropped.getInstrumentationScopeInfo().getName()).isEqualTo("io.postbox.outbox");
    assertThat(all.get("postbox.outbox.oldest_pending").getUnit()).isEqualTo("s");
    assertThat(gauge(all, "postbox.outbox.oldest_pending")).isEqualTo(1.5);
    assertThat(all.get("postbox.inbox.kept").getUnit()).isEqualTo("By");
    assertThat(all.get("postbox.outbox.pending").getUnit()).isEmpty();
    assertThat(all.get("postbox.outbox.relay").getUnit()).isEqualTo("s");
    HistogramPointData relay =
        all.get("postbox.outbox.relay").getHistogramData().getPoints().iterator().next();
    assertThat(relay.getSum()).isEqualTo(4);
    assertThat(relay.getBoundaries()).startsWith(0.01, 0.05).endsWith(3600.0);
  }

  @Test
  void aSeriesThatIsRemovedGoesAndTheOthersStay() {
    meters.counter(Sample.DROPPED).add(2);
    meters.counter(Sample.DROPPED_OF_B).add(1);
    meters.gauge(Sample.OLDEST, () -> 1.5);
    meters.remove(Sample.DROPPED);
    meters.remove(Sample.OLDEST);
    meters.remove(Sample.PENDING);

    Map<String, MetricData> all = reader.read();
    assertThat(all).containsOnlyKeys("postbox.outbox.events_dropped");
    assertThat(counts(all.get("postbox.outbox.events_dropped"))).isEqualTo(Map.of("b", 1L));
  }

  @Test
  void noCounterAndNoGaugeStaysWhenTheApplicationEnds() {
    meters.counter(Sample.DROPPED).add(2);
    meters.gauge(Sample.OLDEST, () -> 1.5);
    meters.close();

    assertThat(reader.read()).isEmpty();
  }

  @Test
  void oneThatNobodyReadsIsKnownByThat() {
    assertThat(OpenTelemetryMeters.exports(OpenTelemetry.noop())).isFalse();
    assertThat(OpenTelemetryMeters.exports(telemetry(SdkMeterProvider.builder().build())))
        .isFalse();
    assertThat(
            OpenTelemetryMeters.exports(
                telemetry(SdkMeterProvider.builder().registerMetricReader(new Reader()).build())))
        .isTrue();
  }

  private static Map<String, Long> counts(MetricData data) {
    Map<String, Long> counts = new TreeMap<>();
    data.getLongSumData()
        .getPoints()
        .forEach(
            point ->
                counts.put(
                    String.valueOf(
                        point.getAttributes().get(AttributeKey.stringKey("destination"))),
                    point.getValue()));
    return counts;
  }

  private static double gauge(Map<String, MetricData> all, String name) {
    return all.get(name).getDoubleGaugeData().getPoints().iterator().next().getValue();
  }

  private static OpenTelemetry telemetry(MeterProvider provider) {
    return new OpenTelemetry() {
      @Override
      public TracerProvider getTracerProvider() {
        return TracerProvider.noop();
      }

      @Override
      public MeterProvider getMeterProvider() {
        return provider;
      }

      @Override
      public ContextPropagators getPropagators() {
        return ContextPropagators.noop();
      }
    };
  }

  private static final class Reader implements MetricReader {
    private CollectionRegistration registration = CollectionRegistration.noop();

    Map<String, MetricData> read() {
      Map<String, MetricData> all = new TreeMap<>();
      registration.collectAllMetrics().forEach(data -> all.put(data.getName(), data));
      return all;
    }

    @Override
    public void register(CollectionRegistration with) {
      registration = with;
    }

    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType instrument) {
      return AggregationTemporality.CUMULATIVE;
    }

    @Override
    public CompletableResultCode forceFlush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }
}
