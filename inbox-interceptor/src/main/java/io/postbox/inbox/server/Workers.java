package io.postbox.inbox.server;

import io.postbox.inbox.log.WatchLog;
import io.postbox.inbox.work.WorkQueue;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/**
 * The threads that work on the messages of a queue. They end when the queue is stopped, and by
 * nothing that the work throws or leaves behind. Thread-safe.
 */
public final class Workers {
  /** How long a worker leaves its queue alone after a failure that nobody expected. */
  static final Duration PAUSE = Duration.ofSeconds(1);

  private final WorkQueue queue;
  private final int configured;
  private final LongConsumer work;
  private final DaemonThreads threads;
  private int alive;
  private boolean isShort;

  /**
   * How many of a consumer's workers there are.
   *
   * @param alive those that run
   * @param configured those that should
   */
  public record Strength(int alive, int configured) {
    /** None. */
    public static final Strength NONE = new Strength(0, 0);

    /** With further ones. */
    public Strength and(Strength others) {
      return new Strength(alive + others.alive, configured + others.configured);
    }

    /** Whether some do not run. */
    public boolean isShort() {
      return alive < configured;
    }
  }

  /**
   * @param queue gives out the messages
   * @param configured how many threads
   * @param work works on a message, and ends that with the queue
   * @param threads starts them
   */
  public Workers(WorkQueue queue, int configured, LongConsumer work, DaemonThreads threads) {
    this.queue = queue;
    this.configured = configured;
    this.work = work;
    this.threads = threads;
  }

  /** Their queue. */
  public WorkQueue queue() {
    return queue;
  }

  /** Starts those that do not run. Never throws: without a thread the next call tries again. */
  public void startMissing() {
    while (take()) {
      try {
        threads.execute(this::run);
      } catch (RuntimeException | Error refused) { // no thread is left, perhaps for a while
        ended();
        tellOnce(refused);
        return;
      }
    }
  }

  private synchronized boolean take() {
    if (alive == configured || queue.isStopped()) {
      isShort = false;
      return false;
    }
    alive++;
    return true;
  }

  private synchronized void tellOnce(Throwable refused) {
    if (!isShort) {
      isShort = true;
      WatchLog.workersMissing(threads.name(), alive, configured, refused);
    }
  }

  private synchronized void ended() {
    alive--;
  }

  /** How many there are. */
  public synchronized Strength number() {
    return new Strength(alive, configured);
  }

  private void run() {
    try {
      threads.repeat(this::workOnNext, () -> queue.rest(PAUSE));
    } finally {
      ended();
    }
  }

  private boolean workOnNext() throws InterruptedException {
    OptionalLong next = queue.take();
    next.ifPresent(work);
    return next.isPresent();
  }
}
