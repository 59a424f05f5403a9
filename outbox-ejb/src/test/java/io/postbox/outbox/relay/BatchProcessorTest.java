package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.relay.BatchProcessor.Outcome;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One pass after the other, by hand, on the real database. */
class BatchProcessorTest {
  private static final TestConfig ONE_PARTITION = TestConfig.DEFAULT.withPartitions(1);
  private static final Lane D = new Lane(0, "d");

  @ParameterizedTest
  @EnumSource
  void sentMessagesAreDeleted(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, TestConfig.DEFAULT);
    List<Long> seqs = relay.enqueue(keyed(250, "d", "k"));
    relay.drain();

    assertThat(relay.broker.receivedSeqs()).isEqualTo(seqs);
    assertThat(relay.rows.messages()).isEmpty();
    assertThat(relay.listener.relayed()).isEqualTo(250);
    assertThat(relay.listener.failed()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aFullBatchSaysThatThereMayBeMore(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION.withRelay(1, 10));
    relay.enqueue(keyed(20, "d", "k"));
    BatchProcessor pass = relay.pass();

    assertThat(pass.run(D).outcome()).isEqualTo(Outcome.MORE);
    assertThat(pass.run(D).outcome()).isEqualTo(Outcome.MORE);
    assertThat(pass.run(D).outcome()).isEqualTo(Outcome.DRAINED);
    assertThat(relay.broker.calls()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void aPartitionInOtherHandsIsBusy(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    relay.enqueue(keyed("d", "k"));
    BatchProcessor other = relay.pass();
    BatchProcessor pass =
        relay.pass(
            messages -> {
              try {
                assertThat(other.run(D).outcome()).isEqualTo(Outcome.BUSY);
              } catch (SQLException failed) {
                throw new IllegalStateException(failed);
              }
              relay.broker.send(messages);
            });
    assertThat(pass.run(D).outcome()).isEqualTo(Outcome.DRAINED);
    assertThat(relay.broker.receivedSeqs()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void aCrashAfterSendingRepeatsTheBatch(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    List<Long> seqs = relay.enqueue(keyed(3, "d", "k"));
    relay.counting.loseCommits(1);

    assertThatThrownBy(() -> relay.pass().run(D)).isInstanceOf(SQLException.class);
    assertThat(relay.rows.messages()).hasSize(3);
    assertThat(relay.listener.relayed()).as("nothing is reported that was not committed").isZero();

    relay.drain();
    assertThat(relay.broker.receivedSeqs().subList(0, 3)).isEqualTo(seqs);
    assertThat(relay.broker.receivedSeqs().subList(3, 6)).isEqualTo(seqs);
    assertThat(relay.rows.messages()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void anErrorWhileSendingFreesThePartition(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION);
    relay.enqueue(keyed("d", "k"));
    BatchProcessor fails =
        relay.pass(
            messages -> {
              throw new NoClassDefFoundError("jms");
            });
    assertThatThrownBy(() -> fails.run(D)).isInstanceOf(NoClassDefFoundError.class);

    relay.drain();
    assertThat(relay.broker.receivedSeqs()).hasSize(1);
    assertThat(relay.rows.messages()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aBatchOfAnyKindOfFailuresEndsAndLosesNothing(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, TestConfig.DEFAULT.withRelay(1, 10));
    for (int i = 0; i < 100; i++) {
      long seq = relay.enqueue(keyed("d" + i % 3, "k" + i % 7));
      if (i % 11 == 0) {
        relay.broker.rejects.add(seq);
      } else if (i % 13 == 0) {
        relay.broker.spoil.add(seq);
      }
    }
    relay.drain();
    assertThat(relay.rows.messages().size() + relay.broker.receivedSeqs().size()).isEqualTo(100);

    relay.broker.heal();
    for (int i = 0; i < 10; i++) {
      relay.clock.pass(Duration.ofSeconds(10));
      relay.rows.makeDue();
      relay.drain();
    }
    assertThat(relay.rows.messages()).isEmpty();
    assertThat(relay.broker.receivedSeqs()).hasSize(100).doesNotHaveDuplicates();
    Invariants.assertInOrderPerKey(relay.broker.received());
  }

  /** It fails without a reason, and with it all that a batch can hold. */
  @ParameterizedTest
  @EnumSource
  void aSuspectWithManyFollowersDoesNotHideTheOthers(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, ONE_PARTITION.withRelay(1, 2));
    List<Long> k = relay.enqueue(keyed(20, "d", "k"));
    relay.broker.spoil.add(k.get(0));
    long other = relay.enqueue(keyed("d", "other"));
    BatchProcessor pass = relay.pass();
    for (int i = 0; i < 10; i++) {
      pass.run(D);
      relay.clock.pass(Duration.ofMillis(500));
    }

    assertThat(relay.broker.receivedSeqs()).containsExactly(other);
  }
}
