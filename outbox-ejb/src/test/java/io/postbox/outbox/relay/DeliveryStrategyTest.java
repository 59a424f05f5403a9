package io.postbox.outbox.relay;

import static io.postbox.outbox.testing.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.payload.ResolvedBatch;
import io.postbox.outbox.relay.BatchSender.TransportSession;
import io.postbox.outbox.relay.DeliveryStrategy.AdmittedBatch;
import io.postbox.outbox.relay.DeliveryStrategy.DeliveryResult;
import io.postbox.outbox.relay.PartitionClaims.Claim;
import io.postbox.outbox.store.ClaimStore.Failure;
import io.postbox.outbox.testing.Messages;
import io.postbox.outbox.testing.TestConfig;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Probes, batch sizes and counts; the tables are made up. */
class DeliveryStrategyTest {
  private static final Lane LANE = new Lane(0, "d");
  private static final int CONFIGURED = 8;
  private static final StoredMessage GOOD = message(1, "d", null);
  private static final StoredMessage BAD = message(2, "d", null);

  private final FakePartitionClaims claims = new FakePartitionClaims();
  private final VirtualClock clock = new VirtualClock();
  private final CircuitBreakers breakers = new CircuitBreakers(clock);
  private AdaptiveBatchSizes sizes = new AdaptiveBatchSizes(CONFIGURED);
  private Runnable meanwhile = () -> {};
  private @Nullable Error brokenDown;
  private boolean down;
  private boolean late;
  private boolean full;

  private final TransportSession transport =
      new TransportSession() {
        @Override
        public void send(List<StoredMessage> messages) throws SendFailure {
          meanwhile.run();
          if (brokenDown != null) {
            throw brokenDown;
          }
          if (down) {
            throw SendFailure.ofDestination("down", null);
          }
          if (messages.contains(BAD)) {
            throw SendFailure.ofMessage(BAD, "unreadable", new Exception());
          }
        }

        @Override
        public boolean hasTime() {
          return !late;
        }
      };

  private DeliveryResult deal(Gateway gateway, TestConfig test, List<StoredMessage> messages)
      throws SQLException {
    return deal(gateway, test, messages, List.of());
  }

  private DeliveryResult deal(
      Gateway gateway, TestConfig test, List<StoredMessage> messages, List<StoredMessage> expired)
      throws SQLException {
    OutboxConfig config = test.config();
    try (Claim claim = claims.claim(LANE.partition()).orElseThrow()) {
      return new DeliveryStrategy(
              config.delivery(),
              config::recovery,
              claims,
              gateway,
              breakers,
              sizes,
              () -> 0.5,
              clock)
          .deliver(
              claim, new AdmittedBatch(LANE, breakers.tryAcquire("d", messages), expired, full));
    }
  }

  private static Optional<String> noFault() {
    return Optional.empty();
  }

  private Gateway opening(ResolvedBatch opened) {
    return opening(() -> opened);
  }

  private Gateway opening(Supplier<ResolvedBatch> opened) {
    return new Gateway() {
      @Override
      public TransportSession begin(Lane lane) {
        return transport;
      }

      @Override
      public ResolvedBatch resolve(List<StoredMessage> messages) {
        return opened.get();
      }
    };
  }

  private DeliveryResult local(StoredMessage... messages) throws SQLException {
    return deal(lane -> transport, TestConfig.DEFAULT, List.of(messages));
  }

  private DeliveryResult inTwoPhases(StoredMessage... messages) throws SQLException {
    return deal(lane -> transport, TestConfig.DEFAULT.withXa(), List.of(messages));
  }

  /** So that one message may go, as the probe. */
  private void trip() {
    breakers.onResult(
        "d", List.of(), new SendReport(List.of(), Map.of(), Map.of(), Optional.of("down")));
    clock.pass(Duration.ofMillis(500));
  }

  private void assertThatAnotherProbeMayGo() {
    assertThat(breakers.tryAcquire("d", List.of(GOOD))).containsExactly(GOOD);
  }

  /** Else nothing would ever go there again. */
  @Test
  void aProbeWhoseSendingBreaksDownIsTakenBack() {
    trip();
    brokenDown = new NoClassDefFoundError("a/driver/Class");
    assertThatThrownBy(() -> local(GOOD)).isSameAs(brokenDown);

    assertThatAnotherProbeMayGo();
  }

  @Test
  void aProbeWhoseOpeningBreaksDownIsTakenBack() {
    trip();
    Error failure = new NoClassDefFoundError("an/Invoice");
    Gateway gateway =
        opening(
            () -> {
              throw failure;
            });
    assertThatThrownBy(() -> deal(gateway, TestConfig.DEFAULT, List.of(GOOD))).isSameAs(failure);

    assertThatAnotherProbeMayGo();
  }

  /** As where the loader reads the same database, and that flaps. */
  @Test
  void aProbeWhoseFirstLoadCannotBeKeptIsTakenBack() {
    trip();
    claims.keepingHashesFails = true;
    ResolvedBatch firstLoad =
        new ResolvedBatch(
            List.of(), Map.of(GOOD.seq(), new byte[32]), Map.of(), Map.of(), Map.of(), noFault());
    assertThatThrownBy(() -> deal(opening(firstLoad), TestConfig.DEFAULT, List.of(GOOD)))
        .isInstanceOf(SQLException.class);

    assertThatAnotherProbeMayGo();
  }

  @Test
  void inTwoPhasesAProbeWhoseClaimCannotBeCommittedIsTakenBack() {
    trip();
    claims.commitFails = true;
    assertThatThrownBy(() -> inTwoPhases(GOOD)).isInstanceOf(SQLException.class);

    assertThatAnotherProbeMayGo();
  }

