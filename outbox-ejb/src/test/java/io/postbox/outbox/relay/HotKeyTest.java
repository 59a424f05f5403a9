package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.ops.DeadLetterQueries;
import io.postbox.outbox.store.StoredErrors;
import io.postbox.outbox.testing.Operator;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A key with very many followers is released in slices, and none of them is overtaken. */
class HotKeyTest {
  private static final int SLICE = 1_000;
  private static final TestConfig CONFIG =
      TestConfig.DEFAULT.withPartitions(1).withFailures(2, OnDeadLetter.HOLD).withRelay(1, 100);
  private static final Lane LANE = new Lane(0, "d");

  /** A head that may go, and its followers as passes have left them; in a fresh table. */
  private static RelayFixture withFollowers(TestDatabase database, int followers)
      throws SQLException {
    return withFollowers(database, CONFIG, followers);
  }

  private static RelayFixture withFollowers(TestDatabase database, TestConfig config, int followers)
      throws SQLException {
    RelayFixture relay = new RelayFixture(database, config);
    String series = database == TestDatabase.H2 ? "SYSTEM_RANGE" : "generate_series";
    relay.rows.execute(
        """
        INSERT INTO outbox_message (partition_no, id, destination, ordering_key, content_type,
          payload_text, headers, status)
        SELECT 0, CAST('00000000-0000-7000-8000-' || LPAD(CAST(n AS VARCHAR), 12, '0') AS UUID),
          'd', 'k', 'text/plain', 'x', '{}', CASE n WHEN 0 THEN 'PENDING' ELSE 'HELD' END
        FROM (SELECT x AS n FROM %s(0, %s) x) AS series ORDER BY n
        """
            .formatted(series, followers));
    relay.rows.execute(
        """
        INSERT INTO outbox_held_key (partition_no, destination, ordering_key, head_id)
        VALUES (0, 'd', 'k', '00000000-0000-7000-8000-000000000000')
        """);
    return relay;
  }

  private static List<Long> seqs(int first, int last) {
    return LongStream.rangeClosed(first, last).boxed().toList();
  }

  @ParameterizedTest
  @EnumSource
  void aFewFollowersGoBackAtOnce(TestDatabase database) throws SQLException {
    RelayFixture relay = withFollowers(database, 50);
    int statements = relay.counting.statements();
    int commits = relay.counting.commits();

    relay.pass().run(LANE);

    assertThat(relay.counting.commits() - commits).isEqualTo(1);
    assertThat(relay.counting.statements() - statements)
        .as("claim, read, complete, choose, put back, forget, note")
        .isEqualTo(7);
    assertThat(relay.statuses()).hasSize(50).containsOnly("PENDING");
    assertThat(relay.rows.count("outbox_held_key")).isZero();
  }

