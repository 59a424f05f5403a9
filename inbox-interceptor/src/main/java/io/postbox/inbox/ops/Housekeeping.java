package io.postbox.inbox.ops;

import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.time.ClockStep;
import io.postbox.inbox.config.ConsumerConfig.OnParked;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.CaptureLog;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.store.CapturedStore;
import io.postbox.inbox.store.IdRange;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.MessageTables;
import io.postbox.inbox.store.RetentionStore;
import io.postbox.inbox.store.RetentionStore.Deleted;
import io.postbox.inbox.store.RetentionStore.Kept;
import io.postbox.inbox.store.ServiceHeartbeatStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Writes the node's heartbeat, deletes rows past their retention, and makes retries of captured
 * messages due that a step of the database's clock has left far ahead: a few at a time, and on one
 * node at a time. No transaction deletes before it knows all periods in which no node ran. Called
 * by one thread.
 */
public final class Housekeeping {
  /** How many rows one transaction deletes. */
  static final int BATCH = 1_000;

  private static final int BATCHES_AT_ONCE = 20;
  private static final Duration LONGEST = Duration.ofMillis(200);
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final Duration PAUSE_WITH_MORE_TO_DO = Duration.ofSeconds(1);

  private final LocalTransactions transactions;
  private final InboxConfig config;
  private final RetentionStore store;
  private final CapturedStore captured;
  private final ServiceHeartbeat life;
  private final MessageTables messages;
  private final IdRange ids;
  private final RetentionPeriods ages;
  private final InstantSource clock;
  private final Deque<Over> round = new ArrayDeque<>();
  private final ClockStep step = new ClockStep();
  private final RuntimePolicies policies;
  private Instant next;
  private boolean haveHoldsEnded;

  /**
   * @param dialect the database's
   * @param config where the tables are, and the retention
   * @param policies the consumers' present settings
   * @param ids receives the range of ids for which there are tables
   * @param dataSource its connections must not be part of a transaction
   * @param clock the node's clock, only for pauses
   */
  public Housekeeping(
      Dialect dialect,
      InboxConfig config,
      RuntimePolicies policies,
      IdRange ids,
      DataSource dataSource,
      InstantSource clock) {
    transactions = LocalTransactions.retryingConflicts(dataSource);
    this.config = config;
    store = new RetentionStore(dialect, config.tables());
    captured = new CapturedStore(dialect, config.tables(), KeptContents.CLEAR);
    life = new ServiceHeartbeat(new ServiceHeartbeatStore(dialect, config.tables()));
    messages = new MessageTables(config);
    this.ids = ids;
    this.policies = policies;
    ages = new RetentionPeriods(config, policies);
    this.clock = clock;
    next = clock.instant();
  }

  /** Deletes some rows, if that is due. */
  public void tick() {
    Instant now = clock.instant();
    if (now.isBefore(next)) {
      return;
    }
    next = now.plus(PAUSE);
    try {
      Optional<ServiceUptime> time = transactions.once(life::goOn);
      boolean alone = time.isPresent();
      if (alone) {
        hastenRetries(time.get().now(), now);
      }
      if (messages.isWanted()) {
        turnOver(alone);
      }
      if (alone && deleteSome()) {
        next = clock.instant().plus(PAUSE_WITH_MORE_TO_DO);
      }
    } catch (SQLException | RuntimeException failed) {
      InboxLog.housekeepingFailed(failed);
    }
  }

  /**
   * Retries of captured messages that were set before the database's clock was set back would wait
   * for the length of that step, too.
   */
  private void hastenRetries(Instant databaseNow, Instant now) throws SQLException {
    if (step.mayHaveHappened(databaseNow, now)) {
      int changed = 0;
      for (String consumer :
          transactions.once(connection -> store.consumers(connection, Kept.STORED))) {
        Instant latest = databaseNow.plus(policies.of(consumer).backoff().max());
        int some = BATCH;
        while (some == BATCH) {
          some =
              transactions.once(
                  connection -> captured.hasten(connection, consumer, latest, databaseNow, BATCH));
          changed += some;
        }
      }
      if (changed > 0) {
        CaptureLog.retriesHastened(changed);
      }
    }
    step.dealtWith(databaseNow, now);
  }

  /**
   * Has messages go on that wait for a parked one although their consumer does not hold keys any
   * more: once, because a node's configuration changes only with its restart.
   */
  private void endHolds() throws SQLException {
    for (Over each : round) {
      if (each instanceof Rows rows && rows.kept() == Kept.STORED) {
        endHolds(rows.consumer());
      }
    }
    haveHoldsEnded = true;
  }

