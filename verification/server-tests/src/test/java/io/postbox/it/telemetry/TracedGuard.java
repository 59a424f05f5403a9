package io.postbox.it.telemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.postbox.inbox.InboxGuard;
import io.postbox.inbox.InboxRequest;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;

/** Handles messages without JMS, within a span of its own. */
@ApplicationScoped
public class TracedGuard {
  @Inject InboxGuard guard;
  @Inject Tracer tracer;

  /**
   * The spans of a call.
   *
   * @param caller the caller's, as {@code trace-id/span-id}
   * @param handler the one in which the handler ran
   */
  public record Spans(String caller, String handler) {}

  /** Brings a message. */
  public Spans bring(InboxRequest request) {
    Span span = tracer.spanBuilder("poll").startSpan();
    try (Scope scope = span.makeCurrent()) {
      String handler =
          guard.handle(request, () -> name(Span.current().getSpanContext())).value().orElseThrow();
      return new Spans(name(span.getSpanContext()), handler);
    } finally {
      span.end();
    }
  }

  private static String name(SpanContext span) {
    return span.getTraceId() + "/" + span.getSpanId();
  }
}
