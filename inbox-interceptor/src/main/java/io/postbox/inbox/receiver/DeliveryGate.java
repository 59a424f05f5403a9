package io.postbox.inbox.receiver;

import io.postbox.inbox.message.Delivery;
import java.util.Optional;

/** Says when deliveries are welcome. Thread-safe. */
public interface DeliveryGate {

  /**
   * Lets a delivery in; waits, up to a bound, while the database is known not to answer, and before
   * it refuses because the application stops.
   *
   * @throws io.postbox.inbox.InboxException if it must come again later; it was not let in
   */
  void enter(String consumer);

  /** A delivery that was let in is over. */
  void leave();

  /** Whether the application has stopped waiting for those that were let in. */
  boolean isClosed();

  /** Whether a failure may be that of the database, so that it says nothing about the handler. */
  boolean isDatabaseDown();

  /**
   * How many outages of the database there have been so far, the present one included; grows while
   * a delivery is at work if one falls into it.
   */
  long outages();

  /**
   * A handler met a connection that was lost, of whichever database: asks the inbox's own, and
   * waits for its answer, up to a bound. Only if there is none is it taken for down.
   */
  void mayBeDown(Throwable cause);

  /** The inbox's database has answered a delivery; costs nothing. */
  void databaseAnswered();

  /**
   * A delivery met the inbox's database, which does not answer; waits, up to a bound, until it
   * does, so that the message does not come back too early.
   */
  void databaseFailed(Throwable cause);

  /**
   * A delivery could not even be read, and comes again at once; waits a moment, so that it does not
   * go round at the speed of the broker.
   */
  void rest();

  /** A message is to stay away from now on, and could not be sent away. */
  void defer(String consumer, DelayedRetry retry);

  /**
   * Holds a message up that should be away and could not be sent away, so that it does not go round
   * at the speed of the broker: waits until its time has come, up to a bound. The caller should
   * hold no locks.
   *
   * @return how it should have come again, if it is such a one, with what is left of its delay;
   *     zero once its time has come, and then it is forgotten
   */
  Optional<DelayedRetry> holdUp(Delivery delivery);
}
