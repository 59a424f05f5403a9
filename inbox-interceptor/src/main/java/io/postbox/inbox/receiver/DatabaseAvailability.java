package io.postbox.inbox.receiver;

/** The availability of the inbox's database, as far as this node knows. Thread-safe. */
public interface DatabaseAvailability {

  /** Whether the database may be the cause of a failure, so that the handler is not at fault. */
  boolean isSuspected();

  /**
   * How many outages of the database there have been so far, the present one included. If the
   * number grows during a delivery, an outage fell into it.
   */
  long outages();

  /** Notes that the database has answered a delivery. Cheap enough for each one. */
  void answered();

  /**
   * Notes that a delivery found the database unavailable, and waits, up to a bound, until it is
   * available, so that the message is not redelivered too early.
   */
  void failed(Throwable cause);

  /**
   * Notes that a handler lost a connection to some database. Probes the inbox's own database and
   * waits for its answer, up to a bound; the database counts as down only if it does not answer.
   */
  void verify(Throwable cause);
}
