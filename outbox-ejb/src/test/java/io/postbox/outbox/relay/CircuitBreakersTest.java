package io.postbox.outbox.relay;

import static io.postbox.outbox.testing.Messages.message;
import static io.postbox.outbox.testing.Messages.unordered;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.log.RecordedError;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.payload.ResolvedBatch;
import io.postbox.outbox.relay.CircuitBreaker.State;
import io.postbox.outbox.relay.CircuitBreakers.OpenCircuit;
import io.postbox.outbox.testing.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class CircuitBreakersTest {
  private static final List<StoredMessage> BATCH = unordered(3, "d");
  private static final StoredMessage FIRST = BATCH.get(0);

  private final VirtualClock clock = new VirtualClock();
  private final CircuitBreakers breakers = new CircuitBreakers(clock);

  private void fails(List<StoredMessage> admitted) {
    breakers.onResult(
        "d", admitted, new SendReport(List.of(), Map.of(), Map.of(), Optional.of("down")));
  }

  private void succeeds(List<StoredMessage> admitted) {
    breakers.onResult(
        "d", admitted, new SendReport(admitted, Map.of(), Map.of(), Optional.empty()));
  }

  private void neverTried(List<StoredMessage> admitted) {
    breakers.onResult(
        "d", admitted, new SendReport(List.of(), Map.of(), Map.of(), Optional.empty()));
  }

  private void opened() {
    fails(breakers.tryAcquire("d", BATCH));
    clock.pass(Duration.ofMillis(500));
  }

  @Test
  void aDestinationInOrderTakesEverything() {
    assertThat(breakers.tryAcquire("d", BATCH)).isEqualTo(BATCH);
    assertThat(breakers.blockedUntil("d")).isEmpty();
    assertThat(breakers.openReasons()).isEmpty();
    assertThat(breakers.nextTry("d")).isEmpty();
  }

  /** A commit of the application that wakes the relay asks for this lock. */
  @Test
  void nobodyWaitsForTheLog() {
    Logger logger = Logger.getLogger("io.postbox.outbox");
    List<Boolean> locked = new ArrayList<>();
    Handler slow =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            locked.add(Thread.holdsLock(breakers));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    logger.addHandler(slow);
    try {
      opened();
      succeeds(breakers.tryAcquire("d", BATCH));
      opened();
      breakers.forgetIdle(Set.of());
    } finally {
      logger.removeHandler(slow);
    }
    assertThat(locked).containsExactly(false, false, false, false);
  }

  @Test
  void anOpenCircuitTellsSinceWhenAndWhatItWaitsFor() {
    assertThat(breakers.open()).isEmpty();
    fails(breakers.tryAcquire("d", BATCH));
    clock.pass(Duration.ofMillis(200));
    assertThat(breakers.open())
        .containsExactly(
            new OpenCircuit("d", false, Duration.ofMillis(200), Duration.ofMillis(300), 1, "down"));

    clock.pass(Duration.ofMillis(400));
    assertThat(breakers.open())
        .as("a probe may go")
        .containsExactly(
            new OpenCircuit("d", true, Duration.ofMillis(600), Duration.ofMillis(-100), 1, "down"));
    fails(breakers.tryAcquire("d", BATCH));
    assertThat(breakers.open())
        .as("it has been open since the first failure")
        .containsExactly(
            new OpenCircuit("d", false, Duration.ofMillis(600), Duration.ofSeconds(1), 2, "down"));

    clock.pass(Duration.ofSeconds(1));
    succeeds(breakers.tryAcquire("d", BATCH));
    assertThat(breakers.open()).isEmpty();
  }

  @Test
  void afterAFailureNothingGoesThereForAWhile() {
    fails(breakers.tryAcquire("d", BATCH));

    assertThat(breakers.tryAcquire("d", BATCH)).isEmpty();
    assertThat(breakers.blockedUntil("d")).isPresent();
    assertThat(breakers.openReasons()).isEqualTo(Map.of("d", "down"));
    assertThat(breakers.nextTry("d")).contains(clock.instant().plusMillis(500));
  }

  @Test
  void otherDestinationsGoOn() {
    fails(breakers.tryAcquire("d", BATCH));
    StoredMessage other = message(4, "e", null);

    assertThat(breakers.tryAcquire("e", List.of(other))).containsExactly(other);
    assertThat(breakers.isPermitted("e")).isTrue();
    assertThat(breakers.isPermitted("d")).isFalse();
  }

  @Test
  void afterTheWaitOneMessageIsTheProbe() {
    opened();

    assertThat(breakers.blockedUntil("d")).isEmpty();
    assertThat(breakers.tryAcquire("d", BATCH)).containsExactly(FIRST);
    assertThat(breakers.tryAcquire("d", BATCH)).as("one probe at a time").isEmpty();
    assertThat(breakers.blockedUntil("d")).isPresent();
  }

  @Test
  void aProbeThatGetsThroughClosesTheCircuit() {
    opened();
    succeeds(breakers.tryAcquire("d", BATCH));

    assertThat(breakers.openReasons()).isEmpty();
    assertThat(breakers.tryAcquire("d", BATCH)).isEqualTo(BATCH);
  }

  @Test
  void aProbeThatFailsDoublesTheWait() {
    opened();
    fails(breakers.tryAcquire("d", BATCH));

    clock.pass(Duration.ofMillis(999));
    assertThat(breakers.tryAcquire("d", BATCH)).isEmpty();
    clock.pass(Duration.ofMillis(1));
    assertThat(breakers.tryAcquire("d", BATCH)).containsExactly(FIRST);
  }

  @Test
  void afterItHasWorkedAgainTheWaitStartsAtTheShortest() {
    opened();
    fails(breakers.tryAcquire("d", BATCH));
    clock.pass(Duration.ofSeconds(1));
    succeeds(breakers.tryAcquire("d", BATCH));
    opened();

    assertThat(breakers.tryAcquire("d", BATCH)).containsExactly(FIRST);
  }

  @Test
  void aProbeThatWasNotTriedIsTakenBack() {
    opened();
    neverTried(breakers.tryAcquire("d", BATCH));
    assertThat(breakers.tryAcquire("d", BATCH)).containsExactly(FIRST);

    breakers.release(List.of(FIRST));
    assertThat(breakers.tryAcquire("d", BATCH)).containsExactly(FIRST);
  }

  @Test
  void aDestinationThatWorksInPartStaysOpenIfItIsAlsoFaulty() {
    breakers.onResult(
        "d",
        breakers.tryAcquire("d", BATCH),
        new SendReport(List.of(FIRST), Map.of(), Map.of(), Optional.of("full")));

    assertThat(breakers.openReasons()).isEqualTo(Map.of("d", "full"));
  }

  @Test
  void aLateSuccessOfAnotherWorkerClosesTheCircuit() {
    List<StoredMessage> other = breakers.tryAcquire("d", unordered(9, "d"));
    fails(breakers.tryAcquire("d", BATCH));
    succeeds(other);

    assertThat(breakers.openReasons()).isEmpty();
  }

  @Test
  void aLateAnswerOfAnotherWorkerDoesNotLetASecondProbeGo() {
    List<StoredMessage> earlier = breakers.tryAcquire("d", List.of(message(7, "d", null)));
    opened();
    assertThat(breakers.tryAcquire("d", BATCH)).containsExactly(FIRST);

    neverTried(earlier);
    assertThat(breakers.tryAcquire("d", BATCH)).as("the probe is still on its way").isEmpty();

    fails(earlier);
    clock.pass(Duration.ofSeconds(10));
    assertThat(breakers.tryAcquire("d", BATCH)).as("the probe is still on its way").isEmpty();

    neverTried(List.of(FIRST));
    assertThat(breakers.tryAcquire("d", BATCH)).containsExactly(FIRST);
  }

  @Test
  void afterTheProbeSuspectsAreTriedNext() {
    fails(breakers.tryAcquire("d", BATCH));
    clock.pass(Duration.ofMillis(200));
    assertThat(breakers.nextTry("d")).contains(clock.instant().plusMillis(300));
    assertThat(breakers.blockedUntil("d")).contains(clock.instant().plusMillis(300));

    clock.pass(Duration.ofMillis(300));
    assertThat(breakers.nextTry("d"))
        .as("d may be probed already, by one that did not fail alone")
        .contains(clock.instant().plusMillis(500));
    assertThat(breakers.blockedUntil("d")).isEmpty();
  }

  @Test
  void eachReasonOfAFailureIsLoggedOnceAndSoIsItsEnd() {
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      opened();
      fails(breakers.tryAcquire("d", BATCH));
      clock.pass(Duration.ofSeconds(1));
      breakers.onResult(
          "d",
          breakers.tryAcquire("d", BATCH),
          new SendReport(List.of(), Map.of(), Map.of(), Optional.of("full")));
      clock.pass(Duration.ofSeconds(2));
      succeeds(breakers.tryAcquire("d", BATCH));
      succeeds(breakers.tryAcquire("d", BATCH));

      assertThat(log.lines()).hasSize(3);
      assertThat(log.lines().get(0)).startsWith("OBX0004 ").contains("500ms", "down");
      assertThat(log.lines().get(1)).startsWith("OBX0004 ").contains("2s", "full");
      assertThat(log.lines().get(2)).startsWith("OBX0005 ");
    }
  }

  @Test
  void aProbeOnItsWayIsNoReasonToLookForAnother() {
    opened();
    assertThat(breakers.tryAcquire("d", BATCH)).containsExactly(FIRST);

    assertThat(breakers.nextTry("d")).as("its outcome").contains(clock.instant().plusMillis(200));
  }

  @Test
  void aDestinationThatCouldBeProbedAndHasNothingToBeProbedWithIsForgotten() {
    opened();
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      breakers.forgetIdle(Set.of("d"));
      assertThat(breakers.openReasons()).as("it has work").containsKey("d");
      assertThat(log.lines()).isEmpty();

      breakers.forgetIdle(Set.of("e"));
      assertThat(breakers.openReasons()).isEmpty();
      assertThat(log.lines()).singleElement().asString().startsWith("OBX0015 ");
    }
  }

  @Test
  void aDestinationThatMayNotBeProbedYetIsRemembered() {
    fails(breakers.tryAcquire("d", BATCH));
    breakers.forgetIdle(Set.of());

    assertThat(breakers.openReasons()).containsKey("d");
  }

  /** As many as make the destination suspicious, and yet it works for others again and again. */
  @Test
  void threeSuspectsDoNotShieldEachOther() {
    RecordedError error = RecordedError.of("x");
    Map<StoredMessage, RecordedError> all =
        Map.of(FIRST, error, BATCH.get(1), error, BATCH.get(2), error);
    SendReport suspicious = new SendReport(List.of(), Map.of(), all, Optional.of("x"));
    List<StoredMessage> other = List.of(message(9, "d", null));
    for (int i = 0; i < 5; i++) {
      assertThat(breakers.onResult("d", BATCH, suspicious).rejected()).isEmpty();
      succeeds(other);
    }

    SendReport judged = breakers.onResult("d", BATCH, suspicious);
    assertThat(judged.rejected()).isEqualTo(all);
    assertThat(judged.destinationFault()).isEmpty();
  }

  @Test
  void aFollowerOfASuspectCannotShowThatTheDestinationWorks() {
    List<StoredMessage> followers = List.of(message(1, "d", "k"), message(2, "d", "k"));
    StoredMessage suspect = followers.get(0);
    assertThat(breakers.hasOnlySuspects("d", followers)).as("nothing is wrong").isFalse();
    breakers.onResult(
        "d",
        breakers.tryAcquire("d", followers),
        new SendReport(
            List.of(), Map.of(), Map.of(suspect, RecordedError.of("x")), Optional.empty()));

    assertThat(breakers.hasOnlySuspects("d", followers)).isTrue();
    assertThat(breakers.hasOnlySuspects("d", List.of(suspect, message(3, "d", "l")))).isFalse();
    assertThat(breakers.hasOnlySuspects("d", List.of())).isFalse();
  }

  @Test
  void aMessageThatWasNotResolvedInTimeIsASuspectOfTheReport() {
    SendReport report = SendReport.unresolved(ResolvedBatch.suspect(FIRST, "late"));

    assertThat(report.suspects()).containsOnlyKeys(FIRST);
  }

  @Test
  void aCircuitOpensHalfOpensAndCloses() {
    assertThat(breakers.state("d")).isEqualTo(State.CLOSED);
    fails(breakers.tryAcquire("d", BATCH));
    assertThat(breakers.state("d")).isEqualTo(State.OPEN);
    clock.pass(Duration.ofMillis(500));
    assertThat(breakers.state("d")).isEqualTo(State.HALF_OPEN);
    succeeds(breakers.tryAcquire("d", BATCH));
    assertThat(breakers.state("d")).isEqualTo(State.CLOSED);
  }
}
