package io.postbox.inbox.receiver;

import io.postbox.inbox.message.Delivery;
import java.util.Optional;

/**
 * How far a {@link DeliveryAttempt} has come. The delivering thread makes {@link Progress}, which
 * ends as {@link Failed} or {@link Passed}; then the transaction's end makes it {@link Ended}. A
 * transaction that times out may end at any point of progress.
 */
sealed interface AttemptState {

  /** How far the delivering thread came, whatever became of it afterwards. */
  Progress progress();

  /** The delivering thread is at work on the message. */
  sealed interface Progress extends AttemptState {
    /** The delivery, once it was read. */
    default Optional<Delivery> delivery() {
      return Optional.empty();
    }

    /** The handler's run, once it has begun. */
    default Optional<HandlerRun> run() {
      return Optional.empty();
    }

    @Override
    default Progress progress() {
      return this;
    }
  }

  /** Nothing is known of the message yet. */
  record Received() implements Progress {}

  /** Its headers are known, and its handler has not begun. A failure now is not the handler's. */
  record Read(Delivery message) implements Progress {
    @Override
    public Optional<Delivery> delivery() {
      return Optional.of(message);
    }
  }

  /**
   * Its body cannot be read, so its handler does not begin: failures count under another key than
   * its id, which may be missing too.
   *
   * @param key empty if it has none, and nothing can be counted
   */
  record Unreadable(Delivery message, String key) implements Progress {
    @Override
    public Optional<Delivery> delivery() {
      return Optional.of(message);
    }
  }

  /**
   * It is to be retried later.
   *
   * @param isSent whether a delayed copy is sent if the transaction commits; otherwise the message
   *     is throttled at its redelivery
   */
  record Deferred(Delivery message, DelayedRetry retry, boolean isSent) implements Progress {
    @Override
    public Optional<Delivery> delivery() {
      return Optional.of(message);
    }
  }

  /** The handler runs: a failure now is the handler's. */
  record Handling(Delivery message, HandlerRun current) implements Progress {
    @Override
    public Optional<Delivery> delivery() {
      return Optional.of(message);
    }

    @Override
    public Optional<HandlerRun> run() {
      return Optional.of(current);
    }
  }

  /**
   * The handler has returned: a failure now is not the handler's, unless it is the commit.
   *
   * @param rollbackOnly whether its transaction was marked by then
   */
  record Returned(Delivery message, HandlerRun done, boolean rollbackOnly) implements Progress {
    @Override
    public Optional<Delivery> delivery() {
      return Optional.of(message);
    }

    @Override
    public Optional<HandlerRun> run() {
      return Optional.of(done);
    }
  }

  /** The delivering thread has thrown; the transaction rolls back. */
  record Failed(Progress progress, Throwable cause) implements AttemptState {}

  /** The transaction commits, as far as this attempt is concerned. */
  record Passed(Progress progress, Completion completion) implements AttemptState {}

  /** The transaction is over. */
  record Ended(Progress progress) implements AttemptState {}
}
