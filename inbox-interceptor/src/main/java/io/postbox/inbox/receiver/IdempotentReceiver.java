package io.postbox.inbox.receiver;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.ReplyRefused;
import io.postbox.inbox.RetryLaterException;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.FailureLines;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.log.KeptLines;
import io.postbox.inbox.log.Throttle;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.message.Body.Opaque;
import io.postbox.inbox.message.Body.Unreadable;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.receiver.IdempotencyStore.KeptAnswer;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/** Lets a handler see each message once. Thread-safe. */
public final class IdempotentReceiver {
  private final InboxConfig config;
  private final IdempotencyStore store;
  private final DeliveryGate gate;
  private final FailureLog failures;
  private final FailureLines lines;
  private final AttemptLog attempts;
  private final InboxListener listener;
  private final DoubleSupplier random;
  private final KeptMessageWriter keptWriter;
  private final Throttle refusedReplies = new Throttle(System::nanoTime);

  /**
   * @param config how the consumers are treated
   * @param store what was handled so far
   * @param gate when deliveries are welcome
   * @param failures where failures go
   * @param lines tells of them
   * @param quotas how much is kept aside
   * @param keptLines tells of what is
   * @param attempts where tries of messages that have come before are on record
   * @param listener told how each delivery ended, once that is certain
   * @param random even draws from 0 (included) to 1 (excluded), from any thread
   */
  public IdempotentReceiver(
      InboxConfig config,
      IdempotencyStore store,
      DeliveryGate gate,
      FailureLog failures,
      FailureLines lines,
      Quotas quotas,
      KeptLines keptLines,
      AttemptLog attempts,
      InboxListener listener,
      DoubleSupplier random) {
    this.config = config;
    this.store = store;
    this.gate = gate;
    this.failures = failures;
    this.lines = lines;
    this.attempts = attempts;
    this.listener = listener;
    this.random = random;
    keptWriter =
        new KeptMessageWriter(config, store, quotas, keptLines, new Throttle(System::nanoTime));
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
  public DeliveryResult take(Invocation invocation) throws Exception {
    requireTransaction(invocation);
    gate.enter(invocation.consumer());
    try {
      requireTransaction(invocation); // it may have timed out while it waited
      return takeAdmitted(invocation);
    } finally {
      gate.leave();
    }
  }

  private DeliveryResult takeAdmitted(Invocation invocation) throws Exception {
    DeliveryAttempt attempt =
        new DeliveryAttempt(invocation, gate, failures, lines, attempts, listener);
    invocation.transaction().onEnd(attempt);
    DeliveryResult ending = take(invocation, attempt);
    if (invocation.transaction().isRollbackOnly()) {
      refuseSilence(invocation, attempt);
    } else {
      attempt.cameThrough();
    }
    return ending;
  }

  private DeliveryResult take(Invocation invocation, DeliveryAttempt attempt) throws Exception {
    try {
      Delivery read = invocation.reader().call();
      attempt.read(read);
      Optional<DelayedRetry> absence = absenceOf(read, invocation.route());
      boolean isStillAway =
          absence.isPresent() && absence.get().delay().compareTo(Duration.ZERO) > 0;
      boolean isAnyRedelivery = mayBeRedelivery(read);
      Delivery told = isAnyRedelivery ? read.maybeRedelivered() : read;
      Delivery delivery =
          absence.isEmpty() || isStillAway ? told : told.havingWaited(absence.get().waits());
      // after a failure it is tried here when its time has come
      BooleanSupplier canSendRetry = () -> absence.isEmpty() && invocation.route().canSendRetry();
      RecordedAttempt recorded = begin(delivery, isStillAway, isAnyRedelivery);
      attempt.began(recorded);
      Decision decision =
          new RecoverabilityPolicy(
                  store, recorded, config.of(invocation.consumer()), canSendRetry, random)
              .about(delivery);
      gate.databaseAnswered();
      Object returned = carryOut(decision, delivery, invocation, isStillAway, attempt);
      return new DeliveryResult(returned, attempt.willEndAs());
    } catch (Throwable thrown) {
      attempt.threw(thrown);
      rollBackBecauseOf(thrown, invocation.transaction());
      if (FailureClassifier.isOutage(thrown) && attempt.isInHandler()) {
        gate.mayBeDown(thrown); // which says nothing yet of the inbox's own
      } else if (FailureClassifier.isOutage(thrown)) {
        gate.databaseFailed(thrown);
      } else if ((!attempt.isRead() || attempt.isUnread())
          && invocation.route().redeliversAtOnce()) {
        gate.rest();
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
  private RecordedAttempt begin(Delivery delivery, boolean isStillAway, boolean isAnyRedelivery) {
    awaitRecordOfUnread(delivery);
    String id = delivery.knownId().orElse("");
    if (id.isEmpty() || !delivery.history().mayHaveFailed()) {
      return RecordedAttempt.unrecorded(delivery.consumer(), id);
    }
    failures.await(delivery.consumer(), id);
    boolean isCertain = delivery.history().isCertain();
    return isStillAway || !(isCertain || isAnyRedelivery) || RunningHandlers.isAny()
        ? RecordedAttempt.unrecorded(delivery.consumer(), id)
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
  private static void refuseSilence(Invocation invocation, DeliveryAttempt attempt) {
    if (!invocation.transaction().redeliversOnRollback()) {
      throw new InboxException(
          "Message "
              + attempt.message()
              + " for the consumer '"
              + invocation.consumer()
              + "' must not be acknowledged, because its transaction can only roll back: something"
              + " marked it, or it timed out. Nothing of it is kept, and the message is"
              + " redelivered. A handler that wants that had better throw an exception that says"
              + " why.",
          null);
    }
  }

  /** Of one that should have been sent away and is here all the same. */
  private Optional<DelayedRetry> absenceOf(Delivery delivery, Route route) {
    return route.redeliversAtOnce() && delivery.history().mayHaveFailed()
        ? gate.holdUp(delivery)
        : Optional.empty();
  }

  private void requireTransaction(Invocation invocation) {
    String notHandled =
        "A message for the consumer '" + invocation.consumer() + "' was not handled, ";
    if (invocation.transaction().isRollbackOnly()) {
      throw new InboxException(
          notHandled
              + "because its transaction can only roll back: it timed out or was marked before the"
              + " inbox had its turn. The message comes again. If it goes on like that, look at what"
              + " runs before the inbox, and at the transaction time-out.",
          null);
    }
    if (!invocation.transaction().isActive()) {
      throw new InboxException(
          notHandled
              + "because no transaction is active: the inbox's row, the handler's effects and the"
              + " acknowledgement need one in common. Give the bean container-managed transactions"
              + " with @TransactionAttribute(REQUIRED), the default.",
          null);
    }
  }

  private @Nullable Object carryOut(
      Decision decision,
      Delivery delivery,
      Invocation invocation,
      boolean isStillAway,
      DeliveryAttempt attempt)
      throws Exception {
    if (decision instanceof Decision.Handle handle) {
      return handle(handle, delivery, invocation, attempt);
    }
    if (decision instanceof Decision.Skip skip) {
      skip(skip, delivery, invocation.route(), attempt);
    } else if (decision instanceof Decision.Unread unread) {
      attempt.cannotBeRead(unread.body().key());
      throw cannotBeRead(unread.body(), delivery);
    } else if (decision instanceof Decision.Later later) {
      DelayedRetry retry =
          new DelayedRetry(id(delivery), later.delay(), later.waitedFor(), later.waits());
      if (isStillAway || !attempt.sendAway(retry)) {
        throw notNow(retry, delivery.consumer());
      }
    } else {
      keptWriter.carryOut(decision, delivery, attempt);
    }
    return null;
  }

  private @Nullable Object handle(
      Decision.Handle decision, Delivery delivery, Invocation invocation, DeliveryAttempt attempt)
      throws Exception {
    HandlerRun run = new HandlerRun(delivery.consumer(), id(delivery), decision.attempt());
    attempt.handles(run);
    Object returned = invocation.handler().handle(run);
    boolean marked = invocation.transaction().isRollbackOnly();
    attempt.returned(marked);
    if (attempt.hasEnded()) {
      throw new InboxException(
          "The handler of message "
              + run.messageId()
              + " for the consumer '"
              + run.consumer()
              + "' ended the transaction that it was called in, so that nothing holds the inbox's"
              + " row and its effects together any more. The message is redelivered, and skipped"
              + " if the row was committed. Leave the transaction to whoever began it.",
          null);
    }
    if (gate.isClosed()) {
      throw new InboxException(
          "The handler of message "
              + run.messageId()
              + " for the consumer '"
              + run.consumer()
              + "' returned after the application had stopped. Its work is rolled back, and the"
              + " message comes again.",
          null);
    }
    if (!marked) {
      run.result().ifPresent(result -> answer(result, delivery, invocation.route(), attempt));
    }
    attempt.willEndAs(
        new MessageProcessed(
            run.consumer(),
            run.messageId(),
            Optional.ofNullable(delivery.eventType()),
            run.attempt()));
    return returned;
  }

  /** To keep a queue from being written to is no reason to undo the work. */
  private void answer(String result, Delivery delivery, Route route, DeliveryAttempt attempt) {
    store.keepResult(delivery.consumer(), id(delivery), result, delivery.replyTo());
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
  private void answerAgain(
      KeptAnswer answer, Delivery delivery, Route route, DeliveryAttempt attempt) {
    if (!Objects.equals(answer.replyTo(), delivery.replyTo())) {
      refuse(ReplyRefused.Why.ANOTHER_THAN_RECORDED, delivery, attempt);
    } else if (route.mayReply()) {
      route.reply(answer.result());
    } else {
      refuse(ReplyRefused.Why.NOT_ALLOWED, delivery, attempt);
    }
  }

  private void refuse(ReplyRefused.Why why, Delivery delivery, DeliveryAttempt attempt) {
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

  private void skip(
      Decision.Skip decision, Delivery delivery, Route route, DeliveryAttempt attempt) {
    if (decision.why() == Why.DUPLICATE && route.wantsReply()) {
      store
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

  private static RetryLaterException notNow(DelayedRetry retry, String consumer) {
    return new RetryLaterException(
        retry.delay(),
        "Message "
            + retry.messageId()
            + " for the consumer '"
            + consumer
            + "' is not handled now. Bring it again after "
            + retry.delay()
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
