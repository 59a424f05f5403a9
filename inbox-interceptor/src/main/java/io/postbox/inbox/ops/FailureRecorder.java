package io.postbox.inbox.ops;

import io.postbox.common.log.Throttle;
import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.receiver.FailureLog;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Records failures one after the other, in transactions of its own and on a thread that holds no
 * resources of deliveries. The queue is bounded; further failures are lost, and each lost one gives
 * its message an additional attempt. Thread-safe.
 */
public final class FailureRecorder implements FailureLog {
  private final LocalTransactions transactions;
  private final Insert insert;
  private final Executor executor;
  private final int capacity;
  private final Duration patience;
  private final Queue<Failure> waiting = new ArrayDeque<>();
  private final List<Running> running = new ArrayList<>();
  private @Nullable Failure inHand;
  private boolean isAtWork;
  private boolean stopped;
  private final Throttle lines = new Throttle(System::nanoTime);

  /** A running handler. */
  private record Running(String consumer, String messageId) {}

  /** Writes one failure. */
  public interface Insert {
    /** Writes it; the caller commits. */
    void into(Connection connection, Failure failure) throws SQLException;
  }

  /**
   * @param transactions run outside of deliveries' transactions
   * @param insert the statement
   * @param executor runs the task that writes, on a thread that is in no transaction
   * @param capacity how many may wait
   * @param patience how long a delivery waits until its message's failures are written
   */
  public FailureRecorder(
      LocalTransactions transactions,
      Insert insert,
      Executor executor,
      int capacity,
      Duration patience) {
    this.transactions = transactions;
    this.insert = insert;
    this.executor = executor;
    this.capacity = capacity;
    this.patience = patience;
  }

  @Override
  public synchronized void begins(String consumer, String messageId) {
    running.add(new Running(consumer, messageId));
  }

  @Override
  public synchronized void ends(String consumer, String messageId) {
    running.remove(new Running(consumer, messageId)); // one of several, perhaps
    notifyAll();
  }

  @Override
  public void record(Failure failure) {
    if (!take(failure)) {
      return;
    }
    try {
      executor.execute(this::write);
    } catch (RuntimeException | Error refused) { // the server stops, or has no thread left
      notWritten(refused);
    }
  }

  /** Queues a failure, and returns whether the task has to be started. */
  private synchronized boolean take(Failure failure) {
    if (stopped) {
      return false;
    }
    if (waiting.size() == capacity) {
      lost(new SQLException("more than " + capacity + " failures wait to be written"));
      return false;
    }
    waiting.add(failure);
    boolean start = !isAtWork;
    isAtWork = true;
    return start;
  }

  private synchronized void notWritten(Throwable refused) {
    isAtWork = false;
    while (waiting.poll() != null) {
      lost(refused);
    }
    notifyAll();
  }

  private void write() {
    boolean isAllWritten = false;
    try {
      writeAll();
      isAllWritten = true;
    } finally {
      if (!isAllWritten) {
        brokeDown();
      }
    }
  }

  /** Notes that an Error ended the task; the next failure starts another one. */
  private synchronized void brokeDown() {
    inHand = null;
    isAtWork = false;
    notifyAll();
  }

  private void writeAll() {
    for (Failure next = next(); next != null; next = next()) {
      Failure failure = next;
      try {
        transactions.once(
            connection -> {
              insert.into(connection, failure);
              return failure;
            });
      } catch (Throwable failed) { // the next failure may be written all the same
        synchronized (this) {
          lost(failed);
        }
      }
    }
  }

  private synchronized @Nullable Failure next() {
    inHand = waiting.poll();
    isAtWork = inHand != null;
    notifyAll();
    return inHand;
  }

  @Override
  public synchronized void await(String consumer, String messageId) {
    long end = System.nanoTime() + patience.toNanos();
    try {
      while (isPending(consumer, messageId)) {
        long left = end - System.nanoTime();
        if (left <= 0) {
          return; // this failure is not counted
        }
        TimeUnit.NANOSECONDS.timedWait(this, left);
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt(); // the message's handler notices it
    }
  }

  private boolean isPending(String consumer, String messageId) {
    return running.contains(new Running(consumer, messageId))
        || isAbout(inHand, consumer, messageId)
        || waiting.stream().anyMatch(failure -> isAbout(failure, consumer, messageId));
  }

  private static boolean isAbout(@Nullable Failure failure, String consumer, String messageId) {
    return failure != null
        && failure.messageId().equals(messageId)
        && failure.consumer().equals(consumer);
  }

  /** Logs lost failures, but only now and then, because an unavailable database loses each one. */
  private void lost(Throwable cause) {
    if (!stopped) {
      lines.tell(times -> InboxLog.failuresNotRecorded(times, cause));
    }
  }

  /** Accepts no more failures; waiting ones are lost. */
  public synchronized void stop() {
    stopped = true;
    waiting.clear();
    notifyAll();
  }
}
