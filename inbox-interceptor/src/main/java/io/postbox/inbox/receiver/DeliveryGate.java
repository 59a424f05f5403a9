package io.postbox.inbox.receiver;

/** Admits or refuses deliveries. Thread-safe. */
public interface DeliveryGate {

  /**
   * Admits a delivery; waits, up to a bound, while the database is known to be unavailable, and
   * before it refuses because the application stops.
   *
   * @throws io.postbox.inbox.InboxException if the message has to be redelivered later; the
   *     delivery was not admitted
   */
  void enter(String consumer);

  /** An admitted delivery has ended. */
  void leave();

  /** Whether the application has stopped waiting for the admitted deliveries. */
  boolean isClosed();
}
