package io.postbox.test.database;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.internal.arjuna.objectstore.VolatileStore;
import com.arjuna.ats.internal.jta.transaction.arjunacore.TransactionSynchronizationRegistryImple;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.InvalidTransactionException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.UserTransaction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The JTA transactions of this JVM: Narayana's, which keep their log in memory. */
public final class Transactions {
  private static final TransactionManager MANAGER = start();
  private static final TransactionSynchronizationRegistry REGISTRY =
      new TransactionSynchronizationRegistryImple();

  private Transactions() {}

  private static TransactionManager start() {
    for (String store : new String[] {null, "communicationStore", "stateStore"}) {
      ObjectStoreEnvironmentBean settings =
          store == null
              ? BeanPopulator.getDefaultInstance(ObjectStoreEnvironmentBean.class)
              : BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store);
      settings.setObjectStoreType(VolatileStore.class.getName());
    }
    return com.arjuna.ats.jta.TransactionManager.transactionManager();
  }

  /** Begins and ends transactions. */
  public static TransactionManager manager() {
    return MANAGER;
  }

  /** The same for application code. */
  public static UserTransaction user() {
    return com.arjuna.ats.jta.UserTransaction.userTransaction();
  }

  /** The calling thread's transaction. */
  public static TransactionSynchronizationRegistry registry() {
    return REGISTRY;
  }

  /**
   * A task with only its declared exception.
   *
   * @param <T> what it returns
   * @param <X> its exception
   */
  public interface Task<T, X extends Exception> {
    /** Runs. */
    T call() throws X;
  }

  /** Runs a task while the calling thread's transaction, if there is one, is suspended. */
  public static <T, X extends Exception> T suspended(Task<T, X> task) throws X {
    try {
      @Nullable Transaction transaction = MANAGER.suspend();
      try {
        return task.call();
      } finally {
        if (transaction != null) {
          MANAGER.resume(transaction);
        }
      }
    } catch (SystemException | InvalidTransactionException broken) {
      throw new IllegalStateException("JTA cannot suspend or resume the transaction", broken);
    }
  }

  /**
   * Runs work in the calling thread's transaction, or else in one of its own, which rolls back if
   * the work throws an exception.
   */
  public static <T> T required(Supplier<T> work) {
    if (REGISTRY.getTransactionStatus() != Status.STATUS_NO_TRANSACTION) {
      return work.get();
    }
    try {
      MANAGER.begin();
      T result;
      try {
        result = work.get();
      } catch (Throwable thrown) {
        MANAGER.rollback();
        throw thrown;
      }
      MANAGER.commit();
      return result;
    } catch (NotSupportedException
        | SystemException
        | RollbackException
        | HeuristicMixedException
        | HeuristicRollbackException failed) {
      throw new IllegalStateException("The transaction did not commit", failed);
    }
  }
}
