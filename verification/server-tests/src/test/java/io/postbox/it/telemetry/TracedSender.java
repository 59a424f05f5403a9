package io.postbox.it.telemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import jakarta.ejb.Stateless;
import jakarta.inject.Inject;

/** Enqueues within a span. */
@Stateless
public class TracedSender {
  @Inject Outbox outbox;
  @Inject Tracer tracer;

  /** Answers the span as {@code trace-id/span-id}. */
  public String send(OutboxMessage message) {
    Span span = tracer.spanBuilder("business").startSpan();
    try (Scope scope = span.makeCurrent()) {
      outbox.enqueue(message);
      return span.getSpanContext().getTraceId() + "/" + span.getSpanContext().getSpanId();
    } finally {
      span.end();
    }
  }
}
