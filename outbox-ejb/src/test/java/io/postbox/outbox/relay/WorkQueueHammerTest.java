package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.relay.WorkQueue.Next;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many threads tell of work while workers take it: none is lost, no partition is taken twice. */
class WorkQueueHammerTest {
  private static final int PARTITIONS = 8;
  private static final int WORKERS = 4;
  private static final int TELLERS = 4;
  private static final int ROUNDS = 20_000;

  private final WorkQueue list =
      new WorkQueue(WORKERS, List::copyOf, none -> Optional.empty(), InstantSource.system());
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final AtomicIntegerArray waiting = new AtomicIntegerArray(PARTITIONS);
  private final AtomicIntegerArray inHand = new AtomicIntegerArray(PARTITIONS);
  private final AtomicInteger working = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicReference<String> broken = new AtomicReference<>("");

  @AfterEach
  void end() {
    executor.shutdownNow();
  }

  private void work() {
    for (List<Lane> next = list.take(); !next.isEmpty(); next = list.take()) {
      int partition = next.get(0).partition();
      if (working.incrementAndGet() > WORKERS) {
        broken.set("too many workers");
      }
      if (inHand.incrementAndGet(partition) != 1) {
        broken.set("two workers on partition " + partition);
      }
      int found = waiting.get(partition);
      int some = Math.min(found, 3); // a batch: the rest is "more"
      waiting.addAndGet(partition, -some);
      done.addAndGet(some);
      inHand.decrementAndGet(partition);
      working.decrementAndGet();
      list.giveBack(partition, found > some ? Map.of(next.get(0), Next.MORE) : Map.of());
    }
  }

  @Test
  void nothingIsLostAndNoPartitionIsWithTwoWorkers() throws InterruptedException {
    CountDownLatch told = new CountDownLatch(TELLERS);
    for (int t = 0; t < TELLERS; t++) {
      int first = t;
      executor.execute(
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              int partition = (first * 3 + i) % PARTITIONS;
              waiting.incrementAndGet(partition);
              list.add(List.of(new Lane(partition, "d")), executor, this::work);
            }
            told.countDown();
          });
    }
    told.await();

    await().until(() -> !list.isBusy());
    assertThat(done).hasValue(TELLERS * ROUNDS);
    assertThat(broken).hasValue("");
  }
}
