package io.postbox.common.telemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * OpenTelemetry. A span that is not recorded passes the context of its parent on. Where the server
 * provides no instance, because the application contains the API itself, handlers have no spans,
 * and messages only carry the context on.
 */
public final class OpenTelemetryTracing implements Tracing {
  private static final String TRACE_PARENT = "traceparent";
  private static final String TRACE_STATE = "tracestate";
  private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();

  private final boolean isProvided;
  private final Tracer tracer;
  private final Function<Throwable, String> reason;

  OpenTelemetryTracing(
      Optional<OpenTelemetry> provided, String scope, Function<Throwable, String> reason) {
    isProvided = provided.isPresent();
    tracer = provided.orElse(OpenTelemetry.noop()).getTracer(scope);
    this.reason = reason;
  }

  /**
   * The server's.
   *
   * @param scope the name under which the spans are made
   * @param reason what a span says of an exception
   */
  public static Tracing of(Beans beans, String scope, Function<Throwable, String> reason) {
    return new OpenTelemetryTracing(
        beans.has(OpenTelemetry.class)
            ? Optional.of(beans.get(OpenTelemetry.class))
            : Optional.empty(),
        scope,
        reason);
  }

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

  @Override
  public TraceContext current() {
    return headers(Context.current());
  }

  @Override
  public Optional<Span> begin(Start start) {
    boolean sends = start.kind() == Kind.SEND;
    SpanContext caller = io.opentelemetry.api.trace.Span.current().getSpanContext();
    Context parent = context(start.parent());
    if (!sends && (!isProvided || isTraced(start.kind(), caller, parent))) {
      return Optional.empty();
    }
    SpanBuilder builder =
        tracer
            .spanBuilder(start.name())
            .setSpanKind(sends ? SpanKind.PRODUCER : SpanKind.CONSUMER)
            .setParent(parent);
    start.attributes().forEach((name, value) -> builder.setAttribute(name, value));
    if (!sends && caller.isValid()) {
      builder.addLink(caller);
    }
    return Optional.of(new Begun(builder.startSpan(), sends));
  }

  private static boolean isTraced(Kind kind, SpanContext caller, Context parent) {
    return caller.isValid() && (kind == Kind.DELIVERY || isOfTrace(caller, parent));
  }

  private static boolean isOfTrace(SpanContext caller, Context parent) {
    return io.opentelemetry.api.trace.Span.fromContext(parent)
        .getSpanContext()
        .getTraceId()
        .equals(caller.getTraceId());
  }

  private static TraceContext headers(Context context) {
    Map<String, String> headers = new HashMap<>();
    W3C.inject(context, headers, (carrier, key, value) -> headers.put(key, value));
    return TraceContext.of(headers.get(TRACE_PARENT), headers.get(TRACE_STATE));
  }

  /** The context that a message's headers name, in no other; malformed ones name none. */
  private static Context context(TraceContext message) {
    Map<String, String> headers = new HashMap<>();
    message
        .traceParent()
        .ifPresent(
            parent -> {
              headers.put(TRACE_PARENT, parent);
              message.traceState().ifPresent(state -> headers.put(TRACE_STATE, state));
            });
    return W3C.extract(Context.root(), headers, Getter.BY_KEY);
  }

  private final class Begun implements Span {
    private final io.opentelemetry.api.trace.Span span;
    private final boolean sends;
    private @Nullable Scope entered;

    Begun(io.opentelemetry.api.trace.Span span, boolean sends) {
      this.span = span;
      this.sends = sends;
    }

    @Override
    public TraceContext context() {
      return headers(Context.root().with(span));
    }

    @Override
    @SuppressWarnings("MustBeClosedChecker") // the end does it
    public void enter() {
      entered = span.makeCurrent();
    }

    @Override
    public void end(@Nullable Throwable failure) {
      if (entered != null) {
        entered.close();
      }
      if (failure != null) {
        if (!sends) { // the class of what a sender throws is the broker's, and in the reason
          span.setAttribute("error.type", failure.getClass().getName());
        }
        span.setStatus(StatusCode.ERROR, reason.apply(failure));
      }
      span.end();
    }
  }
}
