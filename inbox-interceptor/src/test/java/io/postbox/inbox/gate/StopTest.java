package io.postbox.inbox.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.platform.Endpoints;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.LogLines;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StopTest {
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final FakeTime time = new FakeTime();
  private final ApplicationGate gate =
      new ApplicationGate(
          GRACE,
          time,
          new DatabaseMonitor(Duration.ofSeconds(20), time, () -> {}, Endpoints.NONE, time),
          new HoldingThrottle(time));

  @Test
  void nobodyIsLetInAnyMore() {
    gate.enter("shipping");
    gate.leave();

    gate.stop();

    assertThat(time.now()).isZero();
    assertThatThrownBy(() -> gate.enter("shipping")).isInstanceOf(InboxException.class);
    assertThat(gate.isClosed()).isTrue();
    assertThat(time.now())
        .as("its message would be redelivered at once")
        .isEqualTo(ApplicationGate.AFTER_THE_STOP);
  }

  @Test
  void deliveriesInsideMayEnd() {
    gate.enter("shipping");
    gate.enter("orders");
    time.at(3, gate::leave);
    time.at(
        5,
        () -> {
          assertThat(gate.isClosed()).isFalse();
          gate.leave();
        });

    gate.stop();

    assertThat(time.now()).isEqualTo(Duration.ofSeconds(5));
    assertThat(gate.isClosed()).isTrue();
  }

  @Test
  void aDeliveryBeyondTheGraceIsLoggedAsOver() {
    gate.enter("shipping");

    try (LogLines lines = new LogLines()) {
      gate.stop();
      gate.stop();

      assertThat(lines.all())
          .singleElement()
          .asString()
          .startsWith("IBX0025")
          .contains("1 deliveries", "30s");
    }
    assertThat(time.now()).isEqualTo(GRACE);
    assertThat(gate.isClosed()).isTrue();
  }
}
