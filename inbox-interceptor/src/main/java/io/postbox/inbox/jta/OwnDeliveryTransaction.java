package io.postbox.inbox.jta;

import io.postbox.inbox.receiver.CommitVotes;
import io.postbox.inbox.receiver.DeliveryTransaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of one delivery that the inbox ends itself, so that it learns why a commit
 * failed. Used by the thread that handles the delivery.
 */
public final class OwnDeliveryTransaction implements DeliveryTransaction, DeliveryTransaction.End {
  private final DeliveryTransaction current;
  private final List<End> waiting = new ArrayList<>();

  /**
   * @param current the calling thread's transaction
   */
  public OwnDeliveryTransaction(DeliveryTransaction current) {
    this.current = current;
  }

  @Override
  public boolean isActive() {
    return current.isActive();
  }

  @Override
  public boolean isRollbackOnly() {
    return current.isRollbackOnly();
  }

  /** True, because {@link TransactionBoundary} returns only if the transaction has committed. */
  @Override
  public boolean redeliversOnRollback() {
    return true;
  }

  @Override
  public void setRollbackOnly() {
    current.setRollbackOnly();
  }

  @Override
  public void onEnd(End end) {
    waiting.add(end);
  }

  @Override
  public CommitVotes votes() {
    return current.votes();
  }

  @Override
  public void ended(boolean committed, @Nullable Throwable cause) {
    waiting.forEach(end -> end.ended(committed, cause));
  }

  @Override
  public void notSent() {
    waiting.forEach(End::notSent);
  }
}
