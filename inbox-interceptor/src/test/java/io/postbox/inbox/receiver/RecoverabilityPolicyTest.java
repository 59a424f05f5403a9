package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.config.ConsumerConfig;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Body.Unreadable;
import io.postbox.inbox.message.Crashes;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.Failures;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.TestDelivery;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each decision from a delivery and what is on record of it, without a store or a broker. */
class RecoverabilityPolicyTest {
  private static final History AGAIN = new History(true, 0, 0);
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);
  private static final Unreadable NAMELESS = new Unreadable("", new IOException("broken"));
  private static final Unreadable NAMED = new Unreadable("ID:1", new IOException("broken"));

  private final ConsumerConfig config =
      TestConfig.shop(
              Map.of(
                  "max-attempts", "3",
                  "max-transient-failures", "5",
                  "max-crashes", "2",
                  "backoff.first", "20s",
                  "backoff.max", "20s"))
          .of("shipping");
  private final RecoverabilityPolicy policy = new RecoverabilityPolicy(config, () -> 0);

  private static Failures failures(int counted, int transients) {
    return new Failures(
        counted + transients, counted, transients, "it broke", "s", null, false, Duration.ZERO);
  }

  @Test
  void aKnownIdWithTheSameContentIsADuplicate() {
    assertThat(RecoverabilityPolicy.onKnownId(TestDelivery.FINGERPRINT, TestDelivery.FINGERPRINT))
        .isEqualTo(new Decision.Skip(Why.DUPLICATE));
  }

  @Test
  void aKnownIdWithOtherContentIsQuarantined() {
    Fingerprint other = new Fingerprint(1, "ee".repeat(32));

    assertThat(RecoverabilityPolicy.onKnownId(TestDelivery.FINGERPRINT, other))
        .isEqualTo(new Decision.Quarantine(QuarantineReason.OTHER_CONTENT, other));
  }

  @Test
  void aFailureWithinTheBudgetIsRetriedLater() {
    assertThat(policy.onFailures(AGAIN, failures(2, 0), () -> true))
        .contains(new Decision.RetryLater(TEN_SECONDS, 2, 0));
  }

  @Test
  void aFailureThatWasWaitedForIsTriedNow() {
    assertThat(policy.onFailures(new History(true, 2, 0), failures(2, 0), () -> true)).isEmpty();
  }

  @Test
  void theLastCountedFailureParks() {
    assertThat(policy.onFailures(AGAIN, failures(3, 0), () -> true))
        .contains(new Decision.Park(ParkReason.TOO_MANY_FAILURES, "it broke", "s", 3));
  }

  @Test
  void transientFailuresHaveABudgetOfTheirOwn() {
    assertThat(policy.onFailures(AGAIN, failures(2, 4), () -> true))
        .containsInstanceOf(Decision.RetryLater.class);
    assertThat(policy.onFailures(AGAIN, failures(2, 5), () -> true))
        .contains(new Decision.Park(ParkReason.TOO_MANY_TRANSIENT_FAILURES, "it broke", "s", 7));
  }

  @Test
  void withoutAWayToDelayTheTimeSinceTheFailureCounts() {
    Failures nineSecondsAgo =
        new Failures(1, 1, 0, "it broke", "s", null, false, Duration.ofSeconds(9));

    assertThat(policy.onFailures(AGAIN, nineSecondsAgo, () -> false))
        .contains(new Decision.RetryLater(Duration.ofSeconds(1), 1, 0));
  }

  @Test
  void crashesParkOnlyWhatWasAloneInItsProcess() {
    assertThat(policy.onCrashes(AGAIN, recorded(new Crashes(2, 0), false))).isEmpty();
    assertThat(policy.onCrashes(AGAIN, recorded(new Crashes(2, 1), false)))
        .containsInstanceOf(Decision.Park.class);
  }

  @Test
  void whileAnotherSuspectIsAloneTheMessageWaits() {
    assertThat(policy.onCrashes(AGAIN, recorded(Crashes.NONE, true)))
        .contains(new Decision.RetryLater(TEN_SECONDS, 1, 0));
  }

  private static RecordedAttempt recorded(Crashes crashes, boolean mustWait) {
    return new RecordedAttempt(
        "shipping", "id-1", 1L, !mustWait, mustWait, crashes.areSuspicious(), crashes);
  }

  @Test
  void anUnreadableBodyIsRolledBackUntilItsTransientBudgetIsUsedUp() {
    assertThat(policy.onUnreadableBody(AGAIN, NAMED, () -> failures(0, 4)))
        .isEqualTo(new Decision.RollBack(NAMED));
    assertThat(policy.onUnreadableBody(AGAIN, NAMED, () -> failures(0, 5)))
        .isEqualTo(new Decision.Quarantine(QuarantineReason.BODY_UNREADABLE, null));
  }

  @Test
  void withoutANameTheFirstRedeliveryOfAnUnreadableBodyIsTheLast() {
    assertThat(policy.onUnreadableBody(History.NONE, NAMELESS, () -> Failures.NONE))
        .isEqualTo(new Decision.RollBack(NAMELESS));
    assertThat(policy.onUnreadableBody(AGAIN, NAMELESS, () -> Failures.NONE))
        .isEqualTo(new Decision.Quarantine(QuarantineReason.BODY_UNREADABLE, null));
  }
}
