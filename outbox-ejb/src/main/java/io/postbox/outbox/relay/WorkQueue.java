package io.postbox.outbox.relay;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.relay.RelayStatus.InHand;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that have work, and the workers that process them. Workers take partitions in turns,
 * and the lanes of each partition in turns, alone or in groups; only one worker processes a
 * partition at a time, because a partition has a single row lock. A worker starts when a partition
 * has work and no worker, and ends when there is no such partition. Adding work only adds to sets
 * and, at most, hands tasks to the executor. Thread-safe.
 */
final class WorkQueue {
  /** By partition; one without lanes is not in it. */
  private final Map<Integer, Set<Lane>> waiting = new HashMap<>();

  /** The partitions with work that no worker processes, in turn. */
  private final Set<Integer> free = new LinkedHashSet<>();

  /** By partition. */
  private final Map<Integer, Taken> taken = new HashMap<>();

  private final int workers;
  private final Function<Collection<Lane>, List<Lane>> grouping;
  private final InstantSource clock;
  private @Nullable Instant unattendedSince;
  private int running;
  private boolean stopped;

  /** The lanes of a partition that a worker processes, and since when. */
  private record Taken(List<Lane> lanes, Instant since) {}

  /**
   * @param workers how many may run at once
   * @param grouping chooses lanes for the next pass among those of a partition, in turn
   * @param clock the node's clock
   */
  WorkQueue(int workers, Function<Collection<Lane>, List<Lane>> grouping, InstantSource clock) {
    this.workers = workers;
    this.grouping = grouping;
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
    if (!taken.containsKey(lane.partition())) {
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
   * @param pass answers which of these lanes of a partition may have more to do at once
   */
  void work(Function<List<Lane>, Collection<Lane>> pass) {
    boolean ended = false;
    try {
      for (List<Lane> next = take(); !next.isEmpty(); next = take()) {
        workOn(next, pass);
      }
      ended = true;
    } finally {
      if (!ended) {
        gone(1);
      }
    }
  }

  private void workOn(List<Lane> lanes, Function<List<Lane>, Collection<Lane>> pass) {
    Collection<Lane> more = List.of();
    try {
      more = pass.apply(lanes);
    } finally {
      giveBack(lanes.get(0).partition(), more);
    }
  }

  /** Takes the next lanes, of one partition; none ends the worker that asks. */
  synchronized List<Lane> take() {
    unattendedSince = null;
    if (!stopped && !free.isEmpty()) {
      int partition = free.iterator().next();
      Set<Lane> lanes = Objects.requireNonNull(waiting.get(partition));
      List<Lane> next = grouping.apply(Collections.unmodifiableSet(lanes));
      free.remove(partition);
      next.forEach(lanes::remove);
      if (lanes.isEmpty()) {
        waiting.remove(partition);
      }
      taken.put(partition, new Taken(next, clock.instant()));
      return next;
    }
    running--;
    notifyAll();
    return List.of();
  }

  /**
   * Gives a partition back, to be taken again if there is more to do.
   *
   * @param more lanes of it that were taken and may have more
   */
  synchronized void giveBack(int partition, Collection<Lane> more) {
    taken.remove(partition);
    more.forEach(this::add);
    if (waiting.containsKey(partition)) {
      free.add(partition);
    }
  }

  /** For how long there has been work that no worker has taken. */
  synchronized Duration unattended() {
    Instant since = unattendedSince;
    return since == null ? Duration.ZERO : Duration.between(since, clock.instant());
  }

  /** The partitions that workers process now, by number. */
  synchronized List<InHand> inHand() {
    Instant now = clock.instant();
    return new TreeMap<>(taken)
        .entrySet().stream()
            .map(
                entry ->
                    new InHand(
                        entry.getKey(),
                        entry.getValue().lanes().stream().map(Lane::destination).toList(),
                        Duration.between(entry.getValue().since(), now)))
            .toList();
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
