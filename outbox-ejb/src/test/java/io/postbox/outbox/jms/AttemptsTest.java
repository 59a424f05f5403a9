package io.postbox.outbox.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.telemetry.TraceContext;
import io.postbox.common.telemetry.Tracing.Kind;
import io.postbox.common.telemetry.Tracing.Start;
import io.postbox.common.testing.FakeTracing;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.testing.Messages;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AttemptsTest {
  private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private final FakeTracing tracing = new FakeTracing();
  private final Attempts attempts = new Attempts(tracing);

  private static StoredMessage stored(@Nullable String traceParent) {
    Envelope envelope =
        Messages.envelope(Messages.id(1), "d", null, new Body.Text("x"), "{}", traceParent);
    return new StoredMessage(1, envelope, 0, Instant.EPOCH, Duration.ZERO, null, null);
  }

  private static Headers headers(@Nullable String traceState) {
    return new Headers(null, null, null, traceState, Map.of());
  }

  @Test
  void anAttemptIsAChildOfTheSpanThatEnqueuedAndItsOwnNameTravels() {
    tracing.ofSpan = new TraceContext(Optional.of("00-2"), Optional.of("congo=t62"));
    TraceContext attempt = attempts.begin(stored(PARENT), headers("congo=t61"));

    assertThat(tracing.begun)
        .containsExactly(
            new Start(
                Kind.SEND,
                "send d",
                new TraceContext(Optional.of(PARENT), Optional.of("congo=t61")),
                Map.of(
                    "messaging.system", "jms",
                    "messaging.operation.type", "publish",
                    "messaging.destination.name", "d",
                    "messaging.message.id", Messages.id(1).toString())));
    assertThat(attempt.traceParent()).contains("00-2");
    assertThat(attempt.traceState()).contains("congo=t62");
    attempts.end(null);
    assertThat(tracing.events).containsExactly("begin", "end null");
  }

  @Test
  void allAttemptsOfABatchEndWithItAndOnce() {
    attempts.begin(stored(PARENT), headers(null));
    attempts.begin(stored(null), headers(null));
    attempts.end(null);
    attempts.end(null);
    assertThat(tracing.events).containsExactly("begin", "begin", "end null", "end null");
  }

  @Test
  void anAttemptThatFailsSaysSo() {
    IllegalStateException failure = new IllegalStateException("down");
    attempts.begin(stored(PARENT), headers(null));
    attempts.end(failure);
    assertThat(tracing.events).containsExactly("begin", "end " + failure);
  }

  @Test
  void aMessageWithoutATraceBeginsOne() {
    attempts.begin(stored(null), headers(null));
    assertThat(tracing.begun).extracting(Start::parent).containsExactly(TraceContext.NONE);
  }

  @Test
  void withoutASpanTheTraceIsPassedOn() {
    tracing.isTraced = true;
    TraceContext attempt = attempts.begin(stored(PARENT), headers("congo=t61"));
    assertThat(attempt.traceParent()).contains(PARENT);
    assertThat(attempt.traceState()).contains("congo=t61");
    attempts.end(null);
    assertThat(tracing.events).containsExactly("begin");
  }
}
