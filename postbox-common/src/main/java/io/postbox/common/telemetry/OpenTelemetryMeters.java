package io.postbox.common.telemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.metrics.ObservableDoubleGauge;
import io.opentelemetry.api.metrics.ObservableLongCounter;
import io.postbox.common.metrics.Meter;
import io.postbox.common.metrics.Meters;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.DoubleSupplier;

/**
 * OpenTelemetry: {@code postbox.outbox.events_dropped}, with units beside the names. An exporter
 * for Prometheus makes of that the names that MicroProfile Metrics has. Counters are read by the
 * exporter, as gauges are, because an instrument that is written to never forgets a series; only
 * timers have to be such.
 */
public final class OpenTelemetryMeters implements Meters {
  private static final String SECONDS = "s";

  /** The bounds of the timers, in seconds; by default they suit milliseconds. */
  private static final List<Double> BOUNDS =
      List.of(0.01, 0.05, 0.25, 1.0, 5.0, 30.0, 120.0, 600.0, 3600.0);

  private final io.opentelemetry.api.metrics.Meter api;
  private final Map<String, Counters> counters = new ConcurrentHashMap<>();
  private final Map<String, Gauges> gauges = new ConcurrentHashMap<>();
  private final Map<String, DoubleHistogram> timers = new ConcurrentHashMap<>();

  /** A counter with all its series. */
  private record Counters(ObservableLongCounter counter, Map<Attributes, LongAdder> series) {}

  /** A gauge with all its series. */
  private record Gauges(ObservableDoubleGauge gauge, Map<Attributes, DoubleSupplier> series) {}

  /**
   * @param telemetry the application's
   * @param scope the name under which the instruments are made
   */
  public OpenTelemetryMeters(OpenTelemetry telemetry, String scope) {
    api = telemetry.getMeterProvider().get(scope);
  }

  /** Whether the server provides it. */
  public static boolean isProvided(Beans beans) {
    return beans.has(OpenTelemetry.class);
  }

  /** Whether somebody may read what the server's instance is given. */
  public static boolean isExported(Beans beans) {
    return exports(beans.get(OpenTelemetry.class));
  }

  /**
   * The server's.
   *
   * @param scope the name under which the instruments are made
   */
  public static Meters of(Beans beans, String scope) {
    return new OpenTelemetryMeters(beans.get(OpenTelemetry.class), scope);
  }

  /** Whether an instance exports metrics, as far as it can be seen: it drops them if not. */
  static boolean exports(OpenTelemetry telemetry) {
    String scope = "io.postbox";
    return telemetry.getMeterProvider().get(scope) != MeterProvider.noop().get(scope);
  }

  @Override
  public Counter counter(Meter meter) {
    LongAdder count =
        counters
            .computeIfAbsent(name(meter), name -> counters(name, meter))
            .series()
            .computeIfAbsent(attributes(meter), tags -> new LongAdder());
    return count::add;
  }

  private Counters counters(String name, Meter meter) {
    Map<Attributes, LongAdder> series = new ConcurrentHashMap<>();
    return new Counters(
        api.counterBuilder(name)
            .setDescription(meter.description())
            .buildWithCallback(
                result -> series.forEach((tags, count) -> result.record(count.sum(), tags))),
        series);
  }

  @Override
  public void gauge(Meter meter, DoubleSupplier value) {
    gauges
        .computeIfAbsent(name(meter), name -> gauges(name, meter))
        .series()
        .putIfAbsent(attributes(meter), value);
  }

  private Gauges gauges(String name, Meter meter) {
    Map<Attributes, DoubleSupplier> series = new ConcurrentHashMap<>();
    return new Gauges(
        api.gaugeBuilder(name)
            .setDescription(meter.description())
            .setUnit(unit(meter))
            .buildWithCallback(
                result ->
                    series.forEach((tags, value) -> result.record(value.getAsDouble(), tags))),
        series);
  }

  @Override
  public Timer timer(Meter meter) {
    DoubleHistogram timer =
        timers.computeIfAbsent(
            name(meter),
            name ->
                api.histogramBuilder(name)
                    .setDescription(meter.description())
                    .setUnit(SECONDS)
                    .setExplicitBucketBoundariesAdvice(BOUNDS)
                    .build());
    Attributes tags = attributes(meter);
    return duration -> timer.record(duration.toNanos() / 1e9, tags);
  }

  /** A timer's series stays. */
  @Override
  public void remove(Meter meter) {
    Attributes tags = attributes(meter);
    Counters counter = counters.get(name(meter));
    if (counter != null) {
      counter.series().remove(tags);
    }
    Gauges gauge = gauges.get(name(meter));
    if (gauge != null) {
      gauge.series().remove(tags);
    }
  }

  @Override
  public void close() {
    counters.values().forEach(each -> each.counter().close());
    gauges.values().forEach(each -> each.gauge().close());
  }

  private static String name(Meter meter) {
    return "postbox." + meter.module() + "." + meter.name();
  }

  private static String unit(Meter meter) {
    return switch (meter.unit()) {
      case NONE -> "";
      case SECONDS -> SECONDS;
      case BYTES -> "By";
    };
  }

  private static Attributes attributes(Meter meter) {
    AttributesBuilder attributes = Attributes.builder();
    meter.tags().forEach(tag -> attributes.put(tag.name(), tag.value()));
    return attributes.build();
  }
}
