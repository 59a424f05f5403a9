package io.postbox.test.inbox;

import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.InboxContext;
import io.postbox.inbox.MessageIdResolver;
import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.interceptor.JdbcEffectStore;
import io.postbox.inbox.interceptor.JsonbReader;
import io.postbox.inbox.interceptor.JtaIdempotencyStore;
import io.postbox.inbox.jms.DeliveryReader;
import io.postbox.inbox.jms.JmsNames;
import io.postbox.inbox.jms.JmsRoute;
import io.postbox.inbox.jms.PayloadReader;
import io.postbox.inbox.jms.Proofs;
import io.postbox.inbox.jms.Providers;
import io.postbox.inbox.jms.ResentMessages;
import io.postbox.inbox.jta.JtaTransaction;
import io.postbox.inbox.log.FailureLines;
import io.postbox.inbox.log.KeptLines;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.ops.AttemptRecorder;
import io.postbox.inbox.ops.AttemptRows;
import io.postbox.inbox.ops.FailureRecorder;
import io.postbox.inbox.ops.StoredAttempts;
import io.postbox.inbox.receiver.HandlerContext;
import io.postbox.inbox.receiver.HandlerContext.Outside;
import io.postbox.inbox.receiver.HandlerContext.Task;
import io.postbox.inbox.receiver.IdempotentReceiver;
import io.postbox.inbox.receiver.InboxListener;
import io.postbox.inbox.receiver.Invocation;
import io.postbox.inbox.receiver.OutsideEffects;
import io.postbox.inbox.receiver.ReceiverParts;
import io.postbox.inbox.receiver.Route;
import io.postbox.inbox.receiver.RunningHandlers;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.store.Stores;
import io.postbox.test.broker.MemoryBroker;
import io.postbox.test.database.Transactions;
import jakarta.jms.Message;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One process with the inbox in it, from its start until it dies or is left. Its decisions, stores
 * and recorders are the real ones; the container's part, a transaction around each delivery, is
 * played here as for a message-driven bean with container-managed transactions. Thread-safe.
 */
public final class InboxProcess {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final int FAILURES_WAITING = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /** The longest wait that the jitter of a backoff can draw, so that waits are round figures. */
  private static final double LONGEST = 1;

  private final InboxDatabase database;
  private final MemoryBroker broker;
  private final AtomicBoolean dead = new AtomicBoolean();
  private final JtaTransaction transaction =
      new JtaTransaction(Transactions.registry()).ofListener();
  private final ResentMessages resent = new ResentMessages(transaction::onEnd);
  private final Providers providers = new Providers(Runnable::run, System::nanoTime);
  private final Proofs proofs;
  private final AttemptRecorder attempts;
  private final IdempotentReceiver receiver;

  /**
   * Starts one.
   *
   * @param database has its tables prepared
   * @param broker for retries
   * @param clock the test's
   * @param listener is told of outcomes while it lives, on the thread of the delivery
   */
  public InboxProcess(
      InboxDatabase database, MemoryBroker broker, InstantSource clock, InboxListener listener) {
    this.database = database;
    this.broker = broker;
    proofs = new Proofs(database.config().service(), database::secret);
    String name = "test-" + NUMBER.incrementAndGet();
    LocalTransactions outside = LocalTransactions.retryingConflicts(database.dataSource());
    Instant started = clock.instant();
    attempts =
        new AttemptRecorder(
            transactions(outside, name),
            name,
            database.config().longestRetention(),
            Runnable::run,
            () -> Duration.between(started, clock.instant()).toNanos(),
            clock);
    attempts.renew();
    Unimpeded unimpeded = new Unimpeded();
    Mortal records =
        new Mortal(
            new FailureRecorder(
                outside,
                (connection, failure) -> insert(connection, name, failure),
                Runnable::run,
                FAILURES_WAITING,
                PATIENCE),
            attempts,
            listener,
            dead);
    receiver =
        new IdempotentReceiver(
            new ReceiverParts(
                database.config(),
                database.policies()::of,
                new JtaIdempotencyStore(database, database::prepare),
                unimpeded,
                unimpeded,
                unimpeded,
                records,
                records,
                new FailureLines(System::nanoTime),
                database.quotas(),
                database.buffers(),
                database.backlogs(),
                new KeptLines(System::nanoTime),
                records,
                unimpeded,
                false,
                () -> LONGEST));
  }

