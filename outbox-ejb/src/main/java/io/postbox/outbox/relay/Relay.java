package io.postbox.outbox.relay;

import io.postbox.common.log.Throttle;
import io.postbox.common.ops.ApplicationCalls;
import io.postbox.common.ops.Interrupts;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.config.OutboxConfig.Recovery;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.payload.BatchPayloadResolver;
import io.postbox.outbox.payload.ErrorSealer;
import io.postbox.outbox.payload.PayloadResolver;
import io.postbox.outbox.relay.BatchProcessor.Outcome;
import io.postbox.outbox.relay.BatchProcessor.Result;
import io.postbox.outbox.relay.WorkQueue.Next;
import io.postbox.outbox.store.ClaimStore;
import io.postbox.outbox.store.PollStore;
import io.postbox.outbox.store.PollStore.Poll;
import io.postbox.outbox.store.PollStore.Woken;
import io.postbox.outbox.store.StoredErrors;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The relay of one node. Commits and polls put lanes into the work queue, and workers take them
 * from there. Thread-safe.
 */
public final class Relay {
  private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

  /**
   * A partition that another node holds counts as stuck this long after the time that a pass may
   * take.
   */
  private static final Duration STUCK_AFTER = Duration.ofSeconds(30);

  /** Each one puts a thousand delayed messages back to work. */
  private static final int WAKES_AT_ONCE = 10;

  private final PartitionClaims claims;
  private final ExecutorService executor;
  private final InstantSource clock;
  private final Throttle noWorkerLines;
  private final CircuitBreakers breakers;
  private final RelayListener listener;
  private final WorkQueue workQueue;
  private final BatchProcessor pass;
  private final Runnable worker;
  private final StuckPartitions stuckPartitions;
  private final AdaptivePolling polling = new AdaptivePolling();

  /** When a delayed message is due next, as far as this node knows. */
  private final AtomicReference<Instant> nextDelayed = new AtomicReference<>(Instant.MAX);

  private volatile @Nullable Instant polledAt;

  /**
   * The relay of a node on its database.
   *
   * @param config the configuration
   * @param recoveries how failures of messages to a destination are recovered from, asked at each
   *     failure
   * @param dataSource where the tables are; connections must not be part of a transaction
   * @param store the statements within a claim
   * @param polls the statements without one
   * @param transport the way to the broker
   * @param resolver loads and decrypts payloads
   * @param errors converts errors of failed attempts to what is stored
   * @param breakers know which destinations are available
   * @param listener is called with the outcome of messages
   * @param threads run workers, senders and payload loads
   * @param clock the node's clock
   */
  public static Relay on(
      OutboxConfig config,
      Function<String, Recovery> recoveries,
      DataSource dataSource,
      ClaimStore store,
      PollStore polls,
      Transport transport,
      PayloadResolver resolver,
      StoredErrors errors,
      CircuitBreakers breakers,
      RelayListener listener,
      RelayThreads threads,
      InstantSource clock) {
    Duration limit = config.relay().sendTimeout();
    int workers = config.relay().workers();
    ApplicationCalls calls = new ApplicationCalls(threads.oneEach(), workers);
    return new Relay(
        config,
        recoveries,
        new JdbcPartitionClaims(dataSource, store, polls),
        Gateway.timeLimited(
            new TimeLimitedTransport(transport, threads.lasting(), limit, workers, clock),
            new BatchPayloadResolver(resolver, calls, limit),
            new ErrorSealer(errors, calls, limit)),
        breakers,
        listener,
        threads.lasting(),
        () -> ThreadLocalRandom.current().nextDouble(),
        clock);
  }

  Relay(
      OutboxConfig config,
      Function<String, Recovery> recoveries,
      PartitionClaims claims,
      Gateway gateway,
      CircuitBreakers breakers,
      RelayListener listener,
      ExecutorService executor,
      DoubleSupplier random,
      InstantSource clock) {
    this.claims = claims;
    this.executor = executor;
    this.clock = clock;
    noWorkerLines = Throttle.by(clock);
    this.breakers = breakers;
    this.listener = listener;
    worker = this::work;
    stuckPartitions = new StuckPartitions(config.relay().sendTimeout().plus(STUCK_AFTER));
    pass =
        new BatchProcessor(
            claims,
            gateway,
            breakers,
            listener,
            config.delivery(),
            recoveries,
            config.relay().batchSize(),
            random,
            clock);
    workQueue =
        new WorkQueue(
            Math.min(config.relay().workers(), config.partitions()),
            pass.groups()::next,
            breakers::blockedUntil,
            clock);
  }

