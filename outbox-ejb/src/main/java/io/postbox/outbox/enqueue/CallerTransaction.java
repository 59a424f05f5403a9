package io.postbox.outbox.enqueue;

import io.postbox.outbox.NoTransactionException;

/** The state of the transaction in which a caller wants to enqueue. */
public enum CallerTransaction {
  /** It can commit. */
  ACTIVE,

  /** It can only roll back. */
  MARKED_FOR_ROLLBACK,

  /** There is none, or it has ended. */
  NONE;

  /**
   * Checks that a message can be written in it.
   *
   * @throws NoTransactionException unless it can commit
   */
  public void require() {
    switch (this) {
      case ACTIVE -> {}
      case MARKED_FOR_ROLLBACK ->
          throw new NoTransactionException(
              "The transaction is marked for rollback, so a message enqueued in it would never be"
                  + " sent; nothing was written.");
      case NONE ->
          throw new NoTransactionException(
              "There is no active JTA transaction in which the message could be written; nothing was written. Call the outbox from an EJB method with"
                  + " @TransactionAttribute(REQUIRED), the default, or from a CDI bean's method"
                  + " with @Transactional.");
    }
  }
}
