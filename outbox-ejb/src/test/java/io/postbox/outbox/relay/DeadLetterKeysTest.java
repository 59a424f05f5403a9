package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.ErasureTarget;
import io.postbox.common.OperatorAction;
import io.postbox.common.RedrivePace;
import io.postbox.common.testing.SettableClock;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.OutboxPolicy;
import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.ops.BackgroundActions;
import io.postbox.outbox.ops.DeadLetterQueries;
import io.postbox.outbox.ops.OutboxTables;
import io.postbox.outbox.ops.Policies;
import io.postbox.outbox.store.StoredErrors;
import io.postbox.outbox.testing.Operator;
import io.postbox.outbox.testing.Rows.Row;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Decisions about one dead letter of a key must not decide about the others. */
class DeadLetterKeysTest {
  private static final TestConfig ONE = TestConfig.DEFAULT.withPartitions(1);
  private static final TestConfig HOLD = ONE.withFailures(1, OnDeadLetter.HOLD);
  private static final TestConfig CONTINUE = ONE.withFailures(1, OnDeadLetter.CONTINUE);
  private static final OutboxPolicy NOTHING = OutboxPolicy.asConfigured();

  private static void set(RelayFixture relay, OutboxPolicy policy) {
    new Policies(relay.policies, relay.counting.dataSource()).set("d", policy, "ada", "x");
  }

  private static DeadLetterPlan plan(
      TestDatabase database, RelayFixture relay, DeadLetterFilter filter, int rate) {
    DeadLetterQueries queries =
        new DeadLetterQueries(relay.config, relay.counting.dataSource(), StoredErrors.CLEAR);
    return actions(database, relay).plan(queries.plan(filter), "ada").atRate(rate);
  }

  private static DeadLetterFilter only(RelayFixture relay, long seq) {
    return DeadLetterFilter.all()
        .ids(
            relay.rows.messages().stream()
                .filter(row -> row.seq() == seq)
                .map(row -> UUID.fromString(row.id()))
                .toList());
  }

  private static Operator actions(TestDatabase database, RelayFixture relay) {
    return new Operator(database.dialect(), relay.config, relay.counting.dataSource());
  }

  private static BackgroundActions node(
      TestDatabase database, RelayFixture relay, InstantSource clock) {
    return new BackgroundActions(
        new OutboxTables(database.dialect(), relay.config, relay.counting.dataSource()),
        Operator.KEY,
        false,
        lanes -> {},
        clock);
  }

  /** m1 died while the policy was to continue; m2..m4 went past it; m5 holds the key. */
  private static List<Long> anOldDeadLetterAndAHead(RelayFixture relay) throws SQLException {
    set(relay, NOTHING.onDeadLetter(OutboxPolicy.OnDeadLetter.CONTINUE));
    List<Long> k = relay.enqueue(keyed(4, "d", "k"));
    relay.broker.rejects.add(k.get(0));
    relay.drain();
    new Policies(relay.policies, relay.counting.dataSource()).reset("d", "ada", "over");
    List<Long> more = relay.enqueue(keyed(2, "d", "k"));
    relay.broker.rejects.add(more.get(0));
    relay.drain();
    assertThat(relay.statuses()).containsExactly("DEAD", "DEAD", "HELD");
    assertThat(relay.broker.receivedSeqs()).isEqualTo(k.subList(1, 4));
    relay.broker.heal();
    return List.of(k.get(0), more.get(0), more.get(1));
  }

  @ParameterizedTest
  @EnumSource
  void aDiscardOfOneLetterSendsNoOther(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, HOLD);
    List<Long> seqs = anOldDeadLetterAndAHead(relay);
    int before = relay.broker.received().size();
    DeadLetterPlan plan = plan(database, relay, only(relay, seqs.get(1)), 1_000_000);
    assertThat(plan.letters()).isEqualTo(1);
    assertThat(actions(database, relay).discard(plan, "ada", "x")).isEqualTo(1);
    relay.drain();

