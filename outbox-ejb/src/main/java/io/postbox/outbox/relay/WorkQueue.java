package io.postbox.outbox.relay;

import io.postbox.common.config.Backoff;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.relay.RelayStatus.InHand;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that have work, when each of them is due, and the workers that process them. A lane is
 * due at once, or later: when another node has its partition, when its circuit is open, after a
 * pass of it failed, or when a pass asked for it. Work that is announced makes a lane due at once,
 * unless one of the first three stands against it. No poll is needed to find a lane again. Workers
 * take partitions in turns, and the lanes of each partition in turns, alone or in groups; only one
 * worker processes a partition at a time, because a partition has a single row lock. A worker
 * starts when a partition has work and no worker, and ends when there is no such partition. Adding
 * work only adds to sets and, at most, hands tasks to the executor. Thread-safe.
 */
final class WorkQueue {
  /** How long to leave a partition alone that another node has. */
  private static final Duration MOMENT = AdaptivePolling.SHORTEST;

  private static final Backoff SETBACKS =
      new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));

  /** The lanes that are due, by partition; one without lanes is not in it. */
  private final Map<Integer, Set<Lane>> waiting = new HashMap<>();

  /** The partitions with work that no worker processes, in turn. */
  private final Set<Integer> free = new LinkedHashSet<>();

  /** By partition. */
  private final Map<Integer, Taken> taken = new HashMap<>();

  /** The lanes that are due later. */
  private final Map<Lane, Due> later = new HashMap<>();

  /** The same, the earliest first. */
  private final NavigableSet<Due> byTime =
      new TreeSet<>(
          Comparator.comparing(Due::at)
              .thenComparing(due -> due.lane().partition())
              .thenComparing(due -> due.lane().destination()));

  /** Until when partitions are left alone, because another node had them. */
  private final Map<Integer, Instant> busyUntil = new HashMap<>();

  /** The lanes whose last passes failed. */
  private final Map<Lane, Setback> setbacks = new HashMap<>();

  private final int workers;
  private final Function<Collection<Lane>, List<Lane>> grouping;
  private final Function<String, Optional<Instant>> blockedUntil;
  private final InstantSource clock;
  private @Nullable Instant unattendedSince;
  private int running;
  private boolean stopped;

  /** The lanes of a partition that a worker processes, and since when. */
  private record Taken(List<Lane> lanes, Instant since) {}

  /**
   * When a lane is due that is not now.
   *
   * @param announced when the last news of it came: it has work that a poll from before may miss
   */
  private record Due(Lane lane, Instant at, Instant announced) {}

  /**
   * Passes of a lane have failed, for instance because the database refuses to delete sent
   * messages. Each wait is twice as long as the one before, because every pass may send its batch
   * again. Other lanes of the partition are not affected.
   */
  private record Setback(int failures, Instant until) {}

  /**
   * What comes next for a lane after a pass.
   *
   * @param why whether it is due again, and after which event
   * @param delay how long until then, if the pass says so
   */
  record Next(Why why, Duration delay) {
    /** It may have more to do at once. */
    static final Next MORE = new Next(Why.ASKED, Duration.ZERO);

    /** Another node has its partition. */
    static final Next BUSY = new Next(Why.BUSY, Duration.ZERO);

    /** The pass broke down. */
    static final Next FAILED = new Next(Why.FAILED, Duration.ZERO);

    static Next after(Duration delay) {
      return new Next(Why.ASKED, delay);
    }

    private enum Why {
      ASKED,
      BUSY,
      FAILED
    }
  }

  /**
   * @param workers how many may run at once
   * @param grouping chooses lanes for the next pass among those of a partition, in turn
   * @param blockedUntil until when nothing may be sent to a destination, if so
   * @param clock the node's clock
   */
  WorkQueue(
      int workers,
      Function<Collection<Lane>, List<Lane>> grouping,
      Function<String, Optional<Instant>> blockedUntil,
      InstantSource clock) {
    this.workers = workers;
    this.grouping = grouping;
    this.blockedUntil = blockedUntil;
    this.clock = clock;
  }

  /**
   * Adds lanes that have work, and starts workers if there is room for them; also for lanes that
   * have become due, or wait because no worker could be started before.
   *
   * @param lanes not kept
   * @param executor runs the workers
   * @param worker calls {@link #work}
   * @return whether one of the lanes is due at once
   * @throws RuntimeException if the executor takes no worker; the lanes stay
   * @throws Error if there is no thread for one; the lanes stay
   */
  boolean add(Collection<Lane> lanes, Executor executor, Runnable worker) {
    boolean due = announce(lanes);
    int toStart = toStart();
    try {
      for (; toStart > 0; toStart--) {
        executor.execute(worker);
      }
    } finally {
      gone(toStart);
    }
    return due;
  }

  private synchronized boolean announce(Collection<Lane> lanes) {
    Instant now = clock.instant();
    boolean due = false;
    for (Lane lane : lanes) {
      due |= add(lane, now, now);
    }
    return due;
  }

  /** How many workers to start; they count as running from now on. */
  private synchronized int toStart() {
    becomeDue();
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

  /** Has a lane be due then, or as soon after as it may be; returns whether that is now. */
  private boolean add(Lane lane, Instant at, Instant now) {
    Due before = later.remove(lane);
    if (before != null) {
      byTime.remove(before);
    }
    Instant notBefore = notBefore(lane);
    Instant due = at.isBefore(notBefore) ? notBefore : at;
    if (!due.isAfter(now)) {
      addDue(lane);
      return true;
    }
    Due waits = new Due(lane, due, now);
    later.put(lane, waits);
    byTime.add(waits);
    return false;
  }

  /** The latest of the reasons why the lane may have no pass yet. */
  private Instant notBefore(Lane lane) {
    Instant latest = busyUntil.getOrDefault(lane.partition(), Instant.MIN);
    Setback setback = setbacks.get(lane);
    if (setback != null && setback.until().isAfter(latest)) {
      latest = setback.until();
    }
    Instant blocked = blockedUntil.apply(lane.destination()).orElse(latest);
    return blocked.isAfter(latest) ? blocked : latest;
  }

  private void becomeDue() {
    Instant now = clock.instant();
    while (!byTime.isEmpty() && !byTime.first().at().isAfter(now)) {
      Lane lane = byTime.first().lane();
      add(lane, now, now);
    }
  }

  private void addDue(Lane lane) {
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
   * @param pass answers what comes next for these lanes of a partition; nothing for one that is
   *     drained
   */
  void work(Function<List<Lane>, Map<Lane, Next>> pass) {
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

  private void workOn(List<Lane> lanes, Function<List<Lane>, Map<Lane, Next>> pass) {
    Map<Lane, Next> next = Map.of();
    try {
      next = pass.apply(lanes);
    } finally {
      giveBack(lanes.get(0).partition(), next);
    }
  }

  /** Takes the next lanes, of one partition; none ends the worker that asks. */
  synchronized List<Lane> take() {
    unattendedSince = null;
    becomeDue();
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
   * @param next what comes next for lanes of it that were taken; nothing for those that are drained
   */
  synchronized void giveBack(int partition, Map<Lane, Next> next) {
    taken.remove(partition);
    Instant now = clock.instant();
    next.forEach(
        (lane, after) -> {
          switch (after.why()) {
            case BUSY -> busyUntil.put(partition, now.plus(MOMENT));
            case FAILED -> setbacks.put(lane, setback(lane, now));
            case ASKED -> {}
          }
        });
    Set<Lane> woken = waiting.computeIfAbsent(partition, none -> new LinkedHashSet<>());
    boolean busy = busyUntil.getOrDefault(partition, Instant.MIN).isAfter(now);
    Map<Lane, Instant> due = new LinkedHashMap<>();
    // A lane that was woken meanwhile may have to wait by now: that the pass was of, or all.
    (busy ? List.copyOf(woken) : next.keySet())
        .stream().filter(woken::contains).forEach(lane -> due.put(lane, now));
    next.forEach((lane, after) -> due.putIfAbsent(lane, now.plus(after.delay())));
    woken.removeAll(due.keySet());
    if (woken.isEmpty()) {
      waiting.remove(partition);
    }
    free.remove(partition);
    due.forEach((lane, at) -> add(lane, at, now));
    if (waiting.containsKey(partition)) {
      free.add(partition);
    }
  }

  private Setback setback(Lane lane, Instant now) {
    Setback before = setbacks.get(lane);
    int failures = before == null ? 1 : before.failures() + 1;
    return new Setback(failures, now.plus(SETBACKS.ceiling(failures)));
  }

  /** A pass of the lane had the claim and ended normally. */
  synchronized void succeeded(Lane lane) {
    setbacks.remove(lane);
  }

  /**
   * Forgets the lanes that are due later and not among these.
   *
   * @param lanes that have work
   * @param asOf when they were asked for; of later news a lane keeps its turn
   */
  synchronized void withWork(Set<Lane> lanes, Instant asOf) {
    setbacks.keySet().retainAll(lanes);
    for (Due due : List.copyOf(later.values())) {
      if (!lanes.contains(due.lane()) && due.announced().isBefore(asOf)) {
        later.remove(due.lane());
        byTime.remove(due);
      }
    }
  }

  /** When the next lane is due, of those that are not yet. */
  synchronized Optional<Instant> nextDue() {
    return byTime.isEmpty() ? Optional.empty() : Optional.of(byTime.first().at());
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
