package io.postbox.inbox.gate;

import io.postbox.common.ops.Interrupts;
import io.postbox.common.platform.Endpoints;
import io.postbox.common.time.Timing;
import io.postbox.inbox.log.InboxLog;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Tracks outages of the database. A delivery or periodic probe that fails starts a thread that
 * probes once a second until the database is available. If the first probe fails, the endpoints are
 * paused, and resumed after the outage. Each endpoint has a thread of its own that pauses and
 * resumes it, because a pause returns only after the endpoint's last delivery has ended, and
 * neither other endpoints nor the probes may wait for that. An endpoint whose pause returns after
 * the outage is resumed at once. Thread-safe.
 */
final class DatabaseOutages {
  static final Duration BETWEEN_PROBES = Duration.ofSeconds(1);

  /** A suspicion that lasts this long is an outage, even if the probe itself hangs. */
  static final Duration LONGEST_SUSPICION = Duration.ofSeconds(5);

  /**
   * The longest wait of a delivery while its endpoint is being paused. Without a wait its message
   * would be redelivered again and again before the pause takes effect; a longer wait would block
   * the pause and the server's threads.
   */
  static final Duration WHILE_PAUSING = Duration.ofSeconds(2);

  private final Timing timing;
  private final DatabaseProbe probe;
  private final Endpoints endpoints;
  private final Executor threads;

  private @Nullable Outage current;

  /** The endpoints that a thread pauses or resumes. */
  private final Set<String> attended = new HashSet<>();

  /** The endpoints that are paused until the database is available. */
  private final Set<String> paused = new LinkedHashSet<>();

  private boolean watching;
  private boolean pausing;
  private boolean stopped;
  private long announced;
  private volatile long lastAnswer;

  /**
   * An outage or a suspicion since the first failure, which may affect a single connection only.
   */
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
  DatabaseOutages(Timing timing, DatabaseProbe probe, Endpoints endpoints, Executor threads) {
    this.timing = timing;
    this.probe = probe;
    this.endpoints = endpoints;
    this.threads = threads;
    lastAnswer = timing.nanos();
  }

  /**
   * Notes that the database answered a delivery; others may still wait for a connection, or use one
   * that hangs.
   */
  void answersOthers() {
    lastAnswer = timing.nanos();
  }

  /** Notes that the database did not answer a delivery. Returns at once. */
  void suspect(Throwable cause) {
    begin(timing.nanos(), cause);
    startWatch();
  }

  /**
   * Notes that a caller is still waiting for an answer. Returns at once. If the database has
   * answered others meanwhile, a single connection may hang, and a probe must decide.
   *
   * @param asked since when the caller has been waiting
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

  /**
   * Makes a suspicion that has lasted too long an outage. Returns at once. If the probing thread
   * has ended unexpectedly, another one continues, because nothing else would resume the paused
   * endpoints.
   */
  void checkPatience() {
    confirmIfTooLong();
    startWatch();
  }

