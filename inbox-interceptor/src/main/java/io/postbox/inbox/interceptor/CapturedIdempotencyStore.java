package io.postbox.inbox.interceptor;

import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.store.IdRange;
import java.util.Optional;

/**
 * The store as the handlers of captured messages need it: the id of such a message is recorded
 * already, as {@link Outcome#CAPTURED}, and is known only under any other outcome. Thread-safe.
 */
final class CapturedIdempotencyStore extends JtaIdempotencyStore {
  CapturedIdempotencyStore(InboxDatabase database, Runnable prepareOutside) {
    super(database, prepareOutside);
  }

  /** None, because the id was stored when the message was captured. */
  @Override
  public Optional<QuarantineReason> refusalOf(String consumer, String messageId) {
    return Optional.empty();
  }

  /**
   * Only looks, because a delivery of the same id would wait for a row that is changed, as long as
   * the handler runs. The lock of the captured row keeps others away; {@link #complete} follows.
   */
  @Override
  public boolean insertIfAbsent(Delivery delivery, String messageId, Outcome outcome) {
    return fingerprintOf(delivery.consumer(), messageId).isEmpty();
  }

  /**
   * Records a message as completed, at the end of its transaction. Its id may be gone, if it has
   * waited for longer than the retention; then it is stored anew, unless its day has no table any
   * more.
   */
  void complete(Delivery delivery, String messageId, Outcome outcome) {
    boolean wasCaptured =
        call(
            delivery.consumer(),
            messageId,
            (stores, connection) ->
                stores
                    .captured()
                    .complete(connection, delivery.consumer(), messageId, outcome.name()));
    if (!wasCaptured && database.ids().of(messageId) == IdRange.Place.STORABLE) {
      super.insertIfAbsent(delivery, messageId, outcome);
    }
  }

  @Override
  public Optional<Fingerprint> fingerprintOf(String consumer, String messageId) {
    return call(
        consumer,
        messageId,
        (stores, connection) ->
            stores.captured().completedFingerprint(connection, consumer, messageId));
  }
}
