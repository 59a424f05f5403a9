package io.postbox.console.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Entries in memory are kept for a while, and have bounds. */
class BoundsTest {
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void aBucketOfActionsFillsUpAgain() {
    ActionRate rate = new ActionRate(30, nanos::get);
    for (int i = 0; i < 30; i++) {
      assertThat(rate.take("ada")).isEmpty();
    }

    assertThat(rate.take("ada")).hasValue(2);
    assertThat(rate.take("bob")).isEmpty();
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    assertThat(rate.take("ada")).isEmpty();
    assertThat(rate.take("ada")).isPresent();
  }

  @Test
  void aBucketHoldsNoMoreThanAMinutesActions() {
    ActionRate rate = new ActionRate(2, nanos::get);
    rate.take("ada");
    nanos.addAndGet(Duration.ofDays(1).toNanos());

    assertThat(rate.take("ada")).isEmpty();
    assertThat(rate.take("ada")).isEmpty();
    assertThat(rate.take("ada")).isPresent();
  }

  @Test
  void aCountIsMadeOnceForAllWhoAskWithinItsAge() {
    AtomicInteger counts = new AtomicInteger();
    Cached<Integer> cached =
        new Cached<>(counts::incrementAndGet, Duration.ofSeconds(5), nanos::get);

    assertThat(cached.get()).isEqualTo(1);
    nanos.addAndGet(Duration.ofSeconds(5).toNanos() - 1);
    assertThat(cached.get()).isEqualTo(1);
    nanos.incrementAndGet();
    assertThat(cached.get()).isEqualTo(2);
  }

  @Test
  void aForgottenCountIsMadeAgain() {
    AtomicInteger counts = new AtomicInteger();
    Cached<Integer> cached =
        new Cached<>(counts::incrementAndGet, Duration.ofSeconds(5), nanos::get);

    assertThat(cached.get()).isEqualTo(1);
    cached.forget();
    assertThat(cached.get()).isEqualTo(2);
  }

  @Test
  void aCountThatFailedIsMadeAgain() {
    AtomicInteger counts = new AtomicInteger();
    Cached<Integer> cached =
        new Cached<>(
            () -> {
              if (counts.incrementAndGet() == 1) {
                throw new IllegalStateException("no database");
              }
              return counts.get();
            },
            Duration.ofSeconds(5),
            nanos::get);

    assertThatThrownBy(cached::get).isInstanceOf(IllegalStateException.class);
    assertThat(cached.get()).isEqualTo(2);
  }
}
