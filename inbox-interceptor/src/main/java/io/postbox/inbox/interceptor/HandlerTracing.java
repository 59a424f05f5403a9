package io.postbox.inbox.interceptor;

import io.postbox.inbox.jms.MessageTrace;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Makes each run of a handler part of its message's trace. Thread-safe. */
interface HandlerTracing {

  /** The span of one run. Used by the run's thread. */
  interface Span {
    /** Wraps the handler so that the span is current while it runs. */
    Callable<@Nullable Object> around(Callable<@Nullable Object> handler);

    /**
     * Ends it. Called once.
     *
     * @param failure the exception that the handler threw, or {@code null} if it returned
     */
    void end(@Nullable Throwable failure);
  }

  /**
   * Begins a span, unless somebody else traces this run.
   *
   * @param consumer the consumer whose handler it is
   * @param messageId the message's id
   * @param message where the message comes from
   * @param isDelivered whether the broker delivered the message to the handler itself, so that a
   *     span that is current already can only be the delivery's
   */
  Optional<Span> begin(
      String consumer, String messageId, MessageTrace message, boolean isDelivered);
}
