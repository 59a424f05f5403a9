package io.postbox.inbox;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Handles or captures messages that arrive without JMS (from Kafka, SQS, NATS or over HTTP) once
 * per id, as {@link Inbox} does for JMS. Injectable, thread-safe.
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
   * Handles a batch {@link BatchOrder#BY_KEY by key}; see the method below.
   *
   * @param requests the messages
   * @param handler handles one of them
   * @param <T> the handler's result
   * @return the outcome of each message
   * @throws IllegalStateException if the calling thread is in a transaction; no message was handled
   */
  <T> InboxBatchOutcome<T> handleAll(
      List<InboxRequest> requests, RequestHandler<T, ? extends Exception> handler);

  /**
   * Handles messages one after another, each in a transaction of its own, as {@link #handle} does:
   * it costs the same statements and one commit for each message. A message that fails is rolled
   * back alone. Of those behind it, the ones are left that must not overtake it; all others are
   * handled, unless the inbox's database does not answer, the application stops, or the thread is
   * interrupted.
   *
   * <p>All transactions have ended when this returns: acknowledge what is done, or commit the
   * offset up to which everything is, and bring the rest again.
   *
   * @param requests the messages, of any consumers, in the order in which they have to be handled
   * @param order which messages are left behind one that failed
   * @param handler handles one of them
   * @param <T> the handler's result
   * @return the outcome of each message, failures among them
   * @throws IllegalStateException if the calling thread is in a transaction, whose locks those of
   *     the messages might wait for; no message was handled
   */
  <T> InboxBatchOutcome<T> handleAll(
      List<InboxRequest> requests,
      BatchOrder order,
      RequestHandler<T, ? extends Exception> handler);

  /**
   * Handles messages one after another in one transaction: the caller's, or one of the inbox's own,
   * which has committed when this returns. It costs the same statements as {@link #handle} for each
   * message, and one commit. It stops at the first message that fails: then the transaction has
   * rolled back or can only roll back, none of them is handled, and the caller has to bring all of
   * them again.
   *
   * <p>Only the failed message's attempt counts; of a failed commit, which names no message, all
   * do. Until the message is handled or parked, it holds up the others.
   *
   * @param requests the messages, of any consumers, in the order in which they have to be handled
   * @param handler handles one of them
   * @param <T> the handler's result
   * @param <X> the handler's exception
   * @return the outcome of each message, in order
   * @throws X any exception of the handler
   * @throws RetryLaterException as {@link #handle} does
   * @throws InboxException as {@link #handle} does
   */
  <T, X extends Exception> List<InboxOutcome<T>> handleTogether(
      List<InboxRequest> requests, RequestHandler<T, X> handler) throws X;

  /**
   * Stores a message, to be handled later by the {@link InboxHandler} of its consumer, as {@link
   * InboxMode#CAPTURE} does for JMS. A message that was captured or handled before is skipped, and
   * the outcome has the {@linkplain InboxContext#result reply} of its handler, if that is done and
   * has set one. Costs two statements, and one or two more for a message with an ordering key.
   *
   * <p>After any exception the transaction has rolled back or can only roll back, and the caller
   * has to bring the message again.
   *
   * @param request the message, for a consumer with exactly one {@link InboxHandler}, whether it
   *     has a listener or not
   * @return the outcome of the message: captured, skipped or quarantined
   * @throws RetryLaterException if as many messages of the consumer wait as {@code capture.limit}
   *     allows; bring it again after {@link RetryLaterException#delay()}
   * @throws IllegalArgumentException if the consumer has no {@link InboxHandler}
   * @throws InboxException if the inbox cannot decide, if its own transaction did not commit, or if
   *     the caller's can only roll back
   */
  InboxOutcome<Void> capture(InboxRequest request);

  /**
   * Stores messages one after another, as {@link #capture} does, in one transaction: it costs the
   * same statements for each message, and one commit. If that fails, each message is stored in a
   * transaction of its own, so that one that fails undoes no other; those behind it with its
   * ordering key are left.
   *
   * <p>All transactions have ended when this returns: acknowledge the completed messages, or commit
   * the offset up to which all are complete, and deliver the rest again. The inbox skips the
   * messages that it has stored before.
   *
   * @param requests the messages, of any consumers with exactly one {@link InboxHandler}, in their
   *     order
   * @return the outcome of each message, failures among them, such as a {@link RetryLaterException}
   *     because of {@code capture.limit}
   * @throws IllegalStateException if the calling thread is in a transaction; no message was stored
   * @throws IllegalArgumentException if a consumer has no {@link InboxHandler}; no message was
   *     stored
   */
  InboxBatchOutcome<Void> captureAll(List<InboxRequest> requests);

  /**
   * The application's handler of the messages of a batch.
   *
   * @param <T> its result
   * @param <X> its exception
   */
  @FunctionalInterface
  interface RequestHandler<T, X extends Exception> {

    /**
     * Handles a message in the thread's transaction.
     *
     * @throws X to roll the transaction back and have the message redelivered
     */
    @Nullable T handle(InboxRequest request) throws X;
  }

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
