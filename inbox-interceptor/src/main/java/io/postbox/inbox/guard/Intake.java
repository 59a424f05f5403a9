package io.postbox.inbox.guard;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.ReplyRefused;
import io.postbox.inbox.RetryLaterException;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.guard.Ledger.KeptAnswer;
import io.postbox.inbox.log.FailureLines;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.log.KeptLines;
import io.postbox.inbox.log.Throttle;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.message.Body.Opaque;
import io.postbox.inbox.message.Body.Unreadable;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.MessageId.Known;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** Lets a handler see each message once. Thread-safe. */
public final class Intake {
  private final InboxConfig config;
  private final Ledger ledger;
  private final Admission admission;
  private final FailureLog failures;
  private final FailureLines lines;
  private final AttemptLog attempts;
  private final InboxListener listener;
  private final DoubleSupplier random;
  private final KeepingAside keepingAside;
  private final Throttle refusedReplies = new Throttle(System::nanoTime);

  /**
   * @param config how the consumers are treated
   * @param ledger what was handled so far
   * @param admission when deliveries are welcome
   * @param failures where failures go
   * @param lines tells of them
   * @param quotas how much is kept aside
   * @param keptLines tells of what is
   * @param attempts where tries of messages that have come before are on record
   * @param listener told how each delivery ended, once that is certain
   * @param random even draws from 0 (included) to 1 (excluded), from any thread
   */
  public Intake(
      InboxConfig config,
      Ledger ledger,
      Admission admission,
      FailureLog failures,
      FailureLines lines,
      Quotas quotas,
      KeptLines keptLines,
      AttemptLog attempts,
      InboxListener listener,
      DoubleSupplier random) {
    this.config = config;
    this.ledger = ledger;
    this.admission = admission;
    this.failures = failures;
    this.lines = lines;
    this.attempts = attempts;
    this.listener = listener;
    this.random = random;
    keepingAside =
        new KeepingAside(config, ledger, quotas, keptLines, new Throttle(System::nanoTime));
  }

  /**
   * Runs the handler if this delivery is the first of its message. A normal return means that the
   * message may be acknowledged if the transaction commits.
   *
   * @return how the delivery ends if the transaction commits
   * @throws RetryLaterException if the message is to come again and cannot be sent from here
   * @throws InboxException if it cannot be decided; the transaction is rolled back, and the message
   *     comes again
   * @throws Exception whatever the handler throws
   */
  public Ending take(Arrival arrival) throws Exception {
    requireTransaction(arrival);
    admission.enter(arrival.consumer());
    try {
      requireTransaction(arrival); // it may have timed out while it waited
      return takeAdmitted(arrival);
    } finally {
      admission.leave();
    }
  }

  private Ending takeAdmitted(Arrival arrival) throws Exception {
    Attempt attempt = new Attempt(arrival, admission, failures, lines, attempts, listener);
    arrival.transaction().onEnd(attempt);
    Ending ending = take(arrival, attempt);
    if (arrival.transaction().isRollbackOnly()) {
      refuseSilence(arrival, attempt);
    } else {
      attempt.cameThrough();
    }
    return ending;
  }

  private Ending take(Arrival arrival, Attempt attempt) throws Exception {
    try {
      Delivery read = arrival.reader().call();
      attempt.read(read);
      Optional<Again> absence = absenceOf(read, arrival.route());
      boolean isStillAway =
          absence.isPresent() && absence.get().delay().compareTo(Duration.ZERO) > 0;
      boolean isAnyRedelivery = mayBeRedelivery(read);
      Delivery told = isAnyRedelivery ? read.maybeRedelivered() : read;
      Delivery delivery =
          absence.isEmpty() || isStillAway ? told : told.havingWaited(absence.get().waits());
      // after a failure it is tried here when its time has come
      BooleanSupplier canSendAgain = () -> absence.isEmpty() && arrival.route().canSendAgain();
      Begun begun = begin(delivery, isStillAway, isAnyRedelivery);
      attempt.began(begun);
      Decision decision =
          new Deciding(ledger, begun, config.of(arrival.consumer()), canSendAgain, random)
              .about(delivery);
      admission.databaseAnswered();
      Object returned = carryOut(decision, delivery, arrival, isStillAway, attempt);
      return new Ending(returned, attempt.willEndAs());
    } catch (Throwable thrown) {
      attempt.threw(thrown);
      rollBackBecauseOf(thrown, arrival.transaction());
      if (Blame.isOutage(thrown) && attempt.isInHandler()) {
        admission.mayBeDown(thrown); // which says nothing yet of the inbox's own
      } else if (Blame.isOutage(thrown)) {
        admission.databaseFailed(thrown);
      } else if ((!attempt.isRead() || attempt.isUnread()) && arrival.route().bringsBackAtOnce()) {
        admission.rest();
      }
      throw thrown;
    } finally {
      attempt.left();
    }
  }

