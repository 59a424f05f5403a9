package io.postbox.common.server;

import io.postbox.common.config.ConfigurationException;
import io.postbox.common.config.MetricsSystem;
import io.postbox.common.log.SharedLog;
import io.postbox.common.metrics.Meters;
import io.postbox.common.metrics.MetricsChoice;
import io.postbox.common.metrics.MetricsSource;
import io.postbox.common.platform.Platforms;
import io.postbox.common.telemetry.Beans;
import io.postbox.common.telemetry.MicroProfileMeters;
import io.postbox.common.telemetry.MicrometerMeters;
import io.postbox.common.telemetry.OpenTelemetryMeters;
import io.postbox.common.telemetry.OpenTelemetryTracing;
import io.postbox.common.telemetry.Tracing;
import jakarta.enterprise.inject.Instance;
import java.util.List;
import java.util.Optional;

/**
 * The metrics systems of the server and the application, and the server's tracing system, as far as
 * they have them. Each of their APIs is known to adapters of its own, whose classes are loaded only
 * once the API has been found. It is searched with the loader of this class, which in a shared
 * library is not the modules'.
 *
 * @param beans what the module sees of the container's beans
 * @param log the module's
 */
public record ServerTelemetry(Instance<Object> beans, SharedLog log) implements Beans {

  /**
   * Refuses a configured system that is not there: its dashboards would stay empty, and its alerts
   * silent.
   *
   * @param wanted the configured system
   * @throws ConfigurationException saying how to get it
   */
  public static void require(MetricsSystem wanted) {
    require(wanted, loader());
  }

  static void require(MetricsSystem wanted, ClassLoader loader) {
    if (!isPresent(wanted, loader)) {
      throw new ConfigurationException(
          "postbox.metrics=%s, but the application cannot use it: %s, or leave the key out for what the server has."
              .formatted(wanted.value(), remedy(wanted)));
    }
  }

  /**
   * The metrics system of the application, or one that drops everything.
   *
   * @param wanted the configured system
   */
  public Meters meters(MetricsSystem wanted) {
    return new MetricsChoice(wanted, log::noMetrics, log::metricsFailed).among(sources(loader()));
  }

  /** No method references: each would load its adapter now. */
  List<MetricsSource> sources(ClassLoader loader) {
    return List.of(
        new MetricsSource(
            MetricsSystem.MICROPROFILE,
            () -> isPresent(MetricsSystem.MICROPROFILE, loader),
            () -> MicroProfileMeters.of(this)),
        new MetricsSource(
            MetricsSystem.OPENTELEMETRY,
            () ->
                isPresent(MetricsSystem.OPENTELEMETRY, loader)
                    && OpenTelemetryMeters.isProvided(this),
            () -> OpenTelemetryMeters.isExported(this),
            () -> OpenTelemetryMeters.of(this, scope())),
        new MetricsSource(
            MetricsSystem.MICROMETER,
            () -> isPresent(MetricsSystem.MICROMETER, loader),
            () -> MicrometerMeters.of(this)));
  }

  /** The server's tracing system, if the application can see its API. */
  public Optional<Tracing> tracing() {
    return isPresent(MetricsSystem.OPENTELEMETRY, loader())
        ? Optional.of(OpenTelemetryTracing.of(this, scope(), log.exceptions()::chain))
        : Optional.empty();
  }

  /** The name under which the module's instruments and spans are made. */
  private String scope() {
    return log.either("io.postbox.outbox", "io.postbox.inbox");
  }

  @Override
  public boolean has(Class<?> type) {
    return beans.select(type).isResolvable();
  }

  @Override
  public <T> T get(Class<T> type) {
    return beans.select(type).get();
  }

  private static ClassLoader loader() {
    return ServerTelemetry.class.getClassLoader();
  }

  private static boolean isPresent(MetricsSystem system, ClassLoader loader) {
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
