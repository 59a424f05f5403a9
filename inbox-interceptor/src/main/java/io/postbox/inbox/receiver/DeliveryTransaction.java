package io.postbox.inbox.receiver;

import org.jspecify.annotations.Nullable;

/** The transaction in which a delivery is handled. Other code begins and ends it. */
public interface DeliveryTransaction {

  /** Whether a transaction is active. */
  boolean isActive();

  /** Whether a transaction is active that can only roll back, for instance because it timed out. */
  boolean isRollbackOnly();

  /**
   * Whether a rollback leads to a redelivery, whatever the inbox returns: the transaction is that
   * of the delivery itself, or the code that ends it throws unless it has committed. Elsewhere a
   * container may roll back without an exception, and the caller would acknowledge the message.
   */
  boolean redeliversOnRollback();

  /** Marks the transaction for rollback. */
  void setRollbackOnly();

  /** Marks it for rollback, unless it is over already, which the exception notes. */
  default void rollBackBecauseOf(Throwable thrown) {
    try {
      setRollbackOnly();
    } catch (RuntimeException alreadyOver) {
      thrown.addSuppressed(alreadyOver);
    }
  }

  /** Registers for the transaction's end. */
  void onEnd(End end);

  /** The votes of all attempts in this transaction; call this while it is active. */
  CommitVotes votes();

  /** Notified of the end of a transaction, on any thread; must neither block nor throw. */
  interface End {

    /**
     * The transaction has ended.
     *
     * @param committed whether that is certain
     * @param cause why it did not commit, if the code that ended it knows
     */
    void ended(boolean committed, @Nullable Throwable cause);

    /** The transaction has committed, and the send that was to follow has failed. */
    default void notSent() {}
  }
}
