package io.postbox.inbox.interceptor;

import io.postbox.common.server.JsonBinding;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.CapturedMessage;
import io.postbox.inbox.InboxContext;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.jms.PayloadReader;
import io.postbox.inbox.jms.StoredMessage;
import io.postbox.inbox.jta.FakeRegistry;
import io.postbox.inbox.jta.JtaTransaction;
import io.postbox.inbox.jta.OwnDeliveryTransaction;
import io.postbox.inbox.jta.SuspendedTransaction;
import io.postbox.inbox.jta.TransactionBoundary;
import io.postbox.inbox.log.FailureLines;
import io.postbox.inbox.log.KeptLines;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Schedule;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.ops.BackgroundActions;
import io.postbox.inbox.ops.FailureRecorder;
import io.postbox.inbox.ops.Housekeeping;
import io.postbox.inbox.ops.KeptQueries;
import io.postbox.inbox.ops.KeptSender;
import io.postbox.inbox.ops.Outgoing;
import io.postbox.inbox.receiver.AttemptLog;
import io.postbox.inbox.receiver.DatabaseAvailability;
import io.postbox.inbox.receiver.DeliveryGate;
import io.postbox.inbox.receiver.DeliveryTransaction.End;
import io.postbox.inbox.receiver.HandlerContext;
import io.postbox.inbox.receiver.HandlerContext.Task;
import io.postbox.inbox.receiver.HandlerRun;
import io.postbox.inbox.receiver.IdempotentReceiver;
import io.postbox.inbox.receiver.Invocation;
import io.postbox.inbox.receiver.NoRoute;
import io.postbox.inbox.receiver.OutsideEffects;
import io.postbox.inbox.receiver.ReceiverParts;
import io.postbox.inbox.receiver.RecordedAttempt;
import io.postbox.inbox.receiver.RetryThrottle;
import io.postbox.inbox.receiver.RunningHandlers;
import io.postbox.inbox.receiver.WakeUp;
import io.postbox.inbox.server.ApplicationContext;
import io.postbox.inbox.startup.ApplicationContextBean;
import io.postbox.inbox.startup.CapturedHandlers;
import io.postbox.inbox.startup.CapturedHandlers.CapturedHandler;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import io.postbox.inbox.store.CapturedCandidates;
import io.postbox.inbox.store.Stores;
import io.postbox.inbox.store.TestDatabase;
import io.postbox.inbox.work.WorkQueue;
import io.postbox.inbox.work.WorkQueue.Result;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.transaction.Status;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The real workers, processor, receiver and stores of captured messages, without a server: each
 * thread's transaction is one connection of a test's database.
 */
final class CapturedFixture {
  private static final byte[] KEY = {1, 2, 3};

  /** A handler of the application. */
  interface Handler {
    void handle(CapturedMessage message) throws Exception;
  }

  final List<MessageEvent> events = Collections.synchronizedList(new ArrayList<>());
  final InboxDatabase database;
  final CapturedProcessor processor = new CapturedProcessor();
  final InboxContext context;
  volatile Handler handler = message -> {};

  /** What other nodes do between the rollback of a turn and what follows it. */
  Runnable afterRollback = () -> {};

  private final String url;
  private final ThreadLocal<Current> current = new ThreadLocal<>();
  private final JtaTransaction transaction = new JtaTransaction(new Registry());
  private final TransactionBoundary boundary = new Boundary();
  private final IdempotentReceiver receiver;
  private final CapturedHandler captured = capturedHandler();

  private record Current(Connection connection, FakeRegistry registry) {}

  CapturedFixture(TestDatabase type, Map<String, String> settings) throws SQLException {
    this(type.freshUrl(), settings);
  }

  /** The same tables, after a start with other settings. */
  CapturedFixture again(Map<String, String> settings) throws SQLException {
    return new CapturedFixture(url, settings);
  }

