package io.postbox.outbox.server;

import io.opentelemetry.api.OpenTelemetry;
import io.postbox.common.metrics.MetricsSource;
import io.postbox.common.telemetry.OpenTelemetryMeters;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;

/**
 * OpenTelemetry, as MicroProfile Telemetry provides it. A server without that, or one that hides
 * its API from the application, leaves this bean out; that works because no field or method has a
 * type of that API.
 */
@Dependent
class OpenTelemetryMetrics implements MetricsBean.Source {
  private final MetricsSource source;

  @Inject
  OpenTelemetryMetrics(Instance<OpenTelemetry> telemetry) {
    source =
        OpenTelemetryMeters.source(telemetry::isResolvable, telemetry::get, "io.postbox.outbox");
  }

  @Override
  public MetricsSource get() {
    return source;
  }
}
