package io.postbox.inbox.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.time.Timing;
import io.postbox.inbox.work.WorkQueue.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
  private final List<Long> table = new ArrayList<>();
  private final List<Long> looks = new ArrayList<>();
  private final VirtualTime time = new VirtualTime();
  private final WorkQueue queue = new WorkQueue(this::read, 2, time);

  /** Waiting takes no time but moves the clock; the thirtieth wait in a row stops the queue. */
  private final class VirtualTime implements Timing {
    private static final long START = Long.MAX_VALUE - 1_000; // so that it overflows
    private long now = START;
    private int waits;

    @Override
    public long nanos() {
      return now;
    }

    @Override
    public void await(Object monitor, Duration longest) {
      now += longest.toNanos();
      if (++waits == 30) {
        queue.stop();
      }
    }
  }

  private List<Long> read(int limit) {
    looks.add(Duration.ofNanos(time.now - VirtualTime.START).toMillis());
    return table.stream().limit(limit).toList();
  }

  private long taken() throws InterruptedException {
    return queue.take().orElseThrow();
  }

  @Test
  void givesOutEachMessageOnceWhileItIsWorkedOn() throws InterruptedException {
    table.addAll(List.of(1L, 2L));

    assertThat(List.of(taken(), taken())).containsExactly(1L, 2L);
    assertThat(queue.working()).isEqualTo(2);
    queue.wake();

    assertThat(queue.take()).as("nothing but what is worked on").isEmpty();
  }

  @Test
  void anIdleQueueLooksMoreAndMoreSeldom() throws InterruptedException {
    assertThat(queue.take()).isEqualTo(OptionalLong.empty());

    assertThat(looks.subList(0, 8))
        .containsExactly(0L, 200L, 600L, 1400L, 3000L, 6200L, 12600L, 22600L);
  }

  @Test
  void aWakeUpHasItLookAtOnce() throws InterruptedException {
    table.add(1L);
    taken();
    queue.done(1, Result.DONE);
    table.clear();
    table.add(2L);
    queue.wake();

    assertThat(taken()).isEqualTo(2);
    assertThat(time.waits).isZero();
  }

  @Test
  void aFailedMessageIsLeftAloneForAMomentAndOthersAreNot() throws InterruptedException {
    table.add(1L);
    taken();
    queue.done(1, Result.FAILED);
    table.add(2L);
    long failedAt = time.now;
    queue.wake();

    assertThat(taken()).isEqualTo(2);
    assertThat(time.now).as("at once").isEqualTo(failedAt);
    assertThat(taken()).isEqualTo(1);
    assertThat(Duration.ofNanos(time.now - failedAt)).isGreaterThanOrEqualTo(WorkQueue.COOLING);
  }

  @Test
  void failedMessagesDoNotHideThoseBehindThem() throws InterruptedException {
    for (long id = 1; id <= 8; id++) {
      table.add(id);
    }
    for (int i = 0; i < 8; i++) {
      queue.done(taken(), Result.FAILED);
    }
    table.add(9L);
    queue.wake();

    assertThat(taken()).isEqualTo(9);
  }

  @Test
  void workThatMayHaveMadeAnotherDueIsFollowedByALook() throws InterruptedException {
    table.add(1L);
    taken();
    table.set(0, 2L);
    queue.done(1, Result.DONE_AND_MORE);

    assertThat(taken()).isEqualTo(2);
    assertThat(time.waits).isZero();
  }

  @Test
  void aDelayedMessageIsLookedForWhenItIsDue() throws InterruptedException {
    queue.lookWithin(Duration.ofSeconds(60)); // later than planned
    queue.lookWithin(Duration.ofMillis(1_100));
    queue.take();

    assertThat(looks).startsWith(0L, 200L, 600L, 1_100L, 2_700L).contains(60_000L);
  }

  @Test
  void afterTheStopNothingIsGivenOut() throws InterruptedException {
    table.add(1L);
    queue.stop();

    assertThat(queue.take()).isEmpty();
  }
}
