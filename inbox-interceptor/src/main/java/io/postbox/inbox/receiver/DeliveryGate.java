package io.postbox.inbox.receiver;

/** Admits or refuses deliveries. Thread-safe. */
public interface DeliveryGate {

  /**
   * Admits a delivery; waits, up to a bound, while the database is known to be unavailable, and
   * also before it refuses a delivery because the application stops.
   *
   * @throws io.postbox.inbox.InboxException if the delivery is not admitted; the message has to be
   *     redelivered later
   */
  void enter(String consumer);

  /** Notes that an admitted delivery has ended. */
  void leave();

  /** Whether the application has stopped, and no longer waits for admitted deliveries. */
  boolean isClosed();
}
