package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class WorkListTest {
  private final Queue<Runnable> started = new ArrayDeque<>();
  private final WorkList list = new WorkList(2);
  private static final Runnable WORKER = () -> {};

  private void add(int... partitions) {
    list.add(bits(partitions), started::add, WORKER);
  }

  private static BitSet bits(int... partitions) {
    BitSet bits = new BitSet();
    for (int partition : partitions) {
      bits.set(partition);
    }
    return bits;
  }

  @Test
  void withoutWorkThereIsNoWorker() {
    add();
    assertThat(started).isEmpty();
    assertThat(list.isBusy()).isFalse();
  }

  @Test
  void onePartitionNeedsOneWorker() {
    add(3);
    assertThat(started).hasSize(1);
    assertThat(list.isBusy()).isTrue();
  }

  @Test
  void workersAreBounded() {
    add(1, 2, 3, 4);
    add(5, 6);
    assertThat(started).hasSize(2);
  }

  @Test
  void workersAreAddedAsWorkComes() {
    add(1);
    add(2);
    add(3);
    assertThat(started).hasSize(2);
  }

  @Test
  void aWorkerTakesUntilThereIsNoneAndEnds() {
    add(4, 7);
    assertThat(list.take()).hasValue(4);
    assertThat(list.take()).hasValue(7);
    list.giveBack(4, false);
    list.giveBack(7, false);
    assertThat(list.take()).isEmpty();
    assertThat(list.isBusy()).as("one of two has ended").isTrue();
    assertThat(list.take()).isEmpty();
    assertThat(list.isBusy()).isFalse();

    add(4);
    assertThat(started).hasSize(3);
  }

  @Test
  void aPartitionIsWithOneWorkerAtATime() {
    add(4);
    assertThat(list.take()).hasValue(4);
    add(4);
    assertThat(list.take()).as("a second worker finds nothing").isEmpty();

    list.giveBack(4, false);
    assertThat(list.take()).as("what came meanwhile is not lost").hasValue(4);
  }

  @Test
  void aPartitionWithMoreIsTakenAgain() {
    add(4);
    assertThat(list.take()).hasValue(4);
    list.giveBack(4, true);
    assertThat(list.take()).hasValue(4);
  }

  @Test
  void partitionsTakeTurns() {
    add(1, 2, 3);
    for (int expected : new int[] {1, 2, 3, 1, 2, 3, 1}) {
      OptionalInt taken = list.take();
      assertThat(taken).hasValue(expected);
      list.giveBack(expected, true);
    }
  }

  @Test
  void afterStopNothingIsTakenAndNobodyStarts() throws InterruptedException {
    add(1);
    assertThat(list.stop(Duration.ZERO)).as("a worker has not ended yet").isFalse();
    assertThat(list.take()).isEmpty();
    assertThat(list.stop(Duration.ZERO)).isTrue();
    assertThat(list.isBusy()).isFalse();
    add(2);
    assertThat(started).hasSize(1);
  }

  @Test
  void aRefusedWorkerIsNotCountedAsRunning() {
    Executor refuses =
        task -> {
          throw new RejectedExecutionException("full");
        };
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> list.add(bits(1, 2), refuses, WORKER)).hasMessage("full");
      assertThat(list.isBusy()).isFalse();
    }
    add(3);
    assertThat(started).as("the work of before is still there").hasSize(2);
    assertThat(list.take()).hasValue(1);
  }

  @Test
  void aWorkerMayRunOnTheThreadThatAdds() {
    int[] passes = new int[1];
    Runnable worker =
        () -> {
          for (OptionalInt next = list.take(); next.isPresent(); next = list.take()) {
            passes[0]++;
            list.giveBack(next.getAsInt(), false);
          }
        };
    list.add(bits(1, 2, 3), Runnable::run, worker);
    assertThat(passes[0]).isEqualTo(3);
    assertThat(list.isBusy()).isFalse();
  }
}
