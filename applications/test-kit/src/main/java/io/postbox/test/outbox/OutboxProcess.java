package io.postbox.test.outbox;

import io.postbox.common.PayloadCipher;
import io.postbox.common.config.TableNames;
import io.postbox.common.server.JsonBinding;
import io.postbox.common.store.SecretStore;
import io.postbox.common.telemetry.TraceContext;
import io.postbox.common.telemetry.Tracing;
import io.postbox.outbox.Outbox;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.PayloadLoader;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.enqueue.Enqueuer;
import io.postbox.outbox.enqueue.PayloadEncoder;
import io.postbox.outbox.jms.JmsMessages;
import io.postbox.outbox.jms.JmsTransport;
import io.postbox.outbox.jms.JmsTransport.TransactionParticipant;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.payload.ApplicationPayloadResolver;
import io.postbox.outbox.relay.CircuitBreakers;
import io.postbox.outbox.relay.Relay;
import io.postbox.outbox.relay.RelayListener;
import io.postbox.outbox.relay.RelayThreads;
import io.postbox.outbox.server.AfterCommit;
import io.postbox.outbox.server.JtaOutbox;
import io.postbox.outbox.store.ClaimStore;
import io.postbox.outbox.store.MessageStore;
import io.postbox.outbox.store.OutboxDialect;
import io.postbox.outbox.store.PollStore;
import io.postbox.outbox.store.Schema;
import io.postbox.outbox.store.StoredErrors;
import io.postbox.test.broker.MemoryBroker;
import io.postbox.test.database.JtaDatabase;
import io.postbox.test.database.Transactions;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * One process with the outbox in it. Enqueue, relay and the building of JMS messages are the real
 * ones. The relay sends when it is told to, on the calling thread, over the broker in memory.
 */
public final class OutboxProcess {
  /** One for all, because opening it takes longer than most tests. */
  private static final JsonBinding JSON = new JsonBinding("JSON-B is missing");

  private final OutboxConfig config;
  private final MemoryBroker broker;
  private final Enqueuer enqueuer;
  private final Outbox outbox;
  private final Relay relay;
  private final JmsMessages messages;
  private final InstantSource clock;
  private final Sent sent = new Sent();

  /**
   * Creates the tables and starts one.
   *
   * @param config the configuration
   * @param database without the outbox's tables
   * @param broker where the relay sends
   * @param clock the test's
   * @param loader the application's, if it has one
   * @param cipher the application's, if it has one
   */
  public OutboxProcess(
      OutboxConfig config,
      JtaDatabase database,
      MemoryBroker broker,
      InstantSource clock,
      Optional<PayloadLoader> loader,
      Optional<PayloadCipher> cipher) {
    this.config = config;
    this.broker = broker;
    this.clock = clock;
    byte[] secret = prepare(database);
    enqueuer =
        new Enqueuer(
            new MessageStore(database.dialect(), config.tables()),
            clock,
            config.partitions(),
            new PayloadEncoder(
                config.maxPayload(),
                new OutboxDialect(database.dialect()).longestText(),
                JSON::write,
                cipher,
                loader.isPresent()),
            config.destinations(),
            Optional.empty(),
            config.confidentiality().dataSubjects());
    outbox =
        new JtaOutbox(
            Transactions.registry(),
            database.dataSource(),
            () -> enqueuer,
            () -> {}, // nobody counts the backlog
            UnaryOperator.identity(),
            new UntilTold());
    messages = JmsMessages.of(config, secret);
    relay = relay(database, secret, loader, cipher);
  }

  /** The relay learns of messages when the test tells it to send. */
  private static final class UntilTold implements AfterCommit {
    @Override
    public void wake(Set<Lane> lanes, Optional<Duration> firstDelay) {}

    @Override
    public void enqueued(Map<String, Integer> messages) {}
  }

  private static final class Sent implements RelayListener {
    private final AtomicInteger number = new AtomicInteger();

    @Override
    public void sent(StoredMessage message) {
      number.incrementAndGet();
    }

    @Override
    public void attemptFailed(StoredMessage message, int attempt, String reason) {}

    @Override
    public void died(StoredMessage message, int attempts, String reason) {}

    @Override
    public void polled() {}
  }

  private byte[] prepare(JtaDatabase database) {
    try (java.sql.Connection connection = database.dataSource().getConnection()) {
      new Schema(database.dialect(), config).prepare(connection);
      connection.setAutoCommit(true);
      return new SecretStore(database.dialect(), secrets(config.tables())).readOrMake(connection);
    } catch (SQLException failed) {
      throw new IllegalStateException("The outbox's tables cannot be created", failed);
    }
  }

  private static String secrets(TableNames tables) {
    return tables.qualified("outbox_secret");
  }

  private Relay relay(
      JtaDatabase database,
      byte[] secret,
      Optional<PayloadLoader> loader,
      Optional<PayloadCipher> cipher) {
    DirectExecutor here = new DirectExecutor();
    return Relay.on(
        config,
        config::recovery,
        database.dataSource(),
        new ClaimStore(
            database.dialect(),
            config.tables(),
            config.afterSending(),
            Relay.longestSilence(config),
            "test"),
        new PollStore(database.dialect(), config.tables()),
        new JmsTransport(
            config,
            Transactions.user(),
            broker::lookup,
            TransactionParticipant.NONE,
            Tracing.NONE,
            secret,
            task -> {}, // no probe for local transactions of the broker
            clock),
        new ApplicationPayloadResolver(
            loader, cipher, config.maxPayload(), config.confidentiality().encryptionRequired()),
        new StoredErrors(cipher),
        new CircuitBreakers(clock),
        sent,
        new RelayThreads(here, here),
        clock);
  }

  /** The application's outbox. */
  public Outbox outbox() {
    return outbox;
  }

  /**
   * Sends what is due, on this thread, which is in no transaction.
   *
   * @return how many messages were sent
   */
  public int send() {
    int before = sent.number.get();
    relay.wakeAfter(Duration.ZERO);
    Duration unused = relay.poll(); // nobody announces what a test enqueues
    return sent.number.get() - before;
  }

  /**
   * A message as the relay would send it.
   *
   * @throws io.postbox.outbox.MessageRefusedException as at its enqueue
   */
  public Message message(OutboxMessage message) {
    var prepared = enqueuer.prepare(message);
    StoredMessage stored =
        new StoredMessage(0, prepared.envelope(), 0, clock.instant(), Duration.ZERO, null, null);
    Headers headers = Headers.fromJson(prepared.envelope().headers());
    return made(
        session ->
            messages.build(
                session, stored, headers, TraceContext.of(stored.envelope().traceParent(), null)));
  }

  /** Makes a message. */
  public interface Making<T extends Message> {
    /** Makes it. */
    T in(Session session) throws JMSException;
  }

  /** A message that is made with a session of the broker. */
  public <T extends Message> T made(Making<T> making) {
    try (Connection connection = broker.connectionFactory().createConnection();
        Session session = connection.createSession()) {
      return making.in(session);
    } catch (JMSException failed) {
      throw new IllegalStateException("The broker in memory cannot make the message", failed);
    }
  }
}
