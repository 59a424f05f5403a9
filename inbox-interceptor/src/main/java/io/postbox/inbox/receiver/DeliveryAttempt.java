package io.postbox.inbox.receiver;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.MessageFailed;
import io.postbox.inbox.RetryLaterException;
import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Failure.Kind;
import io.postbox.inbox.receiver.AttemptState.Copying;
import io.postbox.inbox.receiver.AttemptState.Deferred;
import io.postbox.inbox.receiver.AttemptState.Ended;
import io.postbox.inbox.receiver.AttemptState.Failed;
import io.postbox.inbox.receiver.AttemptState.Handling;
import io.postbox.inbox.receiver.AttemptState.Passed;
import io.postbox.inbox.receiver.AttemptState.Progress;
import io.postbox.inbox.receiver.AttemptState.Read;
import io.postbox.inbox.receiver.AttemptState.Received;
import io.postbox.inbox.receiver.AttemptState.Returned;
import io.postbox.inbox.receiver.AttemptState.Unreadable;
import io.postbox.inbox.receiver.FailureClassifier.Classification;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at a message, from its delivery to the end of its transaction, which another thread
 * may report. Publishes the message's outcome if the transaction commits, and records the failure
 * if it does not. Thread-safe.
 */
final class DeliveryAttempt implements DeliveryTransaction.End {
  private static final Duration A_MOMENT = Duration.ofSeconds(1);

  private final Invocation invocation;
  private final ReceiverParts parts;
  private final long outagesBefore;
  private final CommitVotes votes;
  private AttemptState state = new Received();
  private @Nullable RecordedAttempt recorded;
  private boolean hasLeft;

  DeliveryAttempt(Invocation invocation, ReceiverParts parts) {
    this.invocation = invocation;
    this.parts = parts;
    outagesBefore = parts.database().outages();
    votes = invocation.transaction().votes();
    votes.enlist();
  }

  synchronized void read(Delivery delivery) {
    if (!hasEnded()) {
      state = new Read(delivery);
    }
  }

  /** Keeps the attempt's record, which is deleted at the end. */
  synchronized void recordedAs(RecordedAttempt put) {
    recorded = put;
  }

  /**
   * Notes that the handler is about to be called: from here on a failure is the handler's.
   *
   * @throws InboxException if the transaction has ended meanwhile
   */
  synchronized void handles(HandlerRun run) {
    if (!(state instanceof Read read)) {
      throw new InboxException(
          "Message "
              + run.messageId()
              + " for the consumer '"
              + run.consumer()
              + "' was not handled, because its transaction ended before its handler began. The"
              + " message is redelivered.",
          null);
    }
    state = new Handling(read.message(), run);
    parts.failures().begins(run.consumer(), run.messageId());
  }

  synchronized void returned(boolean rollbackOnly) {
    if (state instanceof Handling handling) {
      state = new Returned(handling.message(), handling.current(), rollbackOnly);
    }
  }

  /** Notes that the message is about to be stored with its body. */
  synchronized void copies(String key) {
    if (state instanceof Read read) {
      state = new Copying(read.message(), key);
      parts.failures().begins(invocation.consumer(), key);
    }
  }

  /** Notes that it is stored in time. */
  synchronized void copied() {
    if (state instanceof Copying copying) {
      parts.failures().ends(invocation.consumer(), copying.key());
      state = new Read(copying.message());
    }
  }

  /** Whether the transaction is active and can only roll back. */
  boolean isRollbackOnly() {
    return invocation.transaction().isRollbackOnly();
  }

  /**
   * Notes that the body cannot be read or copied.
   *
   * @param key under which the failures count; empty if there is none
   */
  synchronized void cannotBeRead(String key) {
    Delivery delivery = state.progress().delivery().orElseThrow();
    if (!hasEnded()) {
      boolean hasBegun = state instanceof Copying;
      state = new Unreadable(delivery, key);
      if (!key.isEmpty() && !hasBegun) {
        parts.failures().begins(invocation.consumer(), key);
      }
    }
  }

  synchronized void failed(Throwable thrown) {
    if (state instanceof Progress progress) {
      state = new Failed(progress, thrown);
    }
  }

  /** Votes for commit. */
  synchronized void passed(Completion completion) {
    if (state instanceof Progress progress) {
      state = new Passed(progress, completion);
    }
    votes.voteCommit();
  }

  /**
   * Notes that the delivering thread is done; the transaction may have ended before, if it timed
   * out.
   */
  synchronized void left() {
    hasLeft = true;
    comeOffTheRecord();
  }

  /** Whether the transaction has ended; a handler must not end it. */
  synchronized boolean hasEnded() {
    return state instanceof Ended;
  }

  /** Whether the handler has been called and has not returned. */
  synchronized boolean isInHandler() {
    return state.progress() instanceof Handling;
  }

  /** Whether neither the message nor its body could be read. */
  synchronized boolean isUnread() {
    return state.progress() instanceof Received || state.progress() instanceof Unreadable;
  }

  /** The message's id, for error texts. */
  synchronized String message() {
    return state.progress().delivery().flatMap(Delivery::knownId).orElse("without a usable id");
  }

  /** Throttles a message that waits for its retry at a broker that redelivers at once. */
  void waitsAtBroker(DelayedRetry retry) {
    if (invocation.route().redeliversAtOnce()) {
      defer(retry);
    }
  }

