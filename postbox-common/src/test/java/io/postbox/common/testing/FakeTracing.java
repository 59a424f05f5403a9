package io.postbox.common.testing;

import io.postbox.common.telemetry.TraceContext;
import io.postbox.common.telemetry.Tracing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Records the spans that are asked for, and what becomes of them. */
public class FakeTracing implements Tracing {
  /** The calling thread's. */
  public TraceContext current = TraceContext.NONE;

  /** That of each span. */
  public TraceContext ofSpan = TraceContext.NONE;

  /** Whether somebody else traces all of it. */
  public boolean isTraced;

  public final List<Start> begun = new ArrayList<>();
  public final List<String> events = new ArrayList<>();

  /** The failures with which the spans ended, if with one. */
  public final List<Optional<Throwable>> ended = new ArrayList<>();

  @Override
  public TraceContext current() {
    return current;
  }

  @Override
  public Optional<Span> begin(Start start) {
    begun.add(start);
    events.add("begin");
    return isTraced ? Optional.empty() : Optional.of(new Recorded());
  }

  private final class Recorded implements Span {
    @Override
    public TraceContext context() {
      return ofSpan;
    }

    @Override
    public void enter() {
      events.add("enter");
    }

    @Override
    public void end(@Nullable Throwable failure) {
      events.add("end " + failure);
      ended.add(Optional.ofNullable(failure));
    }
  }
}
