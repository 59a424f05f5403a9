package io.postbox.outbox.server;

import io.postbox.common.ops.Part;
import io.postbox.common.store.SchemaException;
import io.postbox.common.time.MonotonicClock;
import io.postbox.outbox.ops.Housekeeping;
import io.postbox.outbox.relay.RelayThreads;
import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Runs this node's periodic work in sequence: prepares the tables until that has succeeded, makes
 * the guarantee check, has the messages counted, deletes rows past their retention, looks at the
 * connector's replication slot, polls for messages to send, carries out operators' actions, and
 * reports about itself. Called by one thread at a time.
 */
@ApplicationScoped
class NodeScheduler {
  private static final Duration UNTIL_NEXT_PREPARATION = Duration.ofSeconds(5);

  @Inject OutboxDatabase database;
  @Inject GuaranteeCheckBean guarantee;
  @Inject StatisticsBean statistics;
  @Inject SlotBean slot;
  @Inject NodesBean nodes;
  @Inject ActionRunnerBean actions;
  @Inject RelayBean relay;

  private final InstantSource clock = MonotonicClock.started();
  private Part<Housekeeping> housekeeping;
  private volatile Instant lastRun = clock.instant();

  @PostConstruct
  void wire() {
    housekeeping =
        database.whenReady(
            dialect -> new Housekeeping(database.tables(), MonotonicClock.started()));
  }

  /** How long ago the timer last called this. */
  Duration sinceLastRun() {
    return Duration.between(lastRun, clock.instant());
  }

  /**
   * Runs the work that is due.
   *
   * @param threads run workers and other long tasks
   * @return how long until the next call
   */
  Duration run(RelayThreads threads) {
    lastRun = clock.instant();
    if (!isPrepared()) {
      return UNTIL_NEXT_PREPARATION;
    }
    guarantee.checkOnce();
    statistics.countIfDue(threads.oneEach());
    housekeeping.get().runIfDue(threads.oneEach());
    slot.lookIfDue();
    if (database.config().relay().runsHere()) {
      database.policies().cache().readIfDue();
    }
    Duration wait = relay.tick(threads);
    actions.runIfDue(threads.oneEach());
    nodes.reportIfDue(threads.oneEach());
    return wait;
  }

  private boolean isPrepared() {
    try {
      return database.prepare();
    } catch (SchemaException refused) { // already logged
      return false;
    }
  }
}