  @Test
  void inTwoPhasesAProbeWhoseClaimCannotBeClosedIsTakenBack() {
    trip();
    claims.closeFails = true;
    assertThatThrownBy(() -> inTwoPhases(GOOD)).isInstanceOf(SQLException.class);

    assertThatAnotherProbeMayGo();
  }

  @Test
  void aProbeWhoseSendCannotBeginIsTakenBack() {
    trip();
    Error failure = new OutOfMemoryError("no memory for a turn");
    Gateway gateway =
        lane -> {
          throw failure;
        };
    assertThatThrownBy(() -> deal(gateway, TestConfig.DEFAULT, List.of(GOOD))).isSameAs(failure);

    assertThatAnotherProbeMayGo();
  }

  /** It got through, so there is nothing left to take back: the destination works. */
  @Test
  void aProbeThatWasSentClosesTheCircuitAlsoWhereThatCannotBeWritten() {
    trip();
    claims.completingFails = true;
    assertThatThrownBy(() -> local(GOOD)).isInstanceOf(SQLException.class);

    assertThat(breakers.openReasons()).isEmpty();
  }

  @Test
  void aProbeThatWaitsForWhatExpiredIsTakenBack() throws SQLException {
    trip();
    DeliveryResult done =
        deal(lane -> transport, TestConfig.DEFAULT.withXa(), List.of(GOOD), List.of(BAD));

    assertThat(done.report().sent()).isEmpty();
    assertThat(done.failures()).extracting(Failure::seq).containsExactly(BAD.seq());
    assertThatAnotherProbeMayGo();
  }

  @Test
  void aBatchThatTookTooLongMakesTheNextSmallerUntilOneGoesWell() throws SQLException {
    StoredMessage[] batch =
        Messages.unordered(CONFIGURED, "d").stream()
            .filter(it -> !it.equals(BAD))
            .toArray(StoredMessage[]::new);
    meanwhile = () -> late = true;
    down = true;
    local(batch);
    assertThat(sizes.of("d")).isEqualTo(batch.length / 2);

    clock.pass(Duration.ofSeconds(1));
    local(batch);
    assertThat(sizes.of("d")).as("a late probe was one message").isEqualTo(batch.length / 2);

    meanwhile = () -> {};
    late = false;
    clock.pass(Duration.ofSeconds(10));
    local(batch);
    assertThat(sizes.of("d")).as("nothing was sent").isEqualTo(batch.length / 2);

    down = false;
    clock.pass(Duration.ofSeconds(1));
    local(batch);
    assertThat(sizes.of("d")).as("the probe was one message").isEqualTo(batch.length / 2);
    local(batch);
    local(batch);
    assertThat(sizes.of("d")).isEqualTo(CONFIGURED);
  }

  @Test
  void aFullBatchThatGoesQuicklyMakesTheNextLargerUntilOneIsSlow() throws SQLException {
    sizes = new AdaptiveBatchSizes(1_000);
    local(GOOD);
    assertThat(sizes.of("d")).as("it was not full").isEqualTo(100);

    full = true;
    meanwhile = () -> clock.pass(AdaptiveBatchSizes.QUICK);
    local(GOOD);
    local(GOOD);
    assertThat(sizes.of("d")).isEqualTo(400);

    meanwhile = () -> clock.pass(AdaptiveBatchSizes.SLOW.plusMillis(1));
    local(GOOD);
    assertThat(sizes.of("d")).isEqualTo(200);
  }

  @Test
  void messagesThatAreRejectedOneByOneMakeTheNextBatchSmall() throws SQLException {
    sizes = new AdaptiveBatchSizes(1_000);
    full = true;
    for (int i = 0; i < 4; i++) {
      local(GOOD);
    }
    assertThat(sizes.of("d")).isEqualTo(1_000);

    local(GOOD, BAD);
    assertThat(sizes.of("d")).isEqualTo(100);
  }

  @Test
  void inTwoPhasesWhatIsRejectedIsCountedUnderAnotherClaim() throws SQLException {
    meanwhile = () -> claims.messages = List.of(BAD);
    DeliveryResult done = inTwoPhases(GOOD, BAD);

    assertThat(done.report().sent()).containsExactly(GOOD);
    assertThat(done.failures()).extracting(Failure::seq).containsExactly(BAD.seq());
    assertThat(done.putsBack()).isFalse();
    assertThat(claims.claimed).hasSize(2);
    assertThat(claims.completed).hasSize(1);
  }

  @Test
  void inTwoPhasesNothingIsCountedWhileSomebodyElseHasThePartition() throws SQLException {
    meanwhile = () -> claims.inOtherHands = true;
    DeliveryResult done = inTwoPhases(GOOD, BAD);

    assertThat(done.report().rejected()).as("it fails again").isEmpty();
    assertThat(done.failures()).isEmpty();
    assertThat(claims.completed).isEmpty();
  }

  @Test
  void inTwoPhasesNothingIsCountedThatSomebodyElseHasCounted() throws SQLException {
    meanwhile = () -> claims.messages = List.of(message(BAD.seq(), "d", null, 1, null));
    DeliveryResult done = inTwoPhases(GOOD, BAD);

    assertThat(done.report().rejected()).isEmpty();
    assertThat(done.failures()).isEmpty();
  }

  @Test
  void inTwoPhasesWhatWasHeldBehindAHeadThatWentIsPutBack() throws SQLException {
    StoredMessage head = message(1, "d", "k", 1, Messages.id(1));
    meanwhile = () -> claims.messages = List.of(BAD);
    DeliveryResult done = inTwoPhases(head, BAD);

    assertThat(done.report().sent()).containsExactly(head);
    assertThat(done.failures()).hasSize(1);
    assertThat(done.putsBack()).isTrue();
  }
}
