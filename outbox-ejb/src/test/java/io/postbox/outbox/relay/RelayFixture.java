package io.postbox.outbox.relay;

import io.postbox.common.PayloadCipher;
import io.postbox.common.ops.ApplicationCalls;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.enqueue.Enqueuer;
import io.postbox.outbox.enqueue.PayloadEncoder;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.ops.RuntimePolicies;
import io.postbox.outbox.payload.BatchPayloadResolver;
import io.postbox.outbox.payload.PayloadFailure;
import io.postbox.outbox.payload.PayloadResolver;
import io.postbox.outbox.payload.ResolvedBatch;
import io.postbox.outbox.relay.BatchProcessor.Outcome;
import io.postbox.outbox.relay.BatchProcessor.Result;
import io.postbox.outbox.relay.BatchSender.TransportSession;
import io.postbox.outbox.store.ClaimStore;
import io.postbox.outbox.store.MessageStore;
import io.postbox.outbox.store.MessageStore.NewMessage;
import io.postbox.outbox.store.OutboxDialect;
import io.postbox.outbox.store.PollStore;
import io.postbox.outbox.store.Schema;
import io.postbox.outbox.store.StoredErrors;
import io.postbox.outbox.testing.CountingDataSource;
import io.postbox.outbox.testing.DirectExecutor;
import io.postbox.outbox.testing.Rows;
import io.postbox.outbox.testing.Rows.Row;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.stream.IntStream;

/** A real database with tables, a broker in memory, and passes that are run by hand. */
final class RelayFixture {
  final OutboxConfig config;
  final CountingDataSource counting;
  final Rows rows;
  final FakeBroker broker = new FakeBroker();
  final VirtualClock clock = new VirtualClock();
  final CircuitBreakers breakers = new CircuitBreakers(clock);
  final RecordingListener listener = new RecordingListener();

  /** The policies that operators have set; none before they are read. */
  final RuntimePolicies policies;

  private final ClaimStore store;
  private final PollStore polls;
  private final Enqueuer enqueuer;
  private final Enqueuer inTheClear;
  private final Map<Long, UUID> ids = new HashMap<>();

  RelayFixture(TestDatabase database, TestConfig test) throws SQLException {
    this(database, test, Optional.empty());
  }

  RelayFixture(TestDatabase database, TestConfig test, Optional<PayloadCipher> cipher)
      throws SQLException {
    config = test.config();
    counting = new CountingDataSource(database.fresh());
    rows = new Rows(counting.dataSource(), config.tables());
    policies = RuntimePolicies.on(config, counting.dataSource(), clock);
    try (Connection connection = counting.dataSource().getConnection()) {
      new Schema(database.dialect(), config).prepare(connection);
    }
    store =
        new ClaimStore(
            database.dialect(),
            config.tables(),
            config.afterSending(),
            Relay.longestSilence(config),
            "");
    polls = new PollStore(database.dialect(), config.tables());
    enqueuer = enqueuer(database, cipher);
    inTheClear = enqueuer(database, Optional.empty());
  }

  private Enqueuer enqueuer(TestDatabase database, Optional<PayloadCipher> cipher) {
    return new Enqueuer(
        new MessageStore(database.dialect(), config.tables()),
        InstantSource.system(),
        config.partitions(),
        new PayloadEncoder(
            config.maxPayload(),
            new OutboxDialect(database.dialect()).longestText(),
            String::valueOf,
            cipher,
            true));
  }

  /** As a node without a cipher does. */
  void enqueueInTheClear(OutboxMessage message) throws SQLException {
    try (Connection connection = counting.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      inTheClear.write(connection, List.of(inTheClear.prepare(message)), true);
      connection.commit();
    }
  }

  /** Enqueues in one transaction and answers the places in the order. */
  List<Long> enqueue(List<OutboxMessage> messages) throws SQLException {
    List<NewMessage> prepared = messages.stream().map(enqueuer::prepare).toList();
    try (Connection connection = counting.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      enqueuer.write(connection, prepared, true);
      connection.commit();
    }
    rows.messages().forEach(row -> ids.put(row.seq(), UUID.fromString(row.id())));
    List<Long> seqs = new ArrayList<>();
    for (NewMessage each : prepared) {
      ids.forEach(
          (seq, id) -> {
            if (id.equals(each.envelope().id())) {
              seqs.add(seq);
            }
          });
    }
    return seqs;
  }

  /** Enqueues in the caller's transaction. */
  void insert(Connection connection, OutboxMessage message) throws SQLException {
    enqueuer.write(connection, List.of(enqueuer.prepare(message)), true);
  }

  long enqueue(OutboxMessage message) throws SQLException {
    return enqueue(List.of(message)).get(0);
  }

  static OutboxMessage keyed(String destination, String key) {
    return OutboxMessage.to(destination).orderedBy(key).text("x");
  }

