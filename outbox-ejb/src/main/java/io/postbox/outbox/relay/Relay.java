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
  private final BitSet foundBusy = new BitSet();
  private Instant nextAttempt = Instant.MAX;
  private Instant planned = Instant.MIN;
  private Duration wait = Pacing.SHORTEST;

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
    Instant now = clock.instant();
    Instant next = plannedLook();
    if (now.isBefore(next)) {
      return Pacing.tick(Duration.between(now, next));
    }
    Duration untilNext = look();
    plan(clock.instant().plus(untilNext));
    return Pacing.tick(untilNext);
  }

  /**
   * Looks for work that no wake-up told of, in one statement.
   *
   * @return how long to wait until the next look
   */
  public Duration look() {
    BitSet found = takeFoundBusy();
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(true);
      store.partitionsWithWork(connection, breakers.blocked()).forEach(found::set);
      wake(found);
    } catch (SQLException | RuntimeException failed) {
      OutboxLog.lookFailed(failed);
    }
    listener.looked();
    return nextWait(!found.isEmpty() || workList.isBusy());
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
      boolean more = false;
      try {
        Result result = pass.run(partition);
        more = result.outcome() == Outcome.MORE;
        remember(partition, result);
      } catch (Throwable failed) { // the outermost loop: nothing may end the relay
        OutboxLog.passFailed(partition, failed);
      } finally {
        workList.giveBack(partition, more);
      }
    }
  }

  private synchronized Instant plannedLook() {
    breakers.nextProbe().filter(planned::isAfter).ifPresent(this::plan);
    return planned;
  }

  private synchronized void plan(Instant look) {
    planned = nextAttempt.isBefore(look) ? nextAttempt : look;
  }

  private synchronized void remember(int partition, Result result) {
    if (result.outcome() == Outcome.BUSY) {
      foundBusy.set(partition);
    }
    if (!result.nextAttempt().equals(Result.NEVER)) {
      Instant at = clock.instant().plus(result.nextAttempt());
      nextAttempt = at.isBefore(nextAttempt) ? at : nextAttempt;
      planned = at.isBefore(planned) ? at : planned;
    }
  }

  private synchronized BitSet takeFoundBusy() {
    BitSet found = (BitSet) foundBusy.clone();
    foundBusy.clear();
    return found;
  }

  private synchronized Duration nextWait(boolean workAbout) {
    Instant now = clock.instant();
    Instant due = breakers.nextProbe().filter(nextAttempt::isAfter).orElse(nextAttempt);
    Duration untilDue = due.equals(Instant.MAX) ? Pacing.LONGEST : Duration.between(now, due);
    if (!nextAttempt.isAfter(now.plus(Pacing.SHORTEST))) {
      nextAttempt = Instant.MAX; // the next look takes care of it
    }
    wait = Pacing.next(wait, workAbout, untilDue);
    return wait;
  }
}