  /** How long a pass's transaction may be idle before the database should end it. */
  public static Duration longestSilence(OutboxConfig config) {
    return config.relay().sendTimeout().plus(STUCK_AFTER);
  }

  /** How long a pass may take to load and decrypt payloads, in its transaction, before it sends. */
  public static Duration longestOpening(OutboxConfig config) {
    return BatchPayloadResolver.limit(config.relay().sendTimeout());
  }

  /**
   * How many payload loads may run at once while those of one destination hang: these, and one of
   * each worker for the others. Each further destination whose loads hang adds as many as hang.
   */
  public static int loadsAtOnce(OutboxConfig config) {
    int workers = config.relay().workers();
    return workers + ApplicationCalls.runningAtMost(workers);
  }

  /**
   * Wakes workers for lanes that have work. Adds to a set and returns: no waiting, no I/O.
   *
   * @throws RuntimeException if the executor takes no worker; the next call tries again
   * @throws Error if there is no thread for one; the next call tries again
   */
  public void wake(Collection<Lane> lanes) {
    add(lanes);
  }

  /** Returns whether one of them is due at once. */
  private boolean add(Collection<Lane> lanes) {
    return workQueue.add(
        lanes,
        task -> {
          Future<?> unused = executor.submit(task);
        },
        worker);
  }

  /** Notes that a message is due after this delay. Returns at once. */
  public void wakeAfter(Duration delay) {
    Instant due = clock.instant().plus(delay);
    nextDelayed.accumulateAndGet(due, (one, other) -> one.isBefore(other) ? one : other);
  }

  /** The status of this relay now, without I/O. */
  public RelayStatus status() {
    Instant now = clock.instant();
    Map<Integer, Duration> stuck = new TreeMap<>();
    stuckPartitions()
        .forEach((partition, since) -> stuck.put(partition, Duration.between(since, now)));
    return new RelayStatus(
        Optional.ofNullable(polledAt).map(last -> Duration.between(last, now)),
        breakers.open(),
        workQueue.inHand(),
        stuck);
  }

  /** Names what this node lacks for messages that wait for another one. */
  public List<String> lacking() {
    return pass.foreign().lacking();
  }

  /** The stuck partitions, and since when. */
  public Map<Integer, Instant> stuckPartitions() {
    return stuckPartitions.stuck();
  }

  /**
   * How long work has been waiting without a worker asking for it, as when no thread can be
   * started; zero if none waits.
   */
  public Duration unattended() {
    return workQueue.unattended();
  }

  /**
   * Polls if it is time to, puts delayed messages to work that are due, and starts workers for
   * lanes that are. Much of that becomes due between polls, so this is called more often than it
   * polls.
   *
   * @return how long to wait until the next call
   */
  public Duration tick() {
    Instant now = clock.instant();
    if (!now.isBefore(polling.nextPoll())) {
      poll();
    } else if (!now.isBefore(nextDelayed.get())) {
      wakeDelayed();
    }
    startWorkers(List.of());
    Instant next = workQueue.nextDue().orElse(Instant.MAX);
    for (Instant other : List.of(polling.nextPoll(), nextDelayed.get())) {
      next = other.isBefore(next) ? other : next;
    }
    return AdaptivePolling.tick(Duration.between(clock.instant(), next));
  }

  /**
   * Finds work that no wake-up announced, in one statement, whether it is time to or not.
   *
   * @return the interval until the next poll
   */
  public Duration poll() {
    Instant start = clock.instant();
    Duration took = Duration.ZERO;
    boolean found = false;
    boolean paused = false;
    try {
      Poll poll;
      try {
        poll = claims.poll();
      } finally { // one that fails costs as much
        took = Duration.between(start, clock.instant());
      }
      Set<Lane> withWork = Set.copyOf(poll.lanes());
      stuckPartitions.withWork(withWork);
      workQueue.withWork(withWork, start);
      pass.groups().withWork(withWork);
      breakers.forgetIdle(poll.lanes().stream().map(Lane::destination).collect(Collectors.toSet()));
      paused = !poll.paused().isEmpty();
      found = startWorkers(poll.lanes());
      poll.nextDue().ifPresent(this::wakeAfter);
      polledAt = clock.instant();
    } catch (SQLException | RuntimeException | Error failed) { // nothing may end the relay
      // In an outage a poll waits for a connection; work must not wait ten times as long after it.
      took = AdaptivePolling.ofFailed(took);
      pass.forgetLowWaterMarks();
      OutboxLog.pollFailed(failed);
    }
    if (!clock.instant().isBefore(nextDelayed.get())) {
      found |= wakeDelayed();
    }
    listener.polled();
    return polling.pollEnded(clock.instant(), took, found || workQueue.isBusy(), paused);
  }

