package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that have work, and the workers that process them. Workers take partitions in turns,
 * and the lanes of each partition in turns; only one worker processes a partition at a time,
 * because a partition has a single row lock. A worker starts when a partition has work and no
 * worker, and ends when there is no such partition. Adding work only adds to sets and, at most,
 * hands tasks to the executor. Thread-safe.
 */
final class WorkQueue {
  /** By partition; one without lanes is not in it. */
  private final Map<Integer, Set<Lane>> waiting = new HashMap<>();

  /** The partitions with work that no worker processes, in turn. */
  private final Set<Integer> free = new LinkedHashSet<>();

  private final Set<Integer> taken = new HashSet<>();
  private final int workers;
  private final InstantSource clock;
  private @Nullable Instant unattendedSince;
  private int running;
  private boolean stopped;

  /**
   * @param workers how many may run at once
   * @param clock the node's clock
   */
  WorkQueue(int workers, InstantSource clock) {
    this.workers = workers;
    this.clock = clock;
  }

  /**
   * Adds lanes, and starts workers if there is room for them; also for lanes that wait because no
   * worker could be started before.
   *
   * @param lanes not kept
   * @param executor runs the workers
   * @param worker calls {@link #work}
   * @throws RuntimeException if the executor takes no worker; the lanes stay
   * @throws Error if there is no thread for one; the lanes stay
   */
  void add(Collection<Lane> lanes, Executor executor, Runnable worker) {
    int toStart = take(lanes);
    try {
      for (; toStart > 0; toStart--) {
        executor.execute(worker);
      }
    } finally {
      gone(toStart);
    }
  }

  /** How many workers to start; they count as running from now on. */
  private synchronized int take(Collection<Lane> lanes) {
    lanes.forEach(this::add);
    if (stopped) {
      return 0;
    }
    if (unattendedSince == null && !waiting.isEmpty() && taken.isEmpty()) {
      unattendedSince = clock.instant();
    }
    int aboutToTake = running - taken.size();
    int start = Math.max(0, Math.min(workers - running, free.size() - aboutToTake));
    running += start;
    return start;
  }

  private void add(Lane lane) {
    waiting.computeIfAbsent(lane.partition(), partition -> new LinkedHashSet<>()).add(lane);
    if (!taken.contains(lane.partition())) {
      free.add(lane.partition());
    }
  }

  /** Notes that these workers never started, or failed. */
  private synchronized void gone(int count) {
    running -= count;
    notifyAll();
  }

  /**
   * Takes lanes, in turns, until there are none. Gives back the current one even after a failure.
   *
   * @param pass processes a lane and returns whether there may be more to do at once
   */
  void work(Predicate<Lane> pass) {
    boolean ended = false;
    try {
      for (Optional<Lane> next = take(); next.isPresent(); next = take()) {
        workOn(next.get(), pass);
      }
      ended = true;
    } finally {
      if (!ended) {
        gone(1);
      }
    }
  }

  private void workOn(Lane lane, Predicate<Lane> pass) {
    boolean more = false;
    try {
      more = pass.test(lane);
    } finally {
      giveBack(lane, more);
    }
  }

  /** Takes the next lane, in turns; empty ends the worker that asks. */
  synchronized Optional<Lane> take() {
    unattendedSince = null;
    if (!stopped && !free.isEmpty()) {
      int partition = first(free);
      Set<Lane> lanes = Objects.requireNonNull(waiting.get(partition));
      Lane lane = first(lanes);
      free.remove(partition);
      lanes.remove(lane);
      if (lanes.isEmpty()) {
        waiting.remove(partition);
      }
      taken.add(partition);
      return Optional.of(lane);
    }
    running--;
    notifyAll();
    return Optional.empty();
  }

  /** Gives a lane back, to be taken again if there is more to do. */
  synchronized void giveBack(Lane lane, boolean more) {
    taken.remove(lane.partition());
    if (more) {
      add(lane);
    } else if (waiting.containsKey(lane.partition())) {
      free.add(lane.partition());
    }
  }

  private static <T> T first(Set<T> ordered) {
    return ordered.iterator().next();
  }

  /** How long work has been waiting that no worker has taken. */
  synchronized Duration unattended() {
    Instant since = unattendedSince;
    return since == null ? Duration.ZERO : Duration.between(since, clock.instant());
  }

  /** Whether a worker is running. */
  synchronized boolean isBusy() {
    return running > 0;
  }

  /**
   * Lets the workers end after their current lane, and waits for them.
   *
   * @return whether all have ended within the limit
   */
  synchronized boolean stop(Duration limit) throws InterruptedException {
    stopped = true;
    long end = System.nanoTime() + limit.toNanos();
    for (long left = limit.toNanos(); running > 0 && left > 0; left = end - System.nanoTime()) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return running == 0;
  }
}
