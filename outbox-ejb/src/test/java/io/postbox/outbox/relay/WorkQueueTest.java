package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.relay.RelayStatus.InHand;
import io.postbox.outbox.relay.WorkQueue.Next;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WorkQueueTest {
  private final VirtualClock clock = new VirtualClock();
  private final Queue<Runnable> started = new ArrayDeque<>();
  private final WorkQueue list = new WorkQueue(2, WorkQueueTest::first, this::blockedUntil, clock);
  private static final Runnable WORKER = () -> {};
  private final Map<String, Instant> blocked = new HashMap<>();

  private Optional<Instant> blockedUntil(String destination) {
    return Optional.ofNullable(blocked.get(destination)).filter(clock.instant()::isBefore);
  }

  private void add(int... partitions) {
    list.add(lanes(partitions), started::add, WORKER);
  }

  private static List<Lane> first(Collection<Lane> waiting) {
    return List.of(waiting.iterator().next());
  }

  private Optional<Lane> take() {
    return list.take().stream().findFirst();
  }

  private void giveBack(Lane lane, boolean more) {
    list.giveBack(lane.partition(), more ? Map.of(lane, Next.MORE) : Map.of());
  }

  private static List<Lane> lanes(int... partitions) {
    return IntStream.of(partitions).mapToObj(WorkQueueTest::lane).toList();
  }

  private static Lane lane(int partition) {
    return new Lane(partition, "d");
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
  void itTellsWhichLanesWorkersAreOnAndForHowLong() {
    add(3, 4, 5);
    assertThat(list.inHand()).isEmpty();
    Lane first = take().orElseThrow();
    clock.pass(Duration.ofSeconds(2));
    take();

    assertThat(list.inHand())
        .containsExactly(
            new InHand(3, List.of("d"), Duration.ofSeconds(2)),
            new InHand(4, List.of("d"), Duration.ZERO));
    giveBack(first, true);
    assertThat(list.inHand()).extracting(InHand::partition).containsExactly(4);
  }

  /** Each commit to it comes on a thread of the application. */
  @Test
  void aThousandCommitsToALaneInHandStartNoWorker() {
    add(4);
    assertThat(take()).contains(lane(4));
    for (int i = 0; i < 1_000; i++) {
      list.add(List.of(lane(4), new Lane(4, "other " + i)), started::add, WORKER);
    }
    assertThat(started).hasSize(1);

    add(5);
    add(5);
    assertThat(started).as("but one for another partition").hasSize(2);
    giveBack(lane(4), false);
    assertThat(take()).as("what came meanwhile is not lost").isPresent();
    assertThat(take()).isPresent();
  }

  @Test
  void aWorkerThatHasNotTakenYetIsEnoughForItsPartition() {
    add(4);
    add(4);
    add();
    assertThat(started).hasSize(1);
    add(5);
    assertThat(started).hasSize(2);
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
    assertThat(take()).contains(lane(4));
    assertThat(take()).contains(lane(7));
    giveBack(lane(4), false);
    giveBack(lane(7), false);
    assertThat(take()).isEmpty();
    assertThat(list.isBusy()).as("one of two has ended").isTrue();
    assertThat(take()).isEmpty();
    assertThat(list.isBusy()).isFalse();

    add(4);
    assertThat(started).hasSize(3);
  }

  @Test
  void aPartitionIsWithOneWorkerAtATime() {
    add(4);
    assertThat(take()).contains(lane(4));
    add(4);
    assertThat(take()).as("a second worker finds nothing").isEmpty();

    giveBack(lane(4), false);
    assertThat(take()).as("what came meanwhile is not lost").contains(lane(4));
  }

  @Test
  void aPartitionWithMoreIsTakenAgain() {
    add(4);
    assertThat(take()).contains(lane(4));
    giveBack(lane(4), true);
    assertThat(take()).contains(lane(4));
  }

  @Test
  void partitionsTakeTurns() {
    add(1, 2, 3);
    for (int expected : new int[] {1, 2, 3, 1, 2, 3, 1}) {
      Optional<Lane> taken = take();
      assertThat(taken).contains(lane(expected));
      giveBack(lane(expected), true);
    }
  }

  @Test
  void lanesOfOnePartitionTakeTurnsAndAreNotTakenTogether() {
    list.add(List.of(new Lane(1, "d"), new Lane(1, "e"), new Lane(2, "d")), started::add, WORKER);
    assertThat(take()).contains(new Lane(1, "d"));
    assertThat(take()).as("the row lock is the partition's").contains(new Lane(2, "d"));
    giveBack(new Lane(1, "d"), true);
    assertThat(take()).contains(new Lane(1, "e"));
    assertThat(take()).isEmpty();
    giveBack(new Lane(1, "e"), false);
    assertThat(take()).contains(new Lane(1, "d"));
  }

  @Test
  void lanesOfOnePartitionAreTakenTogetherWhereTheGroupingSaysSo() {
    WorkQueue together = new WorkQueue(2, List::copyOf, none -> Optional.empty(), clock);
    Lane d = new Lane(1, "d");
    Lane e = new Lane(1, "e");
    together.add(List.of(d, e, new Lane(2, "d")), started::add, WORKER);
    assertThat(together.take()).containsExactly(d, e);
    together.add(List.of(e), started::add, WORKER);
    assertThat(together.take()).as("of one partition only").containsExactly(new Lane(2, "d"));
    assertThat(together.take()).isEmpty();

    together.giveBack(1, Map.of(d, Next.MORE));
    assertThat(together.take())
        .as("the one that was added meanwhile, and the one that has more")
        .containsExactly(e, d);
  }

  @Test
  void afterStopNothingIsTakenAndNobodyStarts() throws InterruptedException {
    add(1);
    assertThat(list.stop(Duration.ZERO)).as("a worker has not ended yet").isFalse();
    assertThat(take()).isEmpty();
    assertThat(list.stop(Duration.ZERO)).isTrue();
    assertThat(list.isBusy()).isFalse();
    add(2);
    assertThat(started).hasSize(1);
  }

  /** Not with its limit, which would fail this. */
  @Test
  @Timeout(60)
  void aStopEndsWithTheLastWorker() throws InterruptedException {
    add(1);
    assertThat(take()).contains(lane(1));
    Thread stopping = Thread.currentThread();
    Thread worker =
        new Thread(
            () -> {
              await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING);
              giveBack(lane(1), true);
              take();
            });
    worker.start();

    assertThat(list.stop(Duration.ofMinutes(10))).isTrue();
    worker.join();
  }

  @Test
  void aStopWaitsNoLongerThanItMay() throws InterruptedException {
    add(1);
    assertThat(list.stop(Duration.ofMillis(20))).isFalse();
  }

  @Test
  void aRefusedWorkerIsNotCountedAsRunning() {
    Executor refuses =
        task -> {
          throw new RejectedExecutionException("full");
        };
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> list.add(lanes(1, 2), refuses, WORKER)).hasMessage("full");
      assertThat(list.isBusy()).isFalse();
    }
    add(3);
    assertThat(started).as("the work of before is still there").hasSize(2);
    assertThat(take()).contains(lane(1));
  }

  /** Two of these, with two workers, and none ever started again. */
  @Test
  void aWorkerForWhomThereIsNoThreadIsNotCountedAsRunning() {
    Executor withoutThreads =
        task -> {
          throw new OutOfMemoryError("unable to create native thread");
        };
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(() -> list.add(lanes(1, 2), withoutThreads, WORKER))
          .isInstanceOf(OutOfMemoryError.class);
      assertThat(list.isBusy()).isFalse();
    }
    add();
    assertThat(started).as("for the work of before").hasSize(2);
  }

  @Test
  void aWorkerThatBreaksDownLeavesNothingTaken() {
    Error failure = new NoClassDefFoundError("a/log/Formatter");
    Runnable worker =
        () ->
            list.work(
                lanes -> {
                  throw failure;
                });
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> list.add(lanes(1), Runnable::run, worker)).isSameAs(failure);
      assertThat(list.isBusy()).isFalse();
    }
  }

  @Test
  void workThatNoWorkerComesForIsNoticed() {
    assertThat(list.unattended()).isZero();
    add(1);
    clock.pass(Duration.ofMinutes(1));
    add(2);
    clock.pass(Duration.ofMinutes(1));
    assertThat(list.unattended()).isEqualTo(Duration.ofMinutes(2));

    assertThat(take()).isPresent();
    add(3);
    clock.pass(Duration.ofHours(1));
    assertThat(list.unattended()).as("somebody is at it, however long that takes").isZero();
    giveBack(lane(1), false);
    add();
    clock.pass(Duration.ofMinutes(1));
    assertThat(list.unattended()).as("and nobody came back").isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void aWorkerMayRunOnTheThreadThatAdds() {
    int[] passes = new int[1];
    Runnable worker =
        () ->
            list.work(
                lanes -> {
                  passes[0]++;
                  return Map.of();
                });
    list.add(lanes(1, 2, 3), Runnable::run, worker);
    assertThat(passes[0]).isEqualTo(3);
    assertThat(list.isBusy()).isFalse();
  }

  /** As its worker gives it back. */
  private void pass(Lane lane, Next next) {
    assertThat(take()).contains(lane);
    list.giveBack(lane.partition(), Map.of(lane, next));
  }

  private void assertThatNothingIsDueFor(Duration time) {
    assertThat(take()).isEmpty();
    int before = started.size();
    clock.pass(time.minusMillis(1));
    add();
    assertThat(started).hasSize(before);
    clock.pass(Duration.ofMillis(1));
    add();
  }

  @Test
  void aPartitionThatAnotherNodeHasIsLeftAloneWithAllItsLanesAndComesByItself() {
    Lane other = new Lane(4, "other");
    add(4);
    pass(lane(4), Next.BUSY);
    list.add(List.of(other), started::add, WORKER);
    assertThat(list.nextDue()).contains(clock.instant().plusMillis(200));
    started.clear();

    assertThatNothingIsDueFor(Duration.ofMillis(200));
    assertThat(started).as("nobody has polled").hasSize(1);
    assertThat(take()).isPresent();
    giveBack(lane(4), false);
    assertThat(take()).isPresent();
    assertThat(list.nextDue()).isEmpty();
  }

  @Test
  void aLaneWhosePassFailsWaitsTwiceAsLongEachTimeUpToALimit() {
    add(4);
    for (long millis : new long[] {500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000}) {
      pass(lane(4), Next.FAILED);
      add(4);
      assertThat(list.nextDue()).contains(clock.instant().plusMillis(millis));
      assertThatNothingIsDueFor(Duration.ofMillis(millis));
    }
    list.succeeded(lane(4));
    pass(lane(4), Next.FAILED);
    assertThat(list.nextDue()).as("as at first").contains(clock.instant().plusMillis(500));
  }

  @Test
  void otherLanesOfItsPartitionDoNotWaitForIt() {
    Lane other = new Lane(4, "other");
    add(4);
    pass(lane(4), Next.FAILED);
    list.add(List.of(other), started::add, WORKER);
    assertThat(take()).contains(other);
  }

  /** Also where the news of it came while the pass was running. */
  @Test
  void aLaneWithNewWorkWaitsForItsSetbackAllTheSame() {
    add(4);
    assertThat(take()).contains(lane(4));
    add(4);
    list.giveBack(4, Map.of(lane(4), Next.FAILED));
    assertThatNothingIsDueFor(Duration.ofMillis(500));
    assertThat(take()).contains(lane(4));
  }

  @Test
  void aLaneWhoseDestinationIsBlockedIsDueWhenThatEnds() {
    blocked.put("d", clock.instant().plusSeconds(7));
    assertThat(list.add(lanes(4, 5), started::add, WORKER)).isFalse();
    assertThat(started).isEmpty();

    clock.pass(Duration.ofSeconds(7));
    add();
    assertThat(started).hasSize(2);
    assertThat(take()).isPresent();
    assertThat(take()).isPresent();
  }

  @Test
  void aLaneThatAsksForAnotherPassLaterGetsItThenOrWithNewWorkAtOnce() {
    add(4, 5);
    pass(lane(4), Next.after(Duration.ofSeconds(3)));
    pass(lane(5), Next.after(Duration.ofSeconds(3)));
    add(5);
    assertThat(take()).contains(lane(5));
    giveBack(lane(5), false);

    assertThatNothingIsDueFor(Duration.ofSeconds(3));
    assertThat(take()).contains(lane(4));
  }

  @Test
  void aLaneWithoutWorkIsForgottenUnlessNewsOfItIsYounger() {
    add(4, 5);
    pass(lane(4), Next.FAILED);
    pass(lane(5), Next.FAILED);
    clock.pass(Duration.ofMillis(100));
    Instant asked = clock.instant();
    clock.pass(Duration.ofMillis(100));
    add(5);
    list.withWork(Set.of(), asked);

    clock.pass(Duration.ofSeconds(1));
    add();
    assertThat(take()).contains(lane(5));
    assertThat(take()).isEmpty();
  }
}
