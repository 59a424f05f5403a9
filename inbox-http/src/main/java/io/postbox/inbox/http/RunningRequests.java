package io.postbox.inbox.http;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The ids whose requests run on this node. A repeat waits here for the first one, and so needs no
 * database connection meanwhile. This spares connections only: which request is the first is
 * decided by the row in the database. Thread-safe.
 */
final class RunningRequests {
  private final int most;
  private final Semaphore places;
  private final Map<RequestKey, Turn> running = new ConcurrentHashMap<>();

  /**
   * A request that is remembered.
   *
   * @param consumer under which name
   * @param key the scoped key
   */
  record RequestKey(String consumer, String key) {}

  /** The right to ask the database about an id. */
  final class Turn {
    private final RequestKey id;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean isKnown;

    private Turn(RequestKey id) {
      this.id = id;
    }

    /**
     * Lets the waiting requests go on; a second call has no effect.
     *
     * @param known whether the id has a committed row, so that none of them can be the first
     */
    void end(boolean known) {
      if (running.remove(id, this)) {
        isKnown = known;
        ended.countDown();
      }
    }
  }

  /**
   * @param waiting how many requests may wait at once; further ones learn at once that the first
   *     one runs
   */
  RunningRequests(int waiting) {
    most = waiting;
    places = new Semaphore(waiting);
  }

  /** How many requests wait now. */
  int waiting() {
    return most - places.availablePermits();
  }

  /**
   * Waits until no other request with the id runs on this node.
   *
   * @return null if one still runs after that time, or too many wait already
   */
  @Nullable Turn await(RequestKey id, Duration patience) throws InterruptedException {
    Turn mine = new Turn(id);
    Turn other = running.putIfAbsent(id, mine);
    if (other == null) {
      return mine;
    }
    if (!places.tryAcquire()) {
      return null;
    }
    try {
      return await(mine, other, System.nanoTime() + patience.toNanos());
    } finally {
      places.release();
    }
  }

  private @Nullable Turn await(Turn mine, Turn first, long deadline) throws InterruptedException {
    Turn other = first;
    while (other.ended.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
      if (other.isKnown) {
        return mine; // it will only read, as all others that waited
      }
      Turn next = running.putIfAbsent(mine.id, mine);
      if (next == null) {
        return mine;
      }
      other = Objects.requireNonNull(next);
    }
    return null;
  }
}
