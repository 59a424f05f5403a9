package io.postbox.inbox.ops;

import io.postbox.common.config.Backoff;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * When the released messages of a consumer are sent: after a failure of the broker or the database
 * none is for a while, and one that failed by itself is left alone without holding up others. Pure
 * except for the jitter. Thread-safe.
 */
public final class ReleasePace {
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30));

  private final LongSupplier nanos;
  private final DoubleSupplier random;
  private final Map<Long, Integer> failures = new HashMap<>();
  private int outages;
  private long resumeAt;
  private boolean isAsking;

  /**
   * @param nanos the time in nanoseconds, from any origin
   * @param random even draws from 0 (included) to 1 (excluded)
   */
  public ReleasePace(LongSupplier nanos, DoubleSupplier random) {
    this.nanos = nanos;
    this.random = random;
    resumeAt = nanos.getAsLong();
  }

  /** Whether messages may be sent now. */
  public synchronized boolean isOpen() {
    return outages == 0 || (!isAsking && hasRested());
  }

  private boolean hasRested() {
    return nanos.getAsLong() - resumeAt >= 0;
  }

  /**
   * Whether a message may be sent now. After a failure only one is until it is known how that went,
   * because a broker that hangs would keep all threads: call {@link #succeeded}, {@link #outage} or
   * {@link #giveBack} then.
   */
  public synchronized boolean take() {
    if (!isOpen()) {
      return false;
    }
    isAsking = outages > 0;
    return true;
  }

  /** A message was not sent, for a reason of its own. */
  public synchronized void giveBack() {
    isAsking = false;
  }

  /**
   * A message was sent.
   *
   * @return whether it is the first one after a failure of the broker or the database
   */
  public synchronized boolean succeeded(long id) {
    failures.remove(id);
    boolean isFirst = outages > 0;
    outages = 0;
    isAsking = false;
    return isFirst;
  }

  /**
   * The broker or the database failed.
   *
   * @return whether it is the first failure since a message was sent
   */
  public synchronized boolean outage() {
    if (outages > 0 && !isAsking && !hasRested()) {
      return false; // one of those that were on their way
    }
    isAsking = false;
    outages++;
    resumeAt = nanos.getAsLong() + BACKOFF.after(outages, random.getAsDouble()).toNanos();
    return outages == 1;
  }

  /** How long no message is sent. */
  public synchronized Duration rest() {
    return Duration.ofNanos(Math.max(0, outages == 0 ? 0 : resumeAt - nanos.getAsLong()));
  }

  /**
   * A message failed by itself.
   *
   * @return how long it is left alone
   */
  public synchronized Duration failed(long id) {
    return BACKOFF.after(failures.merge(id, 1, Integer::sum), random.getAsDouble());
  }
}