  private CapturedFixture(String url, Map<String, String> settings) throws SQLException {
    this.url = url;
    Map<String, String> all = new HashMap<>(settings);
    all.put("create-tables", "true");
    database = new InboxDatabase(TestConfig.shop(all), dataSource());
    database.encryptWith(Optional::empty);
    database.prepare();
    Suspended suspended = new Suspended();
    Around around = new Around();
    LocalTransactions outside = LocalTransactions.retryingConflicts(dataSourceOfItsOwn());
    FailureRecorder failures =
        new FailureRecorder(
            outside,
            (connection, failure) -> stores().failures().insert(connection, "node", failure),
            Runnable::run,
            1_000,
            Duration.ofSeconds(2));
    ReceiverParts parts =
        new ReceiverParts(
            database.config(),
            database.policies()::of,
            new JtaIdempotencyStore(database, database::prepare),
            around,
            around,
            around,
            around,
            failures,
            new FailureLines(System::nanoTime),
            database.limits(),
            new KeptLines(System::nanoTime),
            events::add,
            around,
            false,
            () -> 0.99);
    receiver = new IdempotentReceiver(parts);
    CapturedIdempotencyStore store = new CapturedIdempotencyStore(database, database::prepare);
    IdempotentReceiver capturedReceiver = new IdempotentReceiver(parts.forCaptured(store));
    processor.database = database;
    processor.transactions = boundary;
    processor.suspended = suspended;
    processor.payloads = new PayloadReaderBean();
    processor.calls =
        new HandlerCalls() {
          @Override
          @Nullable Object call(CapturedHandler found, CapturedMessage message) throws Exception {
            handler.handle(message);
            return null;
          }
        };
    processor.runtime =
        new InboxRuntime() {
          @Override
          JtaTransaction transaction() {
            return transaction;
          }

          @Override
          IdempotentReceiver capturedReceiver() {
            return capturedReceiver;
          }

          @Override
          CapturedIdempotencyStore capturedStore() {
            return store;
          }

          @Override
          @Nullable Object runCaptured(
              HandlerRun run, StoredMessage message, Callable<@Nullable Object> task)
              throws Exception {
            return RunningHandlers.during(run, task);
          }
        };
    context =
        new HandlerContext(
            new OutsideEffects(database.config().service(), new JdbcEffectStore(database)),
            suspended,
            new PayloadReader(new JsonBinding("JSON-B is missing")::read));
  }

  Stores stores() {
    return database.stores().orElseThrow();
  }

  Dialect dialect() {
    return database.ifPrepared().orElseThrow();
  }

  /** Captures a message as its delivery does. */
  void capture(TestDelivery delivery, @Nullable String key) throws Exception {
    Delivery plain =
        delivery
            .with(new Content(BodyType.TEXT, "hello", null, "{\"headers\":{},\"properties\":{}}"))
            .delivery();
    Delivery keyed =
        new Delivery(
            plain.consumer(),
            plain.id(),
            plain.fingerprint(),
            plain.source(),
            plain.eventType(),
            plain.subject(),
            plain.dataSubject(),
            plain.destination(),
            plain.replyTo(),
            plain.headers(),
            plain.history(),
            plain.body(),
            plain.content(),
            plain.metadata(),
            new Schedule(key, Schedule.NORMAL_PRIORITY, null),
            null);
    OwnDeliveryTransaction own = new OwnDeliveryTransaction(transaction);
    boundary.call(
        () ->
            receiver.receive(
                Invocation.capturing(plain.consumer(), own, () -> keyed, NoRoute.INSTANCE)),
        own,
        List.of());
  }

  static TestDelivery version(String id, String aggregate, long version) {
    return TestDelivery.of(id).with(new Aggregate("Order", aggregate, version));
  }

  /** This node's actions of operators; captured messages are restored, and nothing is sent. */
  BackgroundActions actions(InstantSource clock) {
    KeptSender nobody =
        new KeptSender() {
          @Override
          public void send(Outgoing message) {
            throw new IllegalStateException("captured messages are not sent");
          }

          @Override
          public Optional<String> firstId(String properties) {
            return Optional.empty();
          }
        };
    return new BackgroundActions(
        dialect(),
        database.config(),
        dataSourceOfItsOwn(),
        database.ids(),
        database.contents(),
        nobody,
        KEY,
        clock);
  }

  /** This node's housekeeping; each call makes it anew, as a start does. */
  Housekeeping housekeeping() {
    return new Housekeeping(
        dialect(),
        database.config(),
        database.policies(),
        database.ids(),
        dataSourceOfItsOwn(),
        InstantSource.system());
  }

