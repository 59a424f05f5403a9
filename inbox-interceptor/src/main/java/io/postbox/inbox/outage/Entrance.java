package io.postbox.inbox.outage;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.guard.Admission;
import io.postbox.inbox.guard.Again;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Delivery;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Lets deliveries in, unless the database is known not to answer or the application stops.
 * Thread-safe.
 */
public final class Entrance implements Admission {
  private final Timing timing;
  private final Outages outages;
  private final Question question;
  private final Absences absences;
  private final Duration outageWait;
  private final Duration stopGrace;

  private int inside;
  private boolean stopping;
  private boolean closed;

  /**
   * @param outageWait how long a delivery waits for a database that does not answer
   * @param stopGrace how long deliveries have to end when the application stops
   * @param probe how the database is asked whether it answers
   * @param endpoints what is paused while it does not
   * @param threads runs each task at once, on a thread of its own that is in no transaction
   */
  public Entrance(
      Duration outageWait, Duration stopGrace, Probe probe, Endpoints endpoints, Executor threads) {
    this(outageWait, stopGrace, Timing.SYSTEM, probe, endpoints, threads);
  }

  Entrance(
      Duration outageWait,
      Duration stopGrace,
      Timing timing,
      Probe probe,
      Endpoints endpoints,
      Executor threads) {
    this.timing = timing;
    this.outageWait = outageWait;
    this.stopGrace = stopGrace;
    outages = new Outages(timing, probe, endpoints, threads);
    question = new Question(timing, probe, outages);
    absences = new Absences(timing);
  }

  @Override
  public void enter(String consumer) {
    boolean answers = outages.awaitAnswer(outageWait);
    synchronized (this) {
      if (stopping) {
        throw notNow(consumer, "the application stops");
      }
      if (!answers) {
        throw notNow(consumer, "the inbox's database has not answered for " + outageWait);
      }
      inside++;
    }
  }

  @Override
  public synchronized void leave() {
    inside--;
    notifyAll();
  }

  @Override
  public synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public boolean isDatabaseDown() {
    return outages.isSuspected();
  }

  @Override
  public long outages() {
    return outages.announced();
  }

  /** Asks the database, and takes as long as that does. To be called every few seconds. */
  public void askDatabase() {
    question.ask();
  }

  /** Sees whether the database takes too long. To be called about once a second, at any time. */
  public void lookAtDatabase() {
    question.look();
  }

  /** Waits as long as {@link #enter}, also if the caller is the first to notice. */
  @Override
  public void databaseFailed(Throwable cause) {
    outages.suspect(cause);
    outages.awaitAnswer(outageWait);
  }

  @Override
  public void staysAway(String consumer, Again again) {
    absences.begin(consumer, again);
  }

  @Override
  public boolean holdUp(Delivery delivery) {
    return absences.holdUp(delivery);
  }

  /** For how long the database has not answered; empty if it does. */
  public Optional<Duration> outage() {
    return outages.duration();
  }

  /**
   * Lets nobody in any more, waits for those inside for as long as they are granted, and closes.
   * Those that return later are rolled back.
   */
  public void stop() {
    synchronized (this) {
      stopping = true;
    }
    outages.stop();
    absences.stop();
    awaitEnd();
  }

  private synchronized void awaitEnd() {
    long start = timing.nanos();
    try {
      for (Duration left = stopGrace;
          inside > 0 && !closed && !left.isNegative() && !left.isZero();
          left = timing.left(start, stopGrace)) {
        timing.await(this, left);
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    if (inside > 0 && !closed) {
      InboxLog.stoppedWithout(inside, stopGrace);
    }
    closed = true;
  }

  private static InboxException notNow(String consumer, String reason) {
    return new InboxException(
        "A message for the consumer '"
            + consumer
            + "' was not handled, because "
            + reason
            + ". The delivery is rolled back, and the message comes again.",
        null);
  }
}
