package io.postbox.common.ops;

import io.postbox.common.log.Throttle;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Queues a module's events for their observers. Taking an event never waits and never throws, and
 * one task delivers the events in order. The queue is bounded, and further events are dropped: a
 * slow observer must cost neither throughput nor memory. Thread-safe.
 *
 * @param <E> the events
 */
public final class EventQueue<E> {
  private final Executor executor;
  private final Consumer<E> observers;
  private final int capacity;
  private final Duration patience;
  private final Log log;
  private final Throttle complaints;
  private final Queue<E> waiting = new ArrayDeque<>();
  private boolean isHandedOn;
  private boolean overflows;
  private boolean stopped;
  private long dropped;
  private long droppedBefore;
  private @Nullable Thread hand;

  /**
   * @param executor runs the task
   * @param observers receive each event; their exceptions are logged
   * @param capacity how many may wait
   * @param patience how long the task waits for another event before it ends
   * @param clock this node's
   * @param log its lines
   */
  public EventQueue(
      Executor executor,
      Consumer<E> observers,
      int capacity,
      Duration patience,
      InstantSource clock,
      Log log) {
    this.executor = executor;
    this.observers = observers;
    this.capacity = capacity;
    this.patience = patience;
    this.log = log;
    complaints = Throttle.by(clock);
  }

  /**
   * The lines of a module's log.
   *
   * @param dropping further events are dropped, because this many wait
   * @param caughtUp the observers have caught up; this many events were dropped
   * @param observerFailed observers have failed this many times since the last line
   */
  public record Log(
      IntConsumer dropping, LongConsumer caughtUp, BiConsumer<Long, Throwable> observerFailed) {}

  /** Takes an event, or drops it. */
  public void offer(E event) {
    if (!take(event)) {
      return;
    }
    try {
      executor.execute(this::handOn);
    } catch (RuntimeException
        | Error refused) { // also when the server stops; the next event tries again
      notHandedOn();
    }
  }

  /** Whether the task has to be started. */
  private synchronized boolean take(E event) {
    if (stopped) {
      return false;
    }
    if (waiting.size() < capacity) {
      waiting.add(event);
    } else {
      dropped++;
      if (!overflows) {
        overflows = true;
        log.dropping().accept(capacity);
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
      if (!isOver) { // an Error ended the task: the next event starts another one
        notHandedOn();
      }
    }
  }

  private void handOnAll() {
    try {
      for (Optional<E> next = next(); next.isPresent(); next = next()) {
        try {
          observers.accept(next.get());
        } catch (Throwable failed) { // the next event is delivered in any case
          complain(failed);
        }
        Interrupts.forget(); // after the stop, too: there is no next event then
      }
    } catch (InterruptedException stopping) {
      notHandedOn();
    }
  }

  private synchronized Optional<E> next() throws InterruptedException {
    hand = Thread.currentThread();
    if (waiting.isEmpty()) {
      caughtUp();
      TimeUnit.NANOSECONDS.timedWait(this, stopped ? 0 : patience.toNanos());
    }
    Optional<E> next = Optional.ofNullable(waiting.poll());
    if (next.isEmpty()) {
      notHandedOn();
    }
    return next;
  }

  private void caughtUp() {
    if (overflows) {
      overflows = false;
      log.caughtUp().accept(dropped - droppedBefore);
      droppedBefore = dropped;
    }
  }

  /** Not for every event: an observer that always fails would fill the log. */
  private synchronized void complain(Throwable failed) {
    if (stopped) {
      return; // it was interrupted, or the application is being stopped
    }
    complaints.tell(failures -> log.observerFailed().accept(failures, failed));
  }

  /** How many events were dropped. */
  public synchronized long dropped() {
    return dropped;
  }

  /**
   * Takes no more events, drops the waiting ones, and gives a running observer time to end.
   * Interrupts it only after that, because H2 closes a database file when a thread is interrupted
   * in it.
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
