package io.postbox.inbox.ops;

import io.postbox.common.store.NodeTable;
import io.postbox.common.time.UuidV7;
import io.postbox.inbox.log.InboxLog;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * This process's heartbeat. Its row is renewed every few seconds and deleted at an orderly stop, so
 * a row that is no longer renewed shows an unclean shutdown. For a while after two of them soon
 * after each other, any delivery is taken for a redelivery, because a message may have caused them,
 * and after a crash not every broker remembers that it delivered a message before. Thread-safe.
 */
final class ProcessHeartbeat {
  /** How long the heartbeat of a dead process is kept for processes that start later. */
  static final Duration MEMORY = NodeTable.MEMORY;

  /** For what clocks differ, and for how long a process may have lived after its last heartbeat. */
  static final Duration INEXACTNESS = Duration.ofMinutes(1);

  private final AttemptRows.Transactions transactions;
  private final String node;
  private final LongSupplier nanos;
  private final InstantSource wall;
  private final UncleanShutdowns shutdowns = new UncleanShutdowns();
  private final Object turn = new Object();
  private volatile boolean isOnRecord;
  private boolean hasStopped;
  private boolean wasWary;
  private @Nullable Long failedAt;

  ProcessHeartbeat(
      AttemptRows.Transactions transactions, String node, LongSupplier nanos, InstantSource wall) {
    this.transactions = transactions;
    this.node = node;
    this.nanos = nanos;
    this.wall = wall;
  }

  /**
   * Whether a delivery may be an unmarked redelivery of a process that died: not if the message's
   * id was made between that and now. The first caller records this process and waits for the
   * database, as do concurrent callers; later ones do not wait. Never throws, and returns true
   * while the database cannot be read.
   */
  boolean mayBeRedelivery(String messageId) {
    if (!isOnRecord) {
      synchronized (turn) {
        if (!isOnRecord && !hasJustFailed()) {
          tryBeat();
        }
      }
    }
    synchronized (shutdowns) {
      return !isOnRecord
          || shutdowns
              .sinceLastDeath(nanos.getAsLong())
              .filter(since -> !isYounger(messageId, since))
              .isPresent();
    }
  }

  /**
   * Whether a message has an id that was made later, so that no dead process had it in hand. An id
   * that is dated ahead tells nothing: it would be younger than each death that its message causes.
   */
  private boolean isYounger(String messageId, Duration since) {
    return UuidV7.timeOf(messageId)
        .map(made -> Duration.between(made, wall.instant()))
        .filter(age -> age.plus(INEXACTNESS).compareTo(since) < 0)
        .filter(age -> age.plus(INEXACTNESS).compareTo(Duration.ZERO) >= 0)
        .isPresent();
  }

  /**
   * Whether any delivery is taken for a possible redelivery, because processes died soon after each
   * other.
   */
  boolean isWary() {
    synchronized (shutdowns) {
      return shutdowns.areSuspicious(nanos.getAsLong());
    }
  }

  /**
   * Whether the database has failed a moment ago; without this check each delivery would wait until
   * it fails again.
   */
  private boolean hasJustFailed() {
    return failedAt != null && nanos.getAsLong() - failedAt < UncleanShutdowns.BEAT.toNanos();
  }

  private void tryBeat() {
    try {
      beat();
    } catch (SQLException | RuntimeException failed) { // the next heartbeat logs it
      failedAt = nanos.getAsLong();
    }
  }

  /**
   * Renews this process's heartbeat, and checks the others' heartbeats. Does nothing after the
   * stop.
   */
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
      } else if (wasWary && !isWary()) {
        InboxLog.uncleanShutdownsAreOver();
      }
      wasWary = isWary();
    }
  }

  /** Deletes the heartbeat at an orderly stop, so that other processes see no unclean shutdown. */
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
