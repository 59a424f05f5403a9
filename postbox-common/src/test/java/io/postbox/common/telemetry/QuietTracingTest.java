package io.postbox.common.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.telemetry.Tracing.Kind;
import io.postbox.common.telemetry.Tracing.Span;
import io.postbox.common.telemetry.Tracing.Start;
import io.postbox.common.testing.FakeTracing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class QuietTracingTest {
  private static final TraceContext PARENT =
      new TraceContext(Optional.of("00-1"), Optional.of("congo=t61"));
  private static final Start START = new Start(Kind.SEND, "send d", PARENT, Map.of());

  private final List<Throwable> failures = new ArrayList<>();

  @Test
  void whatWorksIsPassedOn() {
    FakeTracing tracing = new FakeTracing();
    tracing.current = PARENT;
    tracing.ofSpan = PARENT;
    Tracing quiet = new QuietTracing(tracing, failures::add);

    assertThat(quiet.current()).isEqualTo(PARENT);
    Span span = quiet.begin(START).orElseThrow();
    assertThat(span.context()).isEqualTo(PARENT);
    span.enter();
    span.end(null);
    assertThat(tracing.begun).containsExactly(START);
    assertThat(tracing.events).containsExactly("begin", "enter", "end null");
    tracing.isTraced = true;
    assertThat(quiet.begin(START)).isEmpty();
    assertThat(failures).isEmpty();
  }

  @Test
  void aSystemThatFailsHasNoTraceAndNoSpans() {
    Tracing quiet =
        new QuietTracing(
            new Tracing() {
              @Override
              public TraceContext current() {
                throw new IllegalStateException("closed");
              }

              @Override
              public Optional<Span> begin(Start start) {
                throw new NoSuchMethodError("setAttribute");
              }
            },
            failures::add);

    assertThat(quiet.current()).isEqualTo(TraceContext.NONE);
    assertThat(quiet.begin(START)).isEmpty();
    assertThat(failures)
        .hasExactlyElementsOfTypes(IllegalStateException.class, NoSuchMethodError.class);
  }

  @Test
  void aSpanThatFailsLeavesItsMessageInTheTraceAndCostsNothing() {
    Span span =
        new QuietTracing(
                new FakeTracing() {
                  @Override
                  public Optional<Span> begin(Start start) {
                    return Optional.of(new Failing());
                  }
                },
                failures::add)
            .begin(START)
            .orElseThrow();

    assertThat(span.context()).isEqualTo(PARENT);
    span.enter();
    span.end(null);
    assertThat(failures).hasSize(3);
  }

  private static final class Failing implements Span {
    @Override
    public TraceContext context() {
      throw new IllegalStateException("full");
    }

    @Override
    public void enter() {
      throw new IllegalStateException("full");
    }

    @Override
    public void end(@Nullable Throwable failure) {
      throw new NoSuchMethodError("end");
    }
  }
}
