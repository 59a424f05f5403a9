package io.postbox.inbox.gate;

import io.postbox.common.time.Timing;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.receiver.DeliveryGate;
import io.postbox.inbox.receiver.RunningHandlers;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Admits deliveries, unless the database is known to be unavailable or the application stops.
 * Thread-safe.
 */
public final class ApplicationGate implements DeliveryGate {

  /**
   * How long the gate delays a delivery before it refuses it because the application stops. The
   * server redelivers the message at once as long as the endpoint is open, and closes the endpoint
   * only after it has notified the application.
   */
  static final Duration AFTER_THE_STOP = Duration.ofSeconds(1);

  private final Timing timing;
  private final Duration stopGrace;
  private final DatabaseMonitor database;
  private final HoldingThrottle throttle;
  private int inside;
  private boolean stopping;
  private boolean closed;

  /**
   * @param stopGrace how long admitted deliveries may still run when the application stops
   * @param database delays deliveries while the database is unavailable
   * @param throttle releases throttled deliveries when the application stops
   */
  public ApplicationGate(Duration stopGrace, DatabaseMonitor database, HoldingThrottle throttle) {
    this(stopGrace, Timing.SYSTEM, database, throttle);
  }

  ApplicationGate(
      Duration stopGrace, Timing timing, DatabaseMonitor database, HoldingThrottle throttle) {
    this.timing = timing;
    this.stopGrace = stopGrace;
    this.database = database;
    this.throttle = throttle;
  }

  @Override
  public void enter(String consumer) {
    boolean answers = database.awaitAnswer();
    synchronized (this) {
      if (isRefused()) {
        holdBack();
        throw notNow(consumer, "the application stops");
      }
      if (!answers) {
        throw notNow(
            consumer, "the inbox's database has not answered for " + database.outageWait());
      }
      inside++;
    }
  }

  /**
   * Admits messages that a running handler passes on to another one, even while the application
   * stops.
   */
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

  /**
   * Admits no more deliveries, waits for the admitted ones up to the limit, and closes. Deliveries
   * that return later are rolled back.
   */
  public void stop() {
    synchronized (this) {
      stopping = true;
    }
    database.stop();
    throttle.stop();
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
            + ". The delivery is rolled back, and the message is redelivered.",
        null);
  }
}
