package io.postbox.inbox.jta;

import io.postbox.inbox.receiver.DeliveryTransaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transaction of one delivery that the inbox ends itself, so that it learns why a commit
 * failed. Used by the thread that handles the delivery.
 */
public final class OwnDeliveryTransaction extends JtaTransaction
    implements DeliveryTransaction.End {
  private final List<End> waiting = new ArrayList<>();

  /**
   * A rollback leads to a redelivery, because {@link TransactionBoundary} returns only if the
   * transaction has committed.
   *
   * @param current the calling thread's transaction
   */
  public OwnDeliveryTransaction(JtaTransaction current) {
    super(current, true);
  }

  @Override
  public void onEnd(End end) {
    waiting.add(end);
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
