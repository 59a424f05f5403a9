package io.postbox.inbox.ops;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.store.CountStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Counts what is kept aside whenever it is told to look, and keeps the last count for metrics and
 * health, so that these cost no statement however many ask. Thread-safe.
 */
public final class KeptWatch {
  private final DataSource dataSource;
  private final CountStore store;
  private volatile KeptCounts last = KeptCounts.NOTHING;
  private volatile boolean failing;

  /**
   * @param dataSource where the tables are; its connections must not be part of a transaction
   * @param store the statement
   */
  public KeptWatch(DataSource dataSource, CountStore store) {
    this.dataSource = dataSource;
    this.store = store;
  }

  /**
   * Counts; what cannot be counted keeps the last count, and is logged once.
   *
   * @param told gets the count
   */
  public void look(Consumer<KeptCounts> told) {
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
      throw new InboxException("The inbox cannot be counted: " + failed.getMessage(), failed);
    }
  }

  private KeptCounts read() throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(true);
      return KeptCounts.of(store.count(connection));
    }
  }
}
