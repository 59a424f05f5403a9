package io.postbox.inbox.outage;

import io.postbox.inbox.log.InboxLog;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether the database answers. Whoever finds that it does not, a delivery or the question
 * that is asked every few seconds, starts a thread that asks it once a second, until it does. If
 * the first answer is a failure, another thread pauses the endpoints; when the database answers,
 * those are resumed. Two threads, because a pause takes until the last delivery is over, and the
 * deliveries wait for the database. Thread-safe.
 */
final class Outages {
  static final Duration BETWEEN_PROBES = Duration.ofSeconds(1);

  /** A suspicion that lasts so long is an outage, even if the probe itself hangs. */
  static final Duration LONGEST_SUSPICION = Duration.ofSeconds(5);

  /**
   * How long a delivery waits at most while its endpoint is being paused. That it waits at all
   * keeps its message from coming again and again before the pause has effect; that it does not
   * wait for longer lets the pause, and the server's threads, have it.
   */
  static final Duration WHILE_PAUSING = Duration.ofSeconds(2);

  private final Timing timing;
  private final Probe probe;
  private final Endpoints endpoints;
  private final Executor threads;

  private @Nullable Outage current;
  private final Set<String> paused = new LinkedHashSet<>();
  private boolean watching;
  private boolean pausing;
  private boolean stopped;
  private long announced;
  private long lastAnswer;

  /** From the first failure, which may have been that of one connection only. */
  private static final class Outage {
    private final long since;
    private final Throwable cause;
    private boolean announced;
    private boolean pauses;
    private boolean canPause;

    private Outage(long since, Throwable cause) {
      this.since = since;
      this.cause = cause;
    }
  }

  /**
   * @param threads runs each task at once, on a thread of its own that is in no transaction
   */
  Outages(Timing timing, Probe probe, Endpoints endpoints, Executor threads) {
    this.timing = timing;
    this.probe = probe;
    this.endpoints = endpoints;
    this.threads = threads;
    lastAnswer = timing.nanos();
  }

  /** The database did not answer a delivery. Returns at once. */
  void suspect(Throwable cause) {
    begin(timing.nanos(), cause);
    startWatch();
  }

  /**
   * Somebody still waits for an answer; returns at once. If others had one meanwhile, it may be one
   * connection that hangs, and the watch has to ask before anything is said.
   *
   * @param asked since when
   */
  void waitsSince(long asked) {
    synchronized (this) {
      boolean othersHadOne = lastAnswer - asked > 0;
      if (isTooLong(othersHadOne ? lastAnswer : asked)) {
        begin(
            othersHadOne ? timing.nanos() : asked,
            new SQLTimeoutException("no answer within " + LONGEST_SUSPICION));
      }
    }
    startWatch();
  }

  /** A suspicion that has lasted for long is an outage. Returns at once. */
  synchronized void look() {
    if (current != null && isTooLong(current.since)) {
      confirm(current);
    }
  }

  private synchronized void begin(long since, Throwable cause) {
    if (current == null && !stopped) {
      current = new Outage(since, cause);
      notifyAll();
    }
  }

  private void startWatch() {
    synchronized (this) {
      if (watching || stopped || current == null) {
        return;
      }
      watching = true;
    }
    try {
      threads.execute(this::watch);
    } catch (RuntimeException | Error refused) { // then deliveries find out for themselves
      InboxLog.outageNotWatched(refused);
      endWatch();
    }
  }

