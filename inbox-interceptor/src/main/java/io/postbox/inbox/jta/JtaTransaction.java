package io.postbox.inbox.jta;

import io.postbox.common.server.Jndi;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.receiver.CommitVotes;
import io.postbox.inbox.receiver.DeliveryTransaction;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import javax.naming.NamingException;

/** The calling thread's JTA transaction. Thread-safe. */
public class JtaTransaction implements DeliveryTransaction {
  private final TransactionSynchronizationRegistry registry;
  private final boolean redeliversOnRollback;

  public JtaTransaction() {
    this(lookedUp());
  }

  public JtaTransaction(TransactionSynchronizationRegistry registry) {
    this.registry = registry;
    redeliversOnRollback = false;
  }

  JtaTransaction(JtaTransaction same, boolean redeliversOnRollback) {
    registry = same.registry;
    this.redeliversOnRollback = redeliversOnRollback;
  }

  private static TransactionSynchronizationRegistry lookedUp() {
    try {
      return (TransactionSynchronizationRegistry)
          Jndi.lookup("java:comp/TransactionSynchronizationRegistry");
    } catch (NamingException missing) {
      throw new InboxException(
          "java:comp/TransactionSynchronizationRegistry cannot be looked up on this thread, so no"
              + " message is handled",
          missing);
    }
  }

  /** A view of the transaction for messages that only its commit acknowledges. */
  public JtaTransaction ofListener() {
    return new JtaTransaction(this, true);
  }

  @Override
  public boolean isActive() {
    return registry.getTransactionStatus() == Status.STATUS_ACTIVE;
  }

  /** Whether the calling thread is in a transaction, in any state. */
  public boolean exists() {
    return registry.getTransactionStatus() != Status.STATUS_NO_TRANSACTION;
  }

  @Override
  public boolean isRollbackOnly() {
    return switch (registry.getTransactionStatus()) {
      case Status.STATUS_MARKED_ROLLBACK, Status.STATUS_ROLLING_BACK, Status.STATUS_ROLLEDBACK ->
          true;
      default -> false;
    };
  }

  @Override
  public boolean redeliversOnRollback() {
    return redeliversOnRollback;
  }

  @Override
  public void setRollbackOnly() {
    registry.setRollbackOnly();
  }

  @Override
  public void onEnd(End end) {
    register(
        new Synchronization() {
          @Override
          public void beforeCompletion() {}

          @Override
          public void afterCompletion(int status) {
            end.ended(status == Status.STATUS_COMMITTED, null);
          }
        });
  }

  @Override
  public CommitVotes votes() {
    if (registry.getResource(CommitVotes.class) instanceof CommitVotes known) {
      return known;
    }
    CommitVotes votes = new CommitVotes();
    registry.putResource(CommitVotes.class, votes);
    return votes;
  }

  /** Registers for its end, which any thread may report. */
  public void register(Synchronization synchronization) {
    registry.registerInterposedSynchronization(synchronization);
  }
}
