package io.postbox.outbox.enqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.message.Headers;
import io.postbox.outbox.store.MessageStore;
import io.postbox.outbox.store.MessageStore.NewMessage;
import io.postbox.outbox.testing.PayloadEncoders;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class TimesAndTracesTest {
  private static final Instant NOW = Instant.parse("2026-03-29T01:30:00Z");
  private static final OutboxMessage MESSAGE = OutboxMessage.to("shipping").text("x");
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private final Enqueuer enqueuer =
      new Enqueuer(
          new MessageStore(Dialect.H2, new TableNames("", "")),
          InstantSource.fixed(NOW),
          16,
          PayloadEncoders.plain(1_000, String::valueOf));

  private NewMessage prepared(OutboxMessage message) {
    return enqueuer.prepare(message);
  }

  private void assertRefused(OutboxMessage message, String... says) {
    assertThatThrownBy(() -> prepared(message))
        .isInstanceOf(MessageRefusedException.class)
        .hasMessageContaining("is refused and was not written: ")
        .hasMessageContainingAll(says);
  }

  @Test
  void aMessageGoesAtOnceAndLivesForEverUnlessToldOtherwise() {
    assertThat(prepared(MESSAGE).notBefore()).isNull();
    assertThat(prepared(MESSAGE).expiresAfter()).isNull();
  }

  @Test
  void aMessageWaitsForItsMoment() {
    Instant moment = NOW.plusMillis(1);
    assertThat(prepared(MESSAGE.notBefore(moment)).notBefore()).isEqualTo(moment);
  }

  @Test
  void whetherAMomentIsOverIsForTheDatabaseToSay() {
    assertThat(prepared(MESSAGE.notBefore(NOW.minusSeconds(60))).notBefore())
        .isEqualTo(NOW.minusSeconds(60));
    assertThat(prepared(MESSAGE.notBefore(Instant.EPOCH)).notBefore()).isNull();
    assertThat(prepared(MESSAGE.notBefore(Instant.MIN)).notBefore()).isNull();
  }

  @Test
  void anOrderedMessageCannotWait() {
    OutboxMessage ordered = MESSAGE.aggregate("Order", 7).notBefore(NOW.plusSeconds(1));
    assertRefused(ordered, "notBefore", "the ordering key 'Order/7'", "call unordered()");
    assertRefused(ordered.notBefore(Instant.MIN), "call unordered()");
    assertThat(prepared(ordered.unordered()).notBefore()).isNotNull();
  }

  @Test
  void aMomentOutOfReachIsRefused() {
    assertThat(prepared(MESSAGE.notBefore(NOW.plus(Duration.ofDays(36_500)))).notBefore())
        .isNotNull();
    assertRefused(
        MESSAGE.notBefore(NOW.plus(Duration.ofDays(36_500)).plusNanos(1)), "notBefore", "at most");
    assertRefused(MESSAGE.notBefore(Instant.MAX), "notBefore", "at most");
  }

  @Test
  void aTimeToLiveHasBounds() {
    for (Duration time : new Duration[] {Duration.ofMillis(1), Duration.ofDays(36_500)}) {
      assertThat(prepared(MESSAGE.expiresAfter(time)).expiresAfter()).isEqualTo(time);
    }
    for (Duration time :
        new Duration[] {
          Duration.ofNanos(999_999),
          Duration.ZERO,
          Duration.ofSeconds(-1),
          Duration.ofDays(36_500).plusNanos(1),
          Duration.ofSeconds(Long.MAX_VALUE)
        }) {
      assertRefused(MESSAGE.expiresAfter(time), "expires after", "from 1ms to 36500d");
    }
  }

  @Test
  void aMessageThatWouldExpireBeforeItsMomentIsRefused() {
    OutboxMessage message = MESSAGE.notBefore(NOW.plusSeconds(10));
    assertThat(prepared(message.expiresAfter(Duration.ofMillis(10_001)))).isNotNull();
    assertRefused(message.expiresAfter(Duration.ofSeconds(10)), "before its notBefore");
  }

  @Test
  void aTraceIsKept() {
    NewMessage prepared = prepared(MESSAGE.trace(TRACE, "congo=t61"));
    assertThat(prepared.envelope().traceParent()).isEqualTo(TRACE);
    assertThat(stateOf(prepared)).isEqualTo("congo=t61");
    assertThat(stateOf(prepared(MESSAGE.trace(TRACE)))).isNull();
  }

  @Test
  void aMalformedTraceIsLeftOutAndRefusesNothing() {
    NewMessage malformed = prepared(MESSAGE.trace("00-zz", "congo=t61"));
    assertThat(malformed.envelope().traceParent()).isNull();
    assertThat(stateOf(malformed)).as("a state without a parent").isNull();

    NewMessage longState = prepared(MESSAGE.trace(TRACE, "a=" + "x".repeat(600)));
    assertThat(longState.envelope().traceParent()).isEqualTo(TRACE);
    assertThat(stateOf(longState)).isNull();
  }

  private static Object stateOf(NewMessage prepared) {
    return Headers.fromJson(prepared.envelope().headers()).traceState();
  }
}
