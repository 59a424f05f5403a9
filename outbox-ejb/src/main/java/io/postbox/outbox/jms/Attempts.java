package io.postbox.outbox.jms;

import io.postbox.common.telemetry.TraceContext;
import io.postbox.common.telemetry.Tracing;
import io.postbox.common.telemetry.Tracing.Kind;
import io.postbox.common.telemetry.Tracing.Span;
import io.postbox.common.telemetry.Tracing.Start;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.message.StoredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The attempts of one batch; all have the same result. */
final class Attempts {
  private final Tracing tracing;
  private final List<Span> begun = new ArrayList<>();

  Attempts(Tracing tracing) {
    this.tracing = tracing;
  }

  /**
   * Begins one, as a child of the span in which the message was enqueued.
   *
   * @return what the message carries on: without a span of its own, the trace in which it was
   *     enqueued
   */
  TraceContext begin(StoredMessage message, Headers headers) {
    TraceContext enqueued = TraceContext.of(message.envelope().traceParent(), headers.traceState());
    Optional<Span> span =
        tracing.begin(
            new Start(
                Kind.SEND,
                "send " + message.destination(),
                enqueued,
                Map.of(
                    "messaging.system",
                    "jms",
                    "messaging.operation.type",
                    "publish",
                    "messaging.destination.name",
                    message.destination(),
                    "messaging.message.id",
                    message.envelope().id().toString())));
    span.ifPresent(begun::add);
    return span.map(Span::context).orElse(enqueued);
  }

  void end(@Nullable Throwable failure) {
    begun.forEach(span -> span.end(failure));
    begun.clear();
  }
}
