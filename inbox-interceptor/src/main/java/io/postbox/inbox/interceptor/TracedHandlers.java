package io.postbox.inbox.interceptor;

import io.postbox.common.log.Throttle;
import io.postbox.common.telemetry.QuietTracing;
import io.postbox.common.telemetry.TraceContext;
import io.postbox.common.telemetry.Tracing;
import io.postbox.common.telemetry.Tracing.Kind;
import io.postbox.common.telemetry.Tracing.Span;
import io.postbox.common.telemetry.Tracing.Start;
import io.postbox.inbox.jms.MessageTrace;
import io.postbox.inbox.log.WatchLog;
import jakarta.jms.JMSException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Traces handlers, if the server traces; a failure of tracing never affects a message. */
final class TracedHandlers {
  private final Optional<Tracing> tracing;
  private final Throttle failures;

  /**
   * @param tracing the server's tracing system, if it has one
   * @param failures limits the lines about its failures
   */
  TracedHandlers(Optional<Tracing> tracing, Throttle failures) {
    this.tracing = tracing.map(system -> new QuietTracing(system, this::tell));
    this.failures = failures;
  }

  /**
   * Wraps a handler so that it runs in a span of its message.
   *
   * @param consumer the consumer whose handler it is
   * @param messageId the message's id
   * @param message where it comes from
   * @param kind who calls the handler
   */
  Callable<@Nullable Object> traced(
      String consumer,
      String messageId,
      Origin message,
      Kind kind,
      Callable<@Nullable Object> handler) {
    return tracing.isEmpty()
        ? handler
        : () -> {
          Optional<Span> span = begin(tracing.get(), consumer, messageId, message, kind);
          span.ifPresent(Span::enter);
          Throwable failure = null;
          try {
            return handler.call();
          } catch (Throwable thrown) {
            failure = thrown;
            throw thrown;
          } finally {
            end(span, failure);
          }
        };
  }

  /**
   * Wraps the handler of a message without JMS so that it runs in a span of the message's trace, if
   * the message names one; otherwise it belongs to the caller's trace.
   */
  Callable<@Nullable Object> continued(
      String consumer,
      String messageId,
      Optional<MessageTrace> trace,
      Callable<@Nullable Object> handler) {
    return trace.isEmpty() ? handler : traced(consumer, messageId, trace::get, Kind.CALL, handler);
  }

  /** Reads where a message comes from. */
  @FunctionalInterface
  interface Origin {
    /**
     * Reads it.
     *
     * @throws JMSException if the provider cannot read the message
     */
    MessageTrace read() throws JMSException;
  }

  private Optional<Span> begin(
      Tracing system, String consumer, String messageId, Origin message, Kind kind) {
    try {
      return system.begin(start(consumer, messageId, message.read(), kind));
    } catch (JMSException
        | RuntimeException
        | LinkageError unreadable) { // a failure of tracing must not cost a message
      tell(unreadable);
      return Optional.empty();
    }
  }

  private static void end(Optional<Span> span, @Nullable Throwable failure) {
    span.ifPresent(it -> it.end(failure));
  }

  private static Start start(String consumer, String messageId, MessageTrace message, Kind kind) {
    Map<String, String> attributes = new HashMap<>();
    attributes.put("messaging.operation.name", "process");
    attributes.put("messaging.operation.type", "process");
    attributes.put("messaging.consumer.group.name", consumer);
    attributes.put("messaging.message.id", messageId);
    message.system().ifPresent(name -> attributes.put("messaging.system", name));
    message.destination().ifPresent(name -> attributes.put("messaging.destination.name", name));
    return new Start(
        kind,
        message.destination().map("process "::concat).orElse("process"),
        new TraceContext(message.traceParent(), message.traceState()),
        attributes);
  }

  private void tell(Throwable failed) {
    failures.tell(times -> WatchLog.tracingFailed(times, failed));
  }
}
