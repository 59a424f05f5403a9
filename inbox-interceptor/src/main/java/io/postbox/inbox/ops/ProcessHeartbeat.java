package io.postbox.inbox.ops;

import io.postbox.inbox.log.InboxLog;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * This process's heartbeat. Its row is renewed every few seconds and deleted at an orderly stop, so
 * a row that is no longer renewed shows an unclean shutdown. For a while after one, any delivery
 * may be a redelivery: not every broker remembers after a crash that it delivered a message before.
 * Thread-safe.
 */
final class ProcessHeartbeat {
  /** For so long a start is wary of an unclean shutdown before it. */
  static final Duration MEMORY = Duration.ofDays(1);

  private final AttemptRows.Transactions transactions;
  private final String node;
  private final LongSupplier nanos;
  private final UncleanShutdowns shutdowns = new UncleanShutdowns();
  private final Object turn = new Object();
  private volatile boolean isOnRecord;
  private boolean hasStopped;
  private @Nullable Long failedAt;

  ProcessHeartbeat(AttemptRows.Transactions transactions, String node, LongSupplier nanos) {
    this.transactions = transactions;
    this.node = node;
    this.nanos = nanos;
  }

  /**
   * Whether a delivery may be an unmarked redelivery of a process that died. The first caller
   * records this process and waits for the database, and concurrent callers with it; later ones do
   * not wait. Never throws: as long as it is unknown, the answer is that it may be.
   */
  boolean mayBeRedelivery() {
    if (!isOnRecord) {
      synchronized (turn) {
        if (!isOnRecord && !hasJustFailed()) {
          tryBeat();
        }
      }
    }
    synchronized (shutdowns) {
      return !isOnRecord || shutdowns.areRecent(nanos.getAsLong());
    }
  }

  /** Or each delivery would wait as long as the database takes to fail. */
  private boolean hasJustFailed() {
    return failedAt != null && nanos.getAsLong() - failedAt < UncleanShutdowns.BEAT.toNanos();
  }

  private void tryBeat() {
    try {
      beat();
    } catch (SQLException | RuntimeException failed) { // the next beat tells of it
      failedAt = nanos.getAsLong();
    }
  }

  /** Says that this process lives, and looks at the others; not after the stop. */
  void beat() throws SQLException {
    synchronized (turn) {
      if (hasStopped) {
        return;
      }
      Set<String> news =
          transactions.commit(
              rows -> {
                rows.live(node);
                var others = rows.others(node);
                synchronized (shutdowns) {
                  return shutdowns.look(others, nanos.getAsLong());
                }
              });
      isOnRecord = true;
      if (!news.isEmpty()) {
        InboxLog.uncleanShutdowns(news, UncleanShutdowns.WARY);
      }
    }
  }

  /** An orderly stop: other processes need not be wary of it. */
  void leave() throws SQLException {
    synchronized (turn) {
      hasStopped = true;
      transactions.commit(
          rows -> {
            rows.leave(node);
            return true;
          });
    }
  }
}
