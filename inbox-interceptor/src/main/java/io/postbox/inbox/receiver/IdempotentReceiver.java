package io.postbox.inbox.receiver;

import io.postbox.common.config.Durations;
import io.postbox.common.log.Throttle;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.RetryLaterException;
import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.log.OrderLog;
import io.postbox.inbox.message.Body.Unreadable;
import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Failures;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.message.MessageId.OfAnother;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.receiver.IdempotencyStore.Claim;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Runs a handler once for each message. For each delivery it passes the gate, reads the message,
 * throttles it if its retry is not due, records the attempt if it may be a redelivery, and decides
 * whether to handle, skip, keep aside or retry the message. The {@link DeliveryAttempt} is notified
 * of the transaction's end. Thread-safe.
 */
public final class IdempotentReceiver {
  private final ReceiverParts parts;
  private final DuplicateCheck duplicates;
  private final KeptMessageWriter keptMessages;
  private final Replies replies;
  private final BackPressure backPressure;
  private final Throttle staleLines = new Throttle(System::nanoTime);

  public IdempotentReceiver(ReceiverParts parts) {
    this.parts = parts;
    duplicates = new DuplicateCheck(parts.store());
    keptMessages = new KeptMessageWriter(parts);
    replies = new Replies(parts.store(), parts.listener(), new Throttle(System::nanoTime));
    backPressure = new BackPressure(parts, new Throttle(System::nanoTime));
  }

  /**
   * Runs the handler if this delivery is the first of its message. A normal return means that the
   * message may be acknowledged if the transaction commits.
   *
   * @return how the delivery ends if the transaction commits
   * @throws RetryLaterException if the caller has to have the message redelivered later, because it
   *     cannot be stored
   * @throws InboxException if the inbox cannot decide; the transaction is rolled back, and the
   *     message is redelivered
   * @throws Exception if the handler throws it
   */
  public DeliveryResult receive(Invocation invocation) throws Exception {
    requireTransaction(invocation);
    parts.gate().enter(invocation.consumer());
    try {
      backPressure.await(invocation);
      requireTransaction(invocation); // it may have timed out at the gate
      DeliveryAttempt attempt = new DeliveryAttempt(invocation, parts);
      invocation.transaction().onEnd(attempt);
      Completion completion = process(invocation, attempt);
      if (invocation.transaction().isRollbackOnly()) {
        refuseSilence(invocation, attempt);
      } else {
        attempt.passed(completion);
      }
      return completion.result();
    } finally {
      parts.gate().leave();
    }
  }

  private Completion process(Invocation invocation, DeliveryAttempt attempt) throws Exception {
    try {
      Delivery read = invocation.reader().call();
      attempt.read(read);
      Optional<DelayedRetry> held = holdUp(read, invocation.route());
      boolean isNotDue = held.isPresent() && held.get().delay().compareTo(Duration.ZERO) > 0;
      boolean isAnyRedelivery = !invocation.captures() && mayBeRedelivery(read);
      Delivery known = isAnyRedelivery ? read.maybeRedelivered() : read;
      Delivery delivery =
          held.isEmpty() || isNotDue ? known : known.havingWaited(held.get().waits());
      RecordedAttempt recorded =
          invocation.captures() // no handler runs that could fail or end the process
              ? RecordedAttempt.unrecorded(delivery.consumer(), delivery.knownId().orElse(""))
              : putOnRecord(delivery, isNotDue, isAnyRedelivery);
      attempt.recordedAs(recorded);
      // a throttled message is retried here when it is due
      BooleanSupplier isStored =
          () ->
              (delivery.stored() != null || held.isEmpty())
                  && isRoomFor(delivery, invocation.route());
      Optional<Delivery> claimed = claim(delivery, invocation.route());
      Delivery own = claimed.orElseGet(delivery::withoutRow);
      Decision decision =
          claimed.isEmpty()
              ? new Decision.Skip(Why.DUPLICATE)
              : decide(own, recorded, isStored, invocation);
      parts.database().answered();
      Completion completion = carryOut(decision, own, invocation, isNotDue, attempt);
      if (isCopy(own) && isDone(decision) && !invocation.transaction().isRollbackOnly()) {
        parts.store().delete(own);
      }
      return completion;
    } catch (Throwable thrown) {
      attempt.failed(thrown);
      // some exception classes do not cause a rollback, and the inbox's row would be committed
      invocation.transaction().rollBackBecauseOf(thrown);
      awaitRecovery(thrown, attempt, invocation.route());
      throw thrown;
    } finally {
      attempt.left();
    }
  }

