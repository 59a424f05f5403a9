package io.postbox.inbox.receiver;

import org.jspecify.annotations.Nullable;

/** The transaction in which a delivery is handled, begun and ended by other code. */
public interface DeliveryTransaction {

  /** Whether there is an active one. */
  boolean isActive();

  /** Whether there is one that can only roll back, for instance because it timed out. */
  boolean isRollbackOnly();

  /**
   * Whether its rollback has the message redelivered whatever the inbox returns: it is that of the
   * delivery itself, or the code that ends it throws unless it has committed. Elsewhere a container
   * may roll back without an exception, and the caller would acknowledge the message.
   */
  boolean redeliversOnRollback();

  /** Makes sure that it cannot commit. */
  void setRollbackOnly();

  /** Asks to be told its end. */
  void onEnd(End end);

  /** The attempts' shared votes in this transaction; called while it is active. */
  CommitVotes votes();

  /** Notified of the end of a transaction, on any thread; must neither block nor throw. */
  interface End {

    /**
     * It has ended.
     *
     * @param committed whether that is certain
     * @param cause why it did not commit, where the one who ended it was told so
     */
    void ended(boolean committed, @Nullable Throwable cause);

    /** It has committed, and what was to be sent afterwards was not. */
    default void notSent() {}
  }
}
