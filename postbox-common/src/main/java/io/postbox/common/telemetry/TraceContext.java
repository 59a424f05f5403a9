package io.postbox.common.telemetry;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A place in a trace, as messages carry it by W3C Trace Context.
 *
 * @param traceParent the span in which trace, if in any
 * @param traceState the trace's state, if it has one
 */
public record TraceContext(Optional<String> traceParent, Optional<String> traceState) {
  /** In no trace. */
  public static final TraceContext NONE = new TraceContext(Optional.empty(), Optional.empty());

  /** That of two headers, as far as there are such. */
  public static TraceContext of(@Nullable String traceParent, @Nullable String traceState) {
    return new TraceContext(Optional.ofNullable(traceParent), Optional.ofNullable(traceState));
  }
}
