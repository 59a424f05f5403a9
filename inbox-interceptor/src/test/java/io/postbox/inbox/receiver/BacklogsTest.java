package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.testing.SettableClock;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.receiver.Quotas.Used;
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
      backlogs.captured("shipping", 10);
    }
  }

  private void end(int messages) {
    for (int i = 0; i < messages; i++) {
      backlogs.ended("shipping", 10);
    }
  }

  /** Each has ten bytes. */
  private static Map<String, Used> of(long messages) {
    return Map.of("shipping", new Used(messages, 10 * messages));
  }

  @Test
  void aBacklogIsFullAtItsBytesUntilATenthIsFree() {
    Backlogs few = new Backlogs(TestConfig.shop(Map.of("capture.bytes", "1000")), clock);
    few.captured("shipping", 600);
    clock.advance(Duration.ofSeconds(5));
    few.mark();
    few.counted(Map.of("shipping", new Used(1, 600)), COUNTED_BY_THIS_NODE);
    few.captured("shipping", 399);
    assertThat(few.isFull("shipping")).isFalse();
    few.captured("shipping", 1);
    assertThat(few.full()).containsExactly("shipping");

    few.ended("shipping", 100);
    assertThat(few.isFull("shipping")).isTrue();
    few.ended("shipping", 1);
    assertThat(few.isFull("shipping")).isFalse();
  }

  @Test
  void aBacklogHasALimitOfBytesByDefault() {
    Backlogs some = new Backlogs(TestConfig.shop(Map.of()), clock);
    some.captured("shipping", (1L << 30) - 1);
    assertThat(some.isFull("shipping")).isFalse();
    some.captured("shipping", 1);
    assertThat(some.isFull("shipping")).isTrue();
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
    backlogs.captured("mail", 10);
    assertThat(backlogs.isFull("mail")).isTrue();
    backlogs.ended("mail", 10);
    assertThat(backlogs.isFull("mail")).isFalse();
  }

  @Test
  void theMessagesBeforeACountAreNotAddedToIt() {
    capture(60);
    clock.advance(Duration.ofSeconds(5));
    backlogs.mark();
    backlogs.counted(of(60), COUNTED_BY_THIS_NODE);
    assertThat(backlogs.waiting("shipping").messages()).isEqualTo(60);

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
    backlogs.counted(of(70), Duration.ofSeconds(2));

    assertThat(backlogs.waiting("shipping").messages())
        .as("30 within two seconds and a bit")
        .isEqualTo(100);
    assertThat(backlogs.isFull("shipping")).isTrue();
  }

  @Test
  void theNextCountIncludesTheWorkOfOthers() {
    backlogs.counted(of(100), COUNTED_BY_THIS_NODE);
    assertThat(backlogs.isFull("shipping")).isTrue();

    clock.advance(Duration.ofSeconds(5));
    backlogs.mark();
    backlogs.counted(of(90), COUNTED_BY_THIS_NODE);
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
    backlogs.counted(of(10), Duration.ofHours(1));

    assertThat(backlogs.waiting("shipping").messages()).isEqualTo(10);
  }
}