  static List<OutboxMessage> keyed(int n, String destination, String key) {
    return IntStream.range(0, n).mapToObj(i -> keyed(destination, key)).toList();
  }

  List<String> statuses() {
    return rows.messages().stream().map(Row::status).toList();
  }

  int partition(OutboxMessage message) {
    return enqueuer.prepare(message).partition();
  }

  Lane lane(OutboxMessage message) {
    return new Lane(partition(message), message.destination());
  }

  PartitionClaims claims() {
    return new JdbcPartitionClaims(counting.dataSource(), store, polls);
  }

  BatchProcessor pass() {
    return pass(broker);
  }

  /** Opens payloads before it sends them. */
  BatchProcessor passOpening(PayloadResolver resolver) {
    return passWith(opening(lane -> broker, resolver));
  }

  BatchProcessor passInTwoPhases(PayloadResolver resolver) {
    return passWith(opening(inTwoPhases(), resolver));
  }

  private static Gateway opening(Gateway gateway, PayloadResolver resolver) {
    BatchPayloadResolver payloads =
        new BatchPayloadResolver(
            resolver, new ApplicationCalls(new DirectExecutor(), 1), Duration.ofSeconds(15));
    return new Gateway() {
      @Override
      public TransportSession begin(Lane lane) {
        return gateway.begin(lane);
      }

      @Override
      public Optional<String> lacksFor(StoredMessage message) {
        return payloads.lacksFor(message);
      }

      @Override
      public ResolvedBatch resolve(List<StoredMessage> messages) {
        return payloads.resolve(messages);
      }
    };
  }

  /** Completes and sends as one, as far as a data source without JTA lets it. */
  BatchProcessor passInTwoPhases() {
    return passWith(inTwoPhases());
  }

  private Gateway inTwoPhases() {
    return lane ->
        messages -> {
          broker.check(messages);
          together().complete(lane, messages);
          broker.send(messages);
        };
  }

  XaCompletion together() {
    return new XaCompletion(counting.dataSource(), store);
  }

  BatchProcessor pass(TransportSession transport) {
    return passWith(lane -> transport);
  }

  BatchProcessor passWith(Gateway gateway) {
    return pass(gateway, listener);
  }

  /** Tells another listener. */
  BatchProcessor passTelling(RelayListener other) {
    return pass(lane -> broker, other);
  }

  private BatchProcessor pass(Gateway gateway, RelayListener told) {
    return new BatchProcessor(
        claims(),
        gateway,
        breakers,
        told,
        config.delivery(),
        policies::recovery,
        config.relay().batchSize(),
        () -> 0.5,
        clock);
  }

  /** Passes over every lane until none has more, as workers would after a wake-up. */
  void drain() throws SQLException {
    drain(pass());
  }

  void drain(BatchProcessor pass) throws SQLException {
    for (Lane lane : claims().poll().lanes()) {
      Result result = pass.run(lane);
      for (int i = 0; result.outcome() == Outcome.MORE; i++) {
        if (i > 10_000) {
          throw new IllegalStateException(lane + " never ends");
        }
        result = pass.run(lane);
      }
    }
  }

  Relay relay(Transport transport, ExecutorService executor, InstantSource time) {
    RelayThreads threads = new RelayThreads(executor, executor);
    return relay(transport, threads, StoredErrors.CLEAR, time);
  }

  Relay relay(Transport transport, RelayThreads threads, StoredErrors errors, InstantSource time) {
    return Relay.on(
        config,
        policies::recovery,
        counting.dataSource(),
        store,
        polls,
        transport,
        message -> {
          throw PayloadFailure.ofMessage("cannot be opened", new Exception());
        },
        errors,
        new CircuitBreakers(time),
        listener,
        threads,
        time);
  }

  /** As another node would, until the connection's transaction ends. */
  void lockAllPartitions(Connection connection) {
    try {
      for (int partition = 0; partition < config.partitions(); partition++) {
        store.claim(connection, partition);
      }
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  /** Counts what it hears. */
  static final class RecordingListener implements RelayListener {
    private int relayed;
    private int failed;
    private int died;
    private int polls;

    @Override
    public synchronized void sent(StoredMessage message) {
      if (message.waited().isNegative()) {
        throw new IllegalStateException("waited " + message.waited());
      }
      relayed++;
    }

    @Override
    public synchronized void attemptFailed(StoredMessage message, int attempt, String reason) {
      failed++;
    }

    @Override
    public synchronized void died(StoredMessage message, int attempts, String reason) {
      died++;
    }

    @Override
    public synchronized void polled() {
      polls++;
    }

    synchronized int relayed() {
      return relayed;
    }

    synchronized int died() {
      return died;
    }

    synchronized int failed() {
      return failed;
    }

    synchronized int polls() {
      return polls;
    }
  }
}
