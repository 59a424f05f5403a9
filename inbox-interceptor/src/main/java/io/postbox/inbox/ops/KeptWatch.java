package io.postbox.inbox.ops;

import io.postbox.common.ops.CountPace;
import io.postbox.common.ops.SharedCount;
import io.postbox.common.store.CountTable.LastCount;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.store.CountStore;
import io.postbox.inbox.store.CountStore.Line;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BiConsumer;
import javax.sql.DataSource;

/**
 * Holds the last count of kept and captured messages for metrics, health and limits, so that
 * reading it costs no statement. The node that first finds a count due counts for all; the others
 * read its result. Thread-safe.
 */
public final class KeptWatch {
  private final CountPace pace;
  private final SharedCount<Line> count;
  private volatile KeptCounts last = KeptCounts.NOTHING;
  private volatile boolean failing;

  /**
   * @param dataSource where the tables are; its connections must not be part of a transaction
   * @param store the statements
   * @param clock the node's clock, which never goes back
   */
  public KeptWatch(DataSource dataSource, CountStore store, InstantSource clock) {
    count = new SharedCount<>(dataSource, store, clock);
    pace = new CountPace(clock);
  }

  /**
   * Reads the last count, every five seconds at most, and counts if no node has done so lately. If
   * that fails, the last count is kept and the failure is logged once.
   *
   * @param told receives the count, and how long ago it began
   */
  public void look(BiConsumer<KeptCounts, Duration> told) {
    if (!pace.begin()) {
      return;
    }
    try {
      LastCount<Line> found = count.read();
      if (found.isDue() && count.countForAll()) {
        found = count.read();
      }
      KeptCounts counted = KeptCounts.of(found.lines());
      last = counted;
      told.accept(counted, found.age());
      if (failing && !found.isDue()) { // this node or another has counted
        failing = false;
        WatchLog.countWorks(WatchLog.Counted.KEPT_ASIDE);
      }
    } catch (SQLException | RuntimeException failed) {
      if (!failing) { // once, not after every count
        failing = true;
        WatchLog.countFailed(WatchLog.Counted.KEPT_ASIDE, failed);
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
   * What a node has last kept as the course of the numbers.
   *
   * @throws InboxException if the table cannot be read
   */
  public Optional<String> history() {
    try {
      return count.history();
    } catch (SQLException failed) {
      throw new InboxException(
          "The history cannot be read: " + InboxLog.EXCEPTIONS.of(failed), failed);
    }
  }

  /**
   * Keeps the course of the numbers, for all nodes.
   *
   * @throws InboxException if it is not kept
   */
  public void keepHistory(String history) {
    try {
      count.keepHistory(history);
    } catch (SQLException failed) {
      throw new InboxException(
          "The history cannot be kept: " + InboxLog.EXCEPTIONS.of(failed), failed);
    }
  }

  /**
   * Counts now.
   *
   * @throws InboxException if the tables cannot be read
   */
  public KeptCounts now() {
    try {
      return KeptCounts.of(count.now());
    } catch (SQLException failed) {
      throw new InboxException(
          "The inbox cannot be counted: " + InboxLog.EXCEPTIONS.of(failed), failed);
    }
  }
}
