package io.postbox.outbox.relay;

import io.postbox.outbox.message.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Opens payloads on a thread of its own, so that the application's code for that, if it hangs,
 * costs the relay a thread, but not its hold on the partition. Where nothing is to be opened, there
 * is no thread. Thread-safe.
 */
final class LimitedOpening {
  /** The claim is held meanwhile, and sending comes after: together less than stuck. */
  private static final Duration LONGEST = Duration.ofSeconds(15);

  private final Contents contents;
  private final ExecutorService executor;
  private final Duration limit;
  private final int runningAtMost;
  private final AtomicInteger running = new AtomicInteger();

  LimitedOpening(Contents contents, ExecutorService executor, Duration sendTimeout, int workers) {
    this.contents = contents;
    this.executor = executor;
    limit = sendTimeout.compareTo(LONGEST) < 0 ? sendTimeout : LONGEST;
    runningAtMost = 2 * workers; // one of each worker's own, and as many that hang
  }

  Opened open(List<StoredMessage> messages) {
    if (messages.stream().allMatch(Opening::isOpen)) {
      return Opened.asTheyAre(messages);
    }
    if (running.get() >= runningAtMost) {
      return Opened.fault(
          "earlier loads of payloads or decryptions still hang, so nothing more is opened until one"
              + " ends");
    }
    long start = System.nanoTime();
    Future<Opened> opening;
    try {
      opening =
          executor.submit(
              () -> {
                running.incrementAndGet();
                try {
                  return Opening.open(messages, contents, () -> isInFirstHalf(start));
                } finally {
                  running.decrementAndGet();
                }
              });
    } catch (RejectedExecutionException stopped) { // the relay has: nobody is to blame
      return Opened.asTheyAre(List.of());
    }
    try {
      return opening.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException("payloads could not be opened: " + failed, failed.getCause());
    } catch (TimeoutException late) {
      opening.cancel(false);
      return Opened.fault(
          "its payload could not be loaded or decrypted within " + limit.toMillis() + " ms");
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      opening.cancel(false);
      return Opened.fault("loading or decrypting its payload was interrupted");
    }
  }

  /** One that begins in the second half would have too little time. */
  private boolean isInFirstHalf(long start) {
    return System.nanoTime() - start < limit.toNanos() / 2;
  }
}
