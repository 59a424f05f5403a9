package io.postbox.outbox.ops;

import io.postbox.common.ops.LoggedOnce;
import io.postbox.common.store.LocalTransactions;
import io.postbox.outbox.log.OutboxLog;
import io.postbox.outbox.log.WatchLog;
import io.postbox.outbox.store.ReplicationSlotStore;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Looks at the connector's replication slot now and then, for metrics and health. Called by one
 * thread, read by any.
 */
public final class SlotMonitor {
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  /**
   * The slot as it was last seen.
   *
   * @param isMissing whether enqueue fails because no slot carries what is written
   * @param lag how many bytes of the database's log the connector has not confirmed
   */
  public record Slot(boolean isMissing, long lag) {
    /** Before the first look, and where nodes relay. */
    public static final Slot UNKNOWN = new Slot(false, 0);
  }

  private final LocalTransactions transactions;
  private final ReplicationSlotStore store;
  private final InstantSource clock;
  private final LoggedOnce log;
  private volatile Slot last = Slot.UNKNOWN;
  private Instant next;

  /**
   * @param dataSource its connections must not be part of a transaction
   * @param store reads the slot
   * @param clock that of the node, which is never set back
   */
  public SlotMonitor(DataSource dataSource, ReplicationSlotStore store, InstantSource clock) {
    transactions = new LocalTransactions(dataSource);
    this.store = store;
    this.clock = clock;
    log =
        new LoggedOnce(
            failed -> WatchLog.slotUnknown(store.slot(), OutboxLog.reason(failed)), () -> {});
    next = clock.instant();
  }

  /** The slot as it was last seen. */
  public Slot last() {
    return last;
  }

  /** Looks at the slot, if that is due, and logs what has changed. */
  public void lookIfDue() {
    Instant now = clock.instant();
    if (now.isBefore(next)) {
      return;
    }
    next = now.plus(INTERVAL);
    try {
      Optional<Long> lag = transactions.eachAlone(store::lag);
      log.works();
      saw(new Slot(lag.isEmpty(), lag.orElse(0L)));
    } catch (SQLException | RuntimeException failed) {
      log.failed(failed);
    }
  }

  private void saw(Slot slot) {
    boolean wasMissing = last.isMissing();
    last = slot;
    if (slot.isMissing() && !wasMissing) {
      WatchLog.slotMissing(store.slot());
    } else if (!slot.isMissing() && wasMissing) {
      WatchLog.slotIsThereAgain(store.slot());
    }
  }
}
