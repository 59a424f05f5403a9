package io.postbox.common.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.postbox.common.telemetry.Tracing.Kind;
import io.postbox.common.telemetry.Tracing.Start;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OpenTelemetryTracingTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SENDER = "00f067aa0ba902b7";
  private static final String PARENT = "00-" + TRACE + "-" + SENDER + "-01";
  private static final TraceContext SENT =
      new TraceContext(Optional.of(PARENT), Optional.of("congo=t61"));

  private final List<SpanData> ended = new ArrayList<>();
  private final SdkTracerProvider tracers =
      SdkTracerProvider.builder()
          .addSpanProcessor(SimpleSpanProcessor.create(new Recording()))
          .build();
  private final Tracer agent = tracers.get("agent");
  private final Tracing tracing = tracing(Optional.of(telemetry()));

  private static Tracing tracing(Optional<OpenTelemetry> provided) {
    return new OpenTelemetryTracing(provided, "io.postbox.test", Throwable::getMessage);
  }

  private static Start start(Kind kind, TraceContext parent) {
    return new Start(kind, "does it", parent, Map.of("messaging.message.id", "id-1"));
  }

  @Test
  void theCallersTraceIsThatOfItsSpan() {
    Span span = agent.spanBuilder("business").startSpan();
    try (Scope scope = span.makeCurrent()) {
      assertThat(scope).isNotNull();
      assertThat(tracing.current().traceParent())
          .contains(
              "00-"
                  + span.getSpanContext().getTraceId()
                  + "-"
                  + span.getSpanContext().getSpanId()
                  + "-01");
    }
    assertThat(tracing.current()).as("outside of any trace").isEqualTo(TraceContext.NONE);
  }

  @Test
  void anAttemptIsAChildOfTheSpanThatEnqueuedAndItsOwnNameTravels() {
    Tracing.Span attempt = tracing.begin(start(Kind.SEND, SENT)).orElseThrow();
    TraceContext carried = attempt.context();
    assertThat(ended).isEmpty();
    attempt.end(null);

    SpanData span = ended.get(0);
    assertThat(span.getName()).isEqualTo("does it");
    assertThat(span.getKind()).isEqualTo(SpanKind.PRODUCER);
    assertThat(span.getTraceId()).isEqualTo(TRACE);
    assertThat(span.getParentSpanId()).isEqualTo(SENDER);
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(span.getInstrumentationScopeInfo().getName()).isEqualTo("io.postbox.test");
    assertThat(attributes(span)).isEqualTo(Map.of("messaging.message.id", "id-1"));
    assertThat(carried.traceParent()).contains("00-" + TRACE + "-" + span.getSpanId() + "-01");
    assertThat(carried.traceState()).contains("congo=t61");
  }

  @Test
  void anAttemptThatFailsSaysSo() {
    tracing.begin(start(Kind.SEND, SENT)).orElseThrow().end(new IllegalStateException("down"));
    assertThat(ended.get(0).getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(ended.get(0).getStatus().getDescription()).contains("down");
    assertThat(attributes(ended.get(0))).doesNotContainKey("error.type");
  }

  @Test
  void aMessageWithoutATraceBeginsOne() {
    TraceContext carried =
        tracing.begin(start(Kind.SEND, TraceContext.NONE)).orElseThrow().context();
    assertThat(carried.traceParent()).isPresent();
    assertThat(carried.traceState()).isEmpty();
  }

  /** Whoever else traces the thread that enqueued or sends: the message has a trace of its own. */
  @Test
  void anAttemptIsMadeWhateverIsCurrent() {
    Span current = agent.spanBuilder("poll").startSpan();
    try (Scope scope = current.makeCurrent()) {
      assertThat(scope).isNotNull();
      tracing.begin(start(Kind.SEND, SENT)).orElseThrow().end(null);
    }
    assertThat(ended.get(0).getTraceId()).isEqualTo(TRACE);
    assertThat(ended.get(0).getLinks()).isEmpty();
  }

  @Test
  void whereNothingIsRecordedTheTraceIsPassedOn() {
    for (Optional<OpenTelemetry> provided :
        List.of(Optional.of(OpenTelemetry.noop()), Optional.<OpenTelemetry>empty())) {
      Tracing none = tracing(provided);
      assertThat(none.begin(start(Kind.SEND, SENT)).orElseThrow().context()).isEqualTo(SENT);
      assertThat(none.begin(start(Kind.SEND, TraceContext.NONE)).orElseThrow().context())
          .isEqualTo(TraceContext.NONE);
    }
  }

  @Test
  void aHandlerRunsInAChildOfTheSpanThatSentItsMessage() {
    Tracing.Span span = tracing.begin(start(Kind.DELIVERY, SENT)).orElseThrow();
    span.enter();
    SpanContext current = Span.current().getSpanContext();
    assertThat(current.getTraceId()).isEqualTo(TRACE);
    assertThat(current.getTraceState().get("congo")).isEqualTo("t61");
    span.end(null);

    assertThat(Span.current().getSpanContext().isValid()).isFalse();
    SpanData data = ended.get(0);
    assertThat(data.getSpanId()).isEqualTo(current.getSpanId());
    assertThat(data.getParentSpanId()).isEqualTo(SENDER);
    assertThat(data.getName()).isEqualTo("does it");
    assertThat(data.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(data.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(data.getLinks()).isEmpty();
    assertThat(attributes(data)).isEqualTo(Map.of("messaging.message.id", "id-1"));
  }

  @Test
  void aHandlerThatThrowsEndsItsSpanWithAnError() {
    tracing
        .begin(start(Kind.DELIVERY, SENT))
        .orElseThrow()
        .end(new IllegalStateException("no such product"));

    assertThat(Span.current().getSpanContext().isValid()).isFalse();
    SpanData data = ended.get(0);
    assertThat(data.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(data.getStatus().getDescription()).contains("no such product");
    assertThat(attributes(data)).containsEntry("error.type", "java.lang.IllegalStateException");
    assertThat(data.getEvents()).as("no stack, which would have the whole message").isEmpty();
  }

  @Test
  void aHandlerOfAMessageWithoutATraceBeginsOne() {
    tracing.begin(start(Kind.DELIVERY, TraceContext.NONE)).orElseThrow().end(null);

    assertThat(ended.get(0).getParentSpanContext().isValid()).isFalse();
  }

  /** Whether it continues the message's trace, or, as agents may, begins one and links to it. */
  @Test
  void aDeliveryThatAnAgentTracesHasNoSecondSpan() {
    Span ofAgent = agent.spanBuilder("process").setSpanKind(SpanKind.CONSUMER).startSpan();
    try (Scope scope = ofAgent.makeCurrent()) {
      assertThat(scope).isNotNull();
      assertThat(tracing.begin(start(Kind.DELIVERY, SENT))).isEmpty();
      assertThat(tracing.begin(start(Kind.DELIVERY, TraceContext.NONE))).isEmpty();
      assertThat(Span.current()).isSameAs(ofAgent);
    }
  }

  @Test
  void aBeanThatIsCalledInItsMessagesTraceHasNoSecondSpan() {
    Tracing.Span outer = tracing.begin(start(Kind.DELIVERY, SENT)).orElseThrow();
    outer.enter();
    assertThat(tracing.begin(start(Kind.CALL, SENT))).isEmpty();
    outer.end(null);

    assertThat(ended).hasSize(1);
  }

  @Test
  void aBeanThatAJobCallsContinuesTheMessagesTraceAndIsLinkedToTheJob() {
    Span job = agent.spanBuilder("job").startSpan();
    try (Scope scope = job.makeCurrent()) {
      assertThat(scope).isNotNull();
      tracing.begin(start(Kind.CALL, SENT)).orElseThrow().end(null);
      assertThat(Span.current()).isSameAs(job);
    }

    assertThat(ended.get(0).getTraceId()).isEqualTo(TRACE);
    assertThat(ended.get(0).getLinks())
        .extracting(link -> link.getSpanContext().getSpanId())
        .containsExactly(job.getSpanContext().getSpanId());
  }

  @Test
  void whereNothingIsRecordedTheMessagesTraceIsCurrentAllTheSame() {
    Tracing.Span span =
        tracing(Optional.of(OpenTelemetry.noop())).begin(start(Kind.DELIVERY, SENT)).orElseThrow();
    span.enter();
    assertThat(Span.current().getSpanContext().getSpanId()).isEqualTo(SENDER);
    span.end(null);

    assertThat(Span.current().getSpanContext().isValid()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SEND")
  void whereTheServerProvidesNoneNoHandlerHasASpan(Kind kind) {
    assertThat(tracing(Optional.empty()).begin(start(kind, SENT))).isEmpty();
  }

  private static Map<String, String> attributes(SpanData data) {
    Map<String, String> all = new TreeMap<>();
    data.getAttributes()
        .forEach((AttributeKey<?> key, Object value) -> all.put(key.getKey(), value.toString()));
    return all;
  }

  private OpenTelemetry telemetry() {
    return new OpenTelemetry() {
      @Override
      public TracerProvider getTracerProvider() {
        return tracers;
      }

      @Override
      public ContextPropagators getPropagators() {
        return ContextPropagators.noop();
      }
    };
  }

  private final class Recording implements SpanExporter {
    @Override
    public CompletableResultCode export(Collection<SpanData> all) {
      ended.addAll(all);
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode flush() {
      return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
      return CompletableResultCode.ofSuccess();
    }
  }
}
