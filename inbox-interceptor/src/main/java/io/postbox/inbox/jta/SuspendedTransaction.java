package io.postbox.inbox.jta;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/** Runs a task while the caller's transaction, if there is one, is suspended. */
@ApplicationScoped
public class SuspendedTransaction {

  @Transactional(TxType.NOT_SUPPORTED)
  public void run(Runnable task) {
    task.run();
  }

  @Transactional(TxType.NOT_SUPPORTED)
  public <T, X extends Exception> T call(Task<T, X> task) throws X {
    return task.call();
  }

  /** A task with only its declared exception. */
  public interface Task<T, X extends Exception> {
    T call() throws X;
  }
}
