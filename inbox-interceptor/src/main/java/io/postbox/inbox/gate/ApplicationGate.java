package io.postbox.inbox.gate;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.receiver.DelayedRetry;
import io.postbox.inbox.receiver.DeliveryGate;
import io.postbox.inbox.receiver.RunningHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * Lets deliveries in, unless the database is known not to answer or the application stops.
 * Thread-safe.
 */
public final class ApplicationGate implements DeliveryGate {
  /**
   * How much longer a delivery is held back that is refused because the application stops. Its
   * message comes again as soon as it is let go, for as long as the server leaves the endpoint
   * open, which it closes after it has told the application that it stops.
   */
  static final Duration AFTER_THE_STOP = Duration.ofSeconds(1);

  private final Timing timing;
  private final DatabaseOutages outages;
  private final PeriodicProbe question;
  private final OnDemandProbe recheck;
  private final HoldingThrottle absences;
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
  public ApplicationGate(
      Duration outageWait,
      Duration stopGrace,
      DatabaseProbe probe,
      Endpoints endpoints,
      Executor threads) {
    this(outageWait, stopGrace, Timing.SYSTEM, probe, endpoints, threads);
  }

  ApplicationGate(
      Duration outageWait,
      Duration stopGrace,
      Timing timing,
      DatabaseProbe probe,
      Endpoints endpoints,
      Executor threads) {
    this.timing = timing;
    this.outageWait = outageWait;
    this.stopGrace = stopGrace;
    outages = new DatabaseOutages(timing, probe, endpoints, threads);
    question = new PeriodicProbe(timing, probe, outages);
    recheck = new OnDemandProbe(timing, probe, outages, threads);
    absences = new HoldingThrottle(timing);
  }

  @Override
  public void enter(String consumer) {
    boolean answers = outages.awaitAnswer(outageWait);
    synchronized (this) {
      if (isRefused()) {
        holdBack();
        throw notNow(consumer, "the application stops");
      }
      if (!answers) {
        throw notNow(consumer, "the inbox's database has not answered for " + outageWait);
      }
      inside++;
    }
  }

  /** A handler that runs may still hand a message on to another one. */
  private boolean isRefused() {
    return closed || (stopping && !RunningHandlers.isAny());
  }

  private void holdBack() {
    try {
      await(stopGrace, () -> closed);
      await(AFTER_THE_STOP, () -> false);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
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

  @Override
  public void mayBeDown(Throwable cause) {
    recheck.await(DatabaseOutages.LONGEST_SUSPICION);
    outages.awaitAnswer(outageWait);
  }

  @Override
  public void databaseAnswered() {
    outages.answersOthers();
  }

  /** Waits as long as {@link #enter}, also if the caller is the first to notice. */
  @Override
  public void databaseFailed(Throwable cause) {
    outages.suspect(cause);
    outages.awaitAnswer(outageWait);
  }

  @Override
  public void rest() {
    absences.rest();
  }

  @Override
  public void defer(String consumer, DelayedRetry retry) {
    absences.begin(consumer, retry);
  }

  @Override
  public Optional<DelayedRetry> holdUp(Delivery delivery) {
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
    try {
      await(stopGrace, () -> inside == 0 || closed);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    if (inside > 0 && !closed) {
      InboxLog.stoppedWithout(inside, stopGrace);
    }
    closed = true;
    notifyAll();
  }

  private void await(Duration atMost, BooleanSupplier isOver) throws InterruptedException {
    long start = timing.nanos();
    for (Duration left = atMost;
        !isOver.getAsBoolean() && !left.isNegative() && !left.isZero();
        left = timing.left(start, atMost)) {
      timing.await(this, left);
    }
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
