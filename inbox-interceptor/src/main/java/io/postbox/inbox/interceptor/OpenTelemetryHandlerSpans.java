package io.postbox.inbox.interceptor;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.postbox.common.telemetry.OpenTelemetryHeaders;
import io.postbox.inbox.jms.MessageTrace;
import io.postbox.inbox.log.InboxLog;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A consumer span for each run of a handler, as a child of the span that sent the message.
 *
 * <p>A Java agent, or a server that traces deliveries, has made such a span before the inbox is
 * called, and has it current on the delivery's thread, which has no other. So a handler that the
 * broker calls gets no span if any is current. A handler that another method calls gets none if the
 * current span is of the message's trace; one of another trace, such as the job's that received the
 * message, is linked.
 */
final class OpenTelemetryHandlerSpans implements HandlerTracing {
  private final Tracer tracer;

  OpenTelemetryHandlerSpans(OpenTelemetry telemetry) {
    tracer = telemetry.getTracer("io.postbox.inbox");
  }

  @Override
  public Optional<Span> begin(
      String consumer, String messageId, MessageTrace message, boolean isDelivered) {
    SpanContext caller = io.opentelemetry.api.trace.Span.current().getSpanContext();
    Context sent = new OpenTelemetryHeaders(message.traceParent(), message.traceState()).context();
    if (caller.isValid() && (isDelivered || isOfTrace(caller, sent))) {
      return Optional.empty();
    }
    SpanBuilder builder =
        tracer
            .spanBuilder(message.destination().map("process "::concat).orElse("process"))
            .setSpanKind(SpanKind.CONSUMER)
            .setParent(sent)
            .setAttribute("messaging.operation.name", "process")
            .setAttribute("messaging.operation.type", "process")
            .setAttribute("messaging.consumer.group.name", consumer)
            .setAttribute("messaging.message.id", messageId);
    message.system().ifPresent(name -> builder.setAttribute("messaging.system", name));
    message
        .destination()
        .ifPresent(name -> builder.setAttribute("messaging.destination.name", name));
    if (caller.isValid()) {
      builder.addLink(caller);
    }
    return Optional.of(new ConsumerSpan(builder.startSpan()));
  }

  private static boolean isOfTrace(SpanContext caller, Context sent) {
    return io.opentelemetry.api.trace.Span.fromContext(sent)
        .getSpanContext()
        .getTraceId()
        .equals(caller.getTraceId());
  }

  record ConsumerSpan(io.opentelemetry.api.trace.Span span) implements Span {
    @Override
    public Callable<@Nullable Object> around(Callable<@Nullable Object> handler) {
      return Context.current().with(span).wrap(handler);
    }

    @Override
    public void end(@Nullable Throwable failure) {
      if (failure != null) {
        span.setAttribute("error.type", failure.getClass().getName());
        span.setStatus(StatusCode.ERROR, InboxLog.reason(failure));
      }
      span.end();
    }
  }
}
