package io.postbox.outbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.jms.SendTracing.Attempt;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.testing.Messages;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OpenTelemetrySpansTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String PARENT = "00-" + TRACE + "-00f067aa0ba902b7-01";
  private static final OutboxMessage MESSAGE = OutboxMessage.to("d").text("x");

  private final List<SpanData> ended = new ArrayList<>();
  private final SdkTracerProvider tracers =
      SdkTracerProvider.builder()
          .addSpanProcessor(SimpleSpanProcessor.create(new Recording()))
          .build();
  private final OpenTelemetrySpans spans = new OpenTelemetrySpans(telemetry());

  private final class Recording implements SpanExporter {
    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      ended.addAll(spans);
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

  private static StoredMessage stored(@Nullable String traceParent) {
    Envelope envelope =
        Messages.envelope(Messages.id(1), "d", null, new Body.Text("x"), "{}", traceParent);
    return new StoredMessage(1, envelope, 0, Instant.EPOCH, Duration.ZERO, null, null);
  }

  @Test
  void aMessageIsEnqueuedInTheCallersTrace() {
    Span span = tracers.get("test").spanBuilder("business").startSpan();
    try (Scope scope = span.makeCurrent()) {
      assertThat(scope).isNotNull();
      assertThat(spans.traced(MESSAGE).traceParent())
          .contains(
              "00-"
                  + span.getSpanContext().getTraceId()
                  + "-"
                  + span.getSpanContext().getSpanId()
                  + "-01");
    }
    assertThat(spans.traced(MESSAGE)).as("outside of any trace").isSameAs(MESSAGE);
  }

  @Test
  void anAttemptIsAChildOfTheSpanThatEnqueuedAndItsOwnNameTravels() {
    Attempt attempt = spans.begin(stored(PARENT), "congo=t61");
    assertThat(ended).isEmpty();
    attempt.end().ended(null);

    SpanData span = ended.get(0);
    assertThat(span.getName()).isEqualTo("send d");
    assertThat(span.getKind()).isEqualTo(SpanKind.PRODUCER);
    assertThat(span.getTraceId()).isEqualTo(TRACE);
    assertThat(span.getParentSpanId()).isEqualTo("00f067aa0ba902b7");
    assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    assertThat(attempt.traceParent()).contains("00-" + TRACE + "-" + span.getSpanId() + "-01");
    assertThat(attempt.traceState()).contains("congo=t61");
  }

  @Test
  void anAttemptThatFailsSaysSo() {
    spans.begin(stored(PARENT), null).end().ended(new IllegalStateException("down"));
    assertThat(ended.get(0).getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(ended.get(0).getStatus().getDescription()).contains("down");
  }

  @Test
  void aMessageWithoutATraceBeginsOne() {
    Attempt attempt = spans.begin(stored(null), null);
    assertThat(attempt.traceParent()).isPresent();
    assertThat(attempt.traceState()).isEmpty();
  }

  @Test
  void whereNothingIsRecordedTheTraceIsPassedOn() {
    OpenTelemetrySpans none = new OpenTelemetrySpans(OpenTelemetry.noop());
    Attempt attempt = none.begin(stored(PARENT), "congo=t61");
    assertThat(attempt.traceParent()).contains(PARENT);
    assertThat(attempt.traceState()).contains("congo=t61");
    assertThat(none.begin(stored(null), null).traceParent()).isEmpty();
  }
}
