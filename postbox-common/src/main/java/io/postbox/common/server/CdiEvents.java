package io.postbox.common.server;

import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.NotificationOptions;
import jakarta.enterprise.inject.spi.BeanManager;

/**
 * Fires a module's events to the application's observers, synchronous and asynchronous ones alike
 * on the calling thread, so that a slow observer slows down no other thread.
 *
 * @param <E> the events
 * @param beans the module's
 * @param events the module's
 */
public record CdiEvents<E>(BeanManager beans, Event<E> events) {
  private static final NotificationOptions ON_THIS_THREAD =
      NotificationOptions.ofExecutor(Runnable::run);

  /** Whether the application has an observer of events like this one. */
  public boolean isObserved(E event) {
    return !beans.resolveObserverMethods(event).isEmpty();
  }

  /** Calls the observers. */
  public void fire(E event) {
    try {
      events.fire(event);
    } finally { // also if a synchronous observer has thrown
      if (!Thread.currentThread().isInterrupted()) { // as it is when the application stops
        events.fireAsync(event, ON_THIS_THREAD).toCompletableFuture().join();
      }
    }
  }
}