  @ParameterizedTest
  @CsvSource({"H2, 10000", "POSTGRESQL, 10000"})
  void noStatementGrowsWithTheFollowers(TestDatabase database, int followers) throws SQLException {
    RelayFixture relay = withFollowers(database, followers);
    BatchProcessor pass = relay.pass();

    for (int i = 0; i < 21; i++) {
      pass.run(LANE);
    }

    assertThat(relay.counting.mostChangedAtOnce()).isEqualTo(SLICE);
    assertThat(relay.broker.receivedSeqs()).isEqualTo(seqs(1, 2 * SLICE + 1));
    assertThat(relay.rows.countMessages("status = 'HELD'")).isEqualTo(followers - 3 * SLICE);
    assertThat(relay.rows.count("outbox_held_key")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void nobodyIsOvertakenByWhatIsEnqueuedMeanwhile(TestDatabase database) throws SQLException {
    RelayFixture relay = withFollowers(database, 2_100);
    BatchProcessor pass = relay.pass();
    long last = 2_101;
    do {
      last = relay.enqueue(keyed("d", "k"));
      for (int i = 0; i < 4; i++) {
        pass.run(LANE);
      }
    } while (relay.broker.receivedSeqs().size() < 2_000);
    relay.drain(pass);

    assertThat(relay.broker.receivedSeqs()).isEqualTo(seqs(1, (int) last));
    assertThat(relay.rows.messages()).isEmpty();
    assertThat(relay.rows.count("outbox_held_key")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void onlyTheRestOfTheSliceWaitsAgainBehindTheNextThatFails(TestDatabase database)
      throws SQLException {
    RelayFixture relay = withFollowers(database, 5_000);
    BatchProcessor pass = relay.pass();
    relay.broker.rejects.addAll(List.of(3L, 4L, 1_500L));
    relay.drain(pass);
    int changes = relay.counting.changes();
    assertThat(changes)
        .as("one slice goes back, and waits again")
        .isLessThan(2 * SLICE + 20)
        .isGreaterThan(SLICE);
    assertThat(relay.broker.receivedSeqs()).containsExactly(1L, 2L);

    relay.broker.rejects.remove(3L);
    relay.rows.makeDue();
    relay.drain(pass);
    assertThat(relay.counting.changes() - changes).isLessThan(2 * SLICE + 20);
    assertThat(relay.broker.receivedSeqs()).containsExactly(1L, 2L, 3L);

    relay.broker.heal();
    relay.rows.makeDue();
    relay.drain(pass);
    assertThat(relay.broker.receivedSeqs()).isEqualTo(seqs(1, 5_001));
    assertThat(relay.rows.messages()).isEmpty();
    assertThat(relay.rows.count("outbox_held_key")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void theLastOfASliceFailsAsAnyOther(TestDatabase database) throws SQLException {
    RelayFixture relay = withFollowers(database, 1_500);
    BatchProcessor pass = relay.pass();
    relay.broker.rejects.add(1_001L);
    relay.drain(pass);
    assertThat(relay.broker.receivedSeqs()).isEqualTo(seqs(1, 1_000));

    relay.broker.heal();
    relay.rows.makeDue();
    relay.drain(pass);
    assertThat(relay.broker.receivedSeqs()).isEqualTo(seqs(1, 1_501));
    assertThat(relay.rows.count("outbox_held_key")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aCrashBetweenTwoSlicesLosesNothing(TestDatabase database) throws SQLException {
    RelayFixture relay = withFollowers(database, 2_500);
    BatchProcessor pass = relay.pass();
    for (int i = 0; i < 12; i++) {
      relay.counting.loseCommits(1);
      assertThatThrownBy(() -> pass.run(LANE)).isInstanceOf(SQLException.class);
      pass.run(LANE);
    }
    relay.drain(pass);

    assertThat(relay.broker.receivedSeqs().stream().distinct()).isEqualTo(seqs(1, 2_501));
    assertThat(relay.rows.messages()).isEmpty();
    assertThat(relay.rows.count("outbox_held_key")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void inTwoPhasesToo(TestDatabase database) throws SQLException {
    RelayFixture relay = withFollowers(database, CONFIG.withXa(), 2_100);
    BatchProcessor pass = relay.passInTwoPhases();
    relay.broker.rejects.add(700L);
    relay.drain(pass);
    relay.broker.heal();
    relay.rows.makeDue();
    relay.drain(pass);

    assertThat(relay.broker.receivedSeqs()).isEqualTo(seqs(1, 2_101));
    assertThat(relay.counting.mostChangedAtOnce()).isEqualTo(SLICE);
    assertThat(relay.rows.count("outbox_held_key")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void discardingTheHeadReleasesInSlicesToo(TestDatabase database) throws SQLException {
    RelayFixture relay = withFollowers(database, 2_100);
    relay.rows.execute("UPDATE outbox_message SET status = 'DEAD' WHERE status = 'PENDING'");
    DeadLetterQueries queries =
        new DeadLetterQueries(relay.config, relay.counting.dataSource(), StoredErrors.CLEAR);
    Operator operator = new Operator(database.dialect(), relay.config, relay.counting.dataSource());
    operator.discard(
        operator.plan(queries.plan(DeadLetterFilter.all()), "ada"), "ada", "sent by hand");

    assertThat(relay.rows.countMessages("status = 'PENDING'")).isEqualTo(SLICE);
    relay.drain();

    assertThat(relay.broker.receivedSeqs()).isEqualTo(seqs(2, 2_101));
    assertThat(relay.counting.mostChangedAtOnce()).isEqualTo(SLICE);
    assertThat(relay.rows.count("outbox_held_key")).isZero();
  }
}
