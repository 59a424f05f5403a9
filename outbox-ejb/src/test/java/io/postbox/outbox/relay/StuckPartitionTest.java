package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.store.HolderQuery;
import io.postbox.outbox.testing.DirectExecutor;
import io.postbox.outbox.testing.LogLines;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A relay and partitions in other hands, on the real database. */
class StuckPartitionTest {
  /** Half a second apart, as the timer has it, while somebody else has all partitions. */
  private static void tickWhileAllIsInOtherHands(RelayFixture fixture, Relay relay, Duration time)
      throws SQLException {
    try (Connection other = fixture.counting.dataSource().getConnection()) {
      other.setAutoCommit(false);
      fixture.lockAllPartitions(other);
      for (long i = 0; i < time.toMillis(); i += 500) {
        relay.tick();
        fixture.clock.pass(Duration.ofMillis(500));
      }
      other.rollback();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPartitionInOtherHandsWithoutProgressIsStuck(TestDatabase database) throws SQLException {
    RelayFixture fixture = new RelayFixture(database, TestConfig.DEFAULT);
    Relay relay = fixture.relay(fixture.broker, new DirectExecutor(), fixture.clock);
    Duration limit = Relay.longestSilence(fixture.config);
    fixture.enqueue(keyed("d", "k"));
    tickWhileAllIsInOtherHands(fixture, relay, limit.plusSeconds(2));

    assertThat(relay.stuckPartitions()).hasSize(1);
    assertThat(relay.status().stuck())
        .containsOnlyKeys(fixture.partition(keyed("d", "k")))
        .allSatisfy((partition, time) -> assertThat(time).isGreaterThanOrEqualTo(limit));
    relay.tick();
    assertThat(relay.stuckPartitions()).isEmpty();
    assertThat(relay.status().stuck()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aPartitionThatSomebodyElseEmptiedInBetweenIsNotStuck(TestDatabase database)
      throws SQLException {
    RelayFixture fixture = new RelayFixture(database, TestConfig.DEFAULT);
    Relay relay = fixture.relay(fixture.broker, new DirectExecutor(), fixture.clock);
    Duration limit = Relay.longestSilence(fixture.config);
    fixture.enqueue(keyed("d", "k"));
    tickWhileAllIsInOtherHands(fixture, relay, limit.dividedBy(2).minusSeconds(5));
    fixture.rows.execute("DELETE FROM outbox_message"); // another node has sent it
    relay.tick();
    fixture.enqueue(keyed("d", "k"));
    tickWhileAllIsInOtherHands(fixture, relay, limit.minusSeconds(2));

    assertThat(relay.stuckPartitions()).isEmpty();
  }

  /** The tables may have names of their own. */
  @ParameterizedTest
  @EnumSource
  void theLogSaysHowToFindTheHolderInThisDatabase(TestDatabase database) throws SQLException {
    RelayFixture fixture = new RelayFixture(database, TestConfig.DEFAULT.withTables("", "app_"));
    Relay relay = fixture.relay(fixture.broker, new DirectExecutor(), fixture.clock);
    fixture.enqueue(keyed("d", "k"));
    int partition = fixture.partition(keyed("d", "k"));
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      tickWhileAllIsInOtherHands(
          fixture, relay, Relay.longestSilence(fixture.config).plusSeconds(2));
      assertThat(log.lines())
          .filteredOn(line -> line.startsWith("OBX0016 "))
          .singleElement()
          .asString()
          .endsWith(HolderQuery.of(database.dialect(), fixture.config.tables(), partition));
    }
  }
}
