package io.postbox.outbox.server;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.postbox.common.telemetry.OpenTelemetryHeaders;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.server.TracingBean.Tracing;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A span for each attempt to send, as a child of the span in which the message was enqueued. If
 * that span is not recorded, messages carry its context on. Thread-safe.
 */
final class OpenTelemetrySpans implements Tracing {
  private final Tracer tracer;

  OpenTelemetrySpans(OpenTelemetry telemetry) {
    tracer = telemetry.getTracer("io.postbox.outbox");
  }

  @Override
  public OutboxMessage traced(OutboxMessage message) {
    OpenTelemetryHeaders caller = OpenTelemetryHeaders.of(Context.current());
    return caller
        .traceParent()
        .map(parent -> message.trace(parent, caller.traceState().orElse(null)))
        .orElse(message);
  }

  @Override
  public Attempt begin(StoredMessage message, @Nullable String traceState) {
    Context enqueued =
        new OpenTelemetryHeaders(
                Optional.ofNullable(message.envelope().traceParent()),
                Optional.ofNullable(traceState))
            .context();
    Span span =
        tracer
            .spanBuilder("send " + message.destination())
            .setSpanKind(SpanKind.PRODUCER)
            .setParent(enqueued)
            .setAttribute("messaging.system", "jms")
            .setAttribute("messaging.operation.type", "publish")
            .setAttribute("messaging.destination.name", message.destination())
            .setAttribute("messaging.message.id", message.envelope().id().toString())
            .startSpan();
    OpenTelemetryHeaders sent = OpenTelemetryHeaders.of(enqueued.with(span));
    return new Attempt(sent.traceParent(), sent.traceState(), failure -> end(span, failure));
  }

  private static void end(Span span, @Nullable Throwable failure) {
    if (failure != null) {
      span.setStatus(StatusCode.ERROR, OutboxLog.reason(failure));
    }
    span.end();
  }
}
