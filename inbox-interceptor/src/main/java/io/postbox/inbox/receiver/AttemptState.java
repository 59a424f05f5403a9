package io.postbox.inbox.receiver;

import io.postbox.inbox.message.Delivery;
import java.util.Optional;

/**
 * The state of a {@link DeliveryAttempt}. On the delivering thread it is in {@link Progress}, and
 * then {@link Failed} or {@link Passed}; when the transaction ends it is {@link Ended}. A
 * transaction that times out may end at any point of the progress.
 */
sealed interface AttemptState {

  /** How far the delivering thread got, also once the attempt has failed, passed or ended. */
  Progress progress();

  /** The delivering thread is processing the message. */
  sealed interface Progress extends AttemptState {
    /** The delivery, once it has been read. */
    default Optional<Delivery> delivery() {
      return Optional.empty();
    }

    /** The handler's run, once the handler has been called. */
    default Optional<HandlerRun> run() {
      return Optional.empty();
    }

    /** Under what a failure counts that is not the handler's; empty for nothing. */
    default String key() {
      return "";
    }

    @Override
    default Progress progress() {
      return this;
    }
  }

  /** The message has been read. */
  sealed interface OfMessage extends Progress {
    Delivery message();

    @Override
    default Optional<Delivery> delivery() {
      return Optional.of(message());
    }
  }

  /** Its handler has been called. */
  sealed interface OfHandler extends OfMessage {
    HandlerRun current();

    @Override
    default Optional<HandlerRun> run() {
      return Optional.of(current());
    }
  }

  /** The message has not been read yet. */
  record Received() implements Progress {}

  /**
   * The headers have been read, and the handler has not been called. A failure now is not the
   * handler's.
   */
  record Read(Delivery message) implements OfMessage {}

  /**
   * The body cannot be read, so the handler is not called. Failures count under a key of their own,
   * because the id may be missing too.
   *
   * @param key empty if there is none; then failures cannot be counted
   */
  record Unreadable(Delivery message, String key) implements OfMessage {}

  /**
   * The message is being stored with its body. If the transaction ends meanwhile, that counts under
   * the key.
   */
  record Copying(Delivery message, String key) implements OfMessage {}

  /** The message waits for its retry at its broker, and is throttled. */
  record Deferred(Delivery message) implements OfMessage {}

  /** The handler runs: a failure now is the handler's. */
  record Handling(Delivery message, HandlerRun current) implements OfHandler {}

  /**
   * The handler has returned: a failure now is not the handler's, unless it is the commit.
   *
   * @param rollbackOnly whether the transaction was marked for rollback by then
   */
  record Returned(Delivery message, HandlerRun current, boolean rollbackOnly)
      implements OfHandler {}

  /** The delivering thread has thrown; the transaction rolls back. */
  record Failed(Progress progress, Throwable cause) implements AttemptState {}

  /** The attempt votes for commit. */
  record Passed(Progress progress, Completion completion) implements AttemptState {}

  /** The transaction is over. */
  record Ended(Progress progress) implements AttemptState {}
}
