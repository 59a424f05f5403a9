package io.postbox.inbox.jta;

import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Synchronization;
import jakarta.transaction.Transactional;
import jakarta.transaction.Transactional.TxType;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task in a new transaction, without {@code UserTransaction}, which the server refuses to
 * beans with container-managed transactions.
 */
@ApplicationScoped
class RequiresNewTransaction {
  JtaTransaction transaction;

  @PostConstruct
  void start() {
    transaction = new JtaTransaction();
  }

  /**
   * Runs the task. A normal return does not mean that the transaction committed: one that can only
   * roll back does so without an exception.
   *
   * @param end is notified of the transaction's end
   * @param task the work; any exception rolls back
   */
  @Transactional(value = TxType.REQUIRES_NEW, rollbackOn = Throwable.class)
  <T extends @Nullable Object> T call(Synchronization end, Callable<T> task) throws Exception {
    transaction.register(end);
    try {
      return task.call();
    } catch (Throwable thrown) { // even an exception whose class is marked not to roll back
      transaction.rollBackBecauseOf(thrown);
      throw thrown;
    }
  }
}