  /** Ada's plan for parked messages. */
  KeptPlan plan(KeptFilter filter) {
    return actions(InstantSource.system())
        .plan(
            new KeptQueries(
                    Kind.PARKED,
                    database.config(),
                    dataSourceOfItsOwn(),
                    database.contents(),
                    StoredMessage::text)
                .plan(filter),
            "ada");
  }

  /** Handles everything that is due, one after the other, as one worker does. */
  List<Result> work() throws SQLException {
    List<Result> results = new ArrayList<>();
    WorkQueue queue = new WorkQueue(limit -> List.of(), 1);
    for (List<Long> ids = candidates(); !ids.isEmpty(); ids = candidates()) {
      Result result = processor.process("shipping", ids.get(0), captured, queue);
      results.add(result);
      if (result == Result.FAILED) {
        return results;
      }
    }
    return results;
  }

  private List<Long> candidates() throws SQLException {
    try (Connection connection = TestDatabase.connect(url)) {
      connection.setAutoCommit(true);
      return new CapturedCandidates("shipping", System::nanoTime)
          .read(stores().captured(), connection, processor.mayReply("shipping"), 10);
    }
  }

  /** This node's real workers. */
  CaptureWorkers workers() throws ReflectiveOperationException {
    InboxDeployment deployment = new InboxDeployment();
    Field handlers = CapturedHandlers.class.getDeclaredField("handlers");
    handlers.setAccessible(true);
    @SuppressWarnings("unchecked")
    Map<String, CapturedHandler> map =
        (Map<String, CapturedHandler>) handlers.get(deployment.handlers());
    map.put("shipping", captured);
    CaptureWorkers workers = new CaptureWorkers();
    workers.database = database;
    workers.deployment = deployment;
    workers.queues = TestWorkQueues.of(database, deployment);
    workers.processor = processor;
    workers.gate =
        new DeliveryGateBean() {
          @Override
          public Optional<Duration> outage() {
            return Optional.empty();
          }
        };
    ApplicationContext application = new ApplicationContext(() -> Runnable::run, true, () -> {});
    workers.context =
        new ApplicationContextBean() {
          @Override
          public ApplicationContext get() {
            return application;
          }
        };
    workers.wire();
    return workers;
  }

  private static CapturedHandler capturedHandler() {
    try {
      Bean<?> bean =
          (Bean<?>)
              Proxy.newProxyInstance(
                  CapturedFixture.class.getClassLoader(),
                  new Class<?>[] {Bean.class},
                  (self, method, arguments) ->
                      method.getName().equals("getBeanClass") ? Handler.class : null);
      return new CapturedHandler(
          bean, Handler.class.getDeclaredMethod("handle", CapturedMessage.class));
    } catch (NoSuchMethodException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  int run(String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(true);
      return statement.executeUpdate(sql);
    }
  }

  List<String> column(String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (row.next()) {
        values.add(row.getString(1));
      }
      return values;
    }
  }

  List<String> statuses() throws SQLException {
    return column(
        "SELECT message_id || ' ' || status FROM inbox_stored WHERE status <> 'QUARANTINED'"
            + " ORDER BY id");
  }

  /** Keys that will never be released. */
  List<String> keysWithoutMessages() throws SQLException {
    return column(
        """
        SELECT ordering_key FROM inbox_key k WHERE NOT EXISTS
          (SELECT 1 FROM inbox_stored c WHERE c.consumer = k.consumer
           AND c.ordering_key = k.ordering_key AND c.status NOT IN ('PROCESSED', 'HELD'))
        """);
  }

  /** Connections of the calling thread's transaction, or new ones. */
  private DataSource dataSource() {
    return proxy(
        DataSource.class,
        (method, arguments) -> {
          Current mine = current.get();
          return mine == null ? fresh() : shared(mine.connection());
        });
  }

  DataSource dataSourceOfItsOwn() {
    return proxy(DataSource.class, (method, arguments) -> fresh());
  }

  private Connection fresh() throws SQLException {
    return TestDatabase.connect(url);
  }