    assertThat(relay.broker.receivedSeqs().subList(before, relay.broker.received().size()))
        .as("only what waited behind the discarded letter")
        .containsExactly(seqs.get(2));
    assertThat(relay.statuses()).containsExactly("DEAD");
  }

  @ParameterizedTest
  @EnumSource
  void aRedriveOfOneLetterSendsNoOther(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, HOLD);
    List<Long> seqs = anOldDeadLetterAndAHead(relay);
    int before = relay.broker.received().size();
    DeadLetterPlan plan = plan(database, relay, only(relay, seqs.get(1)), 1_000_000);
    assertThat(actions(database, relay).redrive(plan, "ada", "x")).isEqualTo(1);
    relay.drain();

    assertThat(relay.broker.receivedSeqs().subList(before, relay.broker.received().size()))
        .containsExactly(seqs.get(1), seqs.get(2));
    assertThat(relay.statuses()).containsExactly("DEAD");
  }

  @ParameterizedTest
  @EnumSource
  void anErasureOfOneLetterSendsNoOther(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, HOLD);
    List<Long> seqs = anOldDeadLetterAndAHead(relay);
    int before = relay.broker.received().size();
    BackgroundActions node = node(database, relay, new SettableClock());
    String id =
        relay.rows.messages().stream()
            .filter(row -> row.seq() == seqs.get(1))
            .map(Row::id)
            .findFirst()
            .orElseThrow();
    node.erasure()
        .erase(
            node.erasure().plan(ErasureTarget.messages(List.of(id)), "ada").token().id(),
            "ada",
            "x");
    node.runner().runIfDue(Runnable::run);
    relay.drain();

    assertThat(relay.broker.receivedSeqs().subList(before, relay.broker.received().size()))
        .containsExactly(seqs.get(2));
    assertThat(relay.statuses()).containsExactly("DEAD");
  }

  /** Configured to continue, but an operator's policy holds. */
  @ParameterizedTest
  @EnumSource
  void withAPolicyOfHoldNothingOvertakesLettersThatExpiredTogether(TestDatabase database)
      throws SQLException {
    RelayFixture relay = new RelayFixture(database, CONTINUE);
    set(relay, NOTHING.onDeadLetter(OutboxPolicy.OnDeadLetter.HOLD));
    List<Long> k =
        relay.enqueue(
            keyed(3, "d", "k").stream().map(it -> it.expiresAfter(Duration.ofDays(1))).toList());
    relay.rows.execute("UPDATE outbox_message SET expires_at = created_at");
    relay.enqueue(keyed("d", "k"));
    relay.drain();
    assertThat(relay.statuses()).containsExactly("DEAD", "DEAD", "DEAD", "HELD");

    actions(database, relay)
        .discard(plan(database, relay, only(relay, k.get(0)), 1_000_000), "ada", "late");
    relay.drain();
    assertThat(relay.broker.received()).as("nobody has decided about the other two").isEmpty();

    actions(database, relay)
        .redrive(plan(database, relay, only(relay, k.get(1)), 1_000_000), "ada", "x");
    relay.drain();
    assertThat(relay.broker.receivedSeqs())
        .as("nobody has decided about the third one")
        .containsExactly(k.get(1));
  }

  /** Letters of other keys, then some of one key that expired together, and one behind them. */
  private static RelayFixture withExpired(TestDatabase database, int others, int expired)
      throws SQLException {
    RelayFixture relay = new RelayFixture(database, HOLD);
    for (int i = 0; i < others; i += 50) {
      relay.enqueue(
          IntStream.range(i, Math.min(others, i + 50))
              .mapToObj(number -> keyed("d", "other" + number))
              .toList());
    }
    relay.rows.execute("UPDATE outbox_message SET status = 'DEAD', attempts = 1");
    relay.enqueue(
        keyed(expired, "d", "k").stream().map(it -> it.expiresAfter(Duration.ofDays(1))).toList());
    relay.rows.execute(
        "UPDATE outbox_message SET expires_at = created_at WHERE expires_at IS NOT NULL");
    relay.enqueue(keyed("d", "k"));
    relay.drain();
    assertThat(relay.rows.countMessages("status = 'DEAD'")).isEqualTo(others + expired);
    assertThat(relay.rows.countMessages("status = 'HELD'")).isEqualTo(1);
    return relay;
  }

  @ParameterizedTest
  @EnumSource
  void whatExpiredTogetherIsLookedForOnceInAStep(TestDatabase database) throws SQLException {
    RelayFixture relay = withExpired(database, 0, 3);
    BackgroundActions node = node(database, relay, new SettableClock());
    node.discard(plan(database, relay, DeadLetterFilter.all(), 1_000_000).token().id(), "ada", "x");
    int statements = relay.counting.statements();
    node.runner().runIfDue(Runnable::run);

    assertThat(relay.rows.countMessages("status = 'DEAD'")).isZero();
    // Of which one looks for those that expired together.
    assertThat(relay.counting.statements() - statements).isEqualTo(17);
  }

  private static OperatorAction inTheBackground(
      TestDatabase database, RelayFixture relay, int first) throws SQLException {
    SettableClock clock = new SettableClock();
    BackgroundActions node = node(database, relay, clock);
    DeadLetterPlan plan = plan(database, relay, DeadLetterFilter.all(), 10);
    OperatorAction started =
        node.redrive(plan.token().id(), new RedrivePace(plan.perSecond(), first), "ada", "x");
    OperatorAction now = started;
    for (int i = 0; i < 60 && now.state() == OperatorAction.State.RUNNING; i++) {
      clock.advance(Duration.ofSeconds(10));
      node.runner().runIfDue(Runnable::run);
      relay.rows.makeDue();
      relay.drain();
      now = node.control().get(started.id()).orElseThrow();
    }
    return now;
  }

  /** 60 letters of one key at 10 a second: a step has 50. */
  @ParameterizedTest
  @EnumSource
  void aSlowRedriveInTheBackgroundRedrivesAllOfAKey(TestDatabase database) throws SQLException {
    RelayFixture relay = withExpired(database, 0, 60);
    OperatorAction ended = inTheBackground(database, relay, 0);
    assertThat(ended.done()).isEqualTo(60);
    assertThat(relay.statuses()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aRedriveThatTriesTheFirstTenRedrivesAllOfAKey(TestDatabase database) throws SQLException {
    RelayFixture relay = withExpired(database, 0, 60);
    OperatorAction ended = inTheBackground(database, relay, 10);
    assertThat(ended.done()).isEqualTo(60);
    assertThat(relay.statuses()).isEmpty();
  }

  /** A transaction has 1,000 letters: 950 others and 50 of the key. */
  @ParameterizedTest
  @EnumSource
  void aRedriveOfMoreThanABatchRedrivesAllOfAKey(TestDatabase database) throws SQLException {
    RelayFixture relay = withExpired(database, 950, 100);
    long letters =
        actions(database, relay)
            .redrive(plan(database, relay, DeadLetterFilter.all(), 1_000_000), "ada", "x");
    relay.rows.makeDue();
    relay.drain();
    assertThat(relay.rows.countMessages("status = 'DEAD'")).as("dead again").isZero();
    assertThat(letters).isEqualTo(1_050);
  }

  @ParameterizedTest
  @EnumSource
  void aDiscardOfMoreThanABatchDiscardsAllOfAKey(TestDatabase database) throws SQLException {
    RelayFixture relay = withExpired(database, 950, 100);
    long letters =
        actions(database, relay)
            .discard(plan(database, relay, DeadLetterFilter.all(), 1_000_000), "ada", "x");
    relay.drain();
    assertThat(relay.rows.countMessages("status = 'DEAD'")).as("dead again").isZero();
    assertThat(letters).isEqualTo(1_050);
  }
}
