package io.postbox.outbox.relay;

import java.time.Duration;
import java.time.Instant;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * When to look for work next: after a pause that grows while there is none, and at every moment at
 * which something is known to be due. Thread-safe.
 */
final class AdaptivePolling {
  private static final int MOST_MOMENTS = 10_000;

  private final NavigableSet<Instant> moments = new TreeSet<>();
  private Instant afterPause = Instant.MIN;
  private Duration pause = PollInterval.SHORTEST;

  /** Something is due then. */
  synchronized void note(Instant moment) {
    moments.add(moment);
    if (moments.size() > MOST_MOMENTS) {
      moments.pollLast(); // the pause finds it
    }
  }

  /** When to look. */
  synchronized Instant nextPoll() {
    return moments.isEmpty() || afterPause.isBefore(moments.first()) ? afterPause : moments.first();
  }

  /** A look begins, which finds all that is due by now. */
  synchronized void pollStarted(Instant now) {
    moments.headSet(now, true).clear();
  }

  /**
   * The look is over.
   *
   * @param took how long it took
   * @param workAbout whether it found something, or a worker is busy
   * @param paused whether somebody has paused a destination
   * @return the pause that begins now
   */
  synchronized Duration pollEnded(Instant now, Duration took, boolean workAbout, boolean paused) {
    pause = PollInterval.next(pause, took, workAbout, paused);
    afterPause = now.plus(pause);
    return pause;
  }
}
