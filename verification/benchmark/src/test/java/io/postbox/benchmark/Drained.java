package io.postbox.benchmark;

import java.util.concurrent.Callable;

/** The end of a drain: the broker has all, and nothing waits any more. */
final class Drained {
  private Drained() {}

  /**
   * Waits for it, and empties the queue; messages per second.
   *
   * @param all how many messages there have to be in the end
   * @param start when the drain began, by {@link System#nanoTime}
   * @param empty whether nothing waits any more
   */
  static double rate(Broker broker, String queue, long all, long start, Callable<Boolean> empty)
      throws Exception {
    Waiting.until(all + " messages in " + queue, () -> broker.count(queue) >= all);
    Waiting.until("nothing that waits", empty);
    double seconds = (System.nanoTime() - start) / 1e9;
    long found = broker.count(queue);
    if (found != all) {
      throw new IllegalStateException(found + " messages of " + all + " in " + queue);
    }
    broker.empty(queue);
    return all / seconds;
  }
}
