package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.VersionGap;
import io.postbox.inbox.VersionGap.Versions;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.ops.Gaps.Overdue;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GapWatchTest {
  private static final VersionGap GAP =
      new VersionGap(
          "ordered",
          "Order",
          "42",
          4,
          7,
          List.of(new Versions(5, 6)),
          3,
          Instant.EPOCH,
          List.of(),
          List.of());

  private final List<String> looks = new ArrayList<>();
  private Instant now = Instant.EPOCH;
  private int number = 1;
  private boolean fails;

  private final GapWatch watch =
      new GapWatch(
          this::look,
          TestConfig.of(
              "shop",
              Map.of(
                  "consumer.ordered.order", "version",
                  "consumer.ordered.order.longest-gap", "1m",
                  "consumer.other.max-attempts", "3")),
          () -> now,
          () -> Duration.between(Instant.EPOCH, now).toNanos());

  private Overdue look(String consumer, Duration age, int most) throws SQLException {
    looks.add(consumer + " " + age);
    if (fails) {
      throw new SQLException("no database");
    }
    return new Overdue(number, number == 0 ? Optional.empty() : Optional.of(GAP));
  }

  @Test
  void eachConsumerWithVersionOrderIsAskedForEveryFifteenSeconds() {
    for (int second = 0; second < 60; second++) {
      watch.look();
      now = now.plusSeconds(1);
    }

    assertThat(looks).hasSize(4).containsOnly("ordered PT1M");
    assertThat(watch.overdue()).isEqualTo(Map.of("ordered", 1));
    number = 0;
    watch.look();
    assertThat(watch.overdue()).isEqualTo(Map.of("ordered", 0));
  }

  @Test
  void foundGapsAreKeptWhileTheDatabaseFails() {
    watch.look();
    fails = true;
    now = now.plusSeconds(15);
    watch.look();

    assertThat(watch.overdue()).isEqualTo(Map.of("ordered", 1));
  }
}