  /** Puts due messages back to work, and returns whether there were any. */
  private boolean wakeDelayed() {
    Set<Lane> lanes =
        new LinkedHashSet<>(); // of all before the first of them starts: larger batches
    nextDelayed.set(Instant.MAX); // what commits from now on is noted by whoever commits it
    try {
      Optional<Duration> nextDue = Optional.of(Duration.ZERO);
      for (int i = 0; i < WAKES_AT_ONCE && nextDue.filter(Duration.ZERO::equals).isPresent(); i++) {
        Woken woken = claims.wakeDelayed();
        lanes.addAll(woken.lanes());
        nextDue = woken.nextDue();
      }
      nextDue.ifPresent(this::wakeAfter);
    } catch (SQLException | RuntimeException | Error failed) { // nothing may end the relay
      wakeAfter(AdaptivePolling.LONGEST);
      pass.forgetLowWaterMarks();
      OutboxLog.pollFailed(failed);
    }
    return startWorkers(lanes);
  }

  /** Starts workers, for these lanes and others that are due; returns whether one of these is. */
  private boolean startWorkers(Collection<Lane> lanes) {
    try {
      return add(lanes);
    } catch (RuntimeException | Error refused) {
      noWorkerLines.tell(times -> OutboxLog.noWorker(refused));
      return true;
    }
  }

  /**
   * Stops claiming, and waits a while for running batches; those that do not end are rolled back
   * and sent again.
   */
  public void stop() {
    try {
      if (!workQueue.stop(LONGEST_STOP)) {
        OutboxLog.stoppedAtWork(LONGEST_STOP);
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  /** Throws at the end if a pass failed, so that the thread is not reused. */
  private void work() {
    AtomicReference<Throwable> broke = new AtomicReference<>();
    workQueue.work(
        lanes -> {
          Interrupts.forget();
          return pass(lanes, broke::set);
        });
    if (broke.get() != null) {
      throw new PassFailed(broke.get());
    }
  }

  /** Ends the thread of a worker on which a pass failed, once there is no more work. */
  static final class PassFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PassFailed(Throwable broke) {
      super("A pass of this worker failed, which was logged", broke);
    }
  }

  /** Runs one pass, and returns what comes next for the lanes. */
  private Map<Lane, Next> pass(List<Lane> lanes, Consumer<Throwable> broke) {
    try {
      Map<Lane, Next> next = new LinkedHashMap<>();
      for (Map.Entry<Lane, Result> each : pass.run(lanes).entrySet()) {
        note(each.getKey(), each.getValue()).ifPresent(it -> next.put(each.getKey(), it));
      }
      return next;
    } catch (Throwable failed) { // the outermost loop: nothing may end the relay
      OutboxLog.passFailed(lanes.get(0).partition(), failed);
      broke.accept(failed);
      // Each of several on its own, to find out which of them is at fault.
      Next after = lanes.size() > 1 ? Next.MORE : Next.FAILED;
      return lanes.stream().collect(Collectors.toMap(Function.identity(), lane -> after));
    }
  }

  /** Records the result of a lane, and returns what comes next for it. */
  private Optional<Next> note(Lane lane, Result result) {
    result.nextAttempt().ifPresent(this::wakeAfter);
    switch (result.outcome()) {
      case BUSY -> {
        busy(lane);
        return Optional.of(Next.BUSY);
      }
      case BLOCKED -> { // nothing is known about the partition
        return Optional.of(Next.MORE);
      }
      case DRAINED, MORE -> {
        workQueue.succeeded(lane);
        stuckPartitions.free(lane.partition());
      }
    }
    return result.outcome() == Outcome.MORE
        ? Optional.of(Next.MORE)
        : result.again().map(Next::after);
  }

  /** What fails here says nothing of the lane, which is only busy. */
  private void busy(Lane lane) {
    try {
      if (stuckPartitions.busy(lane, clock.instant(), claims::first)) {
        OutboxLog.partitionStuck(lane.partition(), claims.holderQuery(lane.partition()));
      }
    } catch (SQLException | RuntimeException failed) {
      OutboxLog.pollFailed(failed);
    }
  }
}
