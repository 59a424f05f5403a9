package io.postbox.inbox.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.TestDelivery;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HoldingThrottleTest {
  private static final Delivery BACK = delivery("id-1", 0);
  private static final Delivery COPY = delivery("id-1", 1);

  private final FakeTime time = new FakeTime();
  private final HoldingThrottle throttle = new HoldingThrottle(time);

  private static Delivery delivery(String id, int waitedFor) {
    return TestDelivery.of(id).with(new History(true, waitedFor, 0)).delivery();
  }

  private void away(String id, Duration delay) {
    throttle.defer("shipping", new DelayedRetry(id, delay, 1, 0));
  }

  private static DelayedRetry away(Duration left) {
    return new DelayedRetry("id-1", left, 1, 0);
  }

  @Test
  void aMessageThatNobodySentAwayIsNotHeldUp() {
    away("id-2", Duration.ofMinutes(1));

    assertThat(throttle.hold(BACK)).isEmpty();
    assertThat(throttle.hold(TestDelivery.of("id-2").to("mail").delivery())).isEmpty();
    assertThat(time.now()).isZero();
  }

  @Test
  void oneThatIsHereItselfIsHeldUpForASecondEachTimeUntilItsTimeHasCome() {
    away("id-1", Duration.ofMillis(2_500));

    int deliveries = 0;
    while (time.now().compareTo(Duration.ofMillis(2_500)) < 0 && deliveries < 100) {
      assertThat(throttle.hold(BACK)).contains(away(Duration.ofMillis(2_500).minus(time.now())));
      deliveries++;
    }

    assertThat(deliveries).isEqualTo(3);
    assertThat(time.now()).isEqualTo(Duration.ofMillis(2_500));
    assertThat(throttle.hold(BACK)).as("then it can be sent away again").isEmpty();
  }

  /** However short the wait is that it should have had. */
  @Test
  void oneThatIsHereItselfAfterItsTimeIsNotHeldUpAndKnownForWhatItIs() {
    away("id-1", Duration.ofSeconds(1));
    time.at(5, () -> {});
    time.run();

    assertThat(throttle.hold(BACK)).contains(away(Duration.ZERO));
    assertThat(time.now()).isEqualTo(Duration.ofSeconds(5));
    assertThat(throttle.hold(BACK)).isEmpty();
  }

  @Test
  void aCopyIsNotHeldUpAndEndsTheAbsence() {
    away("id-1", Duration.ofMinutes(1));

    assertThat(throttle.hold(COPY)).isEmpty();
    assertThat(throttle.hold(BACK)).isEmpty();
    assertThat(time.now()).isZero();
  }

  @Test
  void aCopyThatWaitedForAnEarlierVersionEndsTheAbsenceToo() {
    throttle.defer("shipping", new DelayedRetry("id-1", Duration.ofMinutes(1), 0, 1));

    assertThat(throttle.hold(BACK))
        .contains(new DelayedRetry("id-1", Duration.ofSeconds(59), 0, 1));
    assertThat(throttle.hold(TestDelivery.of("id-1").with(new History(true, 0, 1)).delivery()))
        .isEmpty();
  }

  @Test
  void theApplicationsStopEndsTheWait() {
    away("id-1", Duration.ofMinutes(1));
    throttle.stop();

    assertThat(throttle.hold(BACK)).isPresent();
    assertThat(time.now()).isZero();
  }

  @Test
  void itIsLoggedOnceAMinuteWithTheWayOut() {
    away("id-1", Duration.ofMinutes(2));

    try (LogLines lines = new LogLines()) {
      for (int i = 0; i < 120; i++) {
        throttle.hold(BACK);
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

    assertThat(throttle.hold(delivery("id-0", 0))).isEmpty();
    assertThat(throttle.hold(delivery("id-" + HoldingThrottle.MOST, 0))).isPresent();
  }
}
