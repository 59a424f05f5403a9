package io.postbox.it.telemetry;

import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The spans in which handlers ran. */
@ApplicationScoped
public class HandlerSpans {
  private final List<HandlerSpan> all = new CopyOnWriteArrayList<>();

  /**
   * A handler's span.
   *
   * @param traceParent of its message
   */
  public record HandlerSpan(String traceParent, String trace, String span) {}

  /** One more. */
  public void add(String traceParent, String trace, String span) {
    all.add(new HandlerSpan(traceParent, trace, span));
  }

  /** All so far. */
  public List<HandlerSpan> all() {
    return all;
  }
}
