package io.postbox.benchmark;

import java.util.Locale;

/** A message-driven bean of the application whose listeners are measured. */
enum Listener {
  /** Effect and acknowledgement in one transaction. */
  BARE,
  /** The same with the inbox in it. */
  JOINED,
  /** The inbox in its own transaction. */
  OWN,
  /** The inbox stores the message in its own transaction, and its workers handle it in another. */
  CAPTURED,
  /** Neither a transaction nor the inbox. */
  UNTRANSACTED;

  /** Under which the inbox remembers what the listener has handled. */
  String consumer() {
    return name().toLowerCase(Locale.ROOT);
  }
}
