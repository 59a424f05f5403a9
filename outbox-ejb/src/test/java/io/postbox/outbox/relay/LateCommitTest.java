package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.message.Lane;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactions that get their place in the order early and commit late, on the real database. */
class LateCommitTest {
  private static final Lane D = new Lane(0, "d");

  @ParameterizedTest
  @EnumSource
  void theNextOfAKeyDoesNotOvertakeAMessageThatCommittedLate(TestDatabase database)
      throws SQLException {
    RelayFixture relay =
        new RelayFixture(database, TestConfig.DEFAULT.withPartitions(1).withRelay(1, 10));
    BatchProcessor pass = relay.pass();
    relay.enqueue(keyed(10, "d", "other"));
    List<Long> k = new ArrayList<>();
    try (Connection slow = relay.counting.dataSource().getConnection()) {
      slow.setAutoCommit(false);
      relay.insert(slow, keyed("d", "k"));
      relay.enqueue(keyed(40, "d", "other"));
      for (int i = 0; i < 4; i++) { // far beyond the place of the slow one
        pass.run(D);
      }
      slow.commit();
    }
    k.add(relay.rows.messages().get(0).seq());
    relay.enqueue(keyed(9, "d", "other"));
    k.add(relay.enqueue(keyed("d", "k")));
    relay.enqueue(keyed(30, "d", "other"));
    relay.drain(pass);

    assertThat(relay.broker.receivedSeqs()).hasSize(91).containsSubsequence(k);
    Invariants.assertInOrderPerKey(relay.broker.received());
  }

  /**
   * Its number is higher than that of any transaction that is over, and it has begun all the same.
   */
  @ParameterizedTest
  @EnumSource
  void norOneThatBeganAfterAllThatHaveCommitted(TestDatabase database) throws SQLException {
    RelayFixture relay =
        new RelayFixture(database, TestConfig.DEFAULT.withPartitions(1).withRelay(1, 10));
    BatchProcessor pass = relay.pass();
    List<Long> k = new ArrayList<>();
    try (Connection first = relay.counting.dataSource().getConnection();
        Connection slow = relay.counting.dataSource().getConnection()) {
      first.setAutoCommit(false);
      slow.setAutoCommit(false);
      relay.insert(first, keyed("d", "other"));
      relay.insert(slow, keyed("d", "k"));
      for (int i = 0; i < 9; i++) {
        relay.insert(first, keyed("d", "other"));
      }
      first.commit();
      pass.run(D);
      relay.enqueue(keyed(10, "d", "other"));
      pass.run(D);
      slow.commit();
    }
    k.add(relay.rows.messages().get(0).seq());
    relay.enqueue(keyed(9, "d", "other"));
    k.add(relay.enqueue(keyed("d", "k")));
    relay.drain(pass);

    assertThat(relay.broker.receivedSeqs()).hasSize(31).containsSubsequence(k);
  }
}
