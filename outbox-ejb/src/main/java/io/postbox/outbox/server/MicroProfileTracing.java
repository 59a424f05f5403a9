package io.postbox.outbox.server;

import io.opentelemetry.api.OpenTelemetry;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.server.TracingBean.Tracing;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import org.jspecify.annotations.Nullable;

/**
 * The traces, where the server has MicroProfile Telemetry and lets the application see its API.
 * Elsewhere this bean is not there, and since none of its fields and methods has a type from there,
 * nobody complains.
 */
@Dependent
class MicroProfileTracing implements Tracing {
  private final Tracing spans;

  @Inject
  MicroProfileTracing(Instance<OpenTelemetry> telemetry) {
    spans =
        telemetry.isResolvable()
            ? new OpenTelemetrySpans(telemetry.get())
            : new OpenTelemetrySpans(OpenTelemetry.noop()); // the application brings the API along
  }

  @Override
  public OutboxMessage traced(OutboxMessage message) {
    return spans.traced(message);
  }

  @Override
  public Attempt begin(StoredMessage message, @Nullable String traceState) {
    return spans.begin(message, traceState);
  }
}
