package io.postbox.outbox.server;

import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.NoTransactionException;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.enqueue.Enqueuer;
import io.postbox.outbox.enqueue.PayloadEncoder;
import io.postbox.outbox.enqueue.UncapturedException;
import io.postbox.outbox.server.OutboxDatabase.Part;
import io.postbox.outbox.store.MessageStore;
import io.postbox.outbox.store.MessageStore.NewMessage;
import io.postbox.outbox.store.OutboxDialect;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.Status;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Binds enqueue to the caller's JTA transaction, and wakes the relay when that has committed. */
@ApplicationScoped
class OutboxBean implements Outbox {
  private static final Object WAKE_UP = OutboxBean.class;

  @Inject OutboxDatabase database;
  @Inject RelayBean relay;
  @Inject StatisticsBean watch;
  @Inject PayloadBeans payloads;
  @Inject TracingBean tracing;

  @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
  TransactionSynchronizationRegistry transactions;

  private Part<Enqueuer> enqueuer;
  private final JsonbSerializer json = new JsonbSerializer();

  @PostConstruct
  void wire() {
    OutboxConfig config = database.config();
    enqueuer =
        database.whenReady(
            dialect ->
                new Enqueuer(
                    new MessageStore(dialect, config.tables()),
                    InstantSource.system(),
                    config.partitions(),
                    new PayloadEncoder(
                        config.maxPayload(),
                        new OutboxDialect(dialect).longestText(),
                        json::of,
                        payloads.cipher(),
                        payloads.loader().isPresent()),
                    config.destinations(),
                    database.slot()));
  }

  @Override
  public UUID enqueue(OutboxMessage message) {
    return enqueueAll(List.of(message)).get(0);
  }

  @Override
  public List<UUID> enqueueAll(List<OutboxMessage> messages) {
    requireTransaction();
    if (messages.isEmpty()) {
      return List.of();
    }
    watch.refuseIfFull();
    Enqueuer writer = enqueuer.get();
    List<NewMessage> prepared = prepare(messages, writer);
    boolean fresh = messages.stream().allMatch(message -> message.id().isEmpty());
    try (Connection connection = database.dataSource().getConnection()) {
      writer.write(connection, prepared, fresh);
    } catch (SQLException failed) {
      throw Enqueuer.refused(messages, failed);
    } catch (UncapturedException uncaptured) {
      transactions.setRollbackOnly();
      throw uncaptured;
    }
    prepared.forEach(message -> wakeUp().add(message));
    return prepared.stream().map(message -> message.envelope().id()).toList();
  }

  private List<NewMessage> prepare(List<OutboxMessage> messages, Enqueuer writer) {
    List<NewMessage> prepared = new ArrayList<>(messages.size());
    for (OutboxMessage message : messages) {
      try {
        prepared.add(writer.prepare(tracing.traced(message)));
      } catch (MessageRefusedException refused) {
        if (messages.size() == 1) {
          throw refused;
        }
        throw new MessageRefusedException(
            "Message %d of %d: %s None of the list was written."
                .formatted(prepared.size() + 1, messages.size(), refused.getMessage()),
            refused);
      }
    }
    return prepared;
  }

  private void requireTransaction() {
    switch (transactions.getTransactionStatus()) {
      case Status.STATUS_ACTIVE -> {
        return;
      }
      case Status.STATUS_MARKED_ROLLBACK ->
          throw new NoTransactionException(
              "The transaction is marked for rollback, so a message enqueued in it would never be"
                  + " sent; nothing was written.");
      default ->
          throw new NoTransactionException(
              "There is no active JTA transaction in which the message could be written; nothing was written. Call the outbox from an EJB method with"
                  + " @TransactionAttribute(REQUIRED), the default, or from a CDI bean's method"
                  + " with @Transactional.");
    }
  }

  /** One per transaction. */
  private WakeUp wakeUp() {
    WakeUp wakeUp = (WakeUp) transactions.getResource(WAKE_UP);
    if (wakeUp == null) {
      wakeUp = new WakeUp(relay);
      transactions.putResource(WAKE_UP, wakeUp);
      transactions.registerInterposedSynchronization(wakeUp);
    }
    return wakeUp;
  }

  @PreDestroy
  void close() {
    json.close();
  }
}
