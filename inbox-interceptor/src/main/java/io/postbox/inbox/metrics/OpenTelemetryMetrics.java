package io.postbox.inbox.metrics;

import io.opentelemetry.api.OpenTelemetry;
import io.postbox.common.config.MetricsSystem;
import io.postbox.common.metrics.Meters;
import io.postbox.common.telemetry.OpenTelemetryMeters;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * OpenTelemetry, as MicroProfile Telemetry provides it. A server without that, or one that hides
 * its API from the application, leaves this bean out; that works because no field or method has a
 * type of that API.
 */
@Dependent
class OpenTelemetryMetrics implements MetricsBean.Source {
  private final BooleanSupplier isPresent;
  private final BooleanSupplier isRead;
  private final Supplier<Meters> meters;

  @Inject
  OpenTelemetryMetrics(Instance<OpenTelemetry> telemetry) {
    isPresent = telemetry::isResolvable;
    isRead = () -> telemetry.isResolvable() && OpenTelemetryMeters.exports(telemetry.get());
    meters = () -> new OpenTelemetryMeters(telemetry.get(), "io.postbox.inbox");
  }

  @Override
  public MetricsSystem system() {
    return MetricsSystem.OPENTELEMETRY;
  }

  @Override
  public boolean isPresent() {
    return isPresent.getAsBoolean();
  }

  @Override
  public boolean isRead() {
    return isRead.getAsBoolean();
  }

  @Override
  public Meters meters() {
    return meters.get();
  }
}