  /**
   * Waits until the database answers, as far as is known.
   *
   * @return whether it does; not if the time is over, or the application stops
   */
  synchronized boolean awaitAnswer(Duration atMost) {
    long start = timing.nanos();
    try {
      while (current != null && !stopped) {
        Duration left = timing.left(start, longest(current, atMost));
        if (left.isZero() || left.isNegative()) {
          break;
        }
        timing.await(this, left);
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
    look();
    return current == null;
  }

  private static Duration longest(Outage outage, Duration atMost) {
    return outage.canPause && WHILE_PAUSING.compareTo(atMost) < 0 ? WHILE_PAUSING : atMost;
  }

  /** How long an outage has lasted; empty if there is none, or only a suspicion. */
  synchronized Optional<Duration> duration() {
    return current != null && current.announced ? Optional.of(lasts(current)) : Optional.empty();
  }

  /** How many outages have been announced. */
  synchronized long announced() {
    return announced;
  }

  /** Whether a failure may be that of the database. */
  synchronized boolean isSuspected() {
    return current != null;
  }

  synchronized boolean isStopped() {
    return stopped;
  }

  /** Nobody waits any longer, and the threads end. */
  synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  private void watch() {
    try {
      while (goOn()) {
        if (isSuspected()) {
          askDatabase();
        } else if (!awaitPause()) {
          resume();
        }
      }
    } catch (InterruptedException stopping) { // somebody takes the thread back
      stop();
    } catch (Throwable broken) {
      InboxLog.outageNotWatched(broken);
      endWatch();
    }
  }

  private synchronized boolean goOn() {
    watching = !stopped && (current != null || pausing || !paused.isEmpty());
    return watching;
  }

  private synchronized void endWatch() {
    watching = false;
    current = null;
    notifyAll();
  }

  private void askDatabase() throws InterruptedException {
    try {
      probe.ask();
    } catch (Throwable failed) { // whatever it is, it is not an answer
      synchronized (this) {
        if (current != null) {
          confirm(current);
        }
      }
      rest();
      return;
    }
    answered();
  }

  private synchronized void answered() {
    if (current != null && current.announced) {
      InboxLog.outageEnded(lasts(current));
    }
    current = null;
    lastAnswer = timing.nanos();
    notifyAll();
  }

  /** Whether the endpoints are still being paused, for which this waits a while. */
  private synchronized boolean awaitPause() throws InterruptedException {
    if (pausing) {
      timing.await(this, BETWEEN_PROBES);
    }
    return pausing;
  }

  private synchronized void confirm(Outage outage) {
    if (!outage.announced) {
      outage.announced = true;
      announced++;
      InboxLog.outageBegan(outage.cause);
    }
    if (!outage.pauses && !pausing && !stopped) {
      outage.pauses = true;
      pausing = true;
      try {
        threads.execute(this::pause);
      } catch (RuntimeException | Error refused) {
        InboxLog.endpointsNotPaused("of this application", refused);
        pausing = false;
      }
    }
  }

  private void pause() {
    try {
      for (String id : endpoints.running()) {
        if (!takeToPause(id)) {
          return;
        }
        pause(id);
      }
    } catch (RuntimeException failed) {
      InboxLog.endpointsNotPaused("of this application", failed);
    } finally {
      synchronized (this) {
        pausing = false;
        notifyAll();
      }
    }
  }

  private synchronized boolean takeToPause(String id) {
    if (current == null || stopped) {
      return false;
    }
    current.canPause = true;
    notifyAll();
    paused.add(id);
    return true;
  }

  private void pause(String id) {
    try {
      endpoints.pause(id);
    } catch (RuntimeException failed) { // resumed nevertheless: it may have happened in part
      InboxLog.endpointsNotPaused(id, failed);
      synchronized (this) {
        if (current != null) {
          current.canPause = false;
        }
      }
    }
  }

  /** Tried again until it works: nothing would be delivered until somebody notices. */
  private void resume() throws InterruptedException {
    for (String id : pausedOnes()) {
      synchronized (this) {
        paused.remove(id); // before, for it may be paused again as soon as it is resumed
      }
      try {
        endpoints.resume(id);
      } catch (Throwable failed) { // whatever it is, nobody else will resume it
        synchronized (this) {
          paused.add(id);
        }
        InboxLog.endpointNotResumed(id, failed);
        rest();
        return;
      }
    }
  }

  private synchronized void rest() throws InterruptedException {
    long start = timing.nanos();
    for (Duration left = BETWEEN_PROBES;
        !stopped && !left.isZero() && !left.isNegative();
        left = timing.left(start, BETWEEN_PROBES)) {
      timing.await(this, left);
    }
  }

  private synchronized Set<String> pausedOnes() {
    return Set.copyOf(paused);
  }

  private boolean isTooLong(long since) {
    return timing.nanos() - since >= LONGEST_SUSPICION.toNanos();
  }

  private Duration lasts(Outage outage) {
    return Duration.ofNanos(timing.nanos() - outage.since);
  }
}
