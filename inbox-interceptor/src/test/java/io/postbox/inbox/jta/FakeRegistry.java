package io.postbox.inbox.jta;

import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A transaction whose status a test sets. */
public final class FakeRegistry implements TransactionSynchronizationRegistry {
  int status = Status.STATUS_ACTIVE;
  boolean isOver;
  private final Map<Object, Object> resources = new HashMap<>();
  private final List<Synchronization> interposed = new ArrayList<>();

  /** Ends it. */
  public void end(int outcome) {
    interposed.forEach(Synchronization::beforeCompletion);
    interposed.forEach(each -> each.afterCompletion(outcome));
  }

  @Override
  public Object getTransactionKey() {
    return this;
  }

  @Override
  public void putResource(Object key, Object value) {
    resources.put(key, value);
  }

  @Override
  public Object getResource(Object key) {
    return resources.get(key);
  }

  @Override
  public void registerInterposedSynchronization(Synchronization synchronization) {
    interposed.add(synchronization);
  }

  @Override
  public int getTransactionStatus() {
    return status;
  }

  @Override
  public void setRollbackOnly() {
    if (isOver) {
      throw new IllegalStateException("it is over");
    }
    status = Status.STATUS_MARKED_ROLLBACK;
  }

  @Override
  public boolean getRollbackOnly() {
    return status == Status.STATUS_MARKED_ROLLBACK;
  }
}
