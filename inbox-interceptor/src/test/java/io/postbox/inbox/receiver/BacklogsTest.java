package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.testing.SettableClock;
import io.postbox.inbox.config.TestConfig;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BacklogsTest {
  private static final Duration COUNTED_BY_THIS_NODE = Duration.ZERO;

  private final SettableClock clock = new SettableClock();
  private final Backlogs backlogs =
      new Backlogs(
          TestConfig.shop(Map.of("capture.limit", "100", "consumer.mail.capture.limit", "1")),
          clock);

  private void capture(int messages) {
    for (int i = 0; i < messages; i++) {
      backlogs.captured("shipping");
    }
  }

  private void end(int messages) {
    for (int i = 0; i < messages; i++) {
      backlogs.ended("shipping");
    }
  }

  @Test
  void aBacklogIsFullAtTheLimitUntilATenthIsFree() {
    capture(99);
    assertThat(backlogs.isFull("shipping")).isFalse();
    capture(1);
    assertThat(backlogs.full()).containsExactly("shipping");

    end(10);
    assertThat(backlogs.isFull("shipping")).isTrue();
    end(1);
    assertThat(backlogs.isFull("shipping")).isFalse();
  }

  @Test
  void aLimitOfOneLetsOneWait() {
    backlogs.captured("mail");
    assertThat(backlogs.isFull("mail")).isTrue();
    backlogs.ended("mail");
    assertThat(backlogs.isFull("mail")).isFalse();
  }

  @Test
  void theMessagesBeforeACountAreNotAddedToIt() {
    capture(60);
    clock.advance(Duration.ofSeconds(5));
    backlogs.mark();
    backlogs.counted(Map.of("shipping", 60L), COUNTED_BY_THIS_NODE);
    assertThat(backlogs.waiting("shipping")).isEqualTo(60);

    capture(39);
    assertThat(backlogs.isFull("shipping")).isFalse();
    capture(1);
    assertThat(backlogs.isFull("shipping")).isTrue();
  }

  @Test
  void theMessagesSinceAnotherNodeBeganToCountAreAdded() {
    for (int second = 0; second < 10; second++) {
      clock.advance(Duration.ofSeconds(1));
      backlogs.mark();
      capture(10);
    }
    backlogs.counted(Map.of("shipping", 70L), Duration.ofSeconds(2));

    assertThat(backlogs.waiting("shipping")).as("30 within two seconds and a bit").isEqualTo(100);
    assertThat(backlogs.isFull("shipping")).isTrue();
  }

  @Test
  void theNextCountIncludesTheWorkOfOthers() {
    backlogs.counted(Map.of("shipping", 100L), COUNTED_BY_THIS_NODE);
    assertThat(backlogs.isFull("shipping")).isTrue();

    clock.advance(Duration.ofSeconds(5));
    backlogs.mark();
    backlogs.counted(Map.of("shipping", 90L), COUNTED_BY_THIS_NODE);
    assertThat(backlogs.isFull("shipping")).isTrue();
    backlogs.counted(Map.of(), COUNTED_BY_THIS_NODE);
    assertThat(backlogs.isFull("shipping")).isFalse();
  }

  @Test
  void marksAreKeptForTwoMinutesOnly() {
    capture(10);
    for (int mark = 0; mark < 10_000; mark++) {
      clock.advance(Duration.ofMillis(200));
      backlogs.mark();
    }
    backlogs.counted(Map.of("shipping", 10L), Duration.ofHours(1));

    assertThat(backlogs.waiting("shipping")).isEqualTo(10);
  }
}
