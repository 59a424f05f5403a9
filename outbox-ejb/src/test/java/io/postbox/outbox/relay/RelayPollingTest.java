package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.relay.RelayFixture.RecordingListener;
import io.postbox.outbox.store.ClaimStore.Batch;
import io.postbox.outbox.store.ClaimStore.Failure;
import io.postbox.outbox.store.ClaimStore.Writers;
import io.postbox.outbox.testing.DirectExecutor;
import io.postbox.outbox.testing.LogLines;
import io.postbox.outbox.testing.Messages;
import io.postbox.outbox.testing.TestConfig;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a relay looks for work and what it leaves alone, in virtual time and without tables. */
class RelayPollingTest {
  private static final OutboxConfig CONFIG =
      TestConfig.DEFAULT.withFirstBackoff(Duration.ofSeconds(4)).config();
  private static final Lane LANE = new Lane(3, "d");
  private static final Duration FIRST_SETBACK = Duration.ofMillis(500);

  private final FakePartitionClaims claims = new FakePartitionClaims();
  private final VirtualClock clock = new VirtualClock();
  private final CircuitBreakers breakers = new CircuitBreakers(clock);
  private final RecordingListener listener = new RecordingListener();
  private boolean rejects;
  private boolean noThreads;

  private final Relay relay =
      new Relay(
          CONFIG,
          CONFIG::recovery,
          claims,
          lane -> this::send,
          breakers,
          listener,
          new DirectExecutor() {
            @Override
            public void execute(Runnable task) {
              if (noThreads) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              super.execute(task);
            }
          },
          () -> 0.5,
          clock);

  private void send(List<StoredMessage> messages) throws SendFailure {
    if (rejects) {
      throw SendFailure.ofMessage(messages.get(0), "unreadable", new Exception());
    }
  }

  /** Looks until there is nothing to find for the longest pause, and answers how often it has. */
  private int idle() {
    for (int i = 0; i < 10; i++) {
      clock.pass(AdaptivePolling.LONGEST);
      relay.tick();
    }
    return claims.polls;
  }

  private int pollsAfter(Duration time) {
    clock.pass(time);
    relay.tick();
    return claims.polls;
  }

  private int wakesAfter(Duration time) {
    clock.pass(time);
    relay.tick();
    return claims.wakes;
  }

  @Test
  void aMessageThatIsToBeDueGoesToWorkThenWithoutAPoll() {
    int polls = idle();
    relay.wakeAfter(Duration.ofSeconds(3));
    claims.woken = Set.of(LANE);

    assertThat(wakesAfter(Duration.ofMillis(2_999))).isZero();
    assertThat(wakesAfter(Duration.ofMillis(1))).isOne();
    assertThat(claims.claimed).containsExactly(LANE.partition());
    assertThat(wakesAfter(Duration.ofMillis(500))).as("it was found").isOne();
    assertThat(claims.polls).isEqualTo(polls);
  }

  @Test
  void itTellsHowLongAgoAPollSucceeded() {
    assertThat(relay.status().polled()).isEmpty();
    claims.pollFails = true;
    pollsAfter(Duration.ZERO);
    assertThat(relay.status().polled()).isEmpty();

    claims.pollFails = false;
    pollsAfter(AdaptivePolling.LONGEST);
    assertThat(relay.status().polled()).contains(Duration.ZERO);
    claims.pollFails = true;
    pollsAfter(AdaptivePolling.LONGEST);
    assertThat(relay.status().polled()).contains(AdaptivePolling.LONGEST);
  }

  @Test
  void soDoesTheNextOneThatAPollTellsOf() {
    claims.nextDue = Duration.ofSeconds(12);
    relay.tick();
    claims.woken = Set.of(LANE);
    for (int i = 0; i < 24; i++) {
      assertThat(claims.wakes).as("none was due").isZero();
      clock.pass(Duration.ofMillis(500));
      relay.tick();
    }
    assertThat(claims.wakes).isOne();
    assertThat(claims.claimed).containsExactly(LANE.partition());
  }

