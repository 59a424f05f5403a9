package io.postbox.inbox.interceptor;

import io.postbox.common.log.Throttle;
import io.postbox.common.server.Jndi;
import io.postbox.common.server.ServerTelemetry;
import io.postbox.common.server.ThisNode;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.store.NodeTable.Node;
import io.postbox.common.telemetry.Tracing.Kind;
import io.postbox.inbox.InboxNode.RunningConsumer;
import io.postbox.inbox.MessageIdResolver;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.jms.DeliveryReader;
import io.postbox.inbox.jms.JmsNames;
import io.postbox.inbox.jms.JmsRoute;
import io.postbox.inbox.jms.MessageTrace;
import io.postbox.inbox.jms.Proofs;
import io.postbox.inbox.jms.Providers;
import io.postbox.inbox.jms.StoredMessage;
import io.postbox.inbox.jta.JtaTransaction;
import io.postbox.inbox.jta.OwnDeliveryTransaction;
import io.postbox.inbox.jta.SuspendedTransaction;
import io.postbox.inbox.jta.TransactionBoundary;
import io.postbox.inbox.log.FailureLines;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.log.KeptLines;
import io.postbox.inbox.message.Consumer;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.ops.AttemptRecorder;
import io.postbox.inbox.ops.AttemptRows;
import io.postbox.inbox.ops.Counters;
import io.postbox.inbox.ops.FailureRecorder;
import io.postbox.inbox.ops.NodeDetails;
import io.postbox.inbox.ops.NodeFindings;
import io.postbox.inbox.ops.StoredAttempts;
import io.postbox.inbox.ops.StoredAttempts.Report;
import io.postbox.inbox.receiver.DeliveryResult;
import io.postbox.inbox.receiver.DeliveryTransaction;
import io.postbox.inbox.receiver.DeliveryTransaction.End;
import io.postbox.inbox.receiver.HandlerRun;
import io.postbox.inbox.receiver.IdempotentReceiver;
import io.postbox.inbox.receiver.InboxListener;
import io.postbox.inbox.receiver.Invocation;
import io.postbox.inbox.receiver.NoRoute;
import io.postbox.inbox.receiver.ReceiverParts;
import io.postbox.inbox.receiver.Route;
import io.postbox.inbox.receiver.RunningHandlers;
import io.postbox.inbox.server.ApplicationContext;
import io.postbox.inbox.server.DaemonThreads;
import io.postbox.inbox.server.PeriodicTask;
import io.postbox.inbox.server.Workers;
import io.postbox.inbox.startup.ApplicationContextBean;
import io.postbox.inbox.startup.InboxDatabase;
import io.postbox.inbox.startup.InboxDeployment;
import io.postbox.inbox.store.Stores;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.Startup;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.inject.Inject;
import jakarta.jms.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Assembles the core for the interceptors of one application. */
@ApplicationScoped
class InboxRuntime {
  private static final int FAILURES_WAITING = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  @Inject InboxDatabase database;
  @Inject InboxDeployment deployment;
  @Inject Counters counters;
  @Inject NodeFindings findings;
  @Inject SuspendedTransaction suspended;
  @Inject TransactionBoundary ownTransaction;
  @Inject BeanManager beans;
  @Inject DeliveryGateBean gate;
  @Inject WorkQueues workers;
  @Inject ApplicationContextBean context;
  @Inject @Any Instance<InboxListener> optionalListeners;
  @Inject Instance<Object> container;

  private LocalTransactions outside;
  private FailureRecorder recorder;
  private CompositeListener told;
  private FailureLines lines;
  private KeptLines keptLines;
  private AttemptRecorder attempts;
  private Node node;
  private long started;
  private PeriodicTask beats;
  private DaemonThreads threads;
  private JtaTransaction transaction;
  private JtaTransaction listenersTransaction;
  private Providers providers;
  private Proofs proofs;
  private HandlerTimer handlers;
  private TracedHandlers traces;
  private IdempotentReceiver receiver;
  private IdempotentReceiver capturedReceiver;
  private CapturedIdempotencyStore capturedStore;
  private ApplicationContext application;

