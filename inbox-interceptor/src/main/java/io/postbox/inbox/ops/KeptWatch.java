package io.postbox.inbox.ops;

import io.postbox.common.ops.CountPace;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.ExceptionTexts;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.store.CountStore;
import io.postbox.inbox.store.CountStore.LastCount;
import io.postbox.inbox.store.CountStore.Line;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Keeps the last count of what is kept aside for metrics, health and quotas, so that these cost no
 * statement however many ask. One node counts for all of them, whichever finds first that it is
 * time to; the others read what it found. Thread-safe.
 */
public final class KeptWatch {
  private final DataSource dataSource;
  private final CountStore store;
  private final CountPace pace;
  private final InstantSource clock;
  private volatile KeptCounts last = KeptCounts.NOTHING;
  private volatile boolean failing;

  /**
   * @param dataSource where the tables are; its connections must not be part of a transaction
   * @param store the statements
   * @param clock that of the node, which is never set back
   */
  public KeptWatch(DataSource dataSource, CountStore store, InstantSource clock) {
    this.dataSource = dataSource;
    this.store = store;
    this.clock = clock;
    pace = new CountPace(clock);
  }

  /**
   * Looks at the last count, every five seconds at most, and counts where no node has done so
   * lately; what cannot be counted keeps the last count, and is logged once.
   *
   * @param told gets the count
   */
  public void look(Consumer<KeptCounts> told) {
    if (!pace.begin()) {
      return;
    }
    try {
      LastCount found = read();
      if (found.isDue() && countForAll()) {
        found = read();
      }
      KeptCounts counted = KeptCounts.of(found.lines());
      last = counted;
      told.accept(counted);
      if (failing && !found.isDue()) { // this node has counted, or another
        failing = false;
        WatchLog.countWorks();
      }
    } catch (SQLException | RuntimeException failed) {
      if (!failing) { // once, and not at every look
        failing = true;
        WatchLog.countFailed(failed);
      }
    } finally {
      pace.ended();
    }
  }

  /** The last count. */
  public KeptCounts last() {
    return last;
  }

  /**
   * Counts now.
   *
   * @throws InboxException if the tables cannot be read
   */
  public KeptCounts now() {
    try {
      return KeptCounts.of(new OwnTransactions(dataSource).eachAlone(store::count));
    } catch (SQLException failed) {
      throw new InboxException("The inbox cannot be counted: " + ExceptionTexts.of(failed), failed);
    }
  }

  private LastCount read() throws SQLException {
    return new OwnTransactions(dataSource).eachAlone(store::read);
  }

  /** The lock goes with the transaction, so that of a node that dies meanwhile nothing is left. */
  private boolean countForAll() throws SQLException {
    return new OwnTransactions(dataSource).once(this::countAndKeep);
  }

  private boolean countAndKeep(Connection connection) throws SQLException {
    Instant began = clock.instant();
    Optional<Instant> claimed = store.claim(connection);
    if (claimed.isPresent()) {
      List<Line> lines = store.count(connection);
      Duration interval = CountPace.interval(Duration.between(began, clock.instant()));
      // A little early, or the next look at the same distance could just miss it.
      Instant due = claimed.get().plus(interval.multipliedBy(9).dividedBy(10));
      store.keep(connection, lines, claimed.get(), due);
    }
    return claimed.isPresent();
  }
}
