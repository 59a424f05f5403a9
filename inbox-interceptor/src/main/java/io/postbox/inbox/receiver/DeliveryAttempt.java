package io.postbox.inbox.receiver;

import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.MessageFailed;
import io.postbox.inbox.RetryLaterException;
import io.postbox.inbox.log.FailureLines;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Failure.Kind;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One delivery on its way to its end, which may be told on another thread: what is to be said if
 * its transaction commits, and what is to be recorded if it does not.
 */
final class DeliveryAttempt implements DeliveryTransaction.End {
  private static final Duration A_MOMENT = Duration.ofSeconds(1);

  private final Invocation invocation;
  private final DeliveryGate gate;
  private final FailureLog failures;
  private final FailureLines lines;
  private final AttemptLog attempts;
  private final InboxListener listener;
  private final long outagesBefore;
  private final CommitVotes votes;
  private @Nullable Delivery delivery;
  private @Nullable RecordedAttempt recorded;
  private boolean left;
  private @Nullable HandlerRun run;
  private @Nullable Throwable thrown;
  private boolean running;
  private boolean markedBefore;
  private boolean cameThrough;
  private boolean hasEnded;
  private @Nullable String unreadKey;
  private @Nullable DelayedRetry sent;
  private boolean isHeldUp;
  private @Nullable MessageEvent ifCommitted;
  private @Nullable MessageEvent toldIfCommitted;
  private @Nullable Runnable sayIfCommitted;

  DeliveryAttempt(
      Invocation invocation,
      DeliveryGate gate,
      FailureLog failures,
      FailureLines lines,
      AttemptLog attempts,
      InboxListener listener) {
    this.invocation = invocation;
    this.gate = gate;
    this.failures = failures;
    this.lines = lines;
    this.attempts = attempts;
    this.listener = listener;
    outagesBefore = gate.outages();
    votes = invocation.transaction().votes();
    votes.enlist();
  }

  synchronized void read(Delivery read) {
    delivery = read;
  }

  synchronized boolean isRead() {
    return delivery != null;
  }

  /** What is on record of the try, which has to come off. */
  synchronized void began(RecordedAttempt put) {
    recorded = put;
  }

  /** The thread goes on its way; the transaction may have ended before, if it timed out. */
  synchronized void left() {
    left = true;
    comesOffTheRecord();
  }

  private void comesOffTheRecord() {
    if (recorded != null && left && hasEnded) {
      attempts.ends(recorded, run != null);
      recorded = null;
    }
  }

  /** From here on a failure is the handler's. */
  synchronized void handles(HandlerRun recorded) {
    run = recorded;
    running = true;
    failures.begins(recorded.consumer(), recorded.messageId());
  }

  /**
   * Its body could not be read, so its handler will not begin: what comes of it counts under
   * another name than its id, which may be missing too.
   *
   * @param key empty if it has none, and nothing can be counted
   */
  synchronized void cannotBeRead(String key) {
    unreadKey = key;
    if (!key.isEmpty()) {
      failures.begins(invocation.consumer(), key);
    }
  }

  synchronized boolean isUnread() {
    return unreadKey != null;
  }

  /** Whether the handler has begun and has not returned. */
  synchronized boolean isInHandler() {
    return running;
  }

  /** What fails now is not the handler's fault, unless it is the commit. */
  synchronized void returned(boolean rollbackOnly) {
    running = false;
    markedBefore = rollbackOnly;
  }

  synchronized void threw(Throwable failed) {
    thrown = failed;
  }

  /**
   * Sends the message away, or sees to it that it is held up if it is back at once.
   *
   * @return whether a copy is on its way if the transaction commits; if not, whoever delivered the
   *     message has to bring it again
   */
  boolean sendAway(DelayedRetry retry) {
    Route route = invocation.route();
    if (route.canSendRetry()) {
      route.sendRetry(retry, () -> defer(retry));
      sent(retry);
      return true;
    }
    if (route.redeliversAtOnce()) {
      defer(retry);
    }
    return false;
  }

  /** Sends a message to the dead queue that cannot be kept, if there is one. */
  boolean forwards() {
    Route route = invocation.route();
    if (route.canForward()) {
      route.forward();
      return true;
    }
    return false;
  }

  private synchronized void sent(DelayedRetry retry) {
    sent = retry;
  }

  /** From here on the transaction commits, as far as this one is concerned. */
  synchronized void cameThrough() {
    cameThrough = true;
    votes.voteCommit();
  }

  synchronized void willEndAs(MessageEvent event) {
    ifCommitted = event;
    toldIfCommitted = event;
  }

  /** What others are told of it, if that is something else. */
  synchronized void willTell(MessageEvent event) {
    toldIfCommitted = event;
  }

