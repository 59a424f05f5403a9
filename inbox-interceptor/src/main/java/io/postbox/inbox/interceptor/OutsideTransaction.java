package io.postbox.inbox.interceptor;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/** Runs a task while the caller's transaction, if there is one, is suspended. */
@ApplicationScoped
class OutsideTransaction {

  @Transactional(TxType.NOT_SUPPORTED)
  void run(Runnable task) {
    task.run();
  }
}
