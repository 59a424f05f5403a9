package io.postbox.inbox.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.log.Throttle;
import io.postbox.inbox.jms.FakeMessage;
import io.postbox.inbox.jms.MessageTrace;
import jakarta.jms.Message;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TracedHandlersTest {
  private final List<String> events = new ArrayList<>();
  private final HandlerTracing recording =
      (consumer, messageId, message, isDelivered) -> {
        events.add("begin " + consumer + " " + messageId + " " + isDelivered);
        return Optional.of(new Recorded());
      };

  @Test
  void theSpanLastsAsLongAsTheHandler() throws Exception {
    assertThat(traced(Optional.of(recording), this::handle).call()).isEqualTo("handled");
    assertThat(events).containsExactly("begin shipping id-1 true", "current", "handle", "end null");
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
    assertThat(events).containsExactly("begin shipping id-1 true", "current", "end " + thrown);
  }

  @Test
  void withoutATracingSystemTheHandlerIsCalledAsItIs() {
    Callable<@Nullable Object> handler = this::handle;
    assertThat(traced(Optional.empty(), handler)).isSameAs(handler);
  }

  @Test
  void aHandlerThatSomebodyElseTracesIsCalled() throws Exception {
    assertThat(traced(Optional.of((a, b, c, d) -> Optional.empty()), this::handle).call())
        .isEqualTo("handled");
  }

  @Test
  void aRequestThatNamesNoTraceBelongsToItsCallersAndOneThatDoesIsTraced() throws Exception {
    TracedHandlers traces =
        new TracedHandlers(Optional.of(recording), new Throttle(System::nanoTime));
    Callable<@Nullable Object> handler = this::handle;
    MessageTrace trace =
        new MessageTrace(Optional.of("00-1"), Optional.empty(), Optional.empty(), Optional.empty());

    assertThat(traces.continued("shipping", "id-1", Optional.empty(), handler)).isSameAs(handler);
    assertThat(traces.continued("shipping", "id-1", Optional.of(trace), handler).call())
        .isEqualTo("handled");
    assertThat(events)
        .containsExactly("begin shipping id-1 false", "current", "handle", "end null");
  }

  @Test
  void tracingThatFailsCostsNeitherTheCallNorItsResult() throws Exception {
    HandlerTracing failsAtBegin =
        (consumer, messageId, message, isDelivered) -> {
          throw new NoSuchMethodError("setAttribute");
        };
    HandlerTracing failsAtEnd =
        (consumer, messageId, message, isDelivered) ->
            Optional.of(
                new Recorded() {
                  @Override
                  public void end(@Nullable Throwable failure) {
                    throw new IllegalStateException("full");
                  }
                });

    assertThat(traced(Optional.of(failsAtBegin), this::handle).call()).isEqualTo("handled");
    assertThat(traced(Optional.of(failsAtEnd), this::handle).call()).isEqualTo("handled");
  }

  private class Recorded implements HandlerTracing.Span {
    @Override
    public Callable<@Nullable Object> around(Callable<@Nullable Object> handler) {
      return () -> {
        events.add("current");
        return handler.call();
      };
    }

    @Override
    public void end(@Nullable Throwable failure) {
      events.add("end " + failure);
    }
  }

  private Object handle() {
    events.add("handle");
    return "handled";
  }

  private static Callable<@Nullable Object> traced(
      Optional<HandlerTracing> tracing, Callable<@Nullable Object> handler) {
    return new TracedHandlers(tracing, new Throttle(System::nanoTime))
        .traced(
            "shipping",
            "id-1",
            () -> MessageTrace.of(FakeMessage.text("x").as(Message.class)),
            true,
            handler);
  }
}
