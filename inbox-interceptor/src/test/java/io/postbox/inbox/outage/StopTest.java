package io.postbox.inbox.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.log.LogLines;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StopTest {
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final FakeTime time = new FakeTime();
  private final Entrance entrance =
      new Entrance(Duration.ofSeconds(20), GRACE, time, () -> {}, Endpoints.NONE, time);

  @Test
  void nobodyIsLetInAnyMore() {
    entrance.enter("shipping");
    entrance.leave();

    entrance.stop();

    assertThat(time.now()).isZero();
    assertThatThrownBy(() -> entrance.enter("shipping")).isInstanceOf(InboxException.class);
    assertThat(entrance.isClosed()).isTrue();
    assertThat(time.now())
        .as("its message would come again at once")
        .isEqualTo(Entrance.AFTER_THE_STOP);
  }

  @Test
  void whoIsInsideMayEnd() {
    entrance.enter("shipping");
    entrance.enter("orders");
    time.at(3, entrance::leave);
    time.at(
        5,
        () -> {
          assertThat(entrance.isClosed()).isFalse();
          entrance.leave();
        });

    entrance.stop();

    assertThat(time.now()).isEqualTo(Duration.ofSeconds(5));
    assertThat(entrance.isClosed()).isTrue();
  }

  @Test
  void whoTakesLongerThanTheGraceIsToldThatItIsOver() {
    entrance.enter("shipping");

    try (LogLines lines = new LogLines()) {
      entrance.stop();
      entrance.stop();

      assertThat(lines.all())
          .singleElement()
          .asString()
          .startsWith("IBX0025")
          .contains("1 deliveries", "30s");
    }
    assertThat(time.now()).isEqualTo(GRACE);
    assertThat(entrance.isClosed()).isTrue();
  }
}
