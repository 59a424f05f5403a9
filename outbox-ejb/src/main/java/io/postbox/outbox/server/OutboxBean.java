package io.postbox.outbox.server;

import io.postbox.common.ops.Part;
import io.postbox.common.server.JsonBinding;
import io.postbox.common.server.ServerFeature;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.enqueue.Enqueuer;
import io.postbox.outbox.enqueue.PayloadEncoder;
import io.postbox.outbox.store.MessageStore;
import io.postbox.outbox.store.OutboxDialect;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;

/** Gives the application its outbox, on the server's transactions and the outbox's database. */
@ApplicationScoped
class OutboxBean implements Outbox {
  /** Needed only by OutboxMessage.json. */
  static final ServerFeature JSON_BINDING =
      new ServerFeature(
          "jsonb-3.0",
          "jakarta.json.bind.JsonbBuilder",
          "with which the outbox writes a payload given as json(...)");

  @Inject OutboxDatabase database;
  @Inject RelayBean relay;
  @Inject StatisticsBean watch;
  @Inject PayloadBeans payloads;
  @Inject TracingBean tracing;

  @Resource(lookup = "java:comp/TransactionSynchronizationRegistry")
  TransactionSynchronizationRegistry transactions;

  private JtaOutbox outbox;
  private final JsonBinding json = new JsonBinding(JSON_BINDING.sentence());

  @PostConstruct
  void wire() {
    OutboxConfig config = database.config();
    Part<Enqueuer> enqueuer =
        database.whenReady(
            dialect ->
                new Enqueuer(
                    new MessageStore(dialect, config.tables()),
                    InstantSource.system(),
                    config.partitions(),
                    new PayloadEncoder(
                        config.maxPayload(),
                        new OutboxDialect(dialect).longestText(),
                        json::write,
                        payloads.cipher(),
                        payloads.loader().isPresent()),
                    config.destinations(),
                    database.slot(),
                    config.confidentiality().dataSubjects()));
    outbox =
        new JtaOutbox(
            transactions,
            database.dataSource(),
            enqueuer,
            watch::refuseIfFull,
            tracing::traced,
            relay);
  }

  @Override
  public UUID enqueue(OutboxMessage message) {
    return outbox.enqueue(message);
  }

  @Override
  public List<UUID> enqueueAll(List<OutboxMessage> messages) {
    return outbox.enqueueAll(messages);
  }

  @PreDestroy
  void close() {
    json.close();
  }
}
