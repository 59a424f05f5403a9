package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The attribution of faults, over several passes on the real database. */
class FaultAttributionTest {
  private static final TestConfig ONE_PARTITION = TestConfig.DEFAULT.withPartitions(1);

  @ParameterizedTest
  @EnumSource
  void aDestinationAtFaultCountsNoAttemptAndRecovers(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    List<Long> down = relay.enqueue(keyed(5, "down", "k"));
    relay.broker.unknownDestinations.add("down");
    List<Long> good = relay.enqueue(keyed(2, "d", "k"));
    for (int i = 0; i < 20; i++) {
      relay.drain();
      relay.clock.pass(Duration.ofSeconds(10));
    }

    assertThat(relay.broker.receivedSeqs()).isEqualTo(good);
    assertThat(relay.rows.messages()).allMatch(row -> row.attempts() == 0);
    assertThat(relay.statuses()).containsOnly("PENDING");
    assertThat(relay.breakers.openReasons()).containsOnlyKeys("down");

    relay.broker.heal();
    relay.drain();
    assertThat(relay.broker.receivedSeqs().subList(2, 7)).isEqualTo(down);
    assertThat(relay.breakers.openReasons()).isEmpty();
  }

  /** No message is at fault for a failure of the broker, so nothing is written about any. */
  @ParameterizedTest
  @EnumSource
  void anOutageThatFailsAThousandMessagesWritesNothing(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    relay.enqueue(keyed(1_000, "down", "k"));
    relay.broker.unknownDestinations.add("down");
    int changes = relay.counting.changes();
    for (int i = 0; i < 20; i++) {
      relay.drain();
      relay.clock.pass(Duration.ofSeconds(10));
    }

    assertThat(relay.broker.calls()).isGreaterThan(10);
    assertThat(relay.rows.count("outbox_failure")).isZero();
    assertThat(relay.counting.changes()).isEqualTo(changes);
  }

  /** Otherwise one bad message would keep a destination, and all behind it, waiting for ever. */
  @ParameterizedTest
  @EnumSource
  void aMessageThatFailsAloneDoesNotKeepOthersFromTheirDestination(TestDatabase database)
      throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    long poison = relay.enqueue(keyed("d", "bad"));
    relay.broker.spoil.add(poison);
    relay.drain(); // alone, so the destination is suspected
    List<Long> good = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      good.addAll(relay.enqueue(keyed(3, "d", "good")));
      relay.clock.pass(Duration.ofSeconds(10));
      relay.rows.makeDue();
      relay.drain();
    }

    assertThat(relay.broker.receivedSeqs()).isEqualTo(good);
    assertThat(relay.statuses()).containsExactly("DEAD");
    assertThat(relay.rows.count("outbox_failure"))
        .as("one for each attempt")
        .isEqualTo(relay.rows.messages().get(0).attempts());
  }

  /** As the design says: a probe succeeds while the same message fails five times running. */
  @ParameterizedTest
  @EnumSource
  void aMessageThatAlwaysFailsAloneIsCountedWhileProbesSucceed(TestDatabase database)
      throws SQLException {
    RelayFixture relay = new RelayFixture(database, TestConfig.DEFAULT.withPartitions(2));
    OutboxMessage bad = keyed("d", "bad");
    int n = 0;
    while (relay.partition(keyed("d", "good" + n)) == relay.partition(bad)) {
      n++;
    }
    long poison = relay.enqueue(bad);
    relay.broker.spoil.add(poison);
    for (int i = 0; i < 40; i++) {
      relay.enqueue(keyed("d", "good" + n));
      relay.clock.pass(Duration.ofSeconds(10));
      relay.rows.makeDue();
      relay.drain();
    }

    assertThat(relay.statuses()).containsExactly("DEAD");
    assertThat(relay.broker.receivedSeqs()).hasSize(40);
  }
}
