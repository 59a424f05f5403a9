package io.postbox.inbox;

import org.jspecify.annotations.Nullable;

/**
 * Handles messages that arrive without JMS (from Kafka, SQS, NATS or over HTTP) once per id, as
 * {@link Inbox} does for JMS. Injectable, thread-safe.
 *
 * <p>It works in the caller's JTA transaction, if there is one, and the outcome is final if that
 * commits; otherwise in a transaction of its own, which has committed when the call returns.
 * Acknowledge the message only after the commit. Call it on a thread that the server manages.
 */
public interface InboxGuard {

  /**
   * Runs the handler, unless the message was handled before or has to be kept aside. {@link
   * InboxContext} works within the handler. Costs one statement for a message whose {@link
   * InboxRequest} states that this is its first delivery, three otherwise.
   *
   * <p>After any exception the transaction has rolled back or can only roll back, and the caller
   * has to redeliver the message. An exception of the handler counts against {@code
   * postbox.inbox.max-attempts}, with the same exceptions as for {@link Inbox}: when the attempts
   * are used up, or after a {@link RejectedMessageException}, the inbox parks the message at its
   * next delivery.
   *
   * @param request the message
   * @param handler handles the message
   * @param <T> the handler's result
   * @param <X> the handler's exception
   * @return the outcome of the message
   * @throws X any exception of the handler
   * @throws RetryLaterException if the message cannot be handled yet, after a failure or because an
   *     earlier version of its aggregate is missing; redeliver it after {@link
   *     RetryLaterException#delay()}, or just repeatedly
   * @throws InboxException if the inbox cannot decide, if its own transaction did not commit, or if
   *     the caller's can only roll back
   */
  <T, X extends Exception> InboxOutcome<T> handle(InboxRequest request, Handler<T, X> handler)
      throws X;

  /**
   * The application's handler of a message.
   *
   * @param <T> its result
   * @param <X> its exception
   */
  @FunctionalInterface
  interface Handler<T, X extends Exception> {

    /**
     * Handles the message in the thread's transaction.
     *
     * @throws X to roll the transaction back and have the message redelivered
     */
    @Nullable T handle() throws X;
  }
}
