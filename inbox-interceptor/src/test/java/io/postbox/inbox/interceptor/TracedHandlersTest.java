package io.postbox.inbox.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.log.Throttle;
import io.postbox.common.telemetry.TraceContext;
import io.postbox.common.telemetry.Tracing;
import io.postbox.common.telemetry.Tracing.Kind;
import io.postbox.common.telemetry.Tracing.Span;
import io.postbox.common.telemetry.Tracing.Start;
import io.postbox.common.testing.FakeTracing;
import io.postbox.inbox.jms.FakeMessage;
import io.postbox.inbox.jms.MessageTrace;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TracedHandlersTest {
  private final FakeTracing recording = new FakeTracing();

  @Test
  void theSpanLastsAsLongAsTheHandler() throws Exception {
    assertThat(traced(Optional.of(recording), this::handle).call()).isEqualTo("handled");
    assertThat(recording.events).containsExactly("begin", "enter", "handle", "end null");
  }

  @Test
  void theSpanIsAChildOfTheOneThatSentTheMessage() throws Exception {
    MessageTrace message =
        new MessageTrace(
            Optional.of("00-1"),
            Optional.of("congo=t61"),
            Optional.of("jms"),
            Optional.of("SHIPPING"));
    handlers(Optional.of(recording))
        .traced("shipping", "id-1", () -> message, Kind.DELIVERY, this::handle)
        .call();

    assertThat(recording.begun)
        .containsExactly(
            new Start(
                Kind.DELIVERY,
                "process SHIPPING",
                new TraceContext(Optional.of("00-1"), Optional.of("congo=t61")),
                Map.of(
                    "messaging.system", "jms",
                    "messaging.operation.name", "process",
                    "messaging.operation.type", "process",
                    "messaging.destination.name", "SHIPPING",
                    "messaging.consumer.group.name", "shipping",
                    "messaging.message.id", "id-1")));
  }

  @Test
  void anUnknownDestinationIsLeftOut() throws Exception {
    MessageTrace message =
        new MessageTrace(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    handlers(Optional.of(recording))
        .traced("shipping", "id-1", () -> message, Kind.DELIVERY, this::handle)
        .call();

    Start start = recording.begun.get(0);
    assertThat(start.name()).isEqualTo("process");
    assertThat(start.parent()).isEqualTo(TraceContext.NONE);
    assertThat(start.attributes())
        .doesNotContainKeys("messaging.destination.name", "messaging.system");
  }

  @Test
  void aHandlersExceptionEndsTheSpanAndIsThrown() {
    IOException thrown = new IOException("no");
    assertThatThrownBy(
            () ->
                traced(
                        Optional.of(recording),
                        () -> {
                          throw thrown;
                        })
                    .call())
        .isSameAs(thrown);
    assertThat(recording.events).containsExactly("begin", "enter", "end " + thrown);
  }

  @Test
  void withoutATracingSystemTheHandlerIsCalledAsItIs() {
    Callable<@Nullable Object> handler = this::handle;
    assertThat(traced(Optional.empty(), handler)).isSameAs(handler);
  }

  @Test
  void aHandlerThatSomebodyElseTracesIsCalled() throws Exception {
    recording.isTraced = true;
    assertThat(traced(Optional.of(recording), this::handle).call()).isEqualTo("handled");
    assertThat(recording.events).containsExactly("begin", "handle");
  }

  @Test
  void aRequestThatNamesNoTraceBelongsToItsCallersAndOneThatDoesIsTraced() throws Exception {
    TracedHandlers traces = handlers(Optional.of(recording));
    Callable<@Nullable Object> handler = this::handle;
    MessageTrace trace =
        new MessageTrace(Optional.of("00-1"), Optional.empty(), Optional.empty(), Optional.empty());

    assertThat(traces.continued("shipping", "id-1", Optional.empty(), handler)).isSameAs(handler);
    assertThat(traces.continued("shipping", "id-1", Optional.of(trace), handler).call())
        .isEqualTo("handled");
    assertThat(recording.events).containsExactly("begin", "enter", "handle", "end null");
    assertThat(recording.begun).extracting(Start::kind).containsExactly(Kind.CALL);
  }

  @Test
  void tracingThatFailsCostsNeitherTheCallNorItsResult() throws Exception {
    Tracing failsAtBegin =
        new FakeTracing() {
          @Override
          public Optional<Span> begin(Start start) {
            throw new NoSuchMethodError("setAttribute");
          }
        };
    Tracing failsAtEnd =
        new FakeTracing() {
          @Override
          public Optional<Span> begin(Start start) {
            return Optional.of(new FailsAtEnd());
          }
        };

    assertThat(traced(Optional.of(failsAtBegin), this::handle).call()).isEqualTo("handled");
    assertThat(traced(Optional.of(failsAtEnd), this::handle).call()).isEqualTo("handled");
  }

  @Test
  void aMessageThatCannotBeReadIsHandledWithoutASpan() throws Exception {
    assertThat(
            handlers(Optional.of(recording))
                .traced(
                    "shipping",
                    "id-1",
                    () -> {
                      throw new JMSException("gone");
                    },
                    Kind.DELIVERY,
                    this::handle)
                .call())
        .isEqualTo("handled");
    assertThat(recording.events).containsExactly("handle");
  }

  private static final class FailsAtEnd implements Span {
    @Override
    public TraceContext context() {
      return TraceContext.NONE;
    }

    @Override
    public void enter() {
      // nothing to leave
    }

    @Override
    public void end(@Nullable Throwable failure) {
      throw new IllegalStateException("full");
    }
  }

  private Object handle() {
    recording.events.add("handle");
    return "handled";
  }

  private static TracedHandlers handlers(Optional<Tracing> tracing) {
    return new TracedHandlers(tracing, new Throttle(System::nanoTime));
  }

  private static Callable<@Nullable Object> traced(
      Optional<Tracing> tracing, Callable<@Nullable Object> handler) {
    return handlers(tracing)
        .traced(
            "shipping",
            "id-1",
            () -> MessageTrace.of(FakeMessage.text("x").as(Message.class)),
            Kind.DELIVERY,
            handler);
  }
}