  @Test
  void whereItCannotBePutToWorkThatIsRepeatedAndNotInAHurry() {
    idle();
    relay.wakeAfter(Duration.ofMillis(1));
    claims.wakingFails = true;
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      for (int i = 0; i < 18; i++) { // nine seconds
        wakesAfter(Duration.ofMillis(500));
      }
      assertThat(log.lines()).hasSize(1).allMatch(line -> line.startsWith("OBX0009 "));
    }
    claims.wakingFails = false;
    claims.woken = Set.of(LANE);
    wakesAfter(Duration.ofSeconds(2));
    assertThat(claims.claimed).containsExactly(LANE.partition());
  }

  @Test
  void dueMessagesGoToWorkAndThePollRepeatsSoonIfThereAreMore() {
    idle();
    int polls = claims.polls;
    claims.nextDue = Duration.ZERO;
    claims.wakesSome = true;
    claims.woken = Set.of(LANE);

    assertThat(relay.poll()).isEqualTo(AdaptivePolling.SHORTEST);
    assertThat(claims.wakes).as("as long as there is more, ten thousand at most").isEqualTo(10);
    assertThat(claims.claimed).as("without another poll").containsExactly(LANE.partition());
    assertThat(claims.polls).isEqualTo(polls + 1);

    claims.nextDue = Duration.ofSeconds(-1);
    claims.wakesSome = false;
    claims.woken = Set.of();
    assertThat(relay.poll()).isGreaterThan(AdaptivePolling.SHORTEST);
    assertThat(claims.wakes).isEqualTo(11);
  }

  /** Else the more there is to put back to work, the later comes the next poll. */
  @Test
  void theTimeThatItTakesToPutMessagesToWorkDoesNotCountAsThePolls() {
    idle();
    claims.nextDue = Duration.ZERO;
    claims.wakesSome = true;
    claims.woken = Set.of(LANE);
    claims.whenWoken = () -> clock.pass(Duration.ofMillis(100));

    assertThat(relay.poll()).isEqualTo(AdaptivePolling.SHORTEST);
  }

  /** However long a poll takes, as where there are very many lanes. */
  @ParameterizedTest
  @ValueSource(longs = {0, 100, 300, 1_000})
  void aRedriveOfTenThousandMessagesASecondIsOne(long millisOfAPoll) {
    claims.wakesSome = true;
    claims.whenPolled =
        () -> {
          claims.nextDue = Duration.ZERO;
          clock.pass(Duration.ofMillis(millisOfAPoll));
        };
    Instant end = clock.instant().plusSeconds(60);
    while (clock.instant().isBefore(end)) {
      clock.pass(relay.tick());
    }
    assertThat(claims.wakes * 1_000 / 60).isGreaterThanOrEqualTo(10_000);
  }

  @Test
  void aPollThatFailsIsLoggedAndRepeated() {
    claims.pollFails = true;
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      idle();
      assertThat(log.lines()).hasSize(10).allMatch(line -> line.startsWith("OBX0009 "));
    }
    assertThat(listener.polls()).as("the timer works").isEqualTo(10);

    claims.pollFails = false;
    claims.lanes = List.of(LANE);
    relay.poll();
    assertThat(claims.claimed).containsExactly(LANE.partition());
  }

  @Test
  void aPollThatFailsAfterLongIsRepeatedAfterTheLongestIntervalAndNoLater() {
    claims.whenPolled = () -> clock.pass(Duration.ofSeconds(30)); // for a connection of the pool
    claims.pollFails = true;
    assertThat(relay.poll()).isEqualTo(AdaptivePolling.LONGEST);
  }

  /** With it a send would count as one that the broker did not answer, and H2 close its file. */
  @Test
  void anInterruptThatIsLeftBehindInAPassDoesNotMeetTheNext() {
    List<Boolean> interrupted = new ArrayList<>();
    claims.whenRead =
        () -> {
          interrupted.add(Thread.currentThread().isInterrupted());
          Thread.currentThread().interrupt();
        };
    relay.wake(List.of(LANE, new Lane(4, "d")));
    Thread.interrupted(); // this thread plays the worker

    assertThat(interrupted).hasSizeGreaterThan(1).containsOnly(false);
  }

  @Test
  void busyLanesThatShareAPassAreLeftAloneAlsoWhereWhoHasThemIsNotFound() {
    claims.inOtherHands = true;
    claims.firstFails = true;
    relay.wake(List.of(LANE, new Lane(LANE.partition(), "e")));
    for (int i = 0; i < 600; i++) { // two minutes, in which it asks who has the partition
      clock.pass(AdaptivePolling.SHORTEST);
      relay.tick();
    }
    assertThat(claims.claimed).hasSizeLessThanOrEqualTo(2 * 601);
  }

  @Test
  void aPartitionInOtherHandsIsTriedAgainShortlyWithoutAPoll() {
    int polls = idle();
    claims.inOtherHands = true;
    relay.wake(List.of(LANE));
    relay.wake(List.of(new Lane(4, "d")));
    for (int i = 0; i < 20; i++) {
      assertThat(pollsAfter(AdaptivePolling.SHORTEST)).isEqualTo(polls);
    }

    assertThat(claims.claimed).hasSize(2 * 21);
  }

  /** As where there are very many lanes, with everything about that could be noted. */
  @Test
  void pollsTakeAtMostATenthOfTheTimeHoweverMuchIsDue() {
    claims.lanes = List.of(LANE, new Lane(4, "e"), new Lane(5, "f"));
    claims.inOtherHands = true;
    claims.whenPolled =
        () -> {
          claims.nextDue = Duration.ofMillis(100);
          clock.pass(Duration.ofSeconds(4));
        };
    Duration time = Duration.ofMinutes(20);
    Instant end = clock.instant().plus(time);
    while (clock.instant().isBefore(end)) {
      relay.wakeAfter(Duration.ofMillis(300));
      clock.pass(relay.tick());
    }

    assertThat(claims.polls * 4L).isBetween(time.toSeconds() / 20, time.toSeconds() / 10);
    assertThat(claims.claimed).as("tries").hasSizeGreaterThan(3 * 20 * 60);
    assertThat(claims.wakes).as("looks for messages that are due").isGreaterThan(20 * 60);
  }

  /** Or each commit of twenty nodes would try the claims of all the others. */
  @Test
  void aPartitionInOtherHandsIsLeftAloneForAMoment() {
    idle();
    claims.inOtherHands = true;
    for (int i = 0; i < 1_000; i++) {
      relay.wake(List.of(LANE, new Lane(LANE.partition(), "other")));
    }
    assertThat(claims.claimed).containsExactly(LANE.partition());
    relay.wake(List.of(new Lane(4, "d")));
    assertThat(claims.claimed).as("the others are not").containsExactly(LANE.partition(), 4);

    claims.inOtherHands = false;
    claims.lanes = List.of(LANE);
    clock.pass(AdaptivePolling.SHORTEST);
    relay.tick();
    assertThat(claims.claimed).containsExactly(LANE.partition(), 4, LANE.partition(), 4);
  }

  /** And where another node has done the work meanwhile, it is noticed that threads are back. */
  @Test
  void whereNoWorkerCanBeStartedTheTimerGoesOnAndThatIsNoticed() {
    noThreads = true;
    claims.lanes = List.of(LANE);
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      for (int i = 0; i < 240; i++) { // two minutes
        relay.tick();
        clock.pass(Duration.ofMillis(500));
      }
      assertThat(log.lines()).hasSize(2).allMatch(line -> line.startsWith("OBX0060 "));
    }
    assertThat(relay.unattended()).isGreaterThan(Duration.ofSeconds(119));
    assertThat(claims.claimed).isEmpty();

    noThreads = false;
    claims.lanes = List.of();
    relay.poll();
    assertThat(relay.unattended()).isZero();
    assertThat(claims.claimed).containsExactly(LANE.partition());
  }

  private void holdForTooLong() {
    claims.inOtherHands = true;
    claims.lanes = List.of(LANE);
    long ticks = Relay.longestSilence(CONFIG).plusSeconds(2).toMillis() / 500;
    for (long i = 0; i < ticks; i++) {
      relay.tick();
      clock.pass(Duration.ofMillis(500));
    }
  }

  @Test
  void aPartitionThatIsHeldForTooLongIsLoggedOnce() {
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      holdForTooLong();
      relay.tick();
      assertThat(log.lines())
          .singleElement()
          .asString()
          .startsWith("OBX0016 Partition 3 ")
          .endsWith("who has 3");
    }
    assertThat(relay.stuckPartitions()).containsOnlyKeys(3);
    assertThat(Relay.longestSilence(CONFIG))
        .isEqualTo(CONFIG.relay().sendTimeout().plusSeconds(30));
  }

  @Test
  void aPartitionIsNotStuckAnyMoreOnceItIsFree() {
    holdForTooLong();
    claims.inOtherHands = false;
    relay.wake(List.of(LANE));

    assertThat(relay.stuckPartitions()).isEmpty();
  }

  @Test
  void nobodyWaitsForAPartitionWithoutWorkWhoeverHoldsIt() {
    holdForTooLong();
    claims.lanes = List.of();
    relay.poll();

    assertThat(relay.stuckPartitions()).isEmpty();
  }

  @Test
  void aPassThatBreaksDownIsLoggedAndRepeatedAfterAWhile() {
    int polls = idle();
    claims.claimFails = true;
    claims.lanes = List.of(LANE);
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      relay.wake(List.of(LANE));
      assertThat(log.lines()).singleElement().asString().startsWith("OBX0008 Partition 3: ");
    }

    assertThat(pollsAfter(FIRST_SETBACK.minusMillis(1))).isEqualTo(polls);
    assertThat(claims.claimed).hasSize(1);
    assertThat(pollsAfter(Duration.ofMillis(1))).as("the lane is known").isEqualTo(polls);
    assertThat(claims.claimed).hasSize(2);
  }

  @Test
  void aPartitionInWhichAPassBrokeDownIsNoWorkForAPoll() {
    idle();
    claims.claimFails = true;
    claims.lanes = List.of(LANE);
    relay.wake(List.of(LANE));

    assertThat(relay.poll()).isGreaterThan(AdaptivePolling.SHORTEST);
    assertThat(claims.claimed).hasSize(1);
  }

  @Test
  void afterAPassThatWentWellTheNextSetbackIsAsShortAsTheFirst() {
    claims.claimFails = true;
    relay.wake(List.of(LANE));
    clock.pass(FIRST_SETBACK);
    claims.claimFails = false;
    relay.wake(List.of(LANE));
    claims.claimFails = true;
    relay.wake(List.of(LANE));
    clock.pass(FIRST_SETBACK);
    relay.wake(List.of(LANE));

    assertThat(claims.claimed).hasSize(4);
  }

  /** Another node has it, which says nothing about what broke down here. */
  @Test
  void aPartitionInOtherHandsEndsNoSetback() {
    claims.claimFails = true;
    relay.wake(List.of(LANE));
    clock.pass(FIRST_SETBACK);
    claims.claimFails = false;
    claims.inOtherHands = true;
    relay.wake(List.of(LANE));
    claims.claimFails = true;
    clock.pass(AdaptivePolling.SHORTEST); // so long it is left alone
    relay.wake(List.of(LANE));
    assertThat(claims.claimed).hasSize(3);

    clock.pass(FIRST_SETBACK);
    relay.wake(List.of(LANE));
    assertThat(claims.claimed).as("the second wait is longer").hasSize(3);
    clock.pass(FIRST_SETBACK);
    relay.wake(List.of(LANE));
    assertThat(claims.claimed).hasSize(4);
  }

  @Test
  void aDestinationThatWaitsEndsNoSetback() {
    claims.claimFails = true;
    relay.wake(List.of(LANE));
    clock.pass(FIRST_SETBACK);
    trip();
    relay.wake(List.of(LANE));
    clock.pass(FIRST_SETBACK);
    relay.wake(List.of(LANE));
    clock.pass(FIRST_SETBACK);
    relay.wake(List.of(LANE));

    assertThat(claims.claimed).as("the second wait is longer").hasSize(2);
  }

  /** The one neither ends the setbacks of the other, nor waits for them. */
  @Test
  void aLaneThatGoesWellSharesAPartitionWithOneThatBreaksDown() {
    Lane broken = LANE;
    Lane well = new Lane(LANE.partition(), "e");
    claims.failingReads.add(broken.destination());
    for (int i = 0; i < 16; i++) { // eight seconds
      relay.wake(List.of(broken, well));
      clock.pass(FIRST_SETBACK);
    }

    assertThat(claims.read)
        .filteredOn("d"::equals)
        .as("at 0 with the other lane and alone, then alone at 0.5, 1.5, 3.5 and 7.5 s")
        .hasSize(6);
    assertThat(claims.read).filteredOn("e"::equals).hasSizeGreaterThanOrEqualTo(16);
  }

  @Test
  void aLaneWithoutWorkIsForgottenWithItsSetbacks() {
    claims.claimFails = true;
    for (int i = 0; i < 4; i++) {
      relay.wake(List.of(LANE));
      clock.pass(FIRST_SETBACK.multipliedBy(1L << i));
    }
    claims.lanes = List.of(); // another node has sent it
    relay.poll();
    relay.wake(List.of(LANE));
    clock.pass(FIRST_SETBACK);
    relay.wake(List.of(LANE));

    assertThat(claims.claimed).hasSize(6);
  }

  private static Batch batch(long first, long transaction) {
    return new Batch(
        List.of(Messages.message(first, "d", null), Messages.message(first + 1, "d", null)),
        true,
        new Writers(transaction, transaction));
  }

  /** A database that has failed over may have lost what this node has seen committed. */
  @Test
  void afterAFailureOfTheDatabaseALaneIsReadFromItsStart() {
    claims.batches.addAll(List.of(batch(1, 500), batch(3, 510), batch(5, 520)));
    claims.failsWithoutBatches = true;
    relay.wake(List.of(LANE));
    assertThat(claims.readAfter).as("it had a floor").containsExactly(0L, 0L, 2L, 4L);

    claims.failsWithoutBatches = false;
    clock.pass(FIRST_SETBACK);
    relay.wake(List.of(LANE));
    assertThat(claims.readAfter.get(4)).isZero();
  }

  /** As where an old snapshot keeps the index entries of very many deleted rows. */
  @Test
  void aLaneWhoseStartIsCostlyToReadIsReadFromItsMarkAfterItWasEmptyToo() {
    claims.whenRead = () -> clock.pass(Duration.ofMillis(200));
    claims.batches.addAll(List.of(batch(1, 500), batch(3, 510), batch(5, 520)));
    relay.wake(List.of(LANE));
    assertThat(claims.readAfter).as("the last one is not full").containsExactly(0L, 0L, 2L, 4L);

    relay.wake(List.of(LANE));
    assertThat(claims.readAfter).last().as("a new message").isEqualTo(4L);

    clock.pass(Duration.ofMillis(200 * 20));
    relay.wake(List.of(LANE));
    assertThat(claims.readAfter).last().as("a retry may be below").isEqualTo(0L);
    relay.wake(List.of(LANE));
    assertThat(claims.readAfter).last().as("none was").isEqualTo(4L);
  }

  /** However long polls take, and so however rare they are. */
  @Test
  void aLaneInWhichNothingWasFoundIsReadFromItsStartAgainInTime() {
    claims.whenRead = () -> clock.pass(Duration.ofMillis(200));
    claims.batches.addAll(List.of(batch(1, 500), batch(3, 510), batch(5, 520)));
    relay.wake(List.of(LANE));
    claims.lanes = List.of(LANE);
    claims.whenPolled = () -> clock.pass(Duration.ofSeconds(2));
    relay.poll();
    assertThat(claims.readAfter).last().isEqualTo(4L);

    claims.whenPolled = () -> {};
    int polls = claims.polls;
    clock.pass(Duration.ofMillis(1_500));
    relay.tick();
    assertThat(claims.polls).as("the lane is known").isEqualTo(polls);
    assertThat(claims.readAfter).last().as("a message may be below").isEqualTo(0L);
  }

  @Test
  void aLaneWhoseStartIsQuicklyReadIsReadFromThereWhenItGetsEmpty() {
    claims.batches.addAll(List.of(batch(1, 500), batch(3, 510), batch(5, 520)));
    relay.wake(List.of(LANE));
    assertThat(claims.readAfter).containsExactly(0L, 0L, 2L, 4L, 0L);
    relay.wake(List.of(LANE));
    assertThat(claims.readAfter).last().isEqualTo(0L);
  }

  @Test
  void aLaneWhoseStartIsCostlyToReadSharesNoPass() {
    Lane other = new Lane(LANE.partition(), "other");
    claims.whenRead = () -> clock.pass(Duration.ofMillis(200));
    claims.messages = List.of(Messages.message(7, "d", null));
    relay.wake(List.of(LANE, other));
    assertThat(claims.read)
        .as("together, then each alone")
        .containsExactly("d", "other", "d", "other");

    claims.messages = List.of(Messages.message(8, "d", null));
    relay.wake(List.of(LANE, other));
    assertThat(claims.read.subList(4, claims.read.size()))
        .as("d has its place already")
        .containsExactly("other", "d", "other");
  }

  private void trip() {
    StoredMessage message = Messages.message(1, "d", null);
    breakers.onResult(
        "d",
        breakers.tryAcquire("d", List.of(message)),
        new SendReport(List.of(), Map.of(), Map.of(), Optional.of("down")));
  }

  /** Commits go on to wake the lane whose destination waits. */
  @Test
  void aPartitionThatIsHeldForTooLongIsReportedAlsoBesideADestinationThatWaits() {
    claims.inOtherHands = true;
    claims.lanes = List.of(new Lane(LANE.partition(), "e"));
    for (long i = 0; i < Relay.longestSilence(CONFIG).plusSeconds(2).toMillis() / 500; i++) {
      relay.tick();
      trip();
      relay.wake(List.of(LANE));
      clock.pass(Duration.ofMillis(500));
    }

    assertThat(relay.stuckPartitions()).containsOnlyKeys(LANE.partition());
  }

  @Test
  void aDestinationThatWaitsIsNoWorkForAPoll() {
    idle();
    trip();
    claims.lanes = List.of(LANE);

    assertThat(relay.poll()).isGreaterThan(AdaptivePolling.SHORTEST);
    assertThat(claims.claimed).isEmpty();
  }

  @Test
  void aDestinationForWhichNothingIsThereIsForgotten() {
    trip();
    clock.pass(Duration.ofSeconds(1));
    relay.poll();

    assertThat(breakers.openReasons()).isEmpty();
  }

  @Test
  void theNextAttemptOfAMessageIsWhenItIsDue() {
    int polls = idle();
    rejects = true;
    claims.messages = List.of(Messages.message(1, "d", null));
    relay.wake(List.of(LANE));

    Duration backoff =
        claims.completed.get(0).failures().stream().map(Failure::backoff).findFirst().orElseThrow();
    assertThat(backoff).isBetween(Duration.ofMillis(1), Duration.ofSeconds(4));
    claims.woken = Set.of(LANE);
    assertThat(wakesAfter(backoff.minusMillis(1))).isZero();
    assertThat(wakesAfter(Duration.ofMillis(1))).isOne();
    assertThat(claims.claimed).hasSize(2);
    assertThat(claims.polls).isEqualTo(polls);
  }

  @Test
  void aProbeIsSentWhenItMayWithoutAPoll() {
    int polls = idle();
    trip();
    relay.wake(List.of(LANE));
    assertThat(claims.claimed).isEmpty();

    assertThat(pollsAfter(Duration.ofMillis(499))).isEqualTo(polls);
    assertThat(claims.claimed).isEmpty();
    assertThat(pollsAfter(Duration.ofMillis(1))).isEqualTo(polls);
    assertThat(claims.claimed).containsExactly(LANE.partition());
  }

  @Test
  void aStopWithNothingInHandSaysNothing() {
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      relay.stop();
      assertThat(log.lines()).isEmpty();
    }
    relay.wake(List.of(LANE));
    assertThat(claims.claimed).isEmpty();
  }
}
