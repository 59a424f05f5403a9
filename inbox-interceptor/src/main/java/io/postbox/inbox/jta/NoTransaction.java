package io.postbox.inbox.jta;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;

/**
 * Runs a task while the caller's transaction, if there is one, is suspended. Declares no exception:
 * where a method declares {@code Exception}, as one with a type parameter in its place does, the
 * server throws its own checked ones from it too, and the caller's compiler knows nothing of them.
 */
@ApplicationScoped
class NoTransaction {

  @Transactional(TxType.NOT_SUPPORTED)
  void run(Runnable task) {
    task.run();
  }
}
