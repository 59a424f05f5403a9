package io.postbox.outbox.server;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that live for one task. What a connection that broke leaves behind on its thread ends
 * with the thread: in Liberty a local transaction that nobody can end any more, because of which no
 * JTA transaction can begin there. A thread per batch is cheap beside the batch.
 */
final class ThreadPerTaskExecutor {
  private ThreadPerTaskExecutor() {}

  /** As many as there are tasks. */
  static ExecutorService oneEach(ThreadFactory threads) {
    return new ThreadPoolExecutor(
        0, Integer.MAX_VALUE, 0, TimeUnit.SECONDS, new SynchronousQueue<>(), threads);
  }
}
