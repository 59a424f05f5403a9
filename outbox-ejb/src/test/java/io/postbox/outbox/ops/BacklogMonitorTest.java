package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.testing.SettableClock;
import io.postbox.outbox.BacklogFullException;
import io.postbox.outbox.config.OutboxConfig.Backlog;
import io.postbox.outbox.store.StatisticsStore.Kind;
import io.postbox.outbox.store.StatisticsStore.Line;
import io.postbox.outbox.testing.LogLines;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogMonitorTest {
  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Duration YOUNG = Duration.ofSeconds(1);

  private final SettableClock clock = new SettableClock();
  private final BacklogMonitor backlog =
      new BacklogMonitor(
          new Backlog(100, 1_000, Duration.ofMinutes(10), Duration.ofMinutes(100)), clock);

  private void counted(long messages, Duration oldest) {
    backlog.counted(snapshot(messages, oldest, false), Duration.ZERO, INTERVAL);
  }

  private static Snapshot snapshot(long messages, Duration oldest, boolean estimated) {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    return Snapshot.of(
        List.of(new Line(Kind.PENDING, "a", messages, estimated, now.minus(oldest), now)));
  }

  @Test
  void nothingIsKnownBeforeTheFirstCountSoNothingIsRefused() {
    assertThatCode(backlog::refuseIfFull).doesNotThrowAnyException();
    assertThat(backlog.warning()).isEmpty();
  }

  @Test
  void belowTheLimitsNothingHappens() {
    counted(99, Duration.ofMinutes(10).minusMillis(1));
    assertThat(backlog.warning()).isEmpty();
    assertThat(backlog.refusal()).isEmpty();
  }

  @Test
  void aSoftLimitWarnsAndRefusesNothing() {
    counted(100, YOUNG);
    assertThat(backlog.warning())
        .contains("100 messages wait, and postbox.outbox.backlog.warn-count=100");
    assertThat(backlog.refusal()).isEmpty();

    counted(1, Duration.ofMinutes(10));
    assertThat(backlog.warning())
        .contains("the oldest message has waited for 10m, and postbox.outbox.backlog.warn-age=10m");
  }

  @Test
  void aHardLimitRefusesNamingLimitValueKeyAndWayOut() {
    counted(1_234, YOUNG);
    assertThatThrownBy(backlog::refuseIfFull)
        .isInstanceOf(BacklogFullException.class)
        .hasMessage(
            "The outbox takes no more messages, nothing was written: 1234 messages wait, and"
                + " postbox.outbox.backlog.max-count=1000. It takes messages again when the value has fallen a tenth below the limit. Find out why messages wait (health data of postbox-outbox, log OBX0004), or raise the limit.");

    counted(1, Duration.ofMinutes(100));
    assertThatThrownBy(backlog::refuseIfFull)
        .isInstanceOf(BacklogFullException.class)
        .hasMessageContaining("has waited for 100m, and postbox.outbox.backlog.max-age=100m");
  }

  @Test
  void aLimitIsInForceUntilTheValueIsATenthBelowIt() {
    counted(1_000, YOUNG);
    counted(901, YOUNG);
    assertThat(backlog.refusal()).isPresent();
    counted(899, YOUNG);
    assertThat(backlog.refusal()).isEmpty();
    counted(999, YOUNG);
    assertThat(backlog.refusal()).isEmpty();
  }

  @Test
  void aValueThatHoversAtTheLimitIsLoggedOnce() {
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      for (int i = 0; i < 50; i++) {
        counted(i % 2 == 0 ? 101 : 99, YOUNG);
      }
      assertThat(log.lines())
          .singleElement()
          .asString()
          .startsWith("OBX0030 The outbox's backlog is above a limit that warns");

      counted(89, YOUNG);
      counted(88, YOUNG);
      assertThat(log.lines()).hasSize(2).last().asString().startsWith("OBX0031 ");
    }
  }

  @Test
  void fullAndNoLongerFullAreLoggedOnce() {
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      counted(1_000, YOUNG);
      counted(2_000, YOUNG);
      counted(50, YOUNG);
      counted(40, YOUNG);
      assertThat(log.lines().stream().map(line -> line.substring(0, 7)))
          .containsExactly("OBX0030", "OBX0032", "OBX0031", "OBX0033");
    }
  }

  @Test
  void anOldCountRefusesNoLongerAndThatIsLogged() {
    counted(1_000, YOUNG);
    clock.advance(Duration.ofSeconds(59));
    backlog.refreshed();
    assertThat(backlog.refusal()).isPresent();
    clock.advance(Duration.ofSeconds(1));
    assertThat(backlog.refusal()).as("even if nobody looks").isEmpty();
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      backlog.refreshed();
      backlog.refreshed();
      assertThat(log.lines()).singleElement().asString().startsWith("OBX0034 ");
    }
  }

  @Test
  void whereCountingTakesLongACountIsTrustedLonger() {
    backlog.counted(snapshot(1_000, YOUNG, false), Duration.ZERO, Duration.ofMinutes(10));
    clock.advance(Duration.ofMinutes(29));
    assertThat(backlog.refusal()).isPresent();
    clock.advance(Duration.ofMinutes(1));
    assertThat(backlog.refusal()).isEmpty();
  }

  @Test
  void anEstimateAboveALimitRefusesAndSaysSo() {
    backlog.counted(snapshot(5_000_000, YOUNG, true), Duration.ZERO, INTERVAL);
    assertThat(backlog.refusal())
        .contains(
            "about 5000000 messages wait (an estimate), and postbox.outbox.backlog.max-count=1000");
  }

  /** Reading it again and again makes it no younger. */
  @Test
  void theCountOfAnotherNodeIsAsOldAsItIs() {
    backlog.counted(snapshot(1_000, YOUNG, false), Duration.ofSeconds(50), INTERVAL);
    assertThat(backlog.refusal()).isPresent();
    clock.advance(Duration.ofSeconds(9));
    backlog.counted(snapshot(1_000, YOUNG, false), Duration.ofSeconds(59), INTERVAL);
    assertThat(backlog.refusal()).isPresent();
    clock.advance(Duration.ofSeconds(1));
    backlog.counted(snapshot(1_000, YOUNG, false), Duration.ofSeconds(60), INTERVAL);
    assertThat(backlog.refusal()).isEmpty();
  }
}
