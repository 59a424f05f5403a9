package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each destination's failures are recovered from by its own keys. */
class DestinationPolicyTest {
  private static final TestConfig QUICK =
      TestConfig.DEFAULT
          .withPartitions(1)
          .withFailures(3, OnDeadLetter.HOLD)
          .withFailuresOf("quick", 1, OnDeadLetter.CONTINUE);

  @ParameterizedTest
  @EnumSource
  void onlyItsMessagesDieSoonerAndLetTheirFollowersGo(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, QUICK);
    for (String destination : new String[] {"quick", "d"}) {
      relay.broker.rejects.add(relay.enqueue(keyed(destination, "k")));
      relay.enqueue(keyed(destination, "k"));
      relay.enqueue(keyed(destination, "other"));
    }
    relay.drain();

    assertThat(relay.rows.countMessages("destination = 'quick'")).isEqualTo(1);
    assertThat(relay.rows.countMessages("destination = 'quick' AND status = 'DEAD'")).isEqualTo(1);
    assertThat(relay.rows.countMessages("destination = 'd' AND status = 'DELAYED'")).isEqualTo(1);
    assertThat(relay.rows.countMessages("destination = 'd' AND status = 'HELD'")).isEqualTo(1);
    assertThat(relay.broker.received()).hasSize(3);
    assertThat(relay.listener.died()).isEqualTo(1);
    assertThat(relay.listener.failed()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void anExpiredMessageHoldsItsKeyAsItsDestinationSays(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, QUICK);
    for (String destination : new String[] {"quick", "d"}) {
      long late = relay.enqueue(keyed(destination, "k"));
      relay.enqueue(keyed(destination, "k"));
      relay.rows.execute("UPDATE outbox_message SET expires_at = created_at WHERE seq = " + late);
    }
    relay.drain();

    assertThat(relay.statuses()).containsExactly("DEAD", "DEAD", "HELD");
    assertThat(relay.broker.received())
        .singleElement()
        .matches(message -> message.destination().equals("quick"));
  }
}
