package io.postbox.inbox.interceptor;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/** Runs a task while the caller's transaction, if there is one, is suspended. */
@ApplicationScoped
class SuspendedTransaction {

  @Transactional(TxType.NOT_SUPPORTED)
  void run(Runnable task) {
    task.run();
  }

  @Transactional(TxType.NOT_SUPPORTED)
  <T, X extends Exception> T call(Task<T, X> task) throws X {
    return task.call();
  }

  /** What throws only what it says. */
  interface Task<T, X extends Exception> {
    T call() throws X;
  }
}