  /** Whether a reply is requested, and may be sent to the destination that the sender chose. */
  boolean mayReply() {
    Route route = invocation.route();
    return route.wantsReply() && route.mayReply();
  }

  /** Forwards a message whose body cannot be kept to the dead queue, if there is one. */
  boolean forwards() {
    Route route = invocation.route();
    if (route.canForward()) {
      route.forward();
      return true;
    }
    return false;
  }

  private synchronized void defer(DelayedRetry retry) {
    if (state instanceof Read read) {
      state = new Deferred(read.message());
    }
    parts.throttle().defer(invocation.consumer(), retry);
  }

  @Override
  public synchronized void ended(boolean committed, @Nullable Throwable cause) {
    AttemptState last = state;
    if (!committed) {
      rolledBack(last, last instanceof Failed failed ? failed.cause() : cause);
    }
    state = new Ended(last.progress());
    comeOffTheRecord();
    endFailures(last.progress());
    if (committed) {
      parts.database().answered();
      if (last instanceof Passed passed) {
        publish(passed.completion());
      }
    }
  }

  @Override
  public synchronized void notSent() {
    deferForAMoment(state.progress());
  }

  private void comeOffTheRecord() {
    if (recorded != null && hasLeft && hasEnded()) {
      parts.attempts().ends(recorded, state.progress().run().isPresent());
      recorded = null;
    }
  }

  private void endFailures(Progress progress) {
    progress.run().ifPresent(run -> parts.failures().ends(run.consumer(), run.messageId()));
    if (!progress.key().isEmpty()) {
      parts.failures().ends(invocation.consumer(), progress.key());
    }
  }

  private void publish(Completion completion) {
    completion.onCommit().run();
    if (completion.announced() != null) {
      parts.listener().happened(completion.announced());
    }
  }

  private void rolledBack(AttemptState last, @Nullable Throwable cause) {
    recordFailure(last, cause == null ? silence(last) : FailureClassifier.classify(cause));
    if (isBackUnhindered(last)) {
      deferForAMoment(last.progress());
    }
  }

  /** Classifies a rollback for which the container gives no cause. */
  private Classification silence(AttemptState last) {
    if (isBecauseOfAnother(last)) {
      return FailureClassifier.ofAnother();
    }
    return FailureClassifier.ofSilence(
        last.progress() instanceof Returned returned && returned.rollbackOnly());
  }

  private boolean isBecauseOfAnother(AttemptState last) {
    return last instanceof Passed && votes.isAnyMissing();
  }

  private void recordFailure(AttemptState last, Classification why) {
    Progress progress = last.progress();
    HandlerRun run = progress.run().orElse(null);
    boolean counts = false;
    if (run != null && !isNobodysFault()) {
      // A failure between the handler and the commit is not the handler's fault, and is retried
      // later too.
      boolean isInBetween = last instanceof Failed && progress instanceof Returned;
      Kind kind = isInBetween ? Kind.TRANSIENT : why.kind();
      counts = kind == Kind.FAILED || kind == Kind.REJECTED;
      record(
          new Failure(
              run.consumer(),
              run.messageId(),
              run.attempt(),
              kind,
              why.pause(),
              why.error(),
              progress.delivery().map(it -> it.history().waitedFor()).orElse(0),
              false,
              progress.delivery().map(Delivery::subject).orElse(null),
              progress.delivery().map(Delivery::dataSubject).orElse(null)));
    } else if ((progress instanceof Unreadable || last instanceof Copying) // it took too long
        && !progress.key().isEmpty()
        && !isNobodysFault()) {
      record(
          new Failure(
              invocation.consumer(),
              progress.key(),
              1,
              Kind.TRANSIENT,
              null,
              why.error(),
              0,
              true));
    }
    parts
        .listener()
        .happened(
            new MessageFailed(
                invocation.consumer(),
                progress.delivery().flatMap(Delivery::knownId),
                progress.delivery().map(Delivery::eventType),
                run == null ? 1 : run.attempt(),
                counts,
                why.reason()));
  }

  private void record(Failure failure) {
    parts.failures().record(failure);
    parts.failureLines().tell(failure);
  }

  /**
   * Whether the message keeps failing outside its handler, so that no recorded failure delays it:
   * it cannot be stored, or a reply cannot be sent. The first time is no reason to delay it,
   * because a conflict between transactions is over when the next one begins.
   */
  private boolean isBackUnhindered(AttemptState last) {
    return (last.progress() instanceof Read || last.progress() instanceof Copying)
        && last.progress().delivery().orElseThrow().history().mayHaveFailed()
        && !(last instanceof Failed failed && failed.cause() instanceof RetryLaterException)
        && !isBecauseOfAnother(last)
        && !isNobodysFault();
  }

  private void deferForAMoment(Progress progress) {
    if (progress.delivery().isPresent() && invocation.route().redeliversAtOnce()) {
      defer(DelayedRetry.inPlace(progress.delivery().get(), A_MOMENT));
    }
  }

  /**
   * Whether the database is unavailable or was so during this attempt, or the application has
   * stopped and takes away resources that handlers need.
   */
  private boolean isNobodysFault() {
    return parts.database().isSuspected()
        || parts.database().outages() != outagesBefore
        || parts.gate().isClosed();
  }
}
