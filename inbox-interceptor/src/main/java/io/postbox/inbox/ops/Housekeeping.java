package io.postbox.inbox.ops;

import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.store.Dialect;
import io.postbox.inbox.store.IdRange;
import io.postbox.inbox.store.LifeStore;
import io.postbox.inbox.store.MessageTables;
import io.postbox.inbox.store.RetentionStore;
import io.postbox.inbox.store.RetentionStore.Kept;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Notes that a node lives, and deletes what is past its retention: a little at a time, and on one
 * node at a time. No transaction deletes unless it knows of every time in which no node lived.
 * Called by one thread.
 */
public final class Housekeeping {
  /** How many rows one transaction deletes. */
  static final int BATCH = 1_000;

  private static final int BATCHES_AT_ONCE = 20;
  private static final Duration LONGEST = Duration.ofMillis(200);
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final Duration PAUSE_WITH_MORE_TO_DO = Duration.ofSeconds(1);

  private final OwnTransactions transactions;
  private final RetentionStore store;
  private final Life life;
  private final MessageTables messages;
  private final IdRange ids;
  private final Ages ages;
  private final InstantSource clock;
  private Instant next;

  /**
   * @param dialect the database's
   * @param config where the tables are, and how long what is over is kept
   * @param ids to be told for which ids there are tables
   * @param dataSource connections must not be part of a transaction
   * @param clock this node's, for pauses only
   */
  public Housekeeping(
      Dialect dialect,
      InboxConfig config,
      IdRange ids,
      DataSource dataSource,
      InstantSource clock) {
    transactions = new OwnTransactions(dataSource);
    store = new RetentionStore(dialect, config.tables());
    life = new Life(new LifeStore(dialect, config.tables()));
    messages = new MessageTables(config);
    this.ids = ids;
    ages = new Ages(config);
    this.clock = clock;
    next = clock.instant();
  }

  /** Does some of it, if it is time to. */
  public void tick() {
    Instant now = clock.instant();
    if (now.isBefore(next)) {
      return;
    }
    next = now.plus(PAUSE);
    try {
      boolean alone = transactions.once(life::goOn).isPresent();
      if (messages.isWanted()) {
        turnOver(alone);
      }
      if (alone && deleteSome(clock.instant().plus(LONGEST))) {
        next = clock.instant().plus(PAUSE_WITH_MORE_TO_DO);
      }
    } catch (SQLException | RuntimeException failed) {
      InboxLog.housekeepingFailed(failed);
    }
  }

  /** What there are tables for is news for every node, whoever has made or dropped them. */
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

  /** Whether there may be more. */
  private boolean deleteSome(Instant end) throws SQLException {
    int batches = 0;
    for (Kept kept : Kept.values()) {
      if (kept == Kept.MESSAGE && messages.isWanted()) {
        continue; // dropped as a whole
      }
      for (String consumer : transactions.once(connection -> consumers(connection, kept))) {
        while (deleteBatch(kept, consumer) == BATCH) {
          if (++batches == BATCHES_AT_ONCE || clock.instant().isAfter(end)) {
            return true;
          }
        }
      }
    }
    return deleteTheRest() == BATCH;
  }

  private List<String> consumers(Connection connection, Kept kept) throws SQLException {
    List<String> found = new ArrayList<>();
    Optional<String> next = store.nextConsumer(connection, kept, "");
    while (next.isPresent()) {
      found.add(next.get());
      next = store.nextConsumer(connection, kept, next.get());
    }
    return found;
  }

  private int deleteBatch(Kept kept, String consumer) throws SQLException {
    return transactions.once(
        connection -> {
          Optional<LivedTime> time = life.goOn(connection);
          return time.isPresent()
              ? store.delete(
                  connection, kept, consumer, time.get().ago(ages.of(kept, consumer)), BATCH)
              : 0;
        });
  }

  private int deleteTheRest() throws SQLException {
    return transactions.once(
        connection -> {
          Optional<LivedTime> time = life.goOn(connection);
          if (time.isEmpty()) {
            return 0;
          }
          life.forget(connection, time.get().ago(ages.longest()));
          return store.deleteAudit(connection, time.get().now().minus(ages.ofAudit()), BATCH);
        });
  }
}