  private synchronized void confirmIfTooLong() {
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
      if (watching || stopped || (current == null && paused.isEmpty())) {
        return;
      }
      watching = true;
    }
    try {
      threads.execute(this::watch);
    } catch (RuntimeException | Error refused) { // deliveries notice the outage themselves
      InboxLog.outageNotWatched(refused);
      endWatch();
    }
  }

  /**
   * Waits until the database is available, as far as is known.
   *
   * @return whether it is; false after the limit, or if the application stops
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
    confirmIfTooLong();
    return current == null;
  }

  private static Duration longest(Outage outage, Duration atMost) {
    return outage.canPause && WHILE_PAUSING.compareTo(atMost) < 0 ? WHILE_PAUSING : atMost;
  }

  /** How long the outage has lasted; empty if there is none, or only a suspicion. */
  synchronized Optional<Duration> duration() {
    return current != null && current.announced ? Optional.of(lasts(current)) : Optional.empty();
  }

  /** How many outages have been announced. */
  synchronized long announced() {
    return announced;
  }

  /** Whether the database may be the cause of a failure. */
  synchronized boolean isSuspected() {
    return current != null;
  }

  synchronized boolean isStopped() {
    return stopped;
  }

  /** Ends all waits and the threads. */
  synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  private void watch() {
    try {
      while (goOn()) {
        if (isSuspected()) {
          askDatabase();
        } else {
          resumeAll();
        }
      }
    } catch (Throwable broken) {
      InboxLog.outageNotWatched(broken);
      endWatch();
    }
  }

  private synchronized boolean goOn() {
    watching = !stopped && (current != null || !paused.isEmpty());
    return watching;
  }

  private synchronized void endWatch() {
    watching = false;
    current = null;
    notifyAll();
  }

  private void askDatabase() {
    try {
      probe.ask();
    } catch (Throwable failed) { // anything thrown means that the database did not answer
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
        threads.execute(this::pauseAll);
      } catch (RuntimeException | Error refused) {
        InboxLog.endpointsNotPaused("of this application", refused);
        pausing = false;
      }
    }
  }

  private void pauseAll() {
    boolean isEachPaused = true;
    try {
      for (String id : endpoints.running()) {
        if (endpoints.isBusy(id)) {
          isEachPaused = false;
        } else if (takeToPause(id)) {
          attend(id, true, this::pause);
        }
      }
    } catch (Throwable failed) { // deliveries wait and are redelivered instead
      InboxLog.endpointsNotPaused("of this application", failed);
    } finally {
      synchronized (this) {
        pausing = false;
        if (current != null && !isEachPaused) {
          current.pauses = false; // pause the others after the next failed probe
        }
      }
    }
  }

  private synchronized boolean takeToPause(String id) {
    if (current == null || stopped || paused.contains(id) || !attended.add(id)) {
      return false;
    }
    current.canPause = true;
    notifyAll();
    return true;
  }

  private boolean pause(String id) {
    if (isAnswering()) {
      return true;
    }
    try {
      endpoints.pause(id);
    } catch (Throwable failed) { // resume it all the same: the pause may have worked in part
      cannotPause();
      InboxLog.endpointsNotPaused(id, failed);
    }
    return resume(id); // may be overdue
  }

  private synchronized void cannotPause() {
    if (current != null) {
      current.canPause = false;
    }
  }

  private void resumeAll() {
    boolean isEachAttended = true;
    for (String id : takeToResume()) {
      isEachAttended &= attend(id, false, this::resume);
    }
    if (!isEachAttended) {
      rest();
    }
  }

  private synchronized List<String> takeToResume() {
    List<String> all = List.copyOf(paused);
    paused.clear();
    attended.addAll(all);
    return all;
  }

  /**
   * Resumes an endpoint, and retries until it succeeds: otherwise no message would be delivered
   * until an operator notices.
   */
  private boolean resume(String id) {
    while (isAnswering()) {
      try {
        endpoints.resume(id);
        return true;
      } catch (Throwable failed) { // nothing else would resume it
        InboxLog.endpointNotResumed(id, failed);
      }
      rest();
    }
    return false;
  }

  private synchronized boolean isAnswering() {
    return current == null && !stopped;
  }

  /** Pauses or resumes an endpoint on a thread of its own, and does not wait for it. */
  private boolean attend(String id, boolean runsNow, Attendance attendance) {
    try {
      threads.execute(() -> attend(id, attendance));
      return true;
    } catch (RuntimeException | Error refused) { // for instance, no thread is left
      leave(id, runsNow);
      if (runsNow) {
        cannotPause();
        InboxLog.endpointsNotPaused(id, refused);
      } else {
        InboxLog.endpointNotResumed(id, refused);
      }
      return false;
    }
  }

  private void attend(String id, Attendance attendance) {
    boolean runs = false;
    try {
      runs = attendance.to(id);
    } finally {
      leave(id, runs);
    }
  }

  /** Pauses or resumes an endpoint. */
  private interface Attendance {
    /** Returns whether the endpoint runs afterwards. */
    boolean to(String id);
  }

  /**
   * Notes that a thread is done with an endpoint. If the endpoint does not run, it must be resumed,
   * even if the outage has ended meanwhile.
   */
  private void leave(String id, boolean runs) {
    synchronized (this) {
      attended.remove(id);
      if (!runs) {
        paused.add(id);
      }
    }
    startWatch();
  }

  /** On one of the inbox's own threads, which nobody interrupts to end it. */
  private synchronized void rest() {
    long start = timing.nanos();
    for (Duration left = BETWEEN_PROBES;
        !stopped && !left.isZero() && !left.isNegative();
        left = timing.left(start, BETWEEN_PROBES)) {
      Interrupts.forget();
      try {
        timing.await(this, left);
      } catch (InterruptedException leftOver) { // meanwhile
      }
    }
  }

  private boolean isTooLong(long since) {
    return timing.nanos() - since >= LONGEST_SUSPICION.toNanos();
  }

  private Duration lasts(Outage outage) {
    return Duration.ofNanos(timing.nanos() - outage.since);
  }
}
