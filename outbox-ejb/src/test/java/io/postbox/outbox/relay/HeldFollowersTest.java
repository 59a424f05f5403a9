package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.testing.Rows.Row;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The effect of a failed message on those behind it, on the real database. */
class HeldFollowersTest {
  private static final TestConfig ONE_PARTITION = TestConfig.DEFAULT.withPartitions(1);

  @ParameterizedTest
  @EnumSource
  void aPoisonedMessageHoldsItsKeyAndNothingElse(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    List<Long> k = relay.enqueue(keyed(4, "d", "k"));
    List<Long> others =
        relay.enqueue(
            List.of(keyed("d", "other"), keyed("e", "k"), OutboxMessage.to("d").text("x")));
    relay.broker.rejects.add(k.get(1));
    relay.drain();

    assertThat(relay.broker.receivedSeqs())
        .containsExactlyInAnyOrder(k.get(0), others.get(0), others.get(1), others.get(2));
    assertThat(relay.rows.messages()).extracting(Row::seq).isEqualTo(k.subList(1, 4));
    assertThat(relay.rows.count("outbox_held_key")).isEqualTo(1);
    assertThat(relay.listener.failed()).isEqualTo(1);

    long later = relay.enqueue(keyed("d", "k"));
    relay.drain();
    assertThat(relay.statuses().subList(1, 4)).containsOnly("HELD");
    assertThat(relay.broker.receivedSeqs()).hasSize(4);

    relay.broker.heal();
    relay.rows.makeDue();
    relay.drain();
    assertThat(relay.broker.receivedSeqs().subList(4, 8))
        .containsExactly(k.get(1), k.get(2), k.get(3), later);
    assertThat(relay.rows.messages()).isEmpty();
    assertThat(relay.rows.count("outbox_held_key")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void anEarlierMessageOfTheKeyNeverWaitsForALaterOne(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    List<Long> k = relay.enqueue(keyed(3, "d", "k"));
    relay.broker.spoil.add(k.get(2));
    relay.drain();
    relay.broker.heal();
    for (int i = 0; i < 3; i++) {
      relay.rows.makeDue();
      relay.drain();
    }

    assertThat(relay.broker.receivedSeqs()).isEqualTo(k);
  }

  @ParameterizedTest
  @EnumSource
  void aDeadLetterHoldsItsKeyUntilAPersonDecides(TestDatabase database) throws SQLException {
    RelayFixture relay =
        new RelayFixture(database, ONE_PARTITION.withFailures(2, OnDeadLetter.HOLD));
    List<Long> k = relay.enqueue(keyed(3, "d", "k"));
    relay.broker.rejects.add(k.get(0));
    for (int i = 0; i < 5; i++) {
      relay.rows.makeDue();
      relay.drain();
    }

    assertThat(relay.statuses()).containsExactly("DEAD", "HELD", "HELD");
    assertThat(relay.rows.messages().get(0).attempts()).isEqualTo(2);
    assertThat(relay.rows.messages().get(0).lastError()).isEqualTo("rejected");
    assertThat(relay.broker.receivedSeqs()).isEmpty();
    assertThat(relay.rows.count("outbox_held_key")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aDeadLetterMayLetItsFollowersContinue(TestDatabase database) throws SQLException {
    RelayFixture relay =
        new RelayFixture(database, ONE_PARTITION.withFailures(2, OnDeadLetter.CONTINUE));
    List<Long> k = relay.enqueue(keyed(3, "d", "k"));
    relay.broker.rejects.add(k.get(0));
    relay.drain();
    assertThat(relay.broker.receivedSeqs()).isEmpty();
    relay.rows.makeDue();
    relay.drain();

    assertThat(relay.statuses()).containsExactly("DEAD");
    assertThat(relay.broker.receivedSeqs()).isEqualTo(k.subList(1, 3));
    assertThat(relay.rows.count("outbox_held_key")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void withOneAttemptTheFollowersContinueWithoutWaitingForTheTimer(TestDatabase database)
      throws SQLException {
    RelayFixture relay =
        new RelayFixture(database, ONE_PARTITION.withFailures(1, OnDeadLetter.CONTINUE));
    List<Long> k = relay.enqueue(keyed(3, "d", "k"));
    relay.broker.rejects.add(k.get(0));
    relay.drain();

    assertThat(relay.statuses()).containsExactly("DEAD");
    assertThat(relay.broker.receivedSeqs()).isEqualTo(k.subList(1, 3));
  }

  @ParameterizedTest
  @EnumSource
  void anUnorderedDeadLetterHoldsNothing(TestDatabase database) throws SQLException {
    RelayFixture relay =
        new RelayFixture(database, ONE_PARTITION.withFailures(1, OnDeadLetter.HOLD));
    OutboxMessage unordered = OutboxMessage.to("d").text("x");
    List<Long> seqs = relay.enqueue(List.of(unordered, unordered, unordered));
    relay.broker.spoil.add(seqs.get(1));
    relay.drain();

    assertThat(relay.broker.receivedSeqs()).containsExactly(seqs.get(0), seqs.get(2));
    assertThat(relay.statuses()).containsExactly("DEAD");
    assertThat(relay.rows.count("outbox_held_key")).isZero();
  }
}
