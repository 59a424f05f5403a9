package io.postbox.common.telemetry;

import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A trace as messages carry it, by W3C Trace Context.
 *
 * @param traceParent where in which trace, if in any
 * @param traceState the trace's state, if it has one
 */
public record OpenTelemetryHeaders(Optional<String> traceParent, Optional<String> traceState) {
  private static final String TRACE_PARENT = "traceparent";
  private static final String TRACE_STATE = "tracestate";
  private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();

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

  /** The headers for what happens in a context. */
  public static OpenTelemetryHeaders of(Context context) {
    Map<String, String> headers = new HashMap<>();
    W3C.inject(context, headers, (carrier, key, value) -> headers.put(key, value));
    return new OpenTelemetryHeaders(
        Optional.ofNullable(headers.get(TRACE_PARENT)),
        Optional.ofNullable(headers.get(TRACE_STATE)));
  }

  /** The context that a message's headers name, in no other; malformed ones name none. */
  public Context context() {
    Map<String, String> headers = new HashMap<>();
    traceParent.ifPresent(
        parent -> {
          headers.put(TRACE_PARENT, parent);
          traceState.ifPresent(state -> headers.put(TRACE_STATE, state));
        });
    return W3C.extract(Context.root(), headers, Getter.BY_KEY);
  }
}
