package io.postbox.inbox.receiver;

/** The availability of the inbox's database, as far as this node knows. Thread-safe. */
public interface DatabaseAvailability {

  /** Whether a failure may be that of the database, so that it says nothing about the handler. */
  boolean isSuspected();

  /**
   * How many outages of the database there have been so far, the present one included; grows while
   * a delivery is at work if one falls into it.
   */
  long outages();

  /** The database has answered a delivery; costs nothing. */
  void answered();

  /**
   * A delivery found the database unavailable; waits, up to a bound, until it is available, so that
   * the message is not redelivered too early.
   */
  void failed(Throwable cause);

  /**
   * A handler met a lost connection, of whichever database: probes the inbox's own and waits for
   * its answer, up to a bound. Only if there is none does it count as down.
   */
  void verify(Throwable cause);
}
