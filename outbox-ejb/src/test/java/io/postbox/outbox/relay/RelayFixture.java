package io.postbox.outbox.relay;

import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.PayloadCipher;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.enqueue.Enqueuer;
import io.postbox.outbox.enqueue.Packing;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.BatchSending.TransportWithinLimit;
import io.postbox.outbox.relay.Completion.Policy;
import io.postbox.outbox.relay.LanePass.Outcome;
import io.postbox.outbox.relay.LanePass.Result;
import io.postbox.outbox.relay.LanePass.Sends;
import io.postbox.outbox.store.LookStore;
import io.postbox.outbox.store.MessageStore;
import io.postbox.outbox.store.MessageStore.Placed;
import io.postbox.outbox.store.RelayStore;
import io.postbox.outbox.store.Schema;
import io.postbox.outbox.testing.CountingDataSource;
import io.postbox.outbox.testing.Rows;
import io.postbox.outbox.testing.Rows.Row;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
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
  final Breakers breakers = new Breakers(clock);
  final RecordingListener listener = new RecordingListener();

  private final RelayStore store;
  private final LookStore looks;
  private final Enqueuer enqueuer;
  private final Map<Long, UUID> ids = new HashMap<>();

  RelayFixture(TestDatabase database, TestConfig test) throws SQLException {
    this(database, test, Optional.empty());
  }

  RelayFixture(TestDatabase database, TestConfig test, Optional<PayloadCipher> cipher)
      throws SQLException {
    config = test.config();
    counting = new CountingDataSource(database.fresh());
    rows = new Rows(counting.dataSource(), config.tables());
    try (Connection connection = counting.dataSource().getConnection()) {
      new Schema(database.dialect(), config).prepare(connection);
    }
    store =
        new RelayStore(
            database.dialect(),
            config.tables(),
            config.afterSending(),
            Relay.longestSilence(config));
    looks = new LookStore(database.dialect(), config.tables());
    enqueuer =
        new Enqueuer(
            new MessageStore(database.dialect(), config.tables()),
            InstantSource.system(),
            config.partitions(),
            new Packing(
                config.maxPayload(),
                database.dialect().longestText(),
                String::valueOf,
                cipher,
                true));
  }

  /** Enqueues in one transaction and answers the places in the order. */
  List<Long> enqueue(List<OutboxMessage> messages) throws SQLException {
    List<Placed> placed = messages.stream().map(enqueuer::place).toList();
    try (Connection connection = counting.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      enqueuer.write(connection, placed, true);
      connection.commit();
    }
    rows.messages().forEach(row -> ids.put(row.seq(), UUID.fromString(row.id())));
    List<Long> seqs = new ArrayList<>();
    for (Placed each : placed) {
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
    enqueuer.write(connection, List.of(enqueuer.place(message)), true);
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
    return enqueuer.place(message).partition();
  }

  Lane lane(OutboxMessage message) {
    return new Lane(partition(message), message.destination());
  }

  Claims claims() {
    return new DatabaseClaims(counting.dataSource(), store, looks);
  }

  LanePass pass() {
    return pass(broker);
  }

  /** Opens payloads before it sends them. */
  LanePass passOpening(Contents contents) {
    return passWith(opening(lane -> broker, contents));
  }

  LanePass passInTwoPhases(Contents contents) {
    return passWith(opening(inTwoPhases(), contents));
  }

  private static Sends opening(Sends sends, Contents contents) {
    return new Sends() {
      @Override
      public TransportWithinLimit begin(Lane lane) {
        return sends.begin(lane);
      }

      @Override
      public Opened open(List<StoredMessage> messages) {
        return Opening.open(messages, contents, () -> true);
      }
    };
  }

  /** Completes and sends as one, as far as a data source without JTA lets it. */
  LanePass passInTwoPhases() {
    return passWith(inTwoPhases());
  }

  private Sends inTwoPhases() {
    return lane ->
        messages -> {
          broker.check(messages);
          together().complete(lane, messages);
          broker.send(messages);
        };
  }

  TogetherWithTables together() {
    return new TogetherWithTables(counting.dataSource(), store);
  }

  LanePass pass(TransportWithinLimit transport) {
    return passWith(lane -> transport);
  }

  LanePass passWith(Sends sends) {
    return new LanePass(
        claims(),
        sends,
        breakers,
        listener,
        new Policy(
            config.delivery(), config.maxAttempts(), config.backoff(), config.onDeadLetter()),
        config.relay().batchSize(),
        () -> 0.5,
        clock);
  }

  /** Passes over every lane until none has more, as workers would after a wake-up. */
  void drain() throws SQLException {
    drain(pass());
  }

  void drain(LanePass pass) throws SQLException {
    for (Lane lane : claims().look().lanes()) {
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
    return Relay.on(
        config,
        counting.dataSource(),
        store,
        looks,
        transport,
        message -> {
          throw SendFailure.ofMessage(message, "cannot be opened", new Exception());
        },
        new Breakers(time),
        listener,
        executor,
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
    private int looks;

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
    public synchronized void looked() {
      looks++;
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

    synchronized int looks() {
      return looks;
    }
  }
}
