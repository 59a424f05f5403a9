package io.postbox.inbox;

import org.jspecify.annotations.Nullable;

/**
 * Handles messages that come without JMS (from Kafka, SQS, NATS or over HTTP) once per id, as
 * {@link Inbox} does for JMS. Injectable, thread-safe.
 *
 * <p>It works in the caller's JTA transaction, if there is one, and the outcome holds if that
 * commits; otherwise in one of its own, which has committed when it returns. Acknowledge the
 * message after the commit and not before. Call it on a thread that the server manages.
 */
public interface InboxGuard {

  /**
   * Runs the handler, unless the message was handled before or is to be kept aside. Within the
   * handler {@link InboxContext} works. Costs one statement for a message that is brought for the
   * first time and says so, three otherwise.
   *
   * <p>After any exception the transaction has rolled back or can do nothing else, and the message
   * has to be brought again. An exception of the handler counts against {@code
   * postbox.inbox.max-attempts}, with the exceptions that hold for {@link Inbox}: when the budget
   * is used up, or after a {@link RejectedMessageException}, the message is parked when it is next
   * brought.
   *
   * @param request the message
   * @param handler what to do with it
   * @param <T> the handler's result
   * @param <X> the handler's exception
   * @return what became of the message
   * @throws X whatever the handler throws
   * @throws RetryLaterException if it is not to be handled yet: after a failure, or because an
   *     earlier version of its aggregate is missing; bring it again after {@link
   *     RetryLaterException#delay()}, or simply again and again
   * @throws InboxException if it cannot be decided, if its own transaction did not commit, or if
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
     * Handles the message in the transaction that the thread is in.
     *
     * @throws X to roll it back, and have the message brought again
     */
    @Nullable T handle() throws X;
  }
}
