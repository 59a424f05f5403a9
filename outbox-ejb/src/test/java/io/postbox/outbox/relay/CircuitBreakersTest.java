package io.postbox.outbox.relay;

import static io.postbox.outbox.testing.Messages.message;
import static io.postbox.outbox.testing.Messages.unordered;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.testing.LogLines;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CircuitBreakersTest {
  private static final List<StoredMessage> BATCH = unordered(3, "d");
  private static final StoredMessage FIRST = BATCH.get(0);

  private final VirtualClock clock = new VirtualClock();
  private final CircuitBreakers breakers = new CircuitBreakers(clock);

  private void fails(List<StoredMessage> admitted) {
    breakers.settle(
        "d", admitted, new SendReport(List.of(), Map.of(), Map.of(), Optional.of("down")));
  }

  private void succeeds(List<StoredMessage> admitted) {
    breakers.settle("d", admitted, new SendReport(admitted, Map.of(), Map.of(), Optional.empty()));
  }

  private void neverTried(List<StoredMessage> admitted) {
    breakers.settle("d", admitted, new SendReport(List.of(), Map.of(), Map.of(), Optional.empty()));
  }

  private void opened() {
    fails(breakers.admit("d", BATCH));
    clock.pass(Duration.ofMillis(500));
  }

  @Test
  void aDestinationInOrderTakesEverything() {
    assertThat(breakers.admit("d", BATCH)).isEqualTo(BATCH);
    assertThat(breakers.blocked()).isEmpty();
    assertThat(breakers.waiting()).isEmpty();
    assertThat(breakers.nextProbe()).isEmpty();
  }

  @Test
  void afterAFailureNothingGoesThereForAWhile() {
    fails(breakers.admit("d", BATCH));

    assertThat(breakers.admit("d", BATCH)).isEmpty();
    assertThat(breakers.blocked()).containsExactly("d");
    assertThat(breakers.waiting()).isEqualTo(Map.of("d", "down"));
    assertThat(breakers.nextProbe()).contains(clock.instant().plusMillis(500));
  }

  @Test
  void otherDestinationsGoOn() {
    fails(breakers.admit("d", BATCH));
    StoredMessage other = message(4, "e", null);

    assertThat(breakers.admit("e", List.of(other))).containsExactly(other);
    assertThat(breakers.blocks("e")).isFalse();
    assertThat(breakers.blocks("d")).isTrue();
  }

  @Test
  void afterTheWaitOneMessageIsTheProbe() {
    opened();

    assertThat(breakers.blocked()).isEmpty();
    assertThat(breakers.admit("d", BATCH)).containsExactly(FIRST);
    assertThat(breakers.admit("d", BATCH)).as("one probe at a time").isEmpty();
    assertThat(breakers.blocked()).containsExactly("d");
  }

  @Test
  void aProbeThatGetsThroughClosesTheCircuit() {
    opened();
    succeeds(breakers.admit("d", BATCH));

    assertThat(breakers.waiting()).isEmpty();
    assertThat(breakers.admit("d", BATCH)).isEqualTo(BATCH);
  }

  @Test
  void aProbeThatFailsDoublesTheWait() {
    opened();
    fails(breakers.admit("d", BATCH));

    clock.pass(Duration.ofMillis(999));
    assertThat(breakers.admit("d", BATCH)).isEmpty();
    clock.pass(Duration.ofMillis(1));
    assertThat(breakers.admit("d", BATCH)).containsExactly(FIRST);
  }

  @Test
  void afterItHasWorkedAgainTheWaitStartsAtTheShortest() {
    opened();
    fails(breakers.admit("d", BATCH));
    clock.pass(Duration.ofSeconds(1));
    succeeds(breakers.admit("d", BATCH));
    opened();

    assertThat(breakers.admit("d", BATCH)).containsExactly(FIRST);
  }

  @Test
  void aProbeThatWasNotTriedIsTakenBack() {
    opened();
    neverTried(breakers.admit("d", BATCH));
    assertThat(breakers.admit("d", BATCH)).containsExactly(FIRST);

    breakers.unprobe(List.of(FIRST));
    assertThat(breakers.admit("d", BATCH)).containsExactly(FIRST);
  }

  @Test
  void aDestinationThatWorksInPartStaysOpenIfItIsAlsoFaulty() {
    breakers.settle(
        "d",
        breakers.admit("d", BATCH),
        new SendReport(List.of(FIRST), Map.of(), Map.of(), Optional.of("full")));

    assertThat(breakers.waiting()).isEqualTo(Map.of("d", "full"));
  }

  @Test
  void aLateSuccessOfAnotherWorkerClosesTheCircuit() {
    List<StoredMessage> other = breakers.admit("d", unordered(9, "d"));
    fails(breakers.admit("d", BATCH));
    succeeds(other);

    assertThat(breakers.waiting()).isEmpty();
  }

  @Test
  void aLateAnswerOfAnotherWorkerDoesNotLetASecondProbeGo() {
    List<StoredMessage> earlier = breakers.admit("d", List.of(message(7, "d", null)));
    opened();
    assertThat(breakers.admit("d", BATCH)).containsExactly(FIRST);

    neverTried(earlier);
    assertThat(breakers.admit("d", BATCH)).as("the probe is still on its way").isEmpty();

    fails(earlier);
    clock.pass(Duration.ofSeconds(10));
    assertThat(breakers.admit("d", BATCH)).as("the probe is still on its way").isEmpty();

    neverTried(List.of(FIRST));
    assertThat(breakers.admit("d", BATCH)).containsExactly(FIRST);
  }

  @Test
  void theNextProbeIsTheEarliestOfThoseThatAreStillToCome() {
    fails(breakers.admit("d", BATCH));
    clock.pass(Duration.ofMillis(200));
    StoredMessage other = message(4, "e", null);
    breakers.settle(
        "e",
        breakers.admit("e", List.of(other)),
        new SendReport(List.of(), Map.of(), Map.of(), Optional.of("down")));
    assertThat(breakers.nextProbe()).contains(clock.instant().plusMillis(300));

    clock.pass(Duration.ofMillis(300));
    assertThat(breakers.nextProbe())
        .as("d may be probed already, no timer has to wait for that")
        .contains(clock.instant().plusMillis(200));
  }

  @Test
  void theLogTellsOfATroubleOnceForEachReasonAndOfItsEnd() {
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      opened();
      fails(breakers.admit("d", BATCH));
      clock.pass(Duration.ofSeconds(1));
      breakers.settle(
          "d",
          breakers.admit("d", BATCH),
          new SendReport(List.of(), Map.of(), Map.of(), Optional.of("full")));
      clock.pass(Duration.ofSeconds(2));
      succeeds(breakers.admit("d", BATCH));
      succeeds(breakers.admit("d", BATCH));

      assertThat(log.lines()).hasSize(3);
      assertThat(log.lines().get(0)).startsWith("OBX0004 ").contains("500ms", "down");
      assertThat(log.lines().get(1)).startsWith("OBX0004 ").contains("2s", "full");
      assertThat(log.lines().get(2)).startsWith("OBX0005 ");
    }
  }

  @Test
  void aProbeOnItsWayIsNoReasonToLookForAnother() {
    opened();
    assertThat(breakers.admit("d", BATCH)).containsExactly(FIRST);

    assertThat(breakers.nextProbe()).isEmpty();
  }

  @Test
  void aDestinationThatCouldBeProbedAndHasNothingToBeProbedWithIsForgotten() {
    opened();
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      breakers.forgetIdle(Set.of("d"));
      assertThat(breakers.waiting()).as("it has work").containsKey("d");
      assertThat(log.lines()).isEmpty();

      breakers.forgetIdle(Set.of("e"));
      assertThat(breakers.waiting()).isEmpty();
      assertThat(log.lines()).singleElement().asString().startsWith("OBX0015 ");
    }
  }

  @Test
  void aDestinationThatMayNotBeProbedYetIsRemembered() {
    fails(breakers.admit("d", BATCH));
    breakers.forgetIdle(Set.of());

    assertThat(breakers.waiting()).containsKey("d");
  }

  /** As many as make the destination suspicious, and yet it works for others again and again. */
  @Test
  void threeSuspectsDoNotShieldEachOther() {
    Map<StoredMessage, String> all = Map.of(FIRST, "x", BATCH.get(1), "x", BATCH.get(2), "x");
    SendReport suspicious = new SendReport(List.of(), Map.of(), all, Optional.of("x"));
    List<StoredMessage> other = List.of(message(9, "d", null));
    for (int i = 0; i < 5; i++) {
      assertThat(breakers.settle("d", BATCH, suspicious).rejected()).isEmpty();
      succeeds(other);
    }

    SendReport judged = breakers.settle("d", BATCH, suspicious);
    assertThat(judged.rejected()).isEqualTo(all);
    assertThat(judged.destinationFault()).isEmpty();
  }

  @Test
  void whoWaitsBehindASuspectCannotShowThatTheDestinationWorks() {
    List<StoredMessage> followers = List.of(message(1, "d", "k"), message(2, "d", "k"));
    StoredMessage suspect = followers.get(0);
    assertThat(breakers.knowsOnlySuspects("d", followers)).as("nothing is wrong").isFalse();
    breakers.settle(
        "d",
        breakers.admit("d", followers),
        new SendReport(List.of(), Map.of(), Map.of(suspect, "x"), Optional.empty()));

    assertThat(breakers.knowsOnlySuspects("d", followers)).isTrue();
    assertThat(breakers.knowsOnlySuspects("d", List.of(suspect, message(3, "d", "l")))).isFalse();
    assertThat(breakers.knowsOnlySuspects("d", List.of())).isFalse();
  }
}
