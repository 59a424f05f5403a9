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
 * Tracing. A server without MicroProfile Telemetry, or one that hides its API from the application,
 * leaves this bean out; that works because no field or method has a type of that API.
 */
@Dependent
class MicroProfileTracing implements Tracing {
  private final Tracing spans;

  @Inject
  MicroProfileTracing(Instance<OpenTelemetry> telemetry) {
    spans =
        telemetry.isResolvable()
            ? new OpenTelemetrySpans(telemetry.get())
            : new OpenTelemetrySpans(
                OpenTelemetry.noop()); // the application contains the API itself
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
