package io.postbox.inbox.guard;

import java.util.function.Consumer;

/** The transaction in which a delivery is handled, and which somebody else begins and ends. */
public interface DeliveryTransaction {

  /** Whether there is one to which work can be added. */
  boolean isActive();

  /** Whether there is one that can only roll back, for instance because it timed out. */
  boolean isRollbackOnly();

  /** Makes sure that it cannot commit. */
  void setRollbackOnly();

  /**
   * Asks to be told its end.
   *
   * @param committed told whether it committed; from any thread, must neither block nor throw
   */
  void onCompletion(Consumer<Boolean> committed);
}
