package io.postbox.inbox.gate;

import io.postbox.common.time.Timing;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time and virtual threads on the test's own thread: a wait lets the events of the meantime
 * happen, and the tasks of other threads run. Only a thread that hangs while the others go on has
 * to be a real one.
 */
final class FakeTime implements Timing, Executor {
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparing(Event::at).thenComparing(Event::place));
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private Duration now = Duration.ZERO;
  private int places;

  /** How many threads have been started. */
  int threads;

  /** How many of them may begin by themselves; the others wait for {@link #begin}. */
  int free = Integer.MAX_VALUE;

  /** Which thread, counted from 1, is a real one, which may {@link #hang}. */
  int real;

  private @Nullable Thread realOne;
  private final Semaphore mayGoOn = new Semaphore(0);
  private volatile boolean hangs;

  private record Event(Duration at, int place, Runnable action) {}

  /** Lets something happen at a time. */
  void at(long seconds, Runnable action) {
    events.add(new Event(Duration.ofSeconds(seconds), places++, action));
  }

  /** A thread, which begins when somebody waits. */
  @Override
  public void execute(Runnable task) {
    threads++;
    if (threads == real) {
      realOne = new Thread(task);
      realOne.start();
    } else {
      tasks.add(task);
    }
  }

  /** On the real thread: returns when {@link #goOn} is called. */
  void hang() {
    hangs = true;
    mayGoOn.acquireUninterruptibly();
  }

  /** Lets the real thread go on; when somebody waits, it runs to its end. */
  void goOn() {
    hangs = false;
    mayGoOn.release();
  }

  private synchronized void settle() {
    settle(this);
  }

  /** It may need the monitor that the waiting one holds. */
  private void settle(Object monitor) {
    try {
      while (realOne != null && realOne.isAlive() && !hangs) {
        TimeUnit.MILLISECONDS.timedWait(monitor, 1);
      }
    } catch (InterruptedException impatient) {
      throw new IllegalStateException(impatient);
    }
  }

  Duration now() {
    return now;
  }

  @Override
  public long nanos() {
    return now.toNanos();
  }

  @Override
  public void await(Object monitor, Duration atMost) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException("as every wait");
    }
    pass(monitor, atMost);
  }

  /** A wait that cannot be interrupted. */
  void pass(Object monitor, Duration atMost) {
    settle(monitor);
    Duration end = now.plus(atMost);
    if (free > 0 && !tasks.isEmpty()) {
      free--;
      tasks.remove().run();
    } else if (!events.isEmpty() && events.element().at().compareTo(end) <= 0) {
      Event next = events.remove();
      now = max(now, next.at());
      next.action().run();
    } else {
      now = max(now, end);
    }
  }

  /** Lets everything happen that is planned, and everything that follows from it. */
  synchronized void run() {
    settle();
    while ((free > 0 && !tasks.isEmpty()) || !events.isEmpty()) {
      Duration end = events.isEmpty() ? now : events.element().at();
      pass(this, max(end, now).minus(now));
      settle();
    }
  }

  /** Lets the next thread begin; returns when it has ended. */
  void begin() {
    tasks.remove().run();
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
