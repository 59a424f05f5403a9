package io.postbox.inbox.gate;

import io.postbox.inbox.receiver.DatabaseAvailability;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Watches the availability of the inbox's database from this node: probes it every few seconds.
 * During an outage it probes once a second and pauses the endpoints. Thread-safe.
 */
public final class DatabaseMonitor implements DatabaseAvailability {
  private final Duration outageWait;
  private final DatabaseOutages outages;
  private final PeriodicProbe periodic;
  private final OnDemandProbe onDemand;

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
    outages = new DatabaseOutages(timing, probe, endpoints, threads);
    periodic = new PeriodicProbe(timing, probe, outages);
    onDemand = new OnDemandProbe(timing, probe, outages, threads);
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

  /** Probes the database, and returns when the probe ends. Call it every few seconds. */
  public void probe() {
    periodic.probe();
  }

  /** Checks whether a probe takes too long. Call it about once a second. */
  public void checkPatience() {
    periodic.checkPatience();
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