  /**
   * All that needs a connection of its own comes before the delivery's transaction takes one, which
   * may be the only one. What another handler hands on is covered by the other's record, and the
   * connection is taken already.
   */
  private Begun begin(Delivery delivery, boolean isStillAway, boolean isAnyRedelivery) {
    awaitRecordOfUnread(delivery);
    String id = delivery.knownId().orElse("");
    if (id.isEmpty() || !delivery.history().mayHaveFailed()) {
      return Begun.unrecorded(delivery.consumer(), id);
    }
    failures.await(delivery.consumer(), id);
    boolean isCertain = delivery.history().isCertain();
    return isStillAway || !(isCertain || isAnyRedelivery) || RunningHandlers.isAny()
        ? Begun.unrecorded(delivery.consumer(), id)
        : attempts.begin(delivery.consumer(), id, isCertain);
  }

  private void awaitRecordOfUnread(Delivery delivery) {
    String key = "";
    if (delivery.body() instanceof Unreadable unreadable) {
      key = unreadable.key();
    } else if (delivery.body() instanceof Opaque object) {
      key = object.key();
    }
    if (!key.isEmpty() && delivery.history().mayHaveFailed()) {
      failures.await(delivery.consumer(), key);
    }
  }

  /** Not every broker remembers after a crash that it delivered a message before. */
  private boolean mayBeRedelivery(Delivery delivery) {
    return delivery.knownId().isPresent() && !RunningHandlers.isAny() && attempts.mayBeRedelivery();
  }

  /** The attempt is not told: for its record, that something marked the transaction says more. */
  private static void refuseSilence(Arrival arrival, Attempt attempt) {
    if (!arrival.transaction().redeliversOnRollback()) {
      throw new InboxException(
          "Message "
              + attempt.message()
              + " for the consumer '"
              + arrival.consumer()
              + "' must not be acknowledged, because its transaction can only roll back: something"
              + " marked it, or it timed out. Nothing of it is kept, and the message is"
              + " redelivered. A handler that wants that had better throw an exception that says"
              + " why.",
          null);
    }
  }

  /** Of one that should have been sent away and is here all the same. */
  private Optional<Again> absenceOf(Delivery delivery, Route route) {
    return route.bringsBackAtOnce() && delivery.history().mayHaveFailed()
        ? admission.holdUp(delivery)
        : Optional.empty();
  }

  private void requireTransaction(Arrival arrival) {
    String notHandled = "A message for the consumer '" + arrival.consumer() + "' was not handled, ";
    if (arrival.transaction().isRollbackOnly()) {
      throw new InboxException(
          notHandled
              + "because its transaction can only roll back: it timed out or was marked before the"
              + " inbox had its turn. The message comes again. If it goes on like that, look at what"
              + " runs before the inbox, and at the transaction time-out.",
          null);
    }
    if (!arrival.transaction().isActive()) {
      throw new InboxException(
          notHandled
              + "because no transaction is active: the inbox's row, the handler's effects and the"
              + " acknowledgement need one in common. Give the bean container-managed transactions"
              + " with @TransactionAttribute(REQUIRED), the default.",
          null);
    }
  }

  private @Nullable Object carryOut(
      Decision decision, Delivery delivery, Arrival arrival, boolean isStillAway, Attempt attempt)
      throws Exception {
    if (decision instanceof Decision.Handle handle) {
      return handle(handle, delivery, arrival, attempt);
    }
    if (decision instanceof Decision.Skip skip) {
      skip(skip, delivery, arrival.route(), attempt);
    } else if (decision instanceof Decision.Unread unread) {
      attempt.cannotBeRead(unread.body().key());
      throw cannotBeRead(unread.body(), delivery);
    } else if (decision instanceof Decision.Later later) {
      Again again = new Again(id(delivery), later.delay(), later.waitedFor(), later.waits());
      if (isStillAway || !attempt.sendAway(again)) {
        throw notNow(again, delivery.consumer());
      }
    } else {
      keepingAside.carryOut(decision, delivery, attempt);
    }
    return null;
  }

