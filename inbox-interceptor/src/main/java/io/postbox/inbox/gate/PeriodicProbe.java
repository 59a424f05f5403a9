package io.postbox.inbox.gate;

import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.PoolTimeouts;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Probes the database, also when nothing is delivered, and whether or not a delivery hears that it
 * is down: a database that hangs tells nobody. One thread probes, and takes as long as the database
 * does; another sees whether that is too long. Thread-safe.
 */
final class PeriodicProbe {
  /** So often it must have been seen to wait: time in which this process stood still is no wait. */
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

  /** Asks once, unless the database is known not to answer. Never throws. */
  void probe() {
    if (outages.isSuspected() || outages.isStopped()) {
      return;
    }
    waitsSince(timing.nanos());
    try {
      probe.ask();
    } catch (Throwable failed) { // whatever it is, it is not an answer
      if (PoolTimeouts.isOne(failed)) {
        tellStarved(failed);
      } else {
        outages.suspect(failed);
      }
    } finally {
      waitsSince(null);
    }
  }

  /** Nothing is known of the database: all connections are in use. */
  private synchronized void tellStarved(Throwable failed) {
    long now = timing.nanos();
    if (lastLine == null || now - lastLine >= BETWEEN_LINES.toNanos()) {
      lastLine = now;
      InboxLog.poolHasNone(failed);
    }
  }

  /** Sees whether an answer takes too long. Returns at once. */
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
