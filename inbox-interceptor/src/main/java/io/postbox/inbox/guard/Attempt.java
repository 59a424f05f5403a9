package io.postbox.inbox.guard;

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
final class Attempt implements DeliveryTransaction.End {
  private static final Duration A_MOMENT = Duration.ofSeconds(1);

  private final Arrival arrival;
  private final Admission admission;
  private final FailureLog failures;
  private final FailureLines lines;
  private final AttemptLog attempts;
  private final InboxListener listener;
  private final long outagesBefore;
  private final Fate fate;
  private @Nullable Delivery delivery;
  private @Nullable Begun begun;
  private boolean left;
  private @Nullable Handling handling;
  private @Nullable Throwable thrown;
  private boolean running;
  private boolean markedBefore;
  private boolean cameThrough;
  private boolean hasEnded;
  private @Nullable String unreadKey;
  private @Nullable Again sent;
  private boolean isHeldUp;
  private @Nullable MessageEvent ifCommitted;
  private @Nullable MessageEvent toldIfCommitted;
  private @Nullable Runnable sayIfCommitted;

  Attempt(
      Arrival arrival,
      Admission admission,
      FailureLog failures,
      FailureLines lines,
      AttemptLog attempts,
      InboxListener listener) {
    this.arrival = arrival;
    this.admission = admission;
    this.failures = failures;
    this.lines = lines;
    this.attempts = attempts;
    this.listener = listener;
    outagesBefore = admission.outages();
    fate = arrival.transaction().fate();
    fate.begins();
  }

  synchronized void read(Delivery read) {
    delivery = read;
  }

  synchronized boolean isRead() {
    return delivery != null;
  }

  /** What is on record of the try, which has to come off. */
  synchronized void began(Begun put) {
    begun = put;
  }

  /** The thread goes on its way; the transaction may have ended before, if it timed out. */
  synchronized void left() {
    left = true;
    comesOffTheRecord();
  }

  private void comesOffTheRecord() {
    if (begun != null && left && hasEnded) {
      attempts.ends(begun, handling != null);
      begun = null;
    }
  }

  /** From here on a failure is the handler's. */
  synchronized void handles(Handling begun) {
    handling = begun;
    running = true;
    failures.begins(begun.consumer(), begun.messageId());
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
      failures.begins(arrival.consumer(), key);
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
  boolean sendAway(Again again) {
    Route route = arrival.route();
    if (route.canSendAgain()) {
      route.sendAgain(again, () -> staysAway(again));
      sent(again);
      return true;
    }
    if (route.bringsBackAtOnce()) {
      staysAway(again);
    }
    return false;
  }

  /** Sends a message to the dead queue that cannot be kept, if there is one. */
  boolean forwards() {
    Route route = arrival.route();
    if (route.canForward()) {
      route.forward();
      return true;
    }
    return false;
  }

  private synchronized void sent(Again again) {
    sent = again;
  }

  /** From here on the transaction commits, as far as this one is concerned. */
  synchronized void cameThrough() {
    cameThrough = true;
    fate.cameThrough();
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
      if (sent != null && !fate.isSealedByOne()) {
        staysAway(sent); // the broker may refuse a copy only at the commit
      }
      if (isBackUnhindered()) {
        staysAwayForAMoment();
      }
    }
    hasEnded = true;
    comesOffTheRecord();
    if (handling != null) {
      failures.ends(handling.consumer(), handling.messageId());
    }
    if (unreadKey != null && !unreadKey.isEmpty()) {
      failures.ends(arrival.consumer(), unreadKey);
    }
    if (committed) {
      admission.databaseAnswered();
      committed();
    }
  }

  @Override
  public synchronized void notSent() {
    if (sent != null) {
      staysAway(sent);
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
    boolean isBecauseOfAnother = cameThrough && fate.isSealedByOne();
    return delivery != null
        && delivery.history().mayHaveFailed()
        && handling == null
        && sent == null
        && !isHeldUp
        && unreadKey == null
        && !(thrown instanceof RetryLaterException)
        && !isBecauseOfAnother
        && !isNobodysFault();
  }

  private void staysAwayForAMoment() {
    if (delivery != null && arrival.route().bringsBackAtOnce()) {
      History history = delivery.history();
      staysAway(
          new Again(
              delivery.knownId().orElse(""), A_MOMENT, history.waitedFor() + 1, history.waits()));
    }
  }

  private synchronized void staysAway(Again again) {
    isHeldUp = true;
    admission.staysAway(arrival.consumer(), again);
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
    return admission.isDatabaseDown()
        || admission.outages() != outagesBefore
        || admission.isClosed();
  }

  private Blame blameOfSilence() {
    return cameThrough && fate.isSealedByOne() ? Blame.ofAnother() : Blame.ofSilence(markedBefore);
  }

  private void failed(@Nullable Throwable cause) {
    Blame blame = cause == null ? blameOfSilence() : Blame.of(cause);
    boolean counts = false;
    if (handling != null && !isNobodysFault()) {
      // What fails between the handler and the commit is not its fault, and must stay away too.
      Kind kind = running || thrown == null ? blame.kind() : Kind.TRANSIENT;
      counts = kind == Kind.FAILED || kind == Kind.REJECTED;
      Failure failure =
          new Failure(
              handling.consumer(),
              handling.messageId(),
              handling.attempt(),
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
              arrival.consumer(),
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
            arrival.consumer(),
            Optional.ofNullable(delivery).flatMap(Delivery::knownId),
            Optional.ofNullable(delivery).map(Delivery::eventType),
            handling == null ? 1 : handling.attempt(),
            counts,
            blame.reason()));
  }
}
