package io.postbox.outbox.server;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.OutboxProperties;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.server.TracingBean.Tracing;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A span for each attempt to send, as a child of the span in which the message was enqueued. If
 * that span is not recorded, messages carry its context on. Thread-safe.
 */
final class OpenTelemetrySpans implements Tracing {
  private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();

  private final Tracer tracer;

  private enum Getter implements TextMapGetter<Map<String, String>> {
    BY_KEY;

    @Override
    public Iterable<String> keys(Map<String, String> carrier) {
      return carrier.keySet();
    }

    @Override
    public @Nullable String get(@Nullable Map<String, String> carrier, String key) {
      return carrier == null ? null : carrier.get(key);
    }
  }

  OpenTelemetrySpans(OpenTelemetry telemetry) {
    tracer = telemetry.getTracer("io.postbox.outbox");
  }

  @Override
  public OutboxMessage traced(OutboxMessage message) {
    Map<String, String> headers = headersOf(Context.current());
    String parent = headers.get(OutboxProperties.TRACE_PARENT);
    return parent == null
        ? message
        : message.trace(parent, headers.get(OutboxProperties.TRACE_STATE));
  }

  @Override
  public Attempt begin(StoredMessage message, @Nullable String traceState) {
    Context enqueued = contextOf(message.envelope().traceParent(), traceState);
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
    Map<String, String> headers = headersOf(enqueued.with(span));
    return new Attempt(
        Optional.ofNullable(headers.get(OutboxProperties.TRACE_PARENT)),
        Optional.ofNullable(headers.get(OutboxProperties.TRACE_STATE)),
        failure -> end(span, failure));
  }

  private static void end(Span span, @Nullable Throwable failure) {
    if (failure != null) {
      span.setStatus(StatusCode.ERROR, OutboxLog.reason(failure));
    }
    span.end();
  }

  private static Map<String, String> headersOf(Context context) {
    Map<String, String> headers = new HashMap<>();
    W3C.inject(context, headers, (carrier, key, value) -> headers.put(key, value));
    return headers;
  }

  private static Context contextOf(@Nullable String traceParent, @Nullable String traceState) {
    Map<String, String> headers = new HashMap<>();
    if (traceParent != null) {
      headers.put(OutboxProperties.TRACE_PARENT, traceParent);
      if (traceState != null) {
        headers.put(OutboxProperties.TRACE_STATE, traceState);
      }
    }
    return W3C.extract(Context.root(), headers, Getter.BY_KEY);
  }
}
