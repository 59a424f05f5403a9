package io.postbox.common.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tag;
import io.postbox.common.metrics.Meter;
import io.postbox.common.metrics.Meter.Unit;
import io.postbox.common.metrics.Meters;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Micrometer: {@code postbox.outbox.events.dropped}, with units beside the names. A registry for
 * Prometheus makes of that the names that MicroProfile Metrics has.
 */
public final class MicrometerMeters implements Meters {
  private final MeterRegistry registry;
  private final boolean isOfServer;
  private final Map<Meter, io.micrometer.core.instrument.Meter> registered =
      new ConcurrentHashMap<>();

  /** Of which a server's registry has weak references. */
  private final Map<Meter, DoubleSupplier> values = new ConcurrentHashMap<>();

  /**
   * @param isOfServer whether it is the server's: that of WildFly publishes what its own methods
   *     make, which have no place for description and unit, and nothing that a builder makes
   */
  MicrometerMeters(MeterRegistry registry, boolean isOfServer) {
    this.registry = registry;
    this.isOfServer = isOfServer;
  }

  /**
   * The server's registry, where it has one, or Micrometer's global registry, to which the
   * application adds the ones that publish.
   */
  public static Meters of(Beans beans) {
    return beans.has(MeterRegistry.class)
        ? new MicrometerMeters(beans.get(MeterRegistry.class), true)
        : new MicrometerMeters(Metrics.globalRegistry, false);
  }

  @Override
  public Counter counter(Meter meter) {
    io.micrometer.core.instrument.Counter counter =
        keep(
            meter,
            it ->
                isOfServer
                    ? registry.counter(name(it), tags(it))
                    : io.micrometer.core.instrument.Counter.builder(name(it))
                        .description(it.description())
                        .tags(tags(it))
                        .register(registry));
    return counter::increment;
  }

  @Override
  public void gauge(Meter meter, DoubleSupplier value) {
    keep(
        meter,
        it ->
            isOfServer
                ? gaugeOfServer(it, value)
                : io.micrometer.core.instrument.Gauge.builder(name(it), value::getAsDouble)
                    .description(it.description())
                    .baseUnit(unit(it))
                    .tags(tags(it))
                    .register(registry));
  }

  private io.micrometer.core.instrument.Gauge gaugeOfServer(Meter meter, DoubleSupplier value) {
    String name = unit(meter) == null ? name(meter) : name(meter) + "." + unit(meter);
    values.put(meter, value);
    registry.gauge(name, tags(meter), value, DoubleSupplier::getAsDouble);
    return registry.get(name).tags(tags(meter)).gauge();
  }

  @Override
  public Timer timer(Meter meter) {
    io.micrometer.core.instrument.Timer timer =
        keep(
            meter,
            it ->
                isOfServer
                    ? registry.timer(name(it), tags(it))
                    : io.micrometer.core.instrument.Timer.builder(name(it))
                        .description(it.description())
                        .tags(tags(it))
                        .register(registry));
    return timer::record;
  }

  private <T extends io.micrometer.core.instrument.Meter> T keep(
      Meter meter, Function<Meter, T> register) {
    T made = register.apply(meter);
    registered.put(meter, made);
    return made;
  }

  @Override
  public void remove(Meter meter) {
    values.remove(meter);
    io.micrometer.core.instrument.Meter found = registered.remove(meter);
    if (found != null) {
      registry.remove(found);
    }
  }

  /** The registry may belong to a library that outlives the application. */
  @Override
  public void close() {
    registered.keySet().forEach(this::remove);
  }

  private static String name(Meter meter) {
    return "postbox." + meter.module() + "." + meter.name().replace('_', '.');
  }

  private static @Nullable String unit(Meter meter) {
    return meter.unit() == Unit.NONE ? null : meter.unit().word();
  }

  private static List<Tag> tags(Meter meter) {
    return meter.tags().stream().map(tag -> Tag.of(tag.name(), tag.value())).toList();
  }
}