  private boolean isCopy(Delivery delivery) {
    return delivery.stored() != null && !parts.areCaptured();
  }

  private static boolean isDone(Decision decision) {
    return decision instanceof Decision.Handle || decision instanceof Decision.Skip;
  }

  /**
   * The delivery, with the row of which it is a copy claimed; empty if the message is not to be
   * handled by this copy.
   */
  private Optional<Delivery> claim(Delivery delivery, Route route) {
    if (!isCopy(delivery) || delivery.id() instanceof OfAnother) {
      return Optional.of(delivery.id() instanceof OfAnother ? delivery.withoutRow() : delivery);
    }
    Claim claim = parts.store().claim(delivery);
    if (claim == Claim.NONE && !route.canBeHandedBack()) {
      parts.throttle().pause(); // the hand-back may have had the row, and sends no other copy
      claim = parts.store().claim(delivery);
    }
    return switch (claim) {
      case OWN -> Optional.of(delivery);
      case TAKEN_OVER -> Optional.of(delivery.withoutRow());
      case NONE -> Optional.empty();
    };
  }

  /** The first decision that a rule demands; if none does, the message is handled. */
  private Decision decide(
      Delivery delivery,
      RecordedAttempt recorded,
      BooleanSupplier isStored,
      Invocation invocation) {
    ConsumerConfig config = parts.consumers().apply(delivery.consumer());
    RecoverabilityPolicy policy = new RecoverabilityPolicy(config, parts.random());
    Optional<Decision> onArrival = policy.onArrival(delivery);
    if (onArrival.isPresent()) {
      return onArrival.get();
    }
    if (delivery.body() instanceof Unreadable body) {
      return policy.onUnreadableBody(
          delivery.history(),
          body,
          () -> parts.store().failuresOf(delivery.consumer(), body.key()));
    }
    String id = id(delivery);
    Optional<QuarantineReason> refusal = parts.store().refusalOf(delivery.consumer(), id);
    if (refusal.isPresent()) {
      return new Decision.Quarantine(refusal.get(), null);
    }
    if (invocation.captures()) {
      return capture(delivery, id, config);
    }
    Failures failures = Failures.NONE;
    if (delivery.history().mayHaveFailed()) {
      Optional<Decision> withoutTrying =
          duplicates.ifKnown(delivery, id).or(() -> policy.onCrashes(delivery.history(), recorded));
      if (withoutTrying.isPresent()) {
        return withoutTrying.get();
      }
      failures = parts.store().failuresOf(delivery.consumer(), id);
      Optional<Decision> onFailures = policy.onFailures(delivery.history(), failures, isStored);
      if (onFailures.isPresent()) {
        return onFailures.get();
      }
    }
    Decision.Handle handle = new Decision.Handle(failures.counted() + 1);
    return config.order().isPresent()
        ? new VersionOrderCheck(
                parts.store(),
                duplicates,
                policy,
                config.order().get(),
                parts.limits(),
                () -> canBeStored(delivery, invocation.route()))
            .decide(delivery, id, handle)
        : duplicates.insertIfAbsent(delivery, id, Outcome.PROCESSED, handle);
  }

  /** The decision about a message that is handled later, whatever has failed before. */
  private Decision capture(Delivery delivery, String id, ConsumerConfig config) {
    if (config.order().isPresent() && delivery.aggregate() == null) {
      return new Decision.Quarantine(QuarantineReason.MISSING_VERSION, null);
    }
    if (!delivery.canBeKept()) {
      return duplicates
          .ifKnown(delivery, id)
          .orElseGet(() -> new Decision.Quarantine(QuarantineReason.NOT_CAPTURABLE, null));
    }
    if (keptMessages.hasUsedUpItsCopies(delivery)) {
      return duplicates
          .ifKnown(delivery, id)
          .orElseGet(() -> new Decision.Quarantine(QuarantineReason.BODY_UNREADABLE, null));
    }
    return duplicates.insertIfAbsent(delivery, id, Outcome.CAPTURED, new Decision.Capture());
  }

