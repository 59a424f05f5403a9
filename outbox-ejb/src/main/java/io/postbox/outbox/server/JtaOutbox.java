package io.postbox.outbox.server;

import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.enqueue.CallerTransaction;
import io.postbox.outbox.enqueue.Enqueuer;
import io.postbox.outbox.enqueue.UncapturedException;
import io.postbox.outbox.store.MessageStore.NewMessage;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * Binds enqueue to the caller's JTA transaction, and wakes the relay when that has committed.
 * Thread-safe.
 */
public final class JtaOutbox implements Outbox {
  private static final Object WAKE_UP = JtaOutbox.class;

  private final TransactionSynchronizationRegistry transactions;
  private final DataSource dataSource;
  private final Supplier<Enqueuer> enqueuer;
  private final Runnable refuseIfFull;
  private final UnaryOperator<OutboxMessage> traced;
  private final AfterCommit relay;

  /**
   * @param transactions the calling thread's
   * @param dataSource enlists its connections in them
   * @param enqueuer writes messages, or throws as long as the tables are not in order
   * @param refuseIfFull throws if the backlog has reached a hard limit
   * @param traced gives a message the trace of the calling thread
   * @param relay is told of committed messages
   */
  public JtaOutbox(
      TransactionSynchronizationRegistry transactions,
      DataSource dataSource,
      Supplier<Enqueuer> enqueuer,
      Runnable refuseIfFull,
      UnaryOperator<OutboxMessage> traced,
      AfterCommit relay) {
    this.transactions = transactions;
    this.dataSource = dataSource;
    this.enqueuer = enqueuer;
    this.refuseIfFull = refuseIfFull;
    this.traced = traced;
    this.relay = relay;
  }

  @Override
  public UUID enqueue(OutboxMessage message) {
    return enqueueAll(List.of(message)).get(0);
  }

  @Override
  public List<UUID> enqueueAll(List<OutboxMessage> messages) {
    callerTransaction().require();
    if (messages.isEmpty()) {
      return List.of();
    }
    refuseIfFull.run();
    Enqueuer writer = enqueuer.get();
    List<NewMessage> prepared = writer.prepareAll(messages.stream().map(traced).toList());
    boolean fresh = messages.stream().allMatch(message -> message.id().isEmpty());
    WakeUp wakeUp = wakeUp(); // before a row is written that nobody would be woken for
    try (Connection connection = dataSource.getConnection()) {
      writer.write(connection, prepared, fresh);
    } catch (SQLException failed) {
      throw Enqueuer.refused(messages, failed);
    } catch (UncapturedException uncaptured) {
      transactions.setRollbackOnly();
      throw uncaptured;
    } catch (MessageRefusedException known) {
      if (messages.size() > 1) {
        transactions.setRollbackOnly(); // those before it are written
      }
      throw known;
    }
    prepared.forEach(wakeUp::add);
    return prepared.stream().map(message -> message.envelope().id()).toList();
  }

  private CallerTransaction callerTransaction() {
    return switch (transactions.getTransactionStatus()) {
      case Status.STATUS_ACTIVE -> CallerTransaction.ACTIVE;
      case Status.STATUS_MARKED_ROLLBACK -> CallerTransaction.MARKED_FOR_ROLLBACK;
      default -> CallerTransaction.NONE;
    };
  }

  /**
   * One per transaction.
   *
   * @throws OutboxException if the transaction is already completing, which then rolls back
   */
  private WakeUp wakeUp() {
    WakeUp wakeUp = (WakeUp) transactions.getResource(WAKE_UP);
    if (wakeUp == null) {
      wakeUp = new WakeUp(relay);
      try {
        transactions.registerInterposedSynchronization(wakeUp);
      } catch (IllegalStateException completing) {
        transactions.setRollbackOnly();
        throw new OutboxException(
            "No message was written, and the transaction is marked for rollback, because it is"
                + " completing and the server reports its end to nobody any more. Enqueue earlier.",
            completing);
      }
      transactions.putResource(WAKE_UP, wakeUp);
    }
    return wakeUp;
  }
}
