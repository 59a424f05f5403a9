package io.postbox.inbox.guard;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.guard.InboxMeters.Outcome;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.MessageId;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.message.MessageId.Unusable;
import io.postbox.inbox.message.Quarantined;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Lets a handler see each message once. Thread-safe. */
public final class InboxGuard {
  private final Ledger ledger;
  private final DeliveryTransaction transaction;
  private final InboxMeters meters;

  /**
   * @param ledger what was handled so far
   * @param transaction the one that the calling thread is in
   * @param meters told how each delivery ended, once that is certain
   */
  public InboxGuard(Ledger ledger, DeliveryTransaction transaction, InboxMeters meters) {
    this.ledger = ledger;
    this.transaction = transaction;
    this.meters = meters;
  }

  /**
   * Runs the handler if this delivery is the first of its message.
   *
   * @param consumer for whom the message is
   * @param reader reads the delivery
   * @param handler what to do with it; anything that it throws rolls the transaction back
   * @return what the handler returned; {@code null} if it did not run
   * @throws InboxException if it cannot be decided; the transaction is rolled back, and the message
   *     comes again
   * @throws Exception whatever the handler throws
   */
  public @Nullable Object handle(
      String consumer, Callable<Delivery> reader, Callable<@Nullable Object> handler)
      throws Exception {
    requireTransaction(consumer);
    AtomicReference<Outcome> outcome = new AtomicReference<>(Outcome.FAILED);
    transaction.onCompletion(
        committed -> meters.count(consumer, committed ? outcome.get() : Outcome.FAILED));
    try {
      Delivery delivery = reader.call();
      Decision decision = decide(delivery);
      if (decision instanceof Decision.Handle) {
        Object result = handler.call();
        outcome.set(Outcome.PROCESSED);
        return result;
      }
      if (decision instanceof Decision.Quarantine quarantine) {
        keepAside(delivery, quarantine);
        outcome.set(Outcome.QUARANTINED);
      } else {
        outcome.set(Outcome.SKIPPED);
      }
      return null;
    } catch (Throwable thrown) {
      rollBackBecauseOf(thrown);
      throw thrown;
    }
  }

  private void requireTransaction(String consumer) {
    if (transaction.isRollbackOnly()) {
      throw new InboxException(
          "A message for the consumer '"
              + consumer
              + "' was not handled, because its transaction can only roll back: it timed out or was"
              + " marked before the inbox had its turn. The message comes again. If it goes on like"
              + " that, look at what runs before the inbox, and at the transaction time-out.",
          null);
    }
    if (!transaction.isActive()) {
      throw new InboxException(
          "A message for the consumer '"
              + consumer
              + "' was not handled, because no transaction is active: the inbox's row, the handler's"
              + " effects and the acknowledgement need one in common. Give the bean"
              + " container-managed transactions with @TransactionAttribute(REQUIRED), the default.",
          null);
    }
  }

  private Decision decide(Delivery delivery) {
    if (delivery.id() instanceof Unusable unusable) {
      return new Decision.Quarantine(unusable.reason(), null);
    }
    String id = ((Known) delivery.id()).value();
    if (ledger.insertIfAbsent(delivery, id)) {
      return new Decision.Handle();
    }
    return ledger
        .fingerprintOf(delivery.consumer(), id)
        .map(stored -> Decision.aboutKnown(delivery.fingerprint(), stored))
        .orElseThrow(
            () ->
                new InboxException(
                    "Message "
                        + id
                        + " for the consumer '"
                        + delivery.consumer()
                        + "' was not handled: its row was there and is gone again. It is rolled back"
                        + " and comes again.",
                    null));
  }

  private void keepAside(Delivery delivery, Decision.Quarantine decision) {
    Quarantined quarantined =
        new Quarantined(
            delivery.consumer(),
            knownId(delivery.id()),
            decision.reason(),
            delivery.fingerprint(),
            decision.stored(),
            delivery.content().get());
    ledger.quarantine(quarantined);
    transaction.onCompletion(
        committed -> {
          if (committed) {
            InboxLog.quarantined(quarantined);
          }
        });
  }

  private static @Nullable String knownId(MessageId id) {
    return id instanceof Known known ? known.value() : null;
  }

  /** An exception class may say that it does not roll back; the inbox's row would then stay. */
  private void rollBackBecauseOf(Throwable thrown) {
    try {
      transaction.setRollbackOnly();
    } catch (RuntimeException alreadyOver) {
      thrown.addSuppressed(alreadyOver);
    }
  }
}
