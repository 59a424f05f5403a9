package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.config.OutboxConfig.OnDeadLetter;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.ops.DeadLetterQueries;
import io.postbox.outbox.store.StoredErrors;
import io.postbox.outbox.testing.Operator;
import io.postbox.outbox.testing.Rows.Row;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The relay keeps the order of a key for letters that were redriven or discarded. */
class RedriveTest {
  private static final TestConfig ONE_PARTITION = TestConfig.DEFAULT.withPartitions(1);
  private static final TestConfig HOLD = ONE_PARTITION.withFailures(1, OnDeadLetter.HOLD);
  private static final TestConfig CONTINUE = ONE_PARTITION.withFailures(1, OnDeadLetter.CONTINUE);

  private static DeadLetterPlan plan(
      TestDatabase database, RelayFixture relay, DeadLetterFilter filter) {
    DeadLetterQueries queries =
        new DeadLetterQueries(relay.config, relay.counting.dataSource(), StoredErrors.CLEAR);
    return actions(database, relay, relay.counting.dataSource())
        .plan(queries.plan(filter), "ada")
        .atRate(1_000_000);
  }

  private static Operator actions(
      TestDatabase database, RelayFixture relay, DataSource dataSource) {
    return new Operator(database.dialect(), relay.config, dataSource);
  }

  private static long redrive(TestDatabase database, RelayFixture relay, DeadLetterFilter filter) {
    return actions(database, relay, relay.counting.dataSource())
        .redrive(plan(database, relay, filter), "ada", "why not");
  }

  private static DeadLetterFilter only(RelayFixture relay, List<Long> seqs) {
    return DeadLetterFilter.all()
        .ids(
            relay.rows.messages().stream()
                .filter(row -> seqs.contains(row.seq()))
                .map(row -> UUID.fromString(row.id()))
                .toList());
  }

  private static void kill(RelayFixture relay, List<Long> seqs) {
    relay.rows.execute(
        "UPDATE outbox_message SET status = 'DEAD', attempts = 1, due_at = created_at WHERE seq IN "
            + seqs.stream().map(String::valueOf).collect(Collectors.joining(", ", "(", ")")));
  }

  @ParameterizedTest
  @EnumSource
  void aRedrivenLetterGoesBeforeWhatWaitsBehindIt(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, HOLD);
    BatchProcessor pass = relay.pass(); // keeps its lowWaterMarks
    List<Long> k = relay.enqueue(keyed(4, "d", "k"));
    relay.broker.rejects.add(k.get(0));
    relay.drain(pass);
    assertThat(relay.statuses()).containsExactly("DEAD", "HELD", "HELD", "HELD");

    relay.broker.heal();
    assertThat(redrive(database, relay, DeadLetterFilter.all())).isEqualTo(1);
    long later = relay.enqueue(keyed("d", "k"));
    relay.drain(pass);

    assertThat(relay.broker.receivedSeqs())
        .containsExactly(k.get(0), k.get(1), k.get(2), k.get(3), later);
    assertThat(relay.rows.messages()).isEmpty();
    assertThat(relay.rows.count("outbox_held_key")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aRedrivenLetterThatFailsAgainIsADeadLetterAgainAndHoldsItsKey(TestDatabase database)
      throws SQLException {
    RelayFixture relay = new RelayFixture(database, HOLD);
    BatchProcessor pass = relay.pass(); // keeps its lowWaterMarks
    List<Long> k = relay.enqueue(keyed(3, "d", "k"));
    relay.broker.rejects.add(k.get(0));
    relay.drain(pass);
    redrive(database, relay, DeadLetterFilter.all());
    relay.drain(pass);
    assertThat(relay.statuses()).containsExactly("DEAD", "HELD", "HELD");
    assertThat(relay.broker.receivedSeqs()).isEmpty();

    relay.broker.heal();
    redrive(database, relay, DeadLetterFilter.all());
    relay.drain(pass);
    assertThat(relay.broker.receivedSeqs()).isEqualTo(k);
  }

  private static RelayFixture withThreeExpiredOfAKey(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, HOLD);
    relay.enqueue(
        keyed(3, "d", "k").stream().map(it -> it.expiresAfter(Duration.ofDays(1))).toList());
    relay.rows.execute("UPDATE outbox_message SET expires_at = created_at");
    relay.enqueue(keyed("d", "k"));
    relay.drain();
    assertThat(relay.statuses()).containsExactly("DEAD", "DEAD", "DEAD", "HELD");
    return relay;
  }

