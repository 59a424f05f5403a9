package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.config.OutboxConfig.AfterSending;
import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.testing.Rows.Row;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Passes whose sends claim and complete for themselves, on the real database. */
class XaDeliveryTest {
  private static final TestConfig XA = TestConfig.DEFAULT.withPartitions(1).withXa();

  @ParameterizedTest
  @EnumSource
  void sentMessagesAreDeleted(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, XA);
    List<Long> seqs = relay.enqueue(keyed(250, "d", "k"));
    relay.drain(relay.passInTwoPhases());

    assertThat(relay.broker.receivedSeqs()).isEqualTo(seqs);
    assertThat(relay.rows.messages()).isEmpty();
    assertThat(relay.listener.relayed()).isEqualTo(250);
  }

  @ParameterizedTest
  @EnumSource
  void sentMessagesAreArchived(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, XA.withAfterSending(AfterSending.ARCHIVE));
    relay.enqueue(keyed(25, "d", "k"));
    relay.drain(relay.passInTwoPhases());
    assertThat(relay.rows.count("outbox_archive")).isEqualTo(25);
  }

  @ParameterizedTest
  @EnumSource
  void aPoisonedMessageHoldsItsKeyUntilItGoes(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, XA);
    List<Long> k = relay.enqueue(keyed(4, "d", "k"));
    List<Long> others = relay.enqueue(List.of(keyed("d", "o"), OutboxMessage.to("d").text("x")));
    relay.broker.spoil.add(k.get(1));
    relay.drain(relay.passInTwoPhases());

    assertThat(relay.broker.receivedSeqs())
        .containsExactlyInAnyOrder(k.get(0), others.get(0), others.get(1));
    assertThat(relay.rows.messages())
        .extracting(Row::status)
        .containsExactly("DELAYED", "HELD", "HELD");
    assertThat(relay.rows.messages().get(0).attempts()).isEqualTo(1);

    relay.broker.heal();
    relay.rows.makeDue();
    relay.drain(relay.passInTwoPhases());
    assertThat(relay.broker.receivedSeqs().subList(3, 6)).isEqualTo(k.subList(1, 4));
    assertThat(relay.rows.messages()).isEmpty();
    assertThat(relay.rows.count("outbox_held_key")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aDestinationAtFaultCountsNoAttempt(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, XA);
    relay.enqueue(keyed(4, "d", "k"));
    relay.broker.down = true;
    for (int i = 0; i < 10; i++) {
      relay.drain(relay.passInTwoPhases());
      relay.clock.pass(Duration.ofSeconds(10));
    }
    assertThat(relay.rows.messages()).hasSize(4).allMatch(row -> row.attempts() == 0);

    relay.broker.heal();
    relay.drain(relay.passInTwoPhases());
    assertThat(relay.rows.messages()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void anExpiredMessageIsADeadLetterAndTheRestIsSent(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, XA.withFailures(3, OnDeadLetter.CONTINUE));
    List<Long> k = relay.enqueue(keyed(3, "d", "k"));
    relay.rows.execute("UPDATE outbox_message SET expires_at = created_at WHERE seq = " + k.get(0));
    relay.drain(relay.passInTwoPhases());

    assertThat(relay.broker.receivedSeqs()).isEqualTo(k.subList(1, 3));
    assertThat(relay.rows.messages()).extracting(Row::status).containsExactly("DEAD");
  }

  /** Between the read and the transaction that sends there is no claim. */
  @ParameterizedTest
  @EnumSource
  void aMessageCompletedByAnotherIsNotSentAgain(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, XA);
    relay.enqueue(keyed(4, "d", "k"));
    relay.rows.execute(
        "CREATE TABLE taken AS SELECT seq FROM outbox_message ORDER BY seq FETCH FIRST 1 ROW ONLY");
    BatchProcessor pass =
        relay.pass(
            messages -> {
              relay.rows.execute("DELETE FROM outbox_message WHERE seq IN (SELECT seq FROM taken)");
              relay.together().complete(relay.lane(keyed("d", "k")), messages);
              relay.broker.send(messages);
            });
    BatchProcessor.Result result = pass.run(relay.lane(keyed("d", "k")));

    assertThat(result.outcome()).isEqualTo(BatchProcessor.Outcome.DRAINED);
    assertThat(relay.broker.receivedSeqs()).isEmpty();
    assertThat(relay.breakers.openReasons()).as("nobody is blamed").isEmpty();
  }

  /** Sends as one transaction, but before that lets somebody else work on the lane, once. */
  private static BatchProcessor passInterruptedBy(RelayFixture relay, Interruption other) {
    AtomicBoolean interrupted = new AtomicBoolean();
    return relay.pass(
        messages -> {
          if (interrupted.compareAndSet(false, true)) {
            other.happens();
          }
          relay.together().complete(relay.lane(keyed("d", "k")), messages);
          relay.broker.send(messages);
        });
  }

  private interface Interruption {
    void happens();
  }

  private static void countAnAttempt(RelayFixture relay, long seq) {
    relay.broker.rejects.add(seq);
    drain(relay);
    relay.broker.heal();
    relay.rows.makeDue();
  }

  private static void drain(RelayFixture relay) {
    try {
      relay.drain(relay.passInTwoPhases());
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKeyThatSomebodyElseHeldSinceTheReadIsReleased(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, XA);
    long head = relay.enqueue(keyed("d", "k"));
    BatchProcessor pass =
        passInterruptedBy(
            relay,
            () -> {
              countAnAttempt(relay, head);
              assertThat(relay.rows.count("outbox_held_key")).isEqualTo(1);
            });
    pass.run(relay.lane(keyed("d", "k")));

    assertThat(relay.broker.receivedSeqs()).containsExactly(head);
    assertThat(relay.rows.count("outbox_held_key")).isZero();
    long next = relay.enqueue(keyed("d", "k"));
    drain(relay);
    assertThat(relay.broker.receivedSeqs()).containsExactly(head, next);
  }

  @ParameterizedTest
  @EnumSource
  void aMessagePutInFrontSinceTheReadIsNotOvertaken(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, XA.withFailures(1, OnDeadLetter.CONTINUE));
    List<Long> k = relay.enqueue(keyed(2, "d", "k"));
    relay.rows.execute("UPDATE outbox_message SET status = 'DEAD' WHERE seq = " + k.get(0));
    BatchProcessor pass =
        passInterruptedBy(
            relay,
            () -> { // as a redrive does
              relay.rows.execute(
                  """
                  INSERT INTO outbox_held_key (partition_no, destination, ordering_key, head_id)
                  SELECT partition_no, destination, ordering_key, id FROM outbox_message
                  WHERE status = 'DEAD'
                  """);
              relay.rows.execute(
                  "UPDATE outbox_message SET status = 'PENDING' WHERE status = 'DEAD'");
            });
    pass.run(relay.lane(keyed("d", "k")));
    assertThat(relay.broker.receivedSeqs()).isEmpty();
    assertThat(relay.breakers.openReasons()).as("nobody is blamed").isEmpty();

    drain(relay);
    assertThat(relay.broker.receivedSeqs()).isEqualTo(k);
    assertThat(relay.rows.count("outbox_held_key")).isZero();
  }

  /** Rejects the whole batch, and lets somebody else change the tables before that is counted. */
  private static BatchProcessor passRejectingAfter(RelayFixture relay, String... statements) {
    return relay.pass(
        messages -> {
          List.of(statements).forEach(relay.rows::execute);
          throw SendFailure.ofMessage(messages.get(0), "unreadable", new Exception());
        });
  }

  private static String heldBy(String condition) {
    return """
        INSERT INTO outbox_held_key (partition_no, destination, ordering_key, head_id)
        SELECT partition_no, destination, ordering_key, id FROM outbox_message WHERE %s
        """
        .formatted(condition);
  }

  /** Its attempt is not counted, for it only waits now; and it cannot hold a key that is held. */
  @ParameterizedTest
  @EnumSource
  void aRejectedMessageWaitsBehindOnePutInFrontMeanwhile(TestDatabase database)
      throws SQLException {
    RelayFixture relay = new RelayFixture(database, XA.withFailures(2, OnDeadLetter.CONTINUE));
    List<Long> k = relay.enqueue(keyed(2, "d", "k"));
    relay.rows.execute("UPDATE outbox_message SET status = 'DEAD' WHERE seq = " + k.get(0));
    BatchProcessor pass =
        passRejectingAfter(
            relay, // as a redrive does
            heldBy("status = 'DEAD'"),
            "UPDATE outbox_message SET status = 'PENDING' WHERE status = 'DEAD'");
    pass.run(relay.lane(keyed("d", "k")));
    assertThat(relay.rows.messages()).extracting(Row::attempts).containsExactly(0, 0);
    assertThat(relay.listener.failed()).isZero();

    drain(relay);
    assertThat(relay.broker.receivedSeqs()).isEqualTo(k);
    assertThat(relay.rows.count("outbox_held_key")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void theRejectionOfAMessageMadeHeadMeanwhileIsCounted(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, XA.withFailures(2, OnDeadLetter.CONTINUE));
    long head = relay.enqueue(keyed("d", "k"));
    BatchProcessor pass = passRejectingAfter(relay, heldBy("seq = " + head)); // dead and redriven
    pass.run(relay.lane(keyed("d", "k")));

    assertThat(relay.rows.messages())
        .extracting(Row::status, Row::attempts)
        .containsExactly(tuple("DELAYED", 1));
    assertThat(relay.rows.count("outbox_held_key")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void whileSomebodyElseHasThePartitionNothingIsSent(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, XA);
    relay.enqueue(keyed(4, "d", "k"));
    try (Connection other = relay.counting.dataSource().getConnection()) {
      other.setAutoCommit(false);
      BatchProcessor pass =
          relay.pass(
              messages -> {
                relay.lockAllPartitions(other);
                relay.together().complete(relay.lane(keyed("d", "k")), messages);
                relay.broker.send(messages);
              });
      pass.run(relay.lane(keyed("d", "k")));
      other.rollback();
    }
    assertThat(relay.broker.receivedSeqs()).isEmpty();
    assertThat(relay.rows.messages()).hasSize(4).allMatch(row -> row.attempts() == 0);
  }
}
