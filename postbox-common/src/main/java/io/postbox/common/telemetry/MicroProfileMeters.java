package io.postbox.common.telemetry;

import io.postbox.common.metrics.Meter;
import io.postbox.common.metrics.Meter.Unit;
import io.postbox.common.metrics.Meters;
import java.util.function.DoubleSupplier;
import org.eclipse.microprofile.metrics.Metadata;
import org.eclipse.microprofile.metrics.MetricID;
import org.eclipse.microprofile.metrics.MetricRegistry;
import org.eclipse.microprofile.metrics.MetricUnits;
import org.eclipse.microprofile.metrics.Tag;

/**
 * MicroProfile Metrics: {@code postbox_outbox_relayed}, to which the server adds {@code _total} or
 * {@code _seconds}.
 *
 * @param registry the application's, which the server empties when the application ends
 */
public record MicroProfileMeters(MetricRegistry registry) implements Meters {

  /** Those of the server; without a qualifier, the registry is that of applications' metrics. */
  public static Meters of(Beans beans) {
    return new MicroProfileMeters(beans.get(MetricRegistry.class));
  }

  @Override
  public Counter counter(Meter meter) {
    return registry.counter(metadata(meter), tags(meter))::inc;
  }

  @Override
  public void gauge(Meter meter, DoubleSupplier value) {
    registry.gauge(metadata(meter), value::getAsDouble, tags(meter));
  }

  @Override
  public Timer timer(Meter meter) {
    // Payara shows what is in no unit as it keeps it; in this one it shows seconds, as others do.
    Metadata nanoseconds =
        Metadata.builder(metadata(meter)).withUnit(MetricUnits.NANOSECONDS).build();
    return registry.timer(nanoseconds, tags(meter))::update;
  }

  @Override
  public void remove(Meter meter) {
    registry.remove(new MetricID(name(meter), tags(meter)));
  }

  @Override
  public void close() {
    // the server does it
  }

  private static Metadata metadata(Meter meter) {
    return Metadata.builder().withName(name(meter)).withDescription(meter.description()).build();
  }

  private static String name(Meter meter) {
    String name = "postbox_" + meter.module() + "_" + meter.name();
    return meter.unit() == Unit.NONE ? name : name + "_" + meter.unit().word();
  }

  private static Tag[] tags(Meter meter) {
    return meter.tags().stream().map(tag -> new Tag(tag.name(), tag.value())).toArray(Tag[]::new);
  }
}