  /** A person has decided that they are worth sending, so they do not die of the limit again. */
  @ParameterizedTest
  @EnumSource
  void lettersThatExpiredAreSentWithoutALimit(TestDatabase database) throws SQLException {
    RelayFixture relay = withThreeExpiredOfAKey(database);
    assertThat(plan(database, relay, DeadLetterFilter.all()).expired()).isEqualTo(3);
    assertThat(redrive(database, relay, DeadLetterFilter.all())).isEqualTo(3);
    relay.drain();

    assertThat(relay.broker.received()).hasSize(4);
    assertThat(relay.broker.received()).extracting(StoredMessage::expiresIn).containsOnlyNulls();
    Invariants.assertInOrderPerKey(relay.broker.received());
    assertThat(relay.rows.messages()).isEmpty();
    assertThat(relay.rows.count("outbox_held_key")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void oneDiscardIsEnoughForAllOfAKeyThatExpired(TestDatabase database) throws SQLException {
    RelayFixture relay = withThreeExpiredOfAKey(database);
    Operator actions = actions(database, relay, relay.counting.dataSource());
    assertThat(actions.discard(plan(database, relay, DeadLetterFilter.all()), "ada", "late"))
        .isEqualTo(3);
    relay.drain();

    assertThat(relay.broker.received()).hasSize(1);
    assertThat(relay.rows.messages()).isEmpty();
  }

  /** With hold, nothing goes past a dead letter that nobody has decided about. */
  @ParameterizedTest
  @EnumSource
  void aDecisionAboutTheFirstExpiredLetterKeepsTheRestWaiting(TestDatabase database)
      throws SQLException {
    RelayFixture relay = withThreeExpiredOfAKey(database);
    List<Long> seqs = relay.rows.messages().stream().map(Row::seq).toList();
    Operator actions = actions(database, relay, relay.counting.dataSource());
    actions.discard(plan(database, relay, only(relay, seqs.subList(0, 1))), "ada", "late");
    relay.drain();
    assertThat(relay.statuses()).containsExactly("DEAD", "DEAD", "HELD");
    assertThat(relay.broker.received()).isEmpty();

    redrive(database, relay, only(relay, seqs.subList(1, 2)));
    relay.drain();
    assertThat(relay.broker.receivedSeqs()).containsExactly(seqs.get(1));
    assertThat(relay.statuses()).containsExactly("DEAD", "HELD");

    redrive(database, relay, DeadLetterFilter.all());
    relay.drain();
    assertThat(relay.broker.receivedSeqs()).isEqualTo(seqs.subList(1, 4));
    assertThat(relay.rows.count("outbox_held_key")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aLimitThatIsNotOverStaysWithARedrive(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, HOLD);
    long seq = relay.enqueue(keyed("d", "k").expiresAfter(Duration.ofDays(1)));
    relay.broker.rejects.add(seq);
    relay.drain();
    relay.broker.heal();
    assertThat(plan(database, relay, DeadLetterFilter.all()).expired()).isZero();
    redrive(database, relay, DeadLetterFilter.all());
    relay.drain();

    assertThat(relay.broker.received())
        .singleElement()
        .extracting(StoredMessage::expiresIn)
        .isNotNull();
  }

  @ParameterizedTest
  @EnumSource
  void severalDeadLettersOfAKeyKeepTheirOrder(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, CONTINUE);
    BatchProcessor pass = relay.pass(); // keeps its lowWaterMarks
    List<Long> k = relay.enqueue(keyed(4, "d", "k"));
    relay.broker.rejects.addAll(List.of(k.get(0), k.get(1), k.get(3)));
    relay.drain(pass);
    assertThat(relay.statuses()).containsExactly("DEAD", "DEAD", "DEAD");
    assertThat(relay.broker.receivedSeqs()).containsExactly(k.get(2));

    relay.broker.heal();
    assertThat(redrive(database, relay, DeadLetterFilter.all())).isEqualTo(3);
    assertThat(relay.statuses()).containsExactly("PENDING", "HELD", "HELD");
    long later = relay.enqueue(keyed("d", "k"));
    relay.drain(pass);
    assertThat(relay.broker.receivedSeqs().subList(1, 5))
        .containsExactly(k.get(0), k.get(1), k.get(3), later);
  }

  @ParameterizedTest
  @EnumSource
  void aRedrivenHeadThatFailsAgainKeepsTheOthersOfItsKeyWaiting(TestDatabase database)
      throws SQLException {
    RelayFixture relay =
        new RelayFixture(database, ONE_PARTITION.withFailures(2, OnDeadLetter.CONTINUE));
    BatchProcessor pass = relay.pass(); // keeps its lowWaterMarks
    List<Long> k = relay.enqueue(keyed(3, "d", "k"));
    kill(relay, k);
    relay.broker.rejects.add(k.get(0));
    redrive(database, relay, DeadLetterFilter.all());
    relay.drain(pass);
    assertThat(relay.broker.receivedSeqs()).isEmpty();
    assertThat(relay.statuses().subList(1, 3)).containsOnly("HELD");

    relay.broker.heal();
    relay.rows.makeDue();
    relay.drain(pass);
    assertThat(relay.broker.receivedSeqs()).isEqualTo(k);
  }

  @ParameterizedTest
  @EnumSource
  void aRedrivenLetterDoesNotOvertakeWhatWasPutBackInFrontOfIt(TestDatabase database)
      throws SQLException {
    RelayFixture relay = new RelayFixture(database, CONTINUE);
    BatchProcessor pass = relay.pass(); // keeps its lowWaterMarks
    List<Long> k = relay.enqueue(keyed(5, "d", "k"));
    kill(relay, k.subList(2, 4)); // 0 and 1 wait, as after an earlier redrive
    redrive(database, relay, DeadLetterFilter.all());
    relay.drain(pass);
    assertThat(relay.broker.receivedSeqs()).isEqualTo(k);
    assertThat(relay.rows.count("outbox_held_key")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void redrivingOneByOneInAnyOrderEmptiesTheOutbox(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, CONTINUE);
    BatchProcessor pass = relay.pass(); // keeps its lowWaterMarks
    List<Long> k = relay.enqueue(keyed(3, "d", "k"));
    kill(relay, k);
    for (int each : List.of(2, 0, 1)) {
      assertThat(redrive(database, relay, only(relay, List.of(k.get(each))))).isEqualTo(1);
    }
    assertThat(relay.statuses()).containsExactly("HELD", "HELD", "PENDING");
    relay.drain(pass); // the one that was asked for first holds the key
    assertThat(relay.broker.receivedSeqs()).containsExactly(k.get(2), k.get(0), k.get(1));
    assertThat(relay.rows.messages()).isEmpty();
  }

  /** The relay works between any two transactions of a redrive of more than one batch. */
  @ParameterizedTest
  @EnumSource
  void aRelayAtWorkMeanwhileKeepsTheOrderOfALongRedrive(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, CONTINUE);
    BatchProcessor pass = relay.pass(); // keeps its lowWaterMarks
    List<Long> k = relay.enqueue(keyed(2_300, "d", "k"));
    List<Long> others = relay.enqueue(keyed(3, "d", "other"));
    kill(relay, k);
    kill(relay, others);
    List<Integer> sentMeanwhile = new ArrayList<>();
    DataSource busy =
        (DataSource)
            Proxy.newProxyInstance(
                RedriveTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                  pass.run(new Lane(0, "d")); // one batch only
                  sentMeanwhile.add(relay.broker.receivedSeqs().size());
                  try {
                    return method.invoke(relay.counting.dataSource(), arguments);
                  } catch (InvocationTargetException failed) {
                    throw failed.getCause();
                  }
                });
    long redriven =
        actions(database, relay, busy)
            .redrive(plan(database, relay, DeadLetterFilter.all()), "ada", "why not");
    relay.drain(pass);

    assertThat(redriven).isEqualTo(2_303);
    assertThat(sentMeanwhile).hasSizeGreaterThan(3);
    assertThat(relay.broker.receivedSeqs().stream().filter(k::contains)).isEqualTo(k);
    assertThat(relay.broker.receivedSeqs().stream().filter(others::contains)).isEqualTo(others);
    assertThat(relay.rows.messages()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void messagesBehindADiscardedLetterGoOn(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, HOLD);
    BatchProcessor pass = relay.pass(); // keeps its lowWaterMarks
    List<Long> k = relay.enqueue(keyed(3, "d", "k"));
    relay.broker.rejects.add(k.get(0));
    relay.drain(pass);
    actions(database, relay, relay.counting.dataSource())
        .discard(plan(database, relay, DeadLetterFilter.all()), "ada", "sent by hand");
    relay.drain(pass);

    assertThat(relay.broker.receivedSeqs()).isEqualTo(k.subList(1, 3));
    assertThat(relay.rows.messages()).extracting(Row::seq).isEmpty();
    assertThat(relay.rows.count("outbox_archive")).isEqualTo(1);
    assertThat(relay.rows.count("outbox_held_key")).isZero();
  }

  /** The relay begins its reads behind what it has sent, unless it is told to look in front. */
  @ParameterizedTest
  @EnumSource
  void messagesBehindADiscardedLetterGoBeforeLaterOnes(TestDatabase database) throws SQLException {
    RelayFixture relay = new RelayFixture(database, HOLD.withRelay(1, 10));
    BatchProcessor pass = relay.pass(); // keeps its lowWaterMarks
    List<Long> k = relay.enqueue(keyed(3, "d", "k"));
    relay.broker.rejects.add(k.get(0));
    relay.drain(pass);
    for (int i = 0; i < 60; i++) {
      relay.enqueue(keyed("d", "other" + i));
    }
    for (int i = 0; i < 3; i++) {
      pass.run(new Lane(0, "d"));
    }
    long later = relay.enqueue(keyed("d", "k"));
    for (int i = 0; i < 30; i++) {
      relay.enqueue(keyed("d", "more" + i)); // a read that is not full begins at the start anyway
    }
    actions(database, relay, relay.counting.dataSource())
        .discard(plan(database, relay, DeadLetterFilter.all()), "ada", "sent by hand");
    relay.drain(pass);

    List<Long> ofKey = List.of(k.get(1), k.get(2), later);
    assertThat(relay.broker.receivedSeqs().stream().filter(ofKey::contains)).isEqualTo(ofKey);
    assertThat(relay.rows.messages()).isEmpty();
  }
}