  @PostConstruct
  void start() {
    application = context.get();
    List<InboxListener> listeners = new ArrayList<>(optionalListeners.stream().toList());
    listeners.add(counters);
    told = new CompositeListener(listeners);
    handlers = new HandlerTimer(told, InstantSource.system(), System::nanoTime);
    traces =
        new TracedHandlers(
            new ServerTelemetry(container, InboxLog.SHARED).tracing(),
            new Throttle(System::nanoTime));
    threads = new DaemonThreads("postbox-inbox-failures " + database.config().service());
    outside = LocalTransactions.retryingConflicts(database.dataSource());
    recorder = new FailureRecorder(outside, this::insert, threads, FAILURES_WAITING, PATIENCE);
    lines = new FailureLines(System::nanoTime);
    keptLines = new KeptLines(System::nanoTime);
    transaction = new JtaTransaction();
    listenersTransaction = transaction.ofListener();
    node = ThisNode.node();
    started = System.nanoTime();
    attempts =
        new AttemptRecorder(
            this::outsideOfTheDelivery,
            node.name(),
            database.config().longestRetention(),
            threads,
            System::nanoTime,
            InstantSource.system());
    beats =
        PeriodicTask.start(
            "postbox-inbox-attempts " + database.config().service(),
            AttemptRecorder.BEAT,
            this::beat);
    proofs = new Proofs(database.config().service(), this::secret);
    providers = new Providers(suspended::run, System::nanoTime);
    Runnable prepare = () -> suspended.run(database::prepare);
    ReceiverParts parts =
        new ReceiverParts(
            database.config(),
            database.policies()::of,
            new JtaIdempotencyStore(database, prepare),
            gate.gate(),
            gate.database(),
            gate.throttle(),
            attempts,
            recorder,
            lines,
            database.limits(),
            keptLines,
            told,
            workers,
            false,
            () -> ThreadLocalRandom.current().nextDouble());
    receiver = new IdempotentReceiver(parts);
    capturedStore = new CapturedIdempotencyStore(database, prepare);
    capturedReceiver = new IdempotentReceiver(parts.forCaptured(capturedStore));
  }

  private void beat() {
    attempts.renew();
    lines.tellHeldBack();
    keptLines.tellHeldBack();
  }

  private void insert(Connection connection, Failure failure) throws SQLException {
    database.required().failures().insert(connection, node.name(), failure);
  }

  /**
   * Suspends the delivery's transaction, so that the work gets another connection and returns it at
   * once.
   */
  private <T> T outsideOfTheDelivery(AttemptRows.Work<T> work) throws SQLException {
    return transaction.exists() ? suspended.call(() -> commit(work)) : commit(work);
  }

  private <T> T commit(AttemptRows.Work<T> work) throws SQLException {
    if (database.stores().isEmpty()) {
      database.prepare();
    }
    Stores stores = database.required();
    return outside.once(
        connection ->
            work.on(
                new StoredAttempts(stores.attempts(), stores.nodes(), this::report, connection)));
  }

  /** This node's report on itself, made without I/O. */
  private Report report() {
    SortedMap<String, Integer> running = new TreeMap<>();
    deployment.remembering().names().forEach(consumer -> running.put(consumer, 0));
    deployment.handlers().consumers().forEach(consumer -> running.put(consumer, 0));
    counters.consumers().forEach(consumer -> running.put(consumer, 0));
    for (BusyConsumers busy : List.of(gate.atWork(), gate.withCaptured())) {
      busy.numbers().forEach((consumer, number) -> running.merge(consumer, number, Integer::sum));
    }
    SortedMap<String, Workers.Strength> numbers = workers.numbers();
    List<RunningConsumer> consumers = new ArrayList<>();
    running.forEach(
        (consumer, handlers) -> {
          Workers.Strength number = numbers.getOrDefault(consumer, Workers.Strength.NONE);
          consumers.add(
              new RunningConsumer(
                  consumer, handlers, number.alive(), number.configured() - number.alive()));
        });
    return new Report(
        node.host(),
        node.version(),
        Duration.ofNanos(System.nanoTime() - started),
        NodeDetails.toJson(consumers, attempts.status(), findings.names(), findings.notChecked()));
  }

  /** The service's key, read with the tables; used only for a resent message. */
  private byte[] secret() {
    if (database.stores().isEmpty()) {
      suspended.run(database::prepare);
    }
    return database.secret();
  }

  /** The fingerprint of a delivery, keyed if there is a cipher. */
  Fingerprint keyed(Fingerprint plain) {
    if (database.lacksFingerprintKey()) {
      suspended.run(database::prepare);
    }
    return database.keyed(plain);
  }

  /** Creates this bean before the first delivery, so that all metrics exist from the start. */
  void startUp(@Observes Startup event) {}

  /**
   * Handles a JMS message, unless the inbox decides otherwise.
   *
   * @param ofListener whether the message was delivered to this bean itself, so that the commit of
   *     the bean's transaction acknowledges it
   * @param outcome notified of the end of the transaction
   */
  @Nullable Object handle(
      Consumer consumer,
      Message message,
      Callable<@Nullable Object> handler,
      boolean ofListener,
      End outcome)
      throws Exception {
    return take(
            (in, when) ->
                new Invocation(
                    consumer.name(),
                    in,
                    reader(consumer, message, in, outcome),
                    route(consumer, message, when),
                    run ->
                        traces
                            .traced(
                                run.consumer(),
                                run.messageId(),
                                () -> MessageTrace.of(message),
                                ofListener ? Kind.DELIVERY : Kind.CALL,
                                () ->
                                    run(
                                        run,
                                        DeliveryReader.enqueuedAt(message),
                                        handler,
                                        gate.atWork()))
                            .call()),
            ofListener ? listenersTransaction : transaction)
        .returned();
  }

