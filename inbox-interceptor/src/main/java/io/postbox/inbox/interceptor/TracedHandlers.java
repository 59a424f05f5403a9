package io.postbox.inbox.interceptor;

import io.postbox.common.log.Throttle;
import io.postbox.inbox.interceptor.HandlerTracing.Span;
import io.postbox.inbox.jms.MessageTrace;
import io.postbox.inbox.log.WatchLog;
import jakarta.jms.JMSException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Traces handlers, if the server traces; a failure of tracing never affects a message. */
final class TracedHandlers {
  private final Optional<HandlerTracing> tracing;
  private final Throttle failures;

  /**
   * @param tracing the server's tracing system, if it has one
   * @param failures limits the lines about its failures
   */
  TracedHandlers(Optional<HandlerTracing> tracing, Throttle failures) {
    this.tracing = tracing;
    this.failures = failures;
  }

  /**
   * Wraps a handler so that it runs in a span of its message.
   *
   * @param consumer the consumer whose handler it is
   * @param messageId the message's id
   * @param message where it comes from
   * @param isDelivered whether the broker delivered the message to the handler itself
   */
  Callable<@Nullable Object> traced(
      String consumer,
      String messageId,
      Origin message,
      boolean isDelivered,
      Callable<@Nullable Object> handler) {
    return tracing.isEmpty()
        ? handler
        : () -> {
          Run run = begin(tracing.get(), consumer, messageId, message, isDelivered, handler);
          Throwable failure = null;
          try {
            return run.handler().call();
          } catch (Throwable thrown) {
            failure = thrown;
            throw thrown;
          } finally {
            end(run.span(), failure);
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
    return trace.isEmpty() ? handler : traced(consumer, messageId, trace::get, false, handler);
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

  /** A handler, and the span around it if there is one. */
  private record Run(Callable<@Nullable Object> handler, Optional<Span> span) {}

  private Run begin(
      HandlerTracing system,
      String consumer,
      String messageId,
      Origin message,
      boolean isDelivered,
      Callable<@Nullable Object> handler) {
    try {
      Optional<Span> span = system.begin(consumer, messageId, message.read(), isDelivered);
      return new Run(span.isPresent() ? span.get().around(handler) : handler, span);
    } catch (JMSException
        | RuntimeException
        | LinkageError failed) { // a failure of tracing must not cost a message
      tell(failed);
      return new Run(handler, Optional.empty());
    }
  }

  private void end(Optional<Span> span, @Nullable Throwable failure) {
    try {
      span.ifPresent(it -> it.end(failure));
    } catch (RuntimeException | LinkageError failed) { // nor what the handler has done
      tell(failed);
    }
  }

  private void tell(Throwable failed) {
    failures.tell(times -> WatchLog.tracingFailed(times, failed));
  }
}