  private AttemptRows.Transactions transactions(LocalTransactions outside, String name) {
    return new AttemptRows.Transactions() {
      @Override
      public <T> T commit(AttemptRows.Work<T> work) throws SQLException {
        return Transactions.<T, SQLException>suspended(
            () ->
                outside.once(
                    connection ->
                        work.on(
                            new StoredAttempts(
                                stores().attempts(),
                                stores().nodes(),
                                () -> new StoredAttempts.Report(name, "test", Duration.ZERO, "{}"),
                                connection))));
      }
    };
  }

  private void insert(Connection connection, String name, Failure failure) throws SQLException {
    stores().failures().insert(connection, name, failure);
  }

  private Stores stores() {
    return database.stores().orElseThrow(() -> new IllegalStateException(database.problem()));
  }

  /** A handler's view of its message, on any process. */
  public static InboxContext context(InboxDatabase database) {
    return new HandlerContext(
        new OutsideEffects(database.config().service(), new JdbcEffectStore(database)),
        new Outside() {
          @Override
          public <X extends Exception> String call(Task<X> task) throws X {
            return Transactions.<String, X>suspended(task::call);
          }
        },
        new PayloadReader(new JsonbReader()));
  }

  /** Dies: it records nothing of the messages in hand, and acknowledges none. */
  public void die() {
    dead.set(true);
  }

  /** Stops in an orderly way, so that no other process takes it for a crashed one. */
  public void leave() {
    attempts.stop();
  }

  /** Whether it has died. */
  public boolean isDead() {
    return dead.get();
  }

  /**
   * Delivers a message in a transaction of its own.
   *
   * @return why the transaction rolled back; empty if it has committed
   */
  public Optional<Throwable> deliver(Consumer consumer, Message message, Handler handler) {
    TransactionManager manager = Transactions.manager();
    begin(manager);
    try {
      receiver.receive(
          new Invocation(
              consumer.name(),
              transaction,
              () ->
                  DeliveryReader.read(
                      consumer,
                      message,
                      InboxProcess::resolver,
                      proofs,
                      settings(consumer).maxBody(),
                      database::keyed),
              route(consumer, message),
              run ->
                  RunningHandlers.during(
                      run,
                      () -> {
                        handler.handle(message);
                        return null;
                      })));
    } catch (Throwable thrown) { // the container rolls back, whatever it is
      rollBack(manager, thrown);
      return Optional.of(thrown);
    }
    return commit(manager);
  }

  private static void begin(TransactionManager manager) {
    try {
      manager.begin();
    } catch (NotSupportedException | SystemException broken) {
      throw new IllegalStateException("JTA begins no transaction for a delivery", broken);
    }
  }

  private static void rollBack(TransactionManager manager, Throwable because) {
    try {
      manager.rollback();
    } catch (SystemException | RuntimeException failed) {
      because.addSuppressed(failed);
    }
  }

  private static Optional<Throwable> commit(TransactionManager manager) {
    try {
      manager.commit();
      return Optional.empty();
    } catch (RollbackException
        | HeuristicMixedException
        | HeuristicRollbackException
        | SystemException
        | RuntimeException rolledBack) {
      return Optional.of(rolledBack);
    }
  }

  private Route route(Consumer consumer, Message message) {
    ConsumerConfig settings = settings(consumer);
    return new JmsRoute(
        consumer,
        message,
        new JmsNames(
            database.config().connectionFactoryOf(consumer.name()),
            settings.retryDestination(),
            settings.deadQueue(),
            settings.replies(),
            broker::lookup),
        proofs,
        Runnable::run,
        resent,
        providers);
  }

  private ConsumerConfig settings(Consumer consumer) {
    return database.config().of(consumer.name());
  }

  private static MessageIdResolver resolver(Class<? extends MessageIdResolver> type) {
    try {
      return type.getDeclaredConstructor().newInstance();
    } catch (NoSuchMethodException
        | InstantiationException
        | IllegalAccessException
        | InvocationTargetException unusable) {
      throw new IllegalStateException(
          "The harness makes a resolver of message ids by its constructor without parameters, and"
              + " cannot make "
              + type.getName(),
          unusable);
    }
  }
}
