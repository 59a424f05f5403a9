package io.postbox.inbox.ops;

import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.log.WatchLog;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the deliveries and the observers of its events: taking an event never waits and
 * never throws, and one task hands them on in order. So many may wait; what comes then is dropped,
 * because neither a delivery nor the memory may pay for a slow observer. Thread-safe.
 */
public final class EventQueue {
  private static final Duration BETWEEN_COMPLAINTS = Duration.ofMinutes(1);

  private final Executor executor;
  private final Consumer<MessageEvent> observers;
  private final int capacity;
  private final Duration patience;
  private final InstantSource clock;
  private final Queue<MessageEvent> waiting = new ArrayDeque<>();
  private boolean isHandedOn;
  private boolean overflows;
  private boolean stopped;
  private long dropped;
  private long droppedBefore;
  private long failures;
  private Instant nextComplaint = Instant.MIN;
  private @Nullable Thread hand;

  /**
   * @param executor runs the task
   * @param observers get each event; what they throw is logged
   * @param capacity how many may wait
   * @param patience how long the task waits for another event before it ends
   * @param clock this node's
   */
  public EventQueue(
      Executor executor,
      Consumer<MessageEvent> observers,
      int capacity,
      Duration patience,
      InstantSource clock) {
    this.executor = executor;
    this.observers = observers;
    this.capacity = capacity;
    this.patience = patience;
    this.clock = clock;
  }

  /** Takes an event, or drops it. */
  public void offer(MessageEvent event) {
    if (!take(event)) {
      return;
    }
    try {
      executor.execute(this::handOn);
    } catch (RuntimeException | Error refused) { // or the server is stopping; the next event tries
      notHandedOn();
    }
  }

  /** Whether the task has to be started. */
  private synchronized boolean take(MessageEvent event) {
    if (stopped) {
      return false;
    }
    if (waiting.size() < capacity) {
      waiting.add(event);
    } else {
      dropped++;
      if (!overflows) {
        overflows = true;
        WatchLog.eventsAreDropped(capacity);
      }
    }
    notifyAll();
    boolean start = !isHandedOn;
    isHandedOn = true;
    return start;
  }

  private synchronized void notHandedOn() {
    isHandedOn = false;
    hand = null;
    notifyAll();
  }

  private void handOn() {
    boolean isOver = false;
    try {
      handOnAll();
      isOver = true;
    } finally {
      if (!isOver) { // by an Error outside of all that is caught; the next event starts another
        // task
        notHandedOn();
      }
    }
  }

  private void handOnAll() {
    try {
      for (Optional<MessageEvent> next = next(); next.isPresent(); next = next()) {
        try {
          observers.accept(next.get());
        } catch (Throwable failed) { // whatever it is, the next event is another matter
          complain(failed);
        }
      }
    } catch (InterruptedException stopping) {
      notHandedOn();
    }
  }

  private synchronized Optional<MessageEvent> next() throws InterruptedException {
    hand = Thread.currentThread();
    if (waiting.isEmpty()) {
      caughtUp();
      TimeUnit.NANOSECONDS.timedWait(this, stopped ? 0 : patience.toNanos());
    }
    Optional<MessageEvent> next = Optional.ofNullable(waiting.poll());
    if (next.isEmpty()) {
      notHandedOn();
    }
    return next;
  }

  private void caughtUp() {
    if (overflows) {
      overflows = false;
      WatchLog.eventsAreTakenAgain(dropped - droppedBefore);
      droppedBefore = dropped;
    }
  }

  /** Not for every event: one that always fails would fill the log. */
  private synchronized void complain(Throwable failed) {
    if (stopped) {
      return; // it was interrupted, or the application is half gone
    }
    failures++;
    Instant now = clock.instant();
    if (!now.isBefore(nextComplaint)) {
      WatchLog.observerFailed(failures, failed);
      failures = 0;
      nextComplaint = now.plus(BETWEEN_COMPLAINTS);
    }
  }

  /** How many events no observer got. */
  public synchronized long dropped() {
    return dropped;
  }

  /**
   * Takes no more, forgets what waits, and gives the observer at work time to end. Interrupts it
   * only then, since H2 closes a database in whose file somebody was interrupted; what is not over
   * by now waits for something that may never come.
   *
   * @param grace how long the observer has
   */
  public synchronized void stop(Duration grace) {
    stopped = true;
    waiting.clear();
    notifyAll();
    awaitEnd(grace);
    if (hand != null) {
      hand.interrupt();
    }
  }

  private void awaitEnd(Duration grace) {
    long end = System.nanoTime() + grace.toNanos();
    try {
      for (long left = grace.toNanos(); isHandedOn && left > 0; left = end - System.nanoTime()) {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException impatient) {
      Thread.currentThread().interrupt();
    }
  }
}