  /** What becomes of the message if its transaction commits, if anything. */
  synchronized @Nullable MessageEvent willEndAs() {
    return ifCommitted;
  }

  /** Whether its transaction is over; the handler has no business to end it. */
  synchronized boolean hasEnded() {
    return hasEnded;
  }

  /** Which message it is, for a text. */
  synchronized String message() {
    return Optional.ofNullable(delivery).flatMap(Delivery::knownId).orElse("without a usable id");
  }

  synchronized void willSay(Runnable line) {
    sayIfCommitted = line;
  }

  @Override
  public synchronized void ended(boolean committed, @Nullable Throwable cause) {
    if (!committed) {
      failed(thrown != null ? thrown : cause);
      if (sent != null && !votes.isAnyMissing()) {
        defer(sent); // the broker may refuse a copy only at the commit
      }
      if (isBackUnhindered()) {
        staysAwayForAMoment();
      }
    }
    hasEnded = true;
    comesOffTheRecord();
    if (run != null) {
      failures.ends(run.consumer(), run.messageId());
    }
    if (unreadKey != null && !unreadKey.isEmpty()) {
      failures.ends(invocation.consumer(), unreadKey);
    }
    if (committed) {
      gate.databaseAnswered();
      committed();
    }
  }

  @Override
  public synchronized void notSent() {
    if (sent != null) {
      defer(sent);
    } else {
      staysAwayForAMoment(); // it was to be a reply
    }
  }

  /**
   * Whether it fails again and again without its handler, of which there is no record that would
   * let it come later: it cannot be kept aside, or a reply cannot be sent. Once is no reason to
   * hold it up, for a conflict between transactions is over when the next begins.
   */
  private boolean isBackUnhindered() {
    boolean isBecauseOfAnother = cameThrough && votes.isAnyMissing();
    return delivery != null
        && delivery.history().mayHaveFailed()
        && run == null
        && sent == null
        && !isHeldUp
        && unreadKey == null
        && !(thrown instanceof RetryLaterException)
        && !isBecauseOfAnother
        && !isNobodysFault();
  }

  private void staysAwayForAMoment() {
    if (delivery != null && invocation.route().redeliversAtOnce()) {
      History history = delivery.history();
      defer(
          new DelayedRetry(
              delivery.knownId().orElse(""), A_MOMENT, history.waitedFor() + 1, history.waits()));
    }
  }

  private synchronized void defer(DelayedRetry retry) {
    isHeldUp = true;
    gate.defer(invocation.consumer(), retry);
  }

  private void committed() {
    if (sayIfCommitted != null) {
      sayIfCommitted.run();
    }
    if (toldIfCommitted != null) {
      listener.happened(toldIfCommitted);
    }
  }

  /**
   * The database is or was away, also in an outage that is over, for its deliveries end a little
   * later; or the application has stopped, and what handlers need is going.
   */
  private boolean isNobodysFault() {
    return gate.isDatabaseDown() || gate.outages() != outagesBefore || gate.isClosed();
  }

  private FailureClassifier blameOfSilence() {
    return cameThrough && votes.isAnyMissing()
        ? FailureClassifier.ofAnother()
        : FailureClassifier.ofSilence(markedBefore);
  }

  private void failed(@Nullable Throwable cause) {
    FailureClassifier blame = cause == null ? blameOfSilence() : FailureClassifier.of(cause);
    boolean counts = false;
    if (run != null && !isNobodysFault()) {
      // What fails between the handler and the commit is not its fault, and must stay away too.
      Kind kind = running || thrown == null ? blame.kind() : Kind.TRANSIENT;
      counts = kind == Kind.FAILED || kind == Kind.REJECTED;
      Failure failure =
          new Failure(
              run.consumer(),
              run.messageId(),
              run.attempt(),
              kind,
              blame.pause(),
              blame.reason(),
              blame.signature(),
              Optional.ofNullable(delivery).map(it -> it.history().waitedFor()).orElse(0));
      failures.record(failure);
      lines.tell(failure);
    } else if (unreadKey != null && !unreadKey.isEmpty() && !isNobodysFault()) {
      Failure failure =
          new Failure(
              invocation.consumer(),
              unreadKey,
              1,
              Kind.TRANSIENT,
              null,
              blame.reason(),
              blame.signature(),
              0);
      failures.record(failure);
      lines.tell(failure);
    }
    listener.happened(
        new MessageFailed(
            invocation.consumer(),
            Optional.ofNullable(delivery).flatMap(Delivery::knownId),
            Optional.ofNullable(delivery).map(Delivery::eventType),
            run == null ? 1 : run.attempt(),
            counts,
            blame.reason()));
  }
}
