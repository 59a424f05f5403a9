package io.postbox.inbox.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.server.Workers.Strength;
import io.postbox.inbox.work.WorkQueue;
import io.postbox.inbox.work.WorkQueue.Result;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkersTest {
  private static final Duration FOR_EVER = Duration.ofMinutes(1);

  private final DaemonThreads threads = new DaemonThreads("at work");
  private final ConcurrentLinkedQueue<Long> table = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Long> done = new ConcurrentLinkedQueue<>();
  private final AtomicInteger brokenLooks = new AtomicInteger();
  private final WorkQueue queue = new WorkQueue(this::read, 2);

  private List<Long> read(int limit) {
    if (brokenLooks.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new OutOfMemoryError("Java heap space");
    }
    Long next = table.poll();
    return next == null ? List.of() : List.of(next);
  }

  private Workers workers(java.util.function.LongConsumer work) {
    return new Workers(
        queue,
        2,
        id -> {
          try {
            work.accept(id);
            done.add(id);
          } finally {
            queue.done(id, Result.DONE);
          }
        },
        threads);
  }

  @AfterEach
  void stop() {
    queue.stop();
    threads.awaitEnd(FOR_EVER);
  }

  private void work(long id) {
    table.add(id);
    queue.wake();
    await().until(() -> done.contains(id));
  }

  @Test
  void anErrorInTheLookForMessagesEndsNoWorker() {
    try (LogLines lines = new LogLines()) {
      Workers workers = workers(id -> {});
      brokenLooks.set(2);
      workers.startMissing();

      work(1);
      assertThat(workers.number()).isEqualTo(new Strength(2, 2));
      assertThat(lines.all())
          .isNotEmpty()
          .allSatisfy(line -> assertThat(line).startsWith("IBX0130 ").contains("'at work'"));
    }
  }

  @Test
  void anErrorAndAnInterruptOfTheWorkEndNoWorker() {
    Workers workers =
        workers(
            id -> {
              Thread.currentThread().interrupt();
              if (id < 4) {
                throw new StackOverflowError();
              }
            });
    workers.startMissing();
    for (long id = 1; id < 4; id++) {
      table.add(id);
      queue.wake();
    }

    work(4);
    work(5);
    assertThat(workers.number()).isEqualTo(new Strength(2, 2));
  }

  @Test
  void evenALineThatCannotBeWrittenEndsNoWorker() {
    try (LogLines lines = new LogLines()) {
      lines.broken = new OutOfMemoryError("not even for a line");
      Workers workers = workers(id -> {});
      brokenLooks.set(2);
      workers.startMissing();

      work(1);
      assertThat(workers.number()).isEqualTo(new Strength(2, 2));
    }
  }

  @Test
  void theyAreStartedOnceAndEndAtTheStop() {
    Workers workers = workers(id -> {});
    workers.startMissing();
    workers.startMissing();
    assertThat(workers.number()).isEqualTo(new Strength(2, 2));

    queue.stop();
    threads.awaitEnd(FOR_EVER);
    workers.startMissing();
    assertThat(workers.number()).isEqualTo(new Strength(0, 2));
    assertThat(workers.number().isShort()).isTrue();
  }
}
