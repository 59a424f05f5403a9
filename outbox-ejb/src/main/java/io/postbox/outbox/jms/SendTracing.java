package io.postbox.outbox.jms;

import io.postbox.common.telemetry.TraceContext;
import io.postbox.common.telemetry.Tracing;
import io.postbox.common.telemetry.Tracing.Kind;
import io.postbox.common.telemetry.Tracing.Span;
import io.postbox.common.telemetry.Tracing.Start;
import io.postbox.outbox.message.StoredMessage;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes each attempt to send a message part of the trace in which it was enqueued. Thread-safe. */
@FunctionalInterface
public interface SendTracing {
  /** Without tracing: a message carries the trace in which it was enqueued. */
  SendTracing NONE =
      (message, traceState) ->
          new Attempt(
              Optional.ofNullable(message.envelope().traceParent()),
              Optional.ofNullable(traceState),
              failure -> {});

  /** Makes it a span, as a child of the one in which the message was enqueued. */
  static SendTracing in(Tracing tracing) {
    return (message, traceState) -> {
      Attempt untraced = NONE.begin(message, traceState);
      Start start =
          new Start(
              Kind.SEND,
              "send " + message.destination(),
              new TraceContext(untraced.traceParent(), untraced.traceState()),
              Map.of(
                  "messaging.system",
                  "jms",
                  "messaging.operation.type",
                  "publish",
                  "messaging.destination.name",
                  message.destination(),
                  "messaging.message.id",
                  message.envelope().id().toString()));
      return tracing.begin(start).map(SendTracing::attempt).orElse(untraced);
    };
  }

  private static Attempt attempt(Span span) {
    TraceContext sent = span.context();
    return new Attempt(sent.traceParent(), sent.traceState(), span::end);
  }

  /**
   * One attempt to send one message.
   *
   * @param traceParent the message's trace
   * @param traceState that trace's state
   * @param end is called with the result
   */
  record Attempt(Optional<String> traceParent, Optional<String> traceState, End end) {}

  /** Is called when an attempt has ended. */
  @FunctionalInterface
  interface End {
    /**
     * Called once.
     *
     * @param failure why the message was not sent, or {@code null} if it was
     */
    void ended(@Nullable Throwable failure);
  }

  /**
   * Notes that an attempt begins.
   *
   * @param traceState the state of the trace in which the message was enqueued
   */
  Attempt begin(StoredMessage message, @Nullable String traceState);
}
