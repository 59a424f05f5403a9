package io.postbox.test.inbox;

import io.postbox.common.server.JsonBinding;
import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.InboxContext;
import io.postbox.inbox.MessageIdResolver;
import io.postbox.inbox.RetryLaterException;
import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.interceptor.JdbcEffectStore;
import io.postbox.inbox.interceptor.JtaIdempotencyStore;
import io.postbox.inbox.jms.DeliveryReader;
import io.postbox.inbox.jms.JmsNames;
import io.postbox.inbox.jms.JmsRoute;
import io.postbox.inbox.jms.PayloadReader;
import io.postbox.inbox.jms.Proofs;
import io.postbox.inbox.jms.Providers;
import io.postbox.inbox.jta.JtaTransaction;
import io.postbox.inbox.kept.JmsKeptSender;
import io.postbox.inbox.log.FailureLines;
import io.postbox.inbox.log.KeptLines;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.ops.AttemptRecorder;
import io.postbox.inbox.ops.AttemptRows;
import io.postbox.inbox.ops.FailureRecorder;
import io.postbox.inbox.ops.HandBack;
import io.postbox.inbox.ops.HandBack.NotHandedBack;
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
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One process with the inbox in it, from its start until it dies or is left. Its decisions, stores
 * and recorders are the real ones; the container's part, a transaction around each delivery, is
 * played here as for a message-driven bean with container-managed transactions. Thread-safe.
 */
public final class InboxProcess {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final int FAILURES_WAITING = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int MOST_HANDED_BACK = 100;

  /** The longest wait that the jitter of a backoff can draw, so that waits are round figures. */
  private static final double LONGEST = 1;

  private final InboxDatabase database;
  private final MemoryBroker broker;
  private final AtomicBoolean dead = new AtomicBoolean();
  private final JtaTransaction transaction =
      new JtaTransaction(Transactions.registry()).ofListener();
  private final Providers providers = new Providers(Runnable::run, System::nanoTime);
  private final Proofs proofs;
  private final AttemptRecorder attempts;
  private final IdempotentReceiver receiver;
  private final Collection<Consumer> consumers;
  private final HandBack back;

  /**
   * Starts one.
   *
   * @param database has its tables prepared
   * @param broker for retries
   * @param clock the test's
   * @param consumers those of the test
   * @param listener is told of outcomes while it lives, on the thread of the delivery
   * @param retries is told of the delays after which stored messages are retried
   */
  public InboxProcess(
      InboxDatabase database,
      MemoryBroker broker,
      InstantSource clock,
      Collection<Consumer> consumers,
      InboxListener listener,
      java.util.function.Consumer<Duration> retries) {
    this.database = database;
    this.broker = broker;
    this.consumers = consumers;
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
    Unimpeded unimpeded = new Unimpeded(retries);
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
                database.limits(),
                new KeptLines(System::nanoTime),
                records,
                unimpeded,
                false,
                () -> LONGEST));
    back =
        new HandBack(
            database.config(),
            database.dataSource(),
            database.contents(),
            new JmsKeptSender(
                database.config(),
                known ->
                    consumers.stream()
                        .filter(it -> it.name().equals(known))
                        .collect(Collectors.toSet()),
                proofs,
                broker::lookup));
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
          public <T extends @Nullable Object, X extends Exception> T call(Task<T, X> task)
              throws X {
            return Transactions.<T, X>suspended(task::call);
          }
        },
        new PayloadReader(new JsonBinding("JSON-B is missing")::read));
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
   * Sends the stored messages that have their turn to their consumers' queues.
   *
   * @return whether there were any
   * @throws IllegalStateException if one cannot be sent
   */
  public boolean handBack() {
    try {
      return Transactions.<Boolean, SQLException>suspended(
          () -> {
            boolean any = false;
            for (Consumer consumer : consumers) {
              for (long id : back.due(consumer.name(), MOST_HANDED_BACK)) {
                any |= handBack(id);
              }
            }
            return any;
          });
    } catch (SQLException failed) {
      throw new IllegalStateException("The stored messages cannot be read", failed);
    }
  }

  private boolean handBack(long id) throws SQLException {
    try {
      return back.handBack(id) == HandBack.Result.SENT;
    } catch (NotHandedBack failed) {
      throw new IllegalStateException(
          "A stored message was not sent to its consumer again: " + failed.getMessage(), failed);
    }
  }

  /**
   * A delivery that was rolled back.
   *
   * @param cause why
   * @param pause how long the message waits at its broker, because it could not be stored
   */
  public record Rollback(Throwable cause, Duration pause) {}

  /**
   * Delivers a message in a transaction of its own.
   *
   * @return empty if the transaction has committed
   */
  public Optional<Rollback> deliver(Consumer consumer, Message message, Handler handler) {
    TransactionManager manager = Transactions.manager();
    AtomicBoolean isHandled = new AtomicBoolean();
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
                        isHandled.set(true);
                        handler.handle(message);
                        return null;
                      })));
    } catch (Throwable thrown) { // the container rolls back, whatever it is
      rollBack(manager, thrown);
      Duration wait =
          thrown instanceof RetryLaterException later && !isHandled.get()
              ? later.delay()
              : Duration.ZERO;
      return Optional.of(new Rollback(thrown, wait));
    }
    return commit(manager).map(cause -> new Rollback(cause, Duration.ZERO));
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