  private void endHolds(String consumer) throws SQLException {
    if (config.of(consumer).capture().onParked() == OnParked.CONTINUE) {
      int holds = 0;
      while (transactions.commit(connection -> captured.endHold(connection, consumer))) {
        holds++;
      }
      if (holds > 0) {
        CaptureLog.goOn(consumer, holds);
      }
    }
  }

  /**
   * Creates and drops tables on one node, and reads the range of days with tables on every node.
   */
  private void turnOver(boolean alone) throws SQLException {
    if (alone) {
      transactions.once(
          connection -> life.goOn(connection).isPresent() ? messages.make(connection) : 0);
    }
    Instant over =
        transactions.once(
            connection -> {
              Instant longestAgo = life.soFar(connection).ago(ages.longestMemory());
              messages.read(connection, ids, longestAgo);
              return longestAgo;
            });
    if (alone) {
      transactions.eachAlone(
          connection -> {
            messages.drop(connection, over);
            return over;
          });
    }
  }

  /**
   * Continues the round from where the last call stopped. A consumer with more than one batch gets
   * its next one only after all others, so that a consumer that is never done does not delay them.
   *
   * @return whether there may be more
   */
  private boolean deleteSome() throws SQLException {
    if (round.isEmpty()) {
      round.addAll(transactions.once(this::newRound)); // takes one query per consumer
      if (!haveHoldsEnded) {
        endHolds();
      }
    }
    Instant end = clock.instant().plus(LONGEST);
    int batches = 0;
    do {
      if (!deleteBatch(end)) {
        return false; // another node has the lock
      }
      batches++;
    } while (!round.isEmpty() && batches < BATCHES_AT_ONCE && !clock.instant().isAfter(end));
    return !round.isEmpty();
  }

  private List<Over> newRound(Connection connection) throws SQLException {
    List<Over> all = new ArrayList<>();
    for (Kept kept : Kept.values()) {
      if (kept == Kept.MESSAGE && messages.isWanted()) {
        continue; // its tables are dropped as a whole
      }
      for (String consumer : store.consumers(connection, kept)) {
        all.add(new Rows(kept, consumer, RetentionStore.BEGINNING));
      }
    }
    all.add(new Rest());
    return all;
  }

  /**
   * Deletes as many rows as one transaction may, of one consumer or of many.
   *
   * @return whether this node has the lock
   */
  private boolean deleteBatch(Instant end) throws SQLException {
    List<Over> done = new ArrayList<>();
    List<Over> again = new ArrayList<>();
    boolean mayDelete;
    try {
      mayDelete =
          transactions.once(
              connection -> {
                Optional<ServiceUptime> time = life.goOn(connection);
                int left = time.isPresent() ? BATCH : 0;
                while (left > 0 && !round.isEmpty()) {
                  Over next = round.remove();
                  done.add(next);
                  Deleted deleted = delete(connection, next, time.get(), left);
                  if (deleted.rows() == left) {
                    again.add(next.from(deleted.lowWaterMark()));
                  }
                  left = clock.instant().isAfter(end) ? 0 : left - deleted.rows();
                }
                return time.isPresent();
              });
    } catch (Throwable failed) { // rolled back; others go first, because these may fail again
      done.forEach(it -> round.add(it.from(RetentionStore.BEGINNING)));
      throw failed;
    }
    round.addAll(again);
    return mayDelete;
  }

  private Deleted delete(Connection connection, Over over, ServiceUptime time, int limit)
      throws SQLException {
    if (over instanceof Rows rows) {
      return store.delete(
          connection,
          rows.kept(),
          rows.consumer(),
          rows.lowWaterMark(),
          time.ago(ages.of(rows.kept(), rows.consumer())),
          limit);
    }
    life.forget(connection, time.ago(ages.longest()));
    int actions = store.deleteActions(connection, time.now().minus(ages.ofActions()), limit);
    int audit = store.deleteAudit(connection, time.now().minus(ages.ofAudit()), limit - actions);
    return new Deleted(actions + audit, RetentionStore.BEGINNING);
  }

  /** The work of a round. */
  private sealed interface Over {
    /** A copy that starts at this time. */
    Over from(Instant lowWaterMark);
  }

  /** One kind of rows of a consumer, from a time on: older ones are deleted, or have to stay. */
  private record Rows(Kept kept, String consumer, Instant lowWaterMark) implements Over {
    @Override
    public Over from(Instant mark) {
      return new Rows(kept, consumer, mark);
    }
  }

  /** Rows that belong to no consumer. */
  private record Rest() implements Over {
    @Override
    public Over from(Instant lowWaterMark) {
      return this;
    }
  }
}
