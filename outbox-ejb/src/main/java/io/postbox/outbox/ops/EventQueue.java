package io.postbox.outbox.ops;

import io.postbox.outbox.MessageEvent;
import io.postbox.outbox.log.WatchLog;
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
 * Stands between the relay and the observers of its events: taking an event never waits and never
 * throws, and one task hands them on in order. So many may wait; what comes then is dropped,
 * because neither the relay nor the memory may pay for a slow observer. Thread-safe.
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
  }

  private void handOn() {
    boolean ended = false;
    try {
      for (Optional<MessageEvent> next = next(); next.isPresent(); next = next()) {
        try {
          observers.accept(next.get());
        } catch (Throwable failed) { // whatever it is, the next event is another matter
          complain(failed);
        }
      }
      ended = true;
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    } finally {
      if (!ended) { // whatever it was, the next event starts another task
        notHandedOn();
      }
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
      isHandedOn = false;
      hand = null;
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

  /** Takes no more, forgets what waits, and interrupts the observer that is at work. */
  public synchronized void stop() {
    stopped = true;
    waiting.clear();
    if (hand != null) {
      hand.interrupt();
    }
  }
}
