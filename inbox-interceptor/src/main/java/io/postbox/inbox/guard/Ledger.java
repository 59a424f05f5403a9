package io.postbox.inbox.guard;

import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Quarantined;
import java.util.Optional;

/**
 * What the inbox remembers. Every call belongs to the transaction in which the delivery is handled,
 * and fails with an {@link io.postbox.inbox.InboxException}.
 */
public interface Ledger {

  /**
   * Remembers a message, in one statement that does nothing if its id is there already. Waits for
   * another transaction that is about to remember the same id.
   *
   * @return whether it was new
   */
  boolean insertIfAbsent(Delivery delivery, String messageId);

  /** The fingerprint that was remembered with an id; empty if there is none any more. */
  Optional<Fingerprint> fingerprintOf(String consumer, String messageId);

  /** Keeps a delivery aside. */
  void quarantine(Quarantined quarantined);
}
