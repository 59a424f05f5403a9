package io.postbox.inbox.interceptor;

import io.opentelemetry.api.OpenTelemetry;
import io.postbox.inbox.jms.MessageTrace;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import java.util.Optional;

/**
 * Tracing. A server without MicroProfile Telemetry, or one that hides its API from the application,
 * leaves this bean out; that works because no field or method has a type of that API.
 */
@Dependent
class MicroProfileHandlerTracing implements HandlerTracing {
  private final HandlerTracing spans;

  @Inject
  MicroProfileHandlerTracing(Instance<OpenTelemetry> telemetry) {
    spans =
        telemetry.isResolvable()
            ? new OpenTelemetryHandlerSpans(telemetry.get())
            : (consumer, messageId, message, isDelivered) ->
                Optional.empty(); // the application has the API itself
  }

  @Override
  public Optional<Span> begin(
      String consumer, String messageId, MessageTrace message, boolean isDelivered) {
    return spans.begin(consumer, messageId, message, isDelivered);
  }
}
