package io.postbox.common.telemetry;

import io.postbox.common.config.MetricsSystem;
import io.postbox.common.metrics.Meters;
import io.postbox.common.metrics.MetricsSource;
import io.postbox.common.server.MetricsFeatures;

/**
 * Micrometer, a library of the application.
 *
 * @param loader the class loader that has to find it
 */
public record MicrometerSource(ClassLoader loader) implements MetricsSource {

  /** Searches with the loader of this class, which in a shared library is not the modules'. */
  public MicrometerSource() {
    this(MicrometerSource.class.getClassLoader());
  }

  @Override
  public MetricsSystem system() {
    return MetricsSystem.MICROMETER;
  }

  @Override
  public boolean isPresent() {
    return MetricsFeatures.isPresent(MetricsSystem.MICROMETER, loader);
  }

  @Override
  public Meters meters() {
    return MicrometerMeters.global();
  }
}
