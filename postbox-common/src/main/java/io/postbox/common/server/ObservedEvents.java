package io.postbox.common.server;

import io.postbox.common.log.SharedLog;
import io.postbox.common.ops.EventQueue;
import io.postbox.common.time.MonotonicClock;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.NotificationOptions;
import jakarta.enterprise.inject.spi.BeanManager;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/**
 * Fires those of a module's events that the application observes. Synchronous and asynchronous
 * observers alike are called on one thread, which waits for each, so that a slow observer slows
 * down no other thread. Thread-safe.
 *
 * @param <E> the events
 */
public final class ObservedEvents<E> {
  private static final int WAITING = 10_000;
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final NotificationOptions ON_THIS_THREAD =
      NotificationOptions.ofExecutor(Runnable::run);

  private final Event<E> events;
  private final Set<Class<?>> observed;
  private final EventQueue<E> queue;

  /**
   * @param beans the module's
   * @param events the module's
   * @param samples an event of each class
   * @param threads run the task that calls the observers
   * @param log the module's lines
   */
  public ObservedEvents(
      BeanManager beans,
      Event<E> events,
      Collection<? extends E> samples,
      Executor threads,
      SharedLog log) {
    this.events = events;
    observed =
        samples.stream()
            .filter(sample -> !beans.resolveObserverMethods(sample).isEmpty())
            .map(Object::getClass)
            .collect(Collectors.toUnmodifiableSet());
    queue =
        new EventQueue<>(
            threads,
            this::fire,
            WAITING,
            PATIENCE,
            MonotonicClock.started(),
            new EventQueue.Log(
                log::eventsAreDropped, log::eventsAreTakenAgain, log::observerFailed));
  }

  private void fire(E event) {
    try {
      events.fire(event);
    } finally { // also if a synchronous observer has thrown
      if (!Thread.currentThread().isInterrupted()) { // as it is when the application stops
        events.fireAsync(event, ON_THIS_THREAD).toCompletableFuture().join();
      }
    }
  }

  /** Takes an event that happened, if somebody observes such events; never waits. */
  public void happened(E event) {
    if (observed.contains(event.getClass())) {
      queue.offer(event);
    }
  }

  /** How many events were dropped. */
  public long dropped() {
    return queue.dropped();
  }

  /**
   * Fires no more events.
   *
   * @param grace how long a running observer has
   */
  public void stop(Duration grace) {
    queue.stop(grace);
  }
}