  private Completion carryOut(
      Decision decision,
      Delivery delivery,
      Invocation invocation,
      boolean isNotDue,
      DeliveryAttempt attempt)
      throws Exception {
    if (decision instanceof Decision.Handle handle) {
      return handle(handle, delivery, invocation, attempt);
    }
    if (decision instanceof Decision.Capture) {
      return keptMessages.capture(delivery, id(delivery), attempt);
    }
    if (decision instanceof Decision.Buffer) {
      return keptMessages.buffer(delivery, id(delivery), attempt);
    }
    if (decision instanceof Decision.Skip skip) {
      return Completion.of(
          skip.event(delivery),
          switch (skip.why()) {
            case DUPLICATE ->
                delivery
                    .knownId()
                    .map(id -> replies.answerAgain(delivery, id, invocation.route()))
                    .orElse(Completion.NOTHING);
            case STALE -> () -> tellStale(delivery);
            case FOR_ANOTHER -> Completion.NOTHING;
          });
    }
    if (decision instanceof Decision.RollBack unreadable) {
      attempt.cannotBeRead(unreadable.body().key());
      throw cannotBeRead(unreadable.body(), delivery);
    }
    if (decision instanceof Decision.RetryLater later) {
      DelayedRetry retry =
          new DelayedRetry(
              id(delivery),
              inTime(later.delay(), invocation.route()),
              later.waitedFor(),
              later.waits());
      return retryLater(retry, delivery, invocation.route(), isNotDue, attempt);
    }
    return keptMessages.keep(decision, delivery, attempt);
  }

  private Completion retryLater(
      DelayedRetry retry,
      Delivery delivery,
      Route route,
      boolean isNotDue,
      DeliveryAttempt attempt) {
    if ((delivery.stored() != null || !isNotDue) && isRoomFor(delivery, route)) {
      return keptMessages.delay(delivery, retry, attempt);
    }
    if (!isNotDue) {
      attempt.waitsAtBroker(retry);
    }
    throw notNow(retry, delivery.consumer());
  }

  /** Whether a message whose handler has failed is stored until its retry is due. */
  private boolean isRoomFor(Delivery delivery, Route route) {
    return canBeStored(delivery, route)
        && (delivery.stored() != null || keptMessages.haveRoomToDelay(delivery));
  }

  /** Whether a message can be stored, or is, and can be sent to its consumer again as it is. */
  private static boolean canBeStored(Delivery delivery, Route route) {
    return delivery.stored() != null
        ? route.canBeHandedBack()
        : delivery.canBeKept() && route.canBeSentAgain();
  }

  /** A delay after which the message has not expired. */
  private static Duration inTime(Duration delay, Route route) {
    return route
        .timeLeft()
        .map(left -> left.dividedBy(2))
        .filter(half -> half.compareTo(delay) < 0)
        .orElse(delay);
  }

  /** Nobody else says that the content of this message was never handled. */
  private void tellStale(Delivery delivery) {
    staleLines.tell(times -> OrderLog.stale(delivery, times));
  }

  private Completion handle(
      Decision.Handle decision, Delivery delivery, Invocation invocation, DeliveryAttempt attempt)
      throws Exception {
    HandlerRun run = new HandlerRun(delivery, decision.attempt());
    attempt.handles(run);
    Object returned = invocation.handler().handle(run);
    boolean marked = invocation.transaction().isRollbackOnly();
    attempt.returned(marked);
    if (attempt.hasEnded()) {
      throw endedByHandler(run);
    }
    if (parts.gate().isClosed()) {
      throw tooLate(run);
    }
    Runnable onCommit =
        marked
            ? Completion.NOTHING
            : run.result()
                .map(it -> replies.answer(it, delivery, run.messageId(), invocation.route()))
                .orElse(Completion.NOTHING);
    return Completion.handled(
        returned,
        new MessageProcessed(
            run.consumer(),
            run.messageId(),
            Optional.ofNullable(delivery.eventType()),
            run.attempt()),
        decision.releases()
            ? () -> {
              parts.wakeUp().released(run.consumer());
              onCommit.run();
            }
            : onCommit);
  }

  /**
   * Throttles a redelivered message that could not be stored until its retry, until that is due.
   */
  private Optional<DelayedRetry> holdUp(Delivery delivery, Route route) {
    return route.redeliversAtOnce() && delivery.history().mayHaveFailed()
        ? parts.throttle().hold(delivery)
        : Optional.empty();
  }

  /** After a crash, not every broker remembers that it delivered a message before. */
  private boolean mayBeRedelivery(Delivery delivery) {
    return !RunningHandlers.isAny()
        && delivery.knownId().filter(parts.attempts()::mayBeRedelivery).isPresent();
  }

