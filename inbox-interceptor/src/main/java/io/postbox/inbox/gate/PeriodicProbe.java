package io.postbox.inbox.gate;

import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.PoolTimeouts;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Probes the database periodically, even without deliveries, because deliveries do not notice a
 * database that hangs. One thread probes, for as long as the database takes; another checks whether
 * that is too long. Thread-safe.
 */
final class PeriodicProbe {
  /**
   * How many checks must find the probe waiting, so that time in which this process was frozen does
   * not count.
   */
  private static final int LOOKS = 4;

  private static final Duration BETWEEN_LINES = Duration.ofMinutes(1);

  private final Timing timing;
  private final DatabaseProbe probe;
  private final DatabaseOutages outages;
  private @Nullable Long asked;
  private @Nullable Long lastLine;
  private int looks;

  PeriodicProbe(Timing timing, DatabaseProbe probe, DatabaseOutages outages) {
    this.timing = timing;
    this.probe = probe;
    this.outages = outages;
  }

  /** Probes once, unless the database is known to be unavailable. Never throws. */
  void probe() {
    if (outages.isSuspected() || outages.isStopped()) {
      return;
    }
    waitsSince(timing.nanos());
    try {
      probe.ask();
    } catch (Throwable failed) { // anything thrown means that the database did not answer
      if (PoolTimeouts.isOne(failed)) {
        tellStarved(failed);
      } else {
        outages.suspect(failed);
      }
    } finally {
      waitsSince(null);
    }
  }

  /** Notes that all connections are in use, so that the database's state is unknown. */
  private synchronized void tellStarved(Throwable failed) {
    long now = timing.nanos();
    if (lastLine == null || now - lastLine >= BETWEEN_LINES.toNanos()) {
      lastLine = now;
      InboxLog.poolHasNone(failed);
    }
  }

  /** Checks whether a probe takes too long. Returns at once. */
  void checkPatience() {
    Long since = since();
    if (since != null) {
      outages.waitsSince(since);
    }
    outages.checkPatience();
  }

  private synchronized void waitsSince(@Nullable Long now) {
    asked = now;
    looks = 0;
  }

  private synchronized @Nullable Long since() {
    if (asked != null) {
      looks++;
    }
    return looks < LOOKS ? null : asked;
  }
}