  private static Connection shared(Connection real) {
    return proxy(
        Connection.class,
        (method, arguments) ->
            switch (method.getName()) {
              case "close", "setAutoCommit" -> null;
              default -> method.invoke(real, arguments);
            });
  }

  private interface Answer {
    Object to(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              try {
                return answer.to(method, arguments);
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
            }));
  }

  /** As the real one and the server do: rolls back and passes on whatever the work throws. */
  private final class Boundary extends TransactionBoundary {
    @Override
    public <T extends @Nullable Object> T call(
        Callable<T> work, End end, List<Runnable> afterCommit) throws Exception {
      try (Connection connection = fresh()) {
        connection.setAutoCommit(false);
        Current mine = new Current(connection, new FakeRegistry());
        current.set(mine);
        T result;
        boolean commits = false;
        try {
          result = work.call();
          commits = !mine.registry().getRollbackOnly();
        } catch (Throwable failed) {
          connection.rollback();
          current.remove();
          mine.registry().end(Status.STATUS_ROLLEDBACK);
          end.ended(false, failed);
          afterRollback.run();
          throw failed;
        }
        if (commits) {
          connection.commit();
        } else {
          connection.rollback();
        }
        current.remove();
        mine.registry().end(commits ? Status.STATUS_COMMITTED : Status.STATUS_ROLLEDBACK);
        end.ended(commits, null);
        return result;
      }
    }
  }

  private final class Suspended extends SuspendedTransaction {
    @Override
    public void run(Runnable task) {
      Current mine = current.get();
      current.remove();
      try {
        task.run();
      } finally {
        if (mine != null) {
          current.set(mine);
        }
      }
    }

    @Override
    public <T extends @Nullable Object, X extends Exception> T call(Task<T, X> task) throws X {
      Current mine = current.get();
      current.remove();
      try {
        return task.call();
      } finally {
        if (mine != null) {
          current.set(mine);
        }
      }
    }
  }

  /** The calling thread's. */
  private final class Registry implements TransactionSynchronizationRegistry {
    private FakeRegistry mine() {
      return current.get().registry();
    }

    @Override
    public Object getTransactionKey() {
      return mine();
    }

    @Override
    public void putResource(Object key, Object value) {
      mine().putResource(key, value);
    }

    @Override
    public Object getResource(Object key) {
      return mine().getResource(key);
    }

    @Override
    public void registerInterposedSynchronization(Synchronization synchronization) {
      mine().registerInterposedSynchronization(synchronization);
    }

    @Override
    public int getTransactionStatus() {
      return current.get() == null ? Status.STATUS_NO_TRANSACTION : mine().getTransactionStatus();
    }

    @Override
    public void setRollbackOnly() {
      mine().setRollbackOnly();
    }

    @Override
    public boolean getRollbackOnly() {
      return mine().getRollbackOnly();
    }
  }

  /** Nothing is in the way, and no attempt is recorded. */
  private static final class Around
      implements DeliveryGate, DatabaseAvailability, RetryThrottle, WakeUp, AttemptLog {
    @Override
    public void enter(String consumer) {}

    @Override
    public void leave() {}

    @Override
    public boolean isClosed() {
      return false;
    }

    @Override
    public boolean isSuspected() {
      return false;
    }

    @Override
    public long outages() {
      return 0;
    }

    @Override
    public void answered() {}

    @Override
    public void failed(Throwable cause) {}

    @Override
    public void verify(Throwable cause) {}

    @Override
    public void defer(String consumer, DelayedRetry retry) {}

    @Override
    public Optional<DelayedRetry> hold(Delivery delivery) {
      return Optional.empty();
    }

    @Override
    public void pause() {}

    @Override
    public void captured(String consumer) {}

    @Override
    public void delayed(String consumer, Duration delay) {}

    @Override
    public void released(String consumer) {}

    @Override
    public boolean mayBeRedelivery(String messageId) {
      return false;
    }

    @Override
    public RecordedAttempt begin(String consumer, String messageId, boolean isRedelivery) {
      return RecordedAttempt.unrecorded(consumer, messageId);
    }

    @Override
    public void ends(RecordedAttempt recorded, boolean handlerEnded) {}
  }
}
