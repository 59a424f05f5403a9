package io.postbox.common.telemetry;

import io.postbox.common.config.MetricsSystem;
import io.postbox.common.metrics.Meters;
import io.postbox.common.metrics.MetricsSource;
import java.util.function.Supplier;
import org.eclipse.microprofile.metrics.MetricRegistry;

/**
 * MicroProfile Metrics, where the server has it.
 *
 * @param registry the registry of applications' metrics
 */
public record MicroProfileSource(Supplier<MetricRegistry> registry) implements MetricsSource {

  @Override
  public MetricsSystem system() {
    return MetricsSystem.MICROPROFILE;
  }

  @Override
  public boolean isPresent() {
    return true;
  }

  @Override
  public Meters meters() {
    return new MicroProfileMeters(registry.get());
  }
}
