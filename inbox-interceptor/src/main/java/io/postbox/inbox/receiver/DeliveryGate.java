package io.postbox.inbox.receiver;

/** Lets deliveries in while they are welcome. Thread-safe. */
public interface DeliveryGate {

  /**
   * Lets a delivery in; waits, up to a bound, while the database is known not to answer, and before
   * it refuses because the application stops.
   *
   * @throws io.postbox.inbox.InboxException if the message has to be redelivered later; the
   *     delivery was not let in
   */
  void enter(String consumer);

  /** A delivery that was let in is over. */
  void leave();

  /** Whether the application has stopped waiting for those that were let in. */
  boolean isClosed();
}
