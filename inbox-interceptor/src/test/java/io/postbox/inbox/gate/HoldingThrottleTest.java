package io.postbox.inbox.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.receiver.DelayedRetry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HoldingThrottleTest {
  private static final Delivery BACK = delivery("id-1", 0);
  private static final Delivery COPY = delivery("id-1", 1);

  private final FakeTime time = new FakeTime();
  private final HoldingThrottle absences = new HoldingThrottle(time);

  private static Delivery delivery(String id, int waitedFor) {
    return TestDelivery.of(id).with(new History(true, waitedFor, 0)).delivery();
  }

  private void away(String id, Duration delay) {
    absences.begin("shipping", new DelayedRetry(id, delay, 1, 0));
  }

  private static DelayedRetry away(Duration left) {
    return new DelayedRetry("id-1", left, 1, 0);
  }

  @Test
  void aMessageThatNobodySentAwayIsNotHeldUp() {
    away("id-2", Duration.ofMinutes(1));

    assertThat(absences.holdUp(BACK)).isEmpty();
    assertThat(absences.holdUp(TestDelivery.of("id-2").to("mail").delivery())).isEmpty();
    assertThat(time.now()).isZero();
  }

  @Test
  void oneThatIsHereItselfIsHeldUpForASecondEachTimeUntilItsTimeHasCome() {
    away("id-1", Duration.ofMillis(2_500));

    int deliveries = 0;
    while (time.now().compareTo(Duration.ofMillis(2_500)) < 0 && deliveries < 100) {
      assertThat(absences.holdUp(BACK)).contains(away(Duration.ofMillis(2_500).minus(time.now())));
      deliveries++;
    }

    assertThat(deliveries).isEqualTo(3);
    assertThat(time.now()).isEqualTo(Duration.ofMillis(2_500));
    assertThat(absences.holdUp(BACK)).as("then it can be sent away again").isEmpty();
  }

  /** However short the wait is that it should have had. */
  @Test
  void oneThatIsHereItselfAfterItsTimeIsNotHeldUpAndKnownForWhatItIs() {
    away("id-1", Duration.ofSeconds(1));
    time.at(5, () -> {});
    time.run();

    assertThat(absences.holdUp(BACK)).contains(away(Duration.ZERO));
    assertThat(time.now()).isEqualTo(Duration.ofSeconds(5));
    assertThat(absences.holdUp(BACK)).isEmpty();
  }

  @Test
  void aCopyIsNotHeldUpAndEndsTheAbsence() {
    away("id-1", Duration.ofMinutes(1));

    assertThat(absences.holdUp(COPY)).isEmpty();
    assertThat(absences.holdUp(BACK)).isEmpty();
    assertThat(time.now()).isZero();
  }

  @Test
  void aCopyThatWaitedForAnEarlierVersionEndsTheAbsenceToo() {
    absences.begin("shipping", new DelayedRetry("id-1", Duration.ofMinutes(1), 0, 1));

    assertThat(absences.holdUp(BACK))
        .contains(new DelayedRetry("id-1", Duration.ofSeconds(59), 0, 1));
    assertThat(absences.holdUp(TestDelivery.of("id-1").with(new History(true, 0, 1)).delivery()))
        .isEmpty();
  }

  @Test
  void theApplicationsStopEndsTheWait() {
    away("id-1", Duration.ofMinutes(1));
    absences.stop();

    assertThat(absences.holdUp(BACK)).isPresent();
    assertThat(time.now()).isZero();
  }

  @Test
  void itIsToldOnceAMinuteWithTheWayOut() {
    away("id-1", Duration.ofMinutes(2));

    try (LogLines lines = new LogLines()) {
      for (int i = 0; i < 120; i++) {
        absences.holdUp(BACK);
      }

      assertThat(lines.all()).hasSize(2);
      assertThat(lines.all().get(0))
          .startsWith("IBX0087")
          .contains("id-1", "'shipping'", "postbox.inbox.consumer.shipping.retry-destination");
    }
  }

  @Test
  void ofVeryManyTheOldestIsForgotten() {
    for (int i = 0; i <= HoldingThrottle.MOST; i++) {
      away("id-" + i, Duration.ofSeconds(1));
    }

    assertThat(absences.holdUp(delivery("id-0", 0))).isEmpty();
    assertThat(absences.holdUp(delivery("id-" + HoldingThrottle.MOST, 0))).isPresent();
  }
}
