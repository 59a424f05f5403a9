package io.postbox.common.server;

import io.postbox.common.config.ConfigurationException;
import io.postbox.common.config.MetricsSystem;
import io.postbox.common.platform.Platforms;

/** Which metrics systems the server has, by their classes. */
public final class MetricsFeatures {
  private MetricsFeatures() {}

  /**
   * Refuses a configured system that is not there: its dashboards would stay empty, and its alerts
   * silent.
   *
   * @param wanted the configured system
   * @throws ConfigurationException saying how to get it
   */
  public static void require(MetricsSystem wanted) {
    require(wanted, MetricsFeatures.class.getClassLoader());
  }

  static void require(MetricsSystem wanted, ClassLoader loader) {
    if (!isPresent(wanted, loader)) {
      throw new ConfigurationException(
          "postbox.metrics=%s, but the application cannot use it: %s, or leave the key out for what the server has."
              .formatted(wanted.value(), remedy(wanted)));
    }
  }

  /** Whether a class loader finds a system's API. */
  public static boolean isPresent(MetricsSystem system, ClassLoader loader) {
    String type = type(system);
    return type.isEmpty() || ServerFeature.isPresent(type, loader);
  }

  private static String type(MetricsSystem system) {
    return switch (system) {
      case MICROPROFILE -> "org.eclipse.microprofile.metrics.MetricRegistry";
      case OPENTELEMETRY -> "io.opentelemetry.api.OpenTelemetry";
      case MICROMETER -> "io.micrometer.core.instrument.Metrics";
      case AUTO, NONE -> "";
    };
  }

  private static String remedy(MetricsSystem system) {
    return switch (system) {
      case MICROPROFILE -> Platforms.here().toGet("mpMetrics-5.1");
      case OPENTELEMETRY -> Platforms.here().toGet("mpTelemetry-2.1");
      default -> "put io.micrometer:micrometer-core and what it needs beside Postbox's jars";
    };
  }
}
