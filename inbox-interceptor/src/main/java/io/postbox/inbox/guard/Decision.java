package io.postbox.inbox.guard;

import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.QuarantineReason;
import org.jspecify.annotations.Nullable;

/** What happens to a delivery. */
sealed interface Decision {

  /** It is new: the handler runs. */
  record Handle() implements Decision {}

  /** It was handled before: it is acknowledged, and the handler does not run. */
  record Skip() implements Decision {}

  /**
   * It is kept aside and acknowledged.
   *
   * @param reason why
   * @param stored the fingerprint that its own contradicts, if that is why
   */
  record Quarantine(QuarantineReason reason, @Nullable Fingerprint stored) implements Decision {}

  /** The decision about a delivery whose id was there already. */
  static Decision aboutKnown(Fingerprint delivered, Fingerprint stored) {
    return delivered.contradicts(stored)
        ? new Quarantine(QuarantineReason.OTHER_CONTENT, stored)
        : new Skip();
  }
}
