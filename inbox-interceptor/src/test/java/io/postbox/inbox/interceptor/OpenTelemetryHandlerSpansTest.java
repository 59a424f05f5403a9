package io.postbox.inbox.interceptor;

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
import io.postbox.inbox.jms.MessageTrace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class OpenTelemetryHandlerSpansTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SENDER = "00f067aa0ba902b7";
  private static final MessageTrace MESSAGE =
      new MessageTrace(
          Optional.of("00-" + TRACE + "-" + SENDER + "-01"),
          Optional.of("congo=t61"),
          Optional.of("jms"),
          Optional.of("SHIPPING"));
  private static final MessageTrace UNTRACED =
      new MessageTrace(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  private final List<SpanData> ended = new ArrayList<>();
  private final SdkTracerProvider tracers =
      SdkTracerProvider.builder()
          .addSpanProcessor(SimpleSpanProcessor.create(new Recording()))
          .build();
  private final Tracer agent = tracers.get("agent");
  private final OpenTelemetryHandlerSpans spans = new OpenTelemetryHandlerSpans(telemetry());

  @Test
  void aHandlerRunsInAChildOfTheSpanThatSentItsMessage() throws Exception {
    HandlerTracing.Span span = spans.begin("shipping", "id-1", MESSAGE, true).orElseThrow();
    SpanContext current = currentIn(span);
    assertThat(current.getTraceId()).isEqualTo(TRACE);
    assertThat(current.getTraceState().get("congo")).isEqualTo("t61");
    span.end(null);

    assertThat(Span.current().getSpanContext().isValid()).isFalse();
    SpanData data = ended.get(0);
    assertThat(data.getSpanId()).isEqualTo(current.getSpanId());
    assertThat(data.getParentSpanId()).isEqualTo(SENDER);
    assertThat(data.getName()).isEqualTo("process SHIPPING");
    assertThat(data.getKind()).isEqualTo(SpanKind.CONSUMER);
    assertThat(data.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(data.getLinks()).isEmpty();
    assertThat(attributes(data))
        .isEqualTo(
            Map.of(
                "messaging.system", "jms",
                "messaging.operation.name", "process",
                "messaging.operation.type", "process",
                "messaging.destination.name", "SHIPPING",
                "messaging.consumer.group.name", "shipping",
                "messaging.message.id", "id-1"));
  }

  @Test
  void aHandlerThatThrowsEndsItsSpanWithAnError() {
    spans
        .begin("shipping", "id-1", MESSAGE, true)
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
  void aMessageWithoutATraceBeginsOneAndAnUnknownDestinationIsLeftOut() {
    spans.begin("shipping", "id-1", UNTRACED, true).orElseThrow().end(null);

    assertThat(ended.get(0).getParentSpanContext().isValid()).isFalse();
    assertThat(ended.get(0).getName()).isEqualTo("process");
    assertThat(attributes(ended.get(0)))
        .doesNotContainKeys("messaging.destination.name", "messaging.system");
  }

  /** Whether it continues the message's trace, or, as agents may, begins one and links to it. */
  @Test
  void aDeliveryThatAnAgentTracesHasNoSecondSpan() {
    Span ofAgent = agent.spanBuilder("process").setSpanKind(SpanKind.CONSUMER).startSpan();
    try (Scope scope = ofAgent.makeCurrent()) {
      assertThat(scope).isNotNull();
      assertThat(spans.begin("shipping", "id-1", MESSAGE, true)).isEmpty();
      assertThat(spans.begin("shipping", "id-1", UNTRACED, true)).isEmpty();
      assertThat(Span.current()).isSameAs(ofAgent);
    }
  }

  @Test
  void aBeanThatIsCalledInItsMessagesTraceHasNoSecondSpan() throws Exception {
    HandlerTracing.Span outer = spans.begin("shipping", "id-1", MESSAGE, true).orElseThrow();
    outer
        .around(
            () -> {
              assertThat(spans.begin("audit", "id-1", MESSAGE, false)).isEmpty();
              return null;
            })
        .call();
    outer.end(null);

    assertThat(ended).hasSize(1);
  }

  @Test
  void aBeanThatAJobCallsContinuesTheMessagesTraceAndIsLinkedToTheJob() {
    Span job = agent.spanBuilder("job").startSpan();
    try (Scope scope = job.makeCurrent()) {
      assertThat(scope).isNotNull();
      spans.begin("shipping", "id-1", MESSAGE, false).orElseThrow().end(null);
      assertThat(Span.current()).isSameAs(job);
    }

    assertThat(ended.get(0).getTraceId()).isEqualTo(TRACE);
    assertThat(ended.get(0).getLinks())
        .extracting(link -> link.getSpanContext().getSpanId())
        .containsExactly(job.getSpanContext().getSpanId());
  }

  @Test
  void whereNothingIsRecordedTheMessagesTraceIsCurrentAllTheSame() throws Exception {
    HandlerTracing.Span span =
        new OpenTelemetryHandlerSpans(OpenTelemetry.noop())
            .begin("shipping", "id-1", MESSAGE, true)
            .orElseThrow();
    assertThat(currentIn(span).getSpanId()).isEqualTo(SENDER);
    span.end(null);

    assertThat(Span.current().getSpanContext().isValid()).isFalse();
  }

  /** The span that is current while a handler runs. */
  private static SpanContext currentIn(HandlerTracing.Span span) throws Exception {
    AtomicReference<SpanContext> current = new AtomicReference<>(SpanContext.getInvalid());
    span.around(
            () -> {
              current.set(Span.current().getSpanContext());
              return null;
            })
        .call();
    return current.get();
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