  private @Nullable Object handle(
      Decision.Handle decision, Delivery delivery, Arrival arrival, Attempt attempt)
      throws Exception {
    Handling handling = new Handling(delivery.consumer(), id(delivery), decision.attempt());
    attempt.handles(handling);
    Object returned = arrival.handler().handle(handling);
    boolean marked = arrival.transaction().isRollbackOnly();
    attempt.returned(marked);
    if (attempt.hasEnded()) {
      throw new InboxException(
          "The handler of message "
              + handling.messageId()
              + " for the consumer '"
              + handling.consumer()
              + "' ended the transaction that it was called in, so that nothing holds the inbox's"
              + " row and its effects together any more. The message is redelivered, and skipped"
              + " if the row was committed. Leave the transaction to whoever began it.",
          null);
    }
    if (admission.isClosed()) {
      throw new InboxException(
          "The handler of message "
              + handling.messageId()
              + " for the consumer '"
              + handling.consumer()
              + "' returned after the application had stopped. Its work is rolled back, and the"
              + " message comes again.",
          null);
    }
    if (!marked) {
      handling.result().ifPresent(result -> answer(result, delivery, arrival.route(), attempt));
    }
    attempt.willEndAs(
        new MessageProcessed(
            handling.consumer(),
            handling.messageId(),
            Optional.ofNullable(delivery.eventType()),
            handling.attempt()));
    return returned;
  }

  /** To keep a queue from being written to is no reason to undo the work. */
  private void answer(String result, Delivery delivery, Route route, Attempt attempt) {
    ledger.keepResult(delivery.consumer(), id(delivery), result, delivery.replyTo());
    if (!route.wantsReply()) {
      return;
    }
    if (route.mayReply()) {
      route.reply(result);
    } else {
      refuse(ReplyRefused.Why.NOT_ALLOWED, delivery, attempt);
    }
  }

  /** Who repeats a message that others know of gets its answer only where they wanted it. */
  private void answerAgain(KeptAnswer answer, Delivery delivery, Route route, Attempt attempt) {
    if (!Objects.equals(answer.replyTo(), delivery.replyTo())) {
      refuse(ReplyRefused.Why.ANOTHER_THAN_RECORDED, delivery, attempt);
    } else if (route.mayReply()) {
      route.reply(answer.result());
    } else {
      refuse(ReplyRefused.Why.NOT_ALLOWED, delivery, attempt);
    }
  }

  private void refuse(ReplyRefused.Why why, Delivery delivery, Attempt attempt) {
    ReplyRefused refused =
        new ReplyRefused(
            delivery.consumer(),
            id(delivery),
            Optional.ofNullable(delivery.eventType()),
            Optional.ofNullable(delivery.replyTo()),
            why);
    attempt.willSay(
        () -> {
          long times = refusedReplies.take();
          if (times > 0) {
            WatchLog.replyRefused(refused, times);
          }
          listener.happened(refused);
        });
  }

  private void skip(Decision.Skip decision, Delivery delivery, Route route, Attempt attempt) {
    if (decision.why() == Why.DUPLICATE && route.wantsReply()) {
      ledger
          .resultOf(delivery.consumer(), id(delivery))
          .ifPresent(answer -> answerAgain(answer, delivery, route, attempt));
    }
    attempt.willEndAs(decision.event(delivery));
  }

  private InboxException cannotBeRead(Unreadable body, Delivery delivery) {
    return new InboxException(
        "Message %s for the consumer '%s' was not handled, because its body cannot be read: %s. It is rolled back and redelivered. After %d such tries its headers and properties are quarantined without the body."
            .formatted(
                delivery.knownId().orElse(body.key().isEmpty() ? "without an id" : body.key()),
                delivery.consumer(),
                InboxLog.reason(body.cause()),
                config.of(delivery.consumer()).maxTransientFailures()),
        body.cause());
  }

  private static RetryLaterException notNow(Again again, String consumer) {
    return new RetryLaterException(
        again.delay(),
        "Message "
            + again.messageId()
            + " for the consumer '"
            + consumer
            + "' is not handled now. Bring it again after "
            + again.delay()
            + ".");
  }

  private static String id(Delivery delivery) {
    return ((Known) delivery.id()).value();
  }

  /** An exception class may say that it does not roll back; the inbox's row would then stay. */
  private static void rollBackBecauseOf(Throwable thrown, DeliveryTransaction transaction) {
    try {
      transaction.setRollbackOnly();
    } catch (RuntimeException alreadyOver) {
      thrown.addSuppressed(alreadyOver);
    }
  }
}
