package io.postbox.inbox.ops;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.ExceptionTexts;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.store.CountStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Counts what is kept aside when it is told to look and it is time to, and keeps the last count for
 * metrics and health, so that these cost no statement however many ask. Thread-safe.
 */
public final class KeptWatch {
  private final DataSource dataSource;
  private final CountStore store;
  private final CountPace pace;
  private volatile KeptCounts last = KeptCounts.NOTHING;
  private volatile boolean failing;

  /**
   * @param dataSource where the tables are; its connections must not be part of a transaction
   * @param store the statement
   * @param clock that of the node, which is never set back
   */
  public KeptWatch(DataSource dataSource, CountStore store, InstantSource clock) {
    this.dataSource = dataSource;
    this.store = store;
    pace = new CountPace(clock);
  }

  /**
   * Counts, every five seconds at most, and less often where that takes long; what cannot be
   * counted keeps the last count, and is logged once.
   *
   * @param told gets the count
   */
  public void look(Consumer<KeptCounts> told) {
    if (!pace.begin()) {
      return;
    }
    try {
      KeptCounts counted = read();
      last = counted;
      told.accept(counted);
      if (failing) {
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
      return read();
    } catch (SQLException failed) {
      throw new InboxException("The inbox cannot be counted: " + ExceptionTexts.of(failed), failed);
    }
  }

  private KeptCounts read() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(true);
      return KeptCounts.of(store.count(connection));
    }
  }
}
