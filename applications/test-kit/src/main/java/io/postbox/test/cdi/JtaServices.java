package io.postbox.test.cdi;

import io.postbox.test.database.Transactions;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.SystemException;
import jakarta.transaction.UserTransaction;
import org.jboss.weld.transaction.spi.TransactionServices;

/** Lets CDI know the transactions, for observers that wait for their end. */
public final class JtaServices implements TransactionServices {
  @Override
  public void registerSynchronization(Synchronization observer) {
    try {
      Transactions.manager().getTransaction().registerSynchronization(observer);
    } catch (SystemException | RollbackException failed) {
      throw new IllegalStateException("The transaction takes no observer any more", failed);
    }
  }

  @Override
  public boolean isTransactionActive() {
    return Transactions.registry().getTransactionStatus() == Status.STATUS_ACTIVE;
  }

  @Override
  public UserTransaction getUserTransaction() {
    return Transactions.user();
  }

  @Override
  public void cleanup() {
    // nothing is kept
  }
}
