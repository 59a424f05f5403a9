package io.postbox.inbox.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.inbox.MessageEvent;
import io.postbox.inbox.receiver.InboxListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HandlerTimerTest {
  private static final Instant START = Instant.parse("2026-11-22T08:00:00Z");

  private final List<String> told = new ArrayList<>();
  private Duration passed = Duration.ZERO;
  private final HandlerTimer clock =
      new HandlerTimer(
          new InboxListener() {
            @Override
            public void happened(MessageEvent event) {}

            @Override
            public void handlerEnded(String consumer, Duration took, @Nullable Duration age) {
              told.add(consumer + " took " + took + " age " + age);
            }
          },
          () -> START.plus(passed),
          () -> passed.toNanos());

  @Test
  void aHandlerIsTimedAndItsMessageHasAnAge() throws Exception {
    assertThat(clock.timed("shipping", START.minusSeconds(3), takes(2, "done")).call())
        .isEqualTo("done");

    clock.timed("shipping", START.minusSeconds(3), takes(1, "done")).call();

    assertThat(told).containsExactly("shipping took PT2S age PT5S", "shipping took PT1S age PT6S");
  }

  @Test
  void aSenderWhoseClockIsAheadDoesNotMakeItNegative() throws Exception {
    clock.timed("shipping", START.plusSeconds(60), takes(2, null)).call();

    assertThat(told).containsExactly("shipping took PT2S age PT0S");
  }

  @Test
  void withoutATimeThereIsNoAge() throws Exception {
    clock.timed("shipping", null, takes(1, null)).call();

    assertThat(told).containsExactly("shipping took PT1S age null");
  }

  @Test
  void aHandlerThatThrowsIsTimedAndItsMessageIsNotHandled() {
    Callable<@Nullable Object> broken =
        () -> {
          takes(4, null).call();
          throw new IllegalStateException("no stock");
        };

    assertThatThrownBy(() -> clock.timed("shipping", START, broken).call())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no stock");
    assertThat(told).containsExactly("shipping took PT4S age null");
  }

  private Callable<@Nullable Object> takes(int seconds, @Nullable Object returned) {
    return () -> {
      passed = passed.plusSeconds(seconds);
      return returned;
    };
  }
}
