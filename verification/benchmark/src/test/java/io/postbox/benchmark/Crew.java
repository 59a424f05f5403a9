package io.postbox.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that begin together, each with what it needs already open. */
final class Crew {
  private static final int LONGEST_OPENING_SECONDS = 60;

  private final List<Callable<Hand>> hands = new ArrayList<>();

  /** One thread's work, and what is open for it. */
  interface Hand extends AutoCloseable {
    void work() throws Exception;
  }

  /** Adds threads that open and do the same. */
  Crew with(int threads, Callable<Hand> opened) {
    for (int i = 0; i < threads; i++) {
      hands.add(opened);
    }
    return this;
  }

  /** From when all are open until the last has worked. */
  double seconds() throws Exception {
    AtomicLong start = new AtomicLong();
    CyclicBarrier open = new CyclicBarrier(hands.size(), () -> start.set(System.nanoTime()));
    ExecutorService threads = Executors.newFixedThreadPool(hands.size());
    try {
      List<Future<Long>> ends = new ArrayList<>();
      for (Callable<Hand> each : hands) {
        ends.add(threads.submit(() -> endOf(each, open)));
      }
      long last = start.get();
      for (Future<Long> end : ends) {
        last = Math.max(last, end.get());
      }
      return (last - start.get()) / 1e9;
    } finally {
      threads.shutdownNow();
    }
  }

  private static long endOf(Callable<Hand> opened, CyclicBarrier open) throws Exception {
    try (Hand hand = opened.call()) {
      open.await(LONGEST_OPENING_SECONDS, TimeUnit.SECONDS);
      hand.work();
      return System.nanoTime();
    }
  }
}