  /**
   * Stores a JMS message, to be handled later, unless the inbox decides otherwise.
   *
   * @param ofListener as in {@link #handle}
   * @param outcome notified of the end of the transaction
   */
  void capture(Consumer consumer, Message message, boolean ofListener, End outcome)
      throws Exception {
    take(
        (in, when) ->
            Invocation.capturing(
                consumer.name(),
                in,
                reader(consumer, message, in, outcome),
                route(consumer, message, when)),
        ofListener ? listenersTransaction : transaction);
  }

  /** Handles captured messages, in a transaction that the caller has begun. */
  IdempotentReceiver capturedReceiver() {
    return capturedReceiver;
  }

  /** Where captured messages are recorded as completed. */
  CapturedIdempotencyStore capturedStore() {
    return capturedStore;
  }

  /** A captured message was parked because of a step around its handler; committed. */
  void parked(Parked parked) {
    keptLines.tell(parked.delivery().consumer(), () -> InboxLog.parked(parked));
    told.happened(parked.event());
  }

  /** The calling thread's transaction. */
  JtaTransaction transaction() {
    return transaction;
  }

  /** Runs the handler of a captured message. */
  @Nullable Object runCaptured(
      HandlerRun run, StoredMessage message, Callable<@Nullable Object> handler) throws Exception {
    return traces
        .traced(
            run.consumer(),
            run.messageId(),
            message::trace,
            Kind.CALL,
            () -> run(run, message.enqueuedAt(), handler, gate.withCaptured()))
        .call();
  }

  private Callable<Delivery> reader(
      Consumer consumer, Message message, DeliveryTransaction in, End outcome) {
    return () -> {
      in.onEnd(outcome);
      return DeliveryReader.read(
          consumer,
          message,
          this::resolver,
          proofs,
          database.config().of(consumer.name()).maxBody(),
          this::keyed);
    };
  }

  private @Nullable Object run(
      HandlerRun run,
      @Nullable Instant enqueuedAt,
      Callable<@Nullable Object> handler,
      BusyConsumers busy)
      throws Exception {
    Callable<@Nullable Object> timed = handlers.timed(run.consumer(), enqueuedAt, handler);
    return busy.during(run.consumer(), () -> RunningHandlers.during(run, timed));
  }

  private MessageIdResolver resolver(Class<? extends MessageIdResolver> type) {
    return deployment.resolver(type, beans);
  }

  /**
   * Handles a message that arrived without JMS, in the caller's transaction or in one of its own.
   *
   * @param trace the trace that it continues, if it names one
   */
  DeliveryResult guard(
      String consumer,
      Callable<Delivery> reader,
      Route route,
      Optional<MessageTrace> trace,
      Callable<@Nullable Object> handler)
      throws Exception {
    return take(
        (in, when) ->
            new Invocation(
                consumer,
                in,
                reader,
                route,
                run ->
                    traces
                        .continued(
                            run.consumer(),
                            run.messageId(),
                            trace,
                            () -> run(run, null, handler, gate.atWork()))
                        .call()),
        transaction);
  }

  /**
   * Stores a message that arrived without JMS, to be handled later, in the caller's transaction or
   * in one of its own.
   */
  DeliveryResult capture(String consumer, Callable<Delivery> reader, Route route) throws Exception {
    return take((in, when) -> Invocation.capturing(consumer, in, reader, route), transaction);
  }

  /** Makes the invocation for a transaction and for an executor that runs sends. */
  private interface Making {
    Invocation invocation(DeliveryTransaction in, Executor when);
  }

  private DeliveryResult take(Making making, JtaTransaction current) throws Exception {
    application.enteredByComponent();
    if (current.exists()) {
      return receiver.receive(making.invocation(current, Runnable::run));
    }
    OwnDeliveryTransaction own = new OwnDeliveryTransaction(current);
    List<Runnable> afterCommit = new ArrayList<>();
    return ownTransaction.call(
        () -> receiver.receive(making.invocation(own, afterCommit::add)), own, afterCommit);
  }

  /**
   * The route of a message. One that another handler passes on has none, because it is redelivered
   * with the other handler's message: the other consumer would skip a copy for this consumer as a
   * duplicate, and not pass it on again.
   */
  private Route route(Consumer consumer, Message message, Executor when) {
    if (RunningHandlers.isAny()) {
      return NoRoute.INSTANCE;
    }
    String name = consumer.name();
    InboxConfig config = database.config();
    JmsNames names =
        new JmsNames(
            config.connectionFactoryOf(name),
            config.of(name).retryDestination(),
            config.of(name).deadQueue(),
            config.of(name).replies(),
            Jndi::lookup);
    return new JmsRoute(consumer, message, names, proofs, when, providers);
  }

  @PreDestroy
  void stop() {
    recorder.stop();
    lines.stop();
    keptLines.stop();
    beats.stop(PATIENCE);
    threads.execute(attempts::stop); // a hanging database must not block the stop
    threads.awaitEnd(PATIENCE);
  }
}
