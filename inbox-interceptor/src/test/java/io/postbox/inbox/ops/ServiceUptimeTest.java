package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.store.ServiceHeartbeatStore.Outage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ServiceUptimeTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration WEEK = Duration.ofDays(7);

  private static Instant daysAgo(int days) {
    return NOW.minus(Duration.ofDays(days));
  }

  private static Outage outage(int fromDaysAgo, int toDaysAgo) {
    return new Outage(daysAgo(fromDaysAgo), daysAgo(toDaysAgo));
  }

  private static Instant aWeekAgo(Outage... outages) {
    return new ServiceUptime(NOW, List.of(outages)).ago(WEEK);
  }

  @Test
  void withoutAnOutageItIsTime() {
    assertThat(aWeekAgo()).isEqualTo(daysAgo(7));
  }

  @Test
  void anOutageDoesNotCount() {
    assertThat(aWeekAgo(outage(5, 3))).isEqualTo(daysAgo(9));
  }

  @Test
  void severalDoNotCount() {
    assertThat(aWeekAgo(outage(9, 8), outage(2, 1), outage(5, 3))).isEqualTo(daysAgo(11));
  }

  @Test
  void overlappingOutagesAreLeftOutOnce() {
    assertThat(aWeekAgo(outage(5, 3), outage(4, 2), outage(5, 4), outage(3, 3)))
        .isEqualTo(daysAgo(10));
  }

  @Test
  void anOutageMayBeLongerThanTheRetention() {
    assertThat(aWeekAgo(outage(31, 1))).isEqualTo(daysAgo(37));
    assertThat(aWeekAgo(outage(30, 0))).isEqualTo(daysAgo(37));
  }

  @Test
  void anOutageBeforeTheWindowIsOfNoConcern() {
    assertThat(aWeekAgo(outage(9, 8))).isEqualTo(daysAgo(7));
  }

  @Test
  void anOutageThatEndedWhenTheWindowBeganIsOver() {
    assertThat(aWeekAgo(outage(9, 7))).isEqualTo(daysAgo(7));
  }

  @Test
  void anOutageThatReachesIntoTheWindowMovesIt() {
    Outage intoIt = new Outage(daysAgo(9), daysAgo(7).plusMillis(1));

    assertThat(aWeekAgo(intoIt)).isEqualTo(daysAgo(9).minusMillis(1));
  }

  @Test
  void anOutageThatHasNotEndedCountsUntilNow() {
    assertThat(aWeekAgo(outage(2, -400))).isEqualTo(daysAgo(9));
    assertThat(aWeekAgo(outage(-1, -400))).isEqualTo(daysAgo(7));
  }

  @Test
  void nothingIsOldWhereNodesHaveNotLivedForSoLong() {
    assertThat(aWeekAgo(new Outage(Instant.EPOCH, daysAgo(3))))
        .isEqualTo(Instant.EPOCH.minus(Duration.ofDays(4)));
  }

  /** Against counting second by second. */
  @Test
  void itIsTheLatestTimeSinceWhichNodesHaveLivedForSoLong() {
    Random random = new Random(5);
    for (int round = 0; round < 20_000; round++) {
      List<Outage> outages = new ArrayList<>();
      boolean[] down = new boolean[200]; // down[i]: in the second that began i + 1 seconds ago
      for (int i = random.nextInt(6); i > 0; i--) {
        int end = random.nextInt(60) - 5;
        int begin = end + random.nextInt(20);
        outages.add(new Outage(NOW.minusSeconds(begin), NOW.minusSeconds(end)));
        for (int second = Math.max(0, end); second < begin; second++) {
          down[second] = true;
        }
      }
      int lived = 1 + random.nextInt(60);

      int seconds = 0;
      for (int rest = lived; rest > 0; seconds++) {
        rest -= down[seconds] ? 0 : 1;
      }
      assertThat(new ServiceUptime(NOW, outages).ago(Duration.ofSeconds(lived)))
          .as("%s of %s", lived, outages)
          .isEqualTo(NOW.minusSeconds(seconds));
    }
  }
}
