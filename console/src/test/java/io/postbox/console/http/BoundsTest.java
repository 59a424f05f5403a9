package io.postbox.console.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Entries in memory are kept for a while, and have bounds. */
class BoundsTest {
  private static final Instant NOW = Instant.parse("2026-11-23T22:00:00Z");

  private final AtomicLong nanos = new AtomicLong();
  private Instant now = NOW;
  private final PlanShelf shelf =
      new PlanShelf(
          new Clock() {
            @Override
            public ZoneId getZone() {
              return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
              return this;
            }

            @Override
            public Instant instant() {
              return now;
            }
          });

  private UUID plan(String principal) {
    UUID id = UUID.randomUUID();
    shelf.put(id, new PlanShelf.Kept("redrive", id, principal, now.plusSeconds(3_600)));
    return id;
  }

  @Test
  void aPlanIsTakenOnceByWhoMadeIt() {
    UUID id = plan("ada");

    assertThat(shelf.take(id, "bob")).isEmpty();
    assertThat(shelf.take(id, "ada")).map(PlanShelf.Kept::plan).contains(id);
    assertThat(shelf.take(id, "ada")).isEmpty();
  }

  @Test
  void aPlanExpires() {
    UUID id = plan("ada");
    now = NOW.plusSeconds(3_600);

    assertThat(shelf.take(id, "ada")).isEmpty();
  }

  @Test
  void theOldestPlansGoFirst() {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 51; i++) {
      ids.add(plan("ada"));
    }
    UUID other = plan("bob");

    assertThat(shelf.take(ids.get(0), "ada")).isEmpty();
    assertThat(shelf.take(ids.get(1), "ada")).isPresent();
    assertThat(shelf.take(other, "bob")).isPresent();
  }

  @Test
  void manyPeoplesPlansAreBoundedTogether() {
    UUID first = plan("first");
    for (int i = 0; i < 1_000; i++) {
      plan("person-" + i);
    }

    assertThat(shelf.take(first, "first")).isEmpty();
  }

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
