package io.postbox.inbox.gate;

import io.postbox.common.log.Throttle;
import io.postbox.common.platform.Endpoints;
import io.postbox.common.time.Timing;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.PoolTimeouts;
import io.postbox.inbox.receiver.DatabaseAvailability;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Watches the availability of the inbox's database from this node: probes it every few seconds.
 * During an outage it probes once a second and pauses the endpoints. Thread-safe.
 */
public final class DatabaseMonitor implements DatabaseAvailability {
  /**
   * How many checks must find the probe waiting, so that time in which this process was frozen does
   * not count.
   */
  private static final int LOOKS = 4;

  private final Duration outageWait;
  private final Timing timing;
  private final DatabaseProbe probe;
  private final DatabaseOutages outages;
  private final OnDemandProbe onDemand;
  private final Throttle starvedLines;
  private @Nullable Long asked;
  private int looks;

  /**
   * @param outageWait how long a delivery waits for an unavailable database
   * @param probe probes the database
   * @param endpoints the endpoints to pause during an outage
   * @param threads runs each task at once, on a thread of its own that is in no transaction
   */
  public DatabaseMonitor(
      Duration outageWait, DatabaseProbe probe, Endpoints endpoints, Executor threads) {
    this(outageWait, Timing.SYSTEM, probe, endpoints, threads);
  }

  DatabaseMonitor(
      Duration outageWait,
      Timing timing,
      DatabaseProbe probe,
      Endpoints endpoints,
      Executor threads) {
    this.outageWait = outageWait;
    this.timing = timing;
    this.probe = probe;
    outages = new DatabaseOutages(timing, probe, endpoints, threads);
    onDemand = new OnDemandProbe(timing, this::ask, outages, threads);
    starvedLines = new Throttle(timing::nanos);
  }

  @Override
  public boolean isSuspected() {
    return outages.isSuspected();
  }

  @Override
  public long outages() {
    return outages.announced();
  }

  @Override
  public void answered() {
    outages.answersOthers();
  }

  /**
   * Waits as long as a delivery that is not admitted, even if the caller is the first to notice the
   * outage.
   */
  @Override
  public void failed(Throwable cause) {
    outages.suspect(cause);
    awaitAnswer();
  }

  @Override
  public void verify(Throwable cause) {
    onDemand.await(DatabaseOutages.LONGEST_SUSPICION);
    awaitAnswer();
  }

  /**
   * Probes the database, even without deliveries, because they do not notice one that hangs. Call
   * it every few seconds, always on the same thread: it returns when the probe ends. Never throws.
   */
  public void probe() {
    waitsSince(timing.nanos());
    try {
      ask();
    } finally {
      waitsSince(null);
    }
  }

  /** Probes once, unless the database is known to be unavailable. Never throws. */
  private void ask() {
    if (outages.isSuspected() || outages.isStopped()) {
      return;
    }
    try {
      probe.ask();
    } catch (Throwable failed) { // anything thrown means that the database did not answer
      if (PoolTimeouts.isOne(failed)) { // all are in use, so the database's state is unknown
        starvedLines.tell(times -> InboxLog.poolHasNone(failed));
      } else {
        outages.suspect(failed);
      }
    }
  }

  /**
   * Checks whether a probe takes too long; returns at once. Call it about once a second, on another
   * thread than the probe's.
   */
  public void checkPatience() {
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

  /** How long the database has been unavailable; empty if it is available. */
  public Optional<Duration> outage() {
    return outages.duration();
  }

  /** Waits until the database is available, as far as is known, up to a limit. */
  boolean awaitAnswer() {
    return outages.awaitAnswer(outageWait);
  }

  /** How long a delivery waits. */
  Duration outageWait() {
    return outageWait;
  }

  /** Ends all waiting. */
  void stop() {
    outages.stop();
  }
}
