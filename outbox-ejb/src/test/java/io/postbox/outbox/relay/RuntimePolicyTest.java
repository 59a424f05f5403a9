package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.OutboxPolicy;
import io.postbox.outbox.OutboxPolicy.OnDeadLetter;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.ops.Policies;
import io.postbox.outbox.testing.Rows.Row;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The effect of a policy, set while the relay runs, on messages that failed before. */
class RuntimePolicyTest {
  private static final OutboxPolicy NOTHING = OutboxPolicy.asConfigured();
  private static final TestConfig HOLDING =
      TestConfig.DEFAULT.withPartitions(1).withFailures(10, OutboxConfig.OnDeadLetter.HOLD);

  private static void set(RelayFixture relay, OutboxPolicy policy) {
    new Policies(relay.policies, relay.counting.dataSource()).set("d", policy, "ada", "x");
  }

  private static void tryAgain(RelayFixture relay) throws SQLException {
    relay.rows.makeDue();
    relay.drain();
  }

  @ParameterizedTest
  @EnumSource
  void theNextFailureIsJudgedByIt(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, HOLDING);
    relay.broker.rejects.add(relay.enqueue(keyed("d", "k")));
    long other = relay.enqueue(keyed("e", "k"));
    relay.broker.rejects.add(other);
    relay.drain();
    tryAgain(relay);
    tryAgain(relay);
    set(relay, NOTHING.maxAttempts(2));

    assertThat(relay.statuses()).as("nothing happens by itself").containsOnly("DELAYED");
    assertThat(relay.listener.died()).isZero();
    tryAgain(relay);
    assertThat(relay.rows.messages())
        .extracting(row -> row.status() + " " + row.attempts())
        .as("attempts are kept, and other destinations do not care")
        .containsExactly("DEAD 4", "DELAYED 4");
    assertThat(relay.listener.died()).isOne();
    assertThat(relay.rows.messages()).extracting(Row::seq).contains(other);
  }

  @ParameterizedTest
  @EnumSource
  void moreAttemptsKeepAMessageAlive(TestDatabase database) throws SQLException {
    RelayFixture relay =
        new RelayFixture(
            database,
            TestConfig.DEFAULT.withPartitions(1).withFailures(2, OutboxConfig.OnDeadLetter.HOLD));
    relay.broker.rejects.add(relay.enqueue(keyed("d", "k")));
    relay.drain();
    set(relay, NOTHING.maxAttempts(4));
    tryAgain(relay);
    tryAgain(relay);
    assertThat(relay.statuses()).containsExactly("DELAYED");
    tryAgain(relay);
    assertThat(relay.statuses()).containsExactly("DEAD");
  }

  @ParameterizedTest
  @EnumSource
  void theNextWaitIsItsOwn(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, HOLDING);
    relay.broker.rejects.add(relay.enqueue(keyed("d", "k")));
    relay.drain();
    String minutes =
        "SELECT CAST(EXTRACT(EPOCH FROM (due_at - CURRENT_TIMESTAMP)) / 60 AS INTEGER)"
            + " FROM outbox_message";
    assertThat(Integer.parseInt(relay.rows.text(minutes))).as("as configured").isBetween(40, 60);
    set(relay, NOTHING.firstBackoff(Duration.ofHours(20)).maxBackoff(Duration.ofHours(20)));
    assertThat(Integer.parseInt(relay.rows.text(minutes))).as("has begun").isBetween(40, 60);
    tryAgain(relay);
    assertThat(Integer.parseInt(relay.rows.text(minutes))).isBetween(880, 920);
  }

  @ParameterizedTest
  @EnumSource
  void toContinueReleasesNoKeyThatADeadLetterHolds(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, HOLDING);
    set(relay, NOTHING.maxAttempts(1));
    relay.broker.rejects.add(relay.enqueue(keyed(2, "d", "dead before")).get(0));
    relay.drain();
    set(relay, NOTHING.maxAttempts(2));
    List<Long> failing = relay.enqueue(keyed(3, "d", "still failing"));
    relay.broker.rejects.add(failing.get(0));
    relay.drain();
    assertThat(relay.statuses()).containsExactly("DEAD", "HELD", "DELAYED", "HELD", "HELD");

    set(relay, NOTHING.maxAttempts(2).onDeadLetter(OnDeadLetter.CONTINUE));
    tryAgain(relay);
    assertThat(relay.statuses()).containsExactly("DEAD", "HELD", "DEAD");
    assertThat(relay.broker.receivedSeqs()).isEqualTo(failing.subList(1, 3));

    set(relay, NOTHING.maxAttempts(1).onDeadLetter(OnDeadLetter.HOLD));
    relay.enqueue(keyed("d", "still failing"));
    relay.drain();
    assertThat(relay.broker.receivedSeqs()).as("that key is held by nobody").hasSize(3);
    relay.broker.rejects.add(relay.enqueue(keyed(2, "d", "next")).get(0));
    relay.drain();
    assertThat(relay.statuses()).containsExactly("DEAD", "HELD", "DEAD", "DEAD", "HELD");
  }

  @ParameterizedTest
  @EnumSource
  void thePassCostsNoMoreStatementsForIt(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, HOLDING);
    BatchProcessor pass = relay.pass();
    int[] statements = new int[2];
    for (int i = 0; i < 2; i++) {
      relay.broker.rejects.add(relay.enqueue(keyed("d", "k" + i)));
      int before = relay.counting.statements();
      pass.run(relay.lane(keyed("d", "k" + i)));
      statements[i] = relay.counting.statements() - before;
      set(relay, NOTHING.maxAttempts(7));
    }
    assertThat(statements[1]).isEqualTo(statements[0]);
  }

  /** The policy changes between the commit of a failure and its publication. */
  @ParameterizedTest
  @EnumSource
  void theOutcomeIsReportedAsItWasRecorded(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, HOLDING);
    relay.broker.rejects.add(relay.enqueue(keyed("d", "k")));
    RelayListener changing =
        new RelayListener() {
          @Override
          public void sent(StoredMessage message) {
            relay.listener.sent(message);
          }

          @Override
          public void attemptFailed(StoredMessage message, int attempt, String reason) {
            set(relay, NOTHING.maxAttempts(1));
            relay.listener.attemptFailed(message, attempt, reason);
          }

          @Override
          public void died(StoredMessage message, int attempts, String reason) {
            relay.listener.died(message, attempts, reason);
          }

          @Override
          public void polled() {
            relay.listener.polled();
          }
        };
    relay.drain(relay.passTelling(changing));

    assertThat(relay.statuses()).containsExactly("DELAYED");
    assertThat(relay.listener.failed()).isOne();
    assertThat(relay.listener.died()).as("it lives").isZero();
  }
}
