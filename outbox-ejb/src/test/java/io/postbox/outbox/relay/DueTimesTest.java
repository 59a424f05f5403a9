package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages that wait, and messages that do not keep, on the real database. */
class DueTimesTest {
  private static final TestConfig ONE_PARTITION = TestConfig.DEFAULT.withPartitions(1);
  private static final OutboxMessage MESSAGE = OutboxMessage.to("d").text("x");

  @ParameterizedTest
  @EnumSource
  void aDelayedMessageIsNotSeenBeforeItsMoment(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    relay.enqueue(MESSAGE.notBefore(Instant.now().plus(Duration.ofHours(1))));

    assertThat(relay.statuses()).containsExactly("DELAYED");
    assertThat(relay.claims().poll().lanes()).isEmpty();
    assertThat(relay.claims().poll().nextDue().orElseThrow())
        .isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
    relay.claims().wakeDelayed();
    assertThat(relay.statuses()).containsExactly("DELAYED");

    relay.rows.execute("UPDATE outbox_message SET due_at = created_at");
    relay.claims().wakeDelayed();
    relay.drain();
    assertThat(relay.broker.received()).hasSize(1);
    assertThat(relay.rows.messages()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aMomentThatIsOverKeepsNothingBack(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    relay.enqueue(MESSAGE.notBefore(Instant.now().minusSeconds(1)));
    relay.drain();
    assertThat(relay.broker.received()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void theRemainingTimeTravelsWithTheMessage(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    relay.enqueue(MESSAGE.expiresAfter(Duration.ofHours(1)));
    relay.enqueue(MESSAGE);
    relay.drain();
    assertThat(relay.broker.received().get(0).expiresIn())
        .isBetween(Duration.ofMinutes(59), Duration.ofMinutes(60));
    assertThat(relay.broker.received().get(1).expiresIn()).isNull();
  }

  @ParameterizedTest
  @EnumSource
  void severalMessagesOfOneKeyExpireTogether(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    for (int i = 0; i < 3; i++) {
      relay.enqueue(keyed("d", "k").expiresAfter(Duration.ofMillis(1)));
    }
    relay.rows.execute("UPDATE outbox_message SET expires_at = created_at");
    relay.enqueue(keyed("d", "k"));
    relay.drain();
    assertThat(relay.statuses()).containsExactly("DEAD", "DEAD", "DEAD", "HELD");
    assertThat(relay.rows.count("outbox_held_key")).as("held by the first").isEqualTo(1);
    assertThat(relay.listener.died()).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void anExpiredMessageDoesNotHoldUpAFailedOneBeforeIt(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    long fails = relay.enqueue(keyed("d", "k"));
    relay.enqueue(keyed("d", "k").expiresAfter(Duration.ofMillis(1)));
    relay.rows.execute("UPDATE outbox_message SET expires_at = created_at WHERE seq > " + fails);
    relay.broker.rejects.add(fails);
    relay.drain();
    assertThat(relay.statuses()).containsExactly("DELAYED", "HELD");

    relay.broker.heal();
    relay.rows.makeDue();
    relay.drain();
    assertThat(relay.broker.receivedSeqs()).containsExactly(fails);
    assertThat(relay.statuses()).containsExactly("DEAD");
  }

  @ParameterizedTest
  @EnumSource
  void aMessageExpiredDuringAnOutageDiesAtTheProbe(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    relay.enqueue(keyed("d", "a"));
    long late = relay.enqueue(keyed("d", "b").expiresAfter(Duration.ofDays(1)));
    relay.broker.down = true;
    relay.drain();
    relay.rows.execute("UPDATE outbox_message SET expires_at = created_at WHERE seq = " + late);
    BatchProcessor pass = relay.pass();
    pass.run(new Lane(0, "d"));
    assertThat(relay.statuses()).as("the breaker is open").containsExactly("PENDING", "PENDING");

    relay.clock.pass(Duration.ofSeconds(1));
    pass.run(new Lane(0, "d"));
    assertThat(relay.statuses()).containsExactly("PENDING", "DEAD");
    assertThat(relay.rows.messages().get(1).lastError()).startsWith("expired: ");
  }
}
