package io.postbox.common.telemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.postbox.common.config.MetricsSystem;
import io.postbox.common.metrics.Meters;
import io.postbox.common.metrics.MetricsSource;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * OpenTelemetry, as the server provides it.
 *
 * @param provided whether it does; asked first
 * @param telemetry the server's
 * @param scope the name of the part that measures
 */
public record OpenTelemetrySource(
    BooleanSupplier provided, Supplier<OpenTelemetry> telemetry, String scope)
    implements MetricsSource {

  @Override
  public MetricsSystem system() {
    return MetricsSystem.OPENTELEMETRY;
  }

  @Override
  public boolean isPresent() {
    return provided.getAsBoolean();
  }

  @Override
  public boolean isRead() {
    return isPresent() && OpenTelemetryMeters.exports(telemetry.get());
  }

  @Override
  public Meters meters() {
    return new OpenTelemetryMeters(telemetry.get(), scope);
  }
}
