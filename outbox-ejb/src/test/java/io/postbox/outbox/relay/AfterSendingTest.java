package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.config.OutboxConfig.AfterSending;
import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The fate of messages that are done, on the real database. */
class AfterSendingTest {
  private static final TestConfig ONE_PARTITION =
      TestConfig.DEFAULT.withPartitions(1).withRelay(2, 200);

  private static RelayFixture drained(TestDatabase database, AfterSending afterSending)
      throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION.withAfterSending(afterSending));
    relay.enqueue(keyed(1_000, "d", "k"));
    int statements = relay.counting.statements();
    int commits = relay.counting.commits();
    relay.drain();
    assertThat(relay.broker.receivedSeqs()).hasSize(1_000);
    assertThat(relay.counting.statements() - statements).isLessThanOrEqualTo(50);
    assertThat(relay.counting.commits() - commits).isLessThanOrEqualTo(20);
    return relay;
  }

  @ParameterizedTest
  @EnumSource
  void sentMessagesAreDeleted(TestDatabase database) throws SQLException {
    assertThat(drained(database, AfterSending.DELETE).rows.messages()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void sentMessagesAreKept(TestDatabase database) throws SQLException {
    RelayFixture relay = drained(database, AfterSending.KEEP);
    assertThat(relay.statuses()).hasSize(1_000).containsOnly("SENT");
    relay.rows.execute("DELETE FROM outbox_message WHERE sent_at IS NULL OR sent_at < created_at");
    assertThat(relay.rows.messages()).hasSize(1_000);
    relay.drain();
    assertThat(relay.broker.receivedSeqs()).as("and not sent again").hasSize(1_000);
  }

  @ParameterizedTest
  @EnumSource
  void sentMessagesAreArchived(TestDatabase database) throws SQLException {
    RelayFixture relay = drained(database, AfterSending.ARCHIVE);
    assertThat(relay.rows.messages()).isEmpty();
    relay.rows.execute(
        "DELETE FROM outbox_archive WHERE outcome <> 'SENT' OR ended_at < created_at");
    assertThat(relay.rows.count("outbox_archive")).isEqualTo(1_000);
  }

  @ParameterizedTest
  @EnumSource
  void anExpiredMessageIsADeadLetterAndIsNeverSent(TestDatabase database) throws SQLException {
    RelayFixture relay =
        new RelayFixture(database, ONE_PARTITION.withFailures(3, OnDeadLetter.CONTINUE));
    long late = relay.enqueue(keyed("d", "k"));
    long behind = relay.enqueue(keyed("d", "k"));
    long other = relay.enqueue(keyed("d", "other"));
    relay.rows.execute("UPDATE outbox_message SET expires_at = created_at WHERE seq = " + late);
    relay.drain();

    assertThat(relay.broker.receivedSeqs()).containsExactlyInAnyOrder(behind, other);
    assertThat(relay.statuses()).containsExactly("DEAD");
    assertThat(relay.rows.messages().get(0).attempts()).isZero();
    assertThat(relay.rows.messages().get(0).lastError()).isEqualTo(BatchSettlement.EXPIRED.text());
    assertThat(relay.listener.died()).isEqualTo(1);
    assertThat(relay.listener.failed()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void anExpiredMessageHoldsItsKeyLikeAnyDeadLetter(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    long late = relay.enqueue(keyed("d", "k"));
    relay.enqueue(keyed("d", "k"));
    relay.rows.execute("UPDATE outbox_message SET expires_at = created_at WHERE seq = " + late);
    relay.drain();

    assertThat(relay.broker.receivedSeqs()).isEmpty();
    assertThat(relay.statuses()).containsExactly("DEAD", "HELD");
  }
}
