package io.postbox.inbox.receiver;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Outcome;
import java.util.Optional;

/**
 * Checks whether a message was handled before: inserts its id if it is absent; the fingerprint
 * stored with a known id tells a duplicate from other content under the same id.
 *
 * @param store knows which messages were handled
 */
record DuplicateCheck(IdempotencyStore store) {

  /**
   * The decision if the id is known. Does not wait for another transaction's insert that is not
   * committed yet.
   */
  Optional<Decision> ifKnown(Delivery delivery, String id) {
    return store
        .fingerprintOf(delivery.consumer(), id)
        .map(stored -> RecoverabilityPolicy.onKnownId(delivery.fingerprint(), stored));
  }

  /** The decision if a message with the id waits for the versions before it. */
  Optional<Decision> ifWaiting(Delivery delivery, String id) {
    return store
        .fingerprintOfWaiting(delivery.consumer(), id)
        .map(stored -> RecoverabilityPolicy.onKnownId(delivery.fingerprint(), stored));
  }

  /**
   * Inserts the id in one statement, which waits for another transaction that inserts the same one.
   *
   * @param ifNew the decision if the id was absent
   */
  Decision insertIfAbsent(Delivery delivery, String id, Outcome outcome, Decision ifNew) {
    if (store.insertIfAbsent(delivery, id, outcome)) {
      return ifNew;
    }
    return ifKnown(delivery, id)
        .orElseThrow(
            () ->
                new InboxException(
                    "Message "
                        + id
                        + " for the consumer '"
                        + delivery.consumer()
                        + "' was not handled: its row existed and was deleted meanwhile. The delivery is rolled back, and the message is redelivered.",
                    null));
  }
}
