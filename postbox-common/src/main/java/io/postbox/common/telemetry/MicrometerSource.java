package io.postbox.common.telemetry;

import io.postbox.common.config.MetricsSystem;
import io.postbox.common.metrics.MetricsSource;
import io.postbox.common.server.MetricsFeatures;

/** Micrometer, a library of the application. */
public final class MicrometerSource {
  private MicrometerSource() {}

  /** Searches with the loader of this class, which in a shared library is not the modules'. */
  public static MetricsSource ofApplication() {
    return of(MicrometerSource.class.getClassLoader());
  }

  static MetricsSource of(ClassLoader loader) {
    return new MetricsSource(
        MetricsSystem.MICROMETER,
        () -> MetricsFeatures.isPresent(MetricsSystem.MICROMETER, loader),
        () -> MicrometerMeters.global()); // loads its class only then
  }
}
