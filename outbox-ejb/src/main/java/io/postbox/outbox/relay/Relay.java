package io.postbox.outbox.relay;

import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.relay.Completion.Policy;
import io.postbox.outbox.relay.PartitionPass.Outcome;
import io.postbox.outbox.relay.PartitionPass.Result;
import io.postbox.outbox.store.RelayStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.BitSet;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * The relay of one node: workers that take partitions from the work list, which commits and the
 * timer's looks fill. Thread-safe.
 */
public final class Relay {
  private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

  private final DataSource dataSource;
  private final RelayStore store;
  private final ExecutorService executor;
  private final InstantSource clock;
  private final Breakers breakers;
  private final RelayListener listener;
  private final WorkList workList;
  private final PartitionPass pass;
  private final Runnable worker;
  private final Agenda agenda = new Agenda();
  private final Setbacks setbacks = new Setbacks();

  /**
   * @param config what was configured
   * @param dataSource where the tables are; connections must not be part of a transaction
   * @param store the statements
   * @param transport the way to the broker
   * @param breakers which destinations are in order
   * @param listener hears what becomes of messages
   * @param executor runs workers and senders
   * @param inServerContext lets a task of any thread run as one of the relay's own module
   * @param clock this node's
   */
  public Relay(
      OutboxConfig config,
      DataSource dataSource,
      RelayStore store,
      Transport transport,
      Breakers breakers,
      RelayListener listener,
      ExecutorService executor,
      UnaryOperator<Runnable> inServerContext,
      InstantSource clock) {
    this.dataSource = dataSource;
    this.store = store;
    this.executor = executor;
    this.clock = clock;
    this.breakers = breakers;
    this.listener = listener;
    worker = inServerContext.apply(this::work);
    int workers = Math.min(config.relay().workers(), config.partitions());
    workList = new WorkList(workers);
    pass =
        new PartitionPass(
            dataSource,
            store,
            new LimitedTransport(transport, executor, config.relay().sendTimeout(), workers),
            breakers,
            listener,
            new Policy(config.maxAttempts(), config.backoff(), config.onDeadLetter()),
            config.relay().batchSize(),
            () -> ThreadLocalRandom.current().nextDouble());
  }

  /**
   * Tells that these partitions have work. Sets a flag and returns: no waiting, no I/O.
   *
   * @throws RuntimeException if the executor takes no worker; the next look finds the work
   */
  public void wake(BitSet partitions) {
    workList.add(partitions, executor, worker);
  }

  /**
   * Looks for work if it is time to. What was learned since the last look, a failed attempt or an
   * open breaker, can have brought that time forward, so this is asked more often than it looks.
   *
   * @return how long to wait until this is asked again
   */
  public Duration tick() {
    breakers.nextProbe().ifPresent(agenda::note);
    Instant now = clock.instant();
    Instant next = agenda.nextLook();
    return Pacing.tick(now.isBefore(next) ? Duration.between(now, next) : look());
  }

  /**
   * Looks for work that no wake-up told of, in one statement.
   *
   * @return the pause until the next look
   */
  Duration look() {
    Instant now = clock.instant();
    agenda.looking(now);
    BitSet found = new BitSet();
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(true);
      store.partitionsWithWork(connection, breakers.blocked()).forEach(found::set);
      if (found.isEmpty()) {
        breakers.forgetIdle(now);
      }
      found = setbacks.without(found, now);
      wake(found);
    } catch (SQLException | RuntimeException failed) {
      OutboxLog.lookFailed(failed);
    }
    listener.looked();
    return agenda.looked(clock.instant(), !found.isEmpty() || workList.isBusy());
  }

  /**
   * Stops claiming, and waits a while for what is in hand; the rest is rolled back and repeated.
   */
  public void stop() {
    try {
      if (!workList.stop(LONGEST_STOP)) {
        OutboxLog.stoppedAtWork(LONGEST_STOP);
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  private void work() {
    for (OptionalInt next = workList.take(); next.isPresent(); next = workList.take()) {
      int partition = next.getAsInt();
      workList.giveBack(
          partition, !setbacks.suspends(partition, clock.instant()) && pass(partition));
    }
  }

  /** Whether there may be more to do at once. */
  private boolean pass(int partition) {
    try {
      Result result = pass.run(partition);
      setbacks.wentWell(partition);
      if (result.outcome() == Outcome.BUSY) {
        agenda.note(clock.instant().plus(Pacing.SHORTEST));
      }
      if (!result.nextAttempt().equals(Result.NEVER)) {
        agenda.note(clock.instant().plus(result.nextAttempt()));
      }
      return result.outcome() == Outcome.MORE;
    } catch (Throwable failed) { // the outermost loop: nothing may end the relay
      OutboxLog.passFailed(partition, failed);
      agenda.note(setbacks.brokeDown(partition, clock.instant()));
      return false;
    }
  }
}