  /**
   * Records the attempt before the delivery's transaction takes a connection, because the pool may
   * have only one. A message that another handler passes on is covered by that handler's record,
   * and its transaction holds the connection already.
   */
  private RecordedAttempt putOnRecord(
      Delivery delivery, boolean isNotDue, boolean isAnyRedelivery) {
    awaitRecordOfUnread(delivery);
    String id = delivery.knownId().orElse("");
    if (id.isEmpty() || !delivery.history().mayHaveFailed()) {
      return RecordedAttempt.unrecorded(delivery.consumer(), id);
    }
    parts.failures().await(delivery.consumer(), id);
    boolean isCertain = delivery.history().isCertain();
    return isNotDue || !(isCertain || isAnyRedelivery) || RunningHandlers.isAny()
        ? RecordedAttempt.unrecorded(delivery.consumer(), id)
        : parts.attempts().begin(delivery.consumer(), id, isCertain);
  }

  private void awaitRecordOfUnread(Delivery delivery) {
    String key = delivery.body().key();
    if (!key.isEmpty() && delivery.history().mayHaveFailed()) {
      parts.failures().await(delivery.consumer(), key);
    }
  }

  /** Waits, because otherwise the broker would redeliver the message as fast as it can. */
  private void awaitRecovery(Throwable thrown, DeliveryAttempt attempt, Route route) {
    if (FailureClassifier.isDatabaseOutage(thrown)) {
      if (attempt.isInHandler()) {
        parts.database().verify(thrown); // it may be another database than the inbox's
      } else {
        parts.database().failed(thrown);
      }
    } else if (attempt.isUnread() && route.redeliversAtOnce()) {
      parts.throttle().pause();
    }
  }

  private static String id(Delivery delivery) {
    return ((Known) delivery.id()).value();
  }

  private void requireTransaction(Invocation invocation) {
    String notHandled =
        "A message for the consumer '" + invocation.consumer() + "' was not handled, ";
    if (invocation.transaction().isRollbackOnly()) {
      throw new InboxException(
          notHandled
              + "because its transaction can only roll back: it timed out or was marked for"
              + " rollback before the inbox was called. The message is redelivered. If that"
              + " repeats, check the interceptors that run before the inbox, and the transaction"
              + " time-out.",
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

  /**
   * Throws without failing the attempt: its record says that the transaction was marked for
   * rollback, which is more than this exception could say.
   */
  private static void refuseSilence(Invocation invocation, DeliveryAttempt attempt) {
    if (!invocation.transaction().redeliversOnRollback()) {
      throw new InboxException(
          "Message "
              + attempt.message()
              + " for the consumer '"
              + invocation.consumer()
              + "' must not be acknowledged, because its transaction can only roll back: it was"
              + " marked for rollback, or it timed out. All its changes are undone, and the message"
              + " is redelivered. A handler that needs a redelivery should throw an exception that"
              + " says why.",
          null);
    }
  }

  private static InboxException endedByHandler(HandlerRun run) {
    return new InboxException(
        "The handler of message "
            + run.messageId()
            + " for the consumer '"
            + run.consumer()
            + "' ended the transaction in which it was called, so the inbox's row and its effects"
            + " are no longer in one transaction. The message is redelivered, and skipped if the"
            + " row was committed. Do not end the transaction in a handler.",
        null);
  }

  private static InboxException tooLate(HandlerRun run) {
    return new InboxException(
        "The handler of message "
            + run.messageId()
            + " for the consumer '"
            + run.consumer()
            + "' returned after the application had stopped. Its work is rolled back, and the"
            + " message is redelivered.",
        null);
  }

  private InboxException cannotBeRead(Unreadable body, Delivery delivery) {
    return new InboxException(
        "Message %s for the consumer '%s' was not handled, because its body cannot be read: %s. It is rolled back and redelivered. After %s such attempts its headers and properties are quarantined without the body."
            .formatted(
                delivery.knownId().orElse(body.key().isEmpty() ? "without an id" : body.key()),
                delivery.consumer(),
                InboxLog.reason(body.cause()),
                parts.consumers().apply(delivery.consumer()).maxTransientFailures()),
        body.cause());
  }

  private static RetryLaterException notNow(DelayedRetry retry, String consumer) {
    return new RetryLaterException(
        retry.delay(),
        "Message "
            + retry.messageId()
            + " for the consumer '"
            + consumer
            + "' is not handled now. Redeliver it after "
            + Durations.text(retry.delay())
            + ".");
  }
}
