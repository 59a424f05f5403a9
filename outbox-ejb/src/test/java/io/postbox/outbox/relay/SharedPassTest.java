package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.postbox.outbox.LoadedPayload;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.payload.ApplicationPayloadResolver;
import io.postbox.outbox.payload.PayloadFailure;
import io.postbox.outbox.payload.PayloadResolver;
import io.postbox.outbox.relay.BatchProcessor.Outcome;
import io.postbox.outbox.relay.BatchProcessor.Result;
import io.postbox.outbox.testing.Rows.Row;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lanes of a partition that have few messages share a claim and a transaction of the broker. */
class SharedPassTest {
  private static final int DESTINATIONS = 60;

  private final Map<String, Integer> sends = new HashMap<>();

  /** One partition, so that all lanes can share. */
  private static RelayFixture fixture(TestDatabase database) throws SQLException {
    return new RelayFixture(database, TestConfig.DEFAULT.withPartitions(1).withRelay(1, 1_000));
  }

  private static void enqueueThreeEach(RelayFixture fixture) throws SQLException {
    List<OutboxMessage> messages = new ArrayList<>();
    for (int i = 0; i < 3 * DESTINATIONS; i++) {
      messages.add(keyed("d" + i % DESTINATIONS, "k"));
    }
    fixture.enqueue(messages);
  }

  private static List<Lane> lanes(int count) {
    return IntStream.range(0, count).mapToObj(i -> new Lane(0, "d" + i)).toList();
  }

  /** As the work queue and workers do. */
  private static void drain(RelayFixture fixture, BatchProcessor pass) throws SQLException {
    List<Lane> waiting = new ArrayList<>(fixture.claims().poll().lanes());
    for (int i = 0; !waiting.isEmpty(); i++) {
      assertThat(i).as("passes").isLessThan(1_000);
      List<Lane> next = pass.groups().next(waiting);
      waiting.removeAll(next);
      Map<Lane, Result> results = pass.run(next);
      assertThat(results.keySet()).containsExactlyInAnyOrderElementsOf(next);
      results.forEach(
          (lane, result) -> {
            if (result.outcome() == Outcome.MORE) {
              waiting.add(lane);
            }
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void manyDestinationsWithFewMessagesAreOneTransactionOfTheBroker(TestDatabase database)
      throws SQLException {
    RelayFixture fixture = fixture(database);
    enqueueThreeEach(fixture);
    BatchProcessor pass = fixture.pass();
    int statements = fixture.counting.statements();
    int commits = fixture.counting.commits();

    Map<Lane, Result> results = pass.run(lanes(DESTINATIONS));

    statements = fixture.counting.statements() - statements;
    commits = fixture.counting.commits() - commits;
    assertThat(results.values()).extracting(Result::outcome).containsOnly(Outcome.DRAINED);
    assertThat(fixture.broker.calls()).isOne();
    assertThat(fixture.broker.received()).hasSize(3 * DESTINATIONS);
    Invariants.assertInOrderPerKey(fixture.broker.received());
    assertThat(fixture.rows.messages()).isEmpty();
    assertThat(statements)
        .as("one claim, and a read and a completion for each lane")
        .isEqualTo(1 + 2 * DESTINATIONS);
    assertThat(commits).isOne();
    assertThat(fixture.listener.relayed()).isEqualTo(3 * DESTINATIONS);
  }

  @ParameterizedTest
  @EnumSource
  void whereOneDestinationIsDownTheOthersGoByThemselvesAndNothingIsCharged(TestDatabase database)
      throws SQLException {
    RelayFixture fixture = fixture(database);
    enqueueThreeEach(fixture);
    fixture.broker.unknownDestinations.add("d7");

    drain(fixture, fixture.pass());

    assertThat(fixture.rows.messages())
        .extracting(Row::status, Row::attempts)
        .containsExactly(tuple("PENDING", 0), tuple("PENDING", 0), tuple("PENDING", 0));
    assertThat(fixture.broker.received())
        .extracting(StoredMessage::destination)
        .doesNotContain("d7");
    assertThat(fixture.broker.receivedSeqs())
        .hasSize(3 * (DESTINATIONS - 1))
        .doesNotHaveDuplicates();
    assertThat(fixture.breakers.openReasons()).containsOnlyKeys("d7");
  }

  @ParameterizedTest
  @EnumSource
  void aMessageAtFaultIsFoundByItsLanesOwnPass(TestDatabase database) throws SQLException {
    RelayFixture fixture = fixture(database);
    enqueueThreeEach(fixture);
    long bad = fixture.enqueue(keyed("d3", "bad"));
    fixture.broker.spoil.add(bad);

    drain(fixture, fixture.pass());

    assertThat(fixture.rows.messages())
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.seq()).isEqualTo(bad);
              assertThat(row.attempts()).isOne();
            });
    assertThat(fixture.broker.receivedSeqs()).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void aLaneWithMoreThanABatchGetsPassesOfItsOwnUntilItIsDrained(TestDatabase database)
      throws SQLException {
    RelayFixture fixture = fixture(database);
    enqueueThreeEach(fixture);
    fixture.enqueue(RelayFixture.keyed(250, "d0", "many"));
    BatchProcessor pass = fixture.pass();

    drain(fixture, pass);

    assertThat(fixture.broker.received()).hasSize(3 * DESTINATIONS + 250);
    Invariants.assertInOrderPerKey(fixture.broker.received());
    assertThat(fixture.broker.calls()).as("the others in one, d0 in two").isEqualTo(3);
    assertThat(pass.groups().next(lanes(2))).as("d0 shares again").hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void aLaneWithAnAttemptThatFailedGoesAlone(TestDatabase database) throws SQLException {
    RelayFixture fixture = fixture(database);
    enqueueThreeEach(fixture);
    fixture.rows.execute("UPDATE outbox_message SET attempts = 1 WHERE destination = 'd1'");

    Map<Lane, Result> results = fixture.pass().run(lanes(DESTINATIONS));

    assertThat(results.get(new Lane(0, "d1")).outcome()).isEqualTo(Outcome.MORE);
    assertThat(fixture.broker.received())
        .extracting(StoredMessage::destination)
        .hasSize(3 * (DESTINATIONS - 1))
        .doesNotContain("d1");
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsSentToAPausedDestination(TestDatabase database) throws SQLException {
    RelayFixture fixture = fixture(database);
    enqueueThreeEach(fixture);
    fixture.rows.execute(
        "INSERT INTO outbox_switch (destination, reason, principal) VALUES ('d1', 'x', 'me')");

    Map<Lane, Result> results = fixture.pass().run(lanes(DESTINATIONS));

    assertThat(results.get(new Lane(0, "d1")).outcome()).isEqualTo(Outcome.DRAINED);
    assertThat(fixture.broker.received())
        .extracting(StoredMessage::destination)
        .doesNotContain("d1");
  }

  /** One whose row cannot be read must not keep the others waiting for ever. */
  @ParameterizedTest
  @EnumSource
  void afterAPassThatBrokeDownEachLaneGoesAlone(TestDatabase database) throws SQLException {
    RelayFixture fixture = fixture(database);
    enqueueThreeEach(fixture);
    Error failure = new NoClassDefFoundError("a/jms/Formatter");
    BatchProcessor pass =
        fixture.pass(
            messages -> {
              throw failure;
            });

    assertThatThrownBy(() -> pass.run(lanes(DESTINATIONS))).isSameAs(failure);

    assertThat(fixture.rows.messages()).hasSize(3 * DESTINATIONS);
    for (Lane lane : lanes(DESTINATIONS)) {
      assertThat(pass.groups().next(List.of(lane, new Lane(0, "other")))).containsExactly(lane);
    }
  }

  @ParameterizedTest
  @EnumSource
  void inTwoPhasesNoLanesShare(TestDatabase database) throws SQLException {
    RelayFixture fixture = new RelayFixture(database, TestConfig.DEFAULT.withXa());
    assertThat(fixture.passInTwoPhases().groups().next(lanes(3)))
        .containsExactly(new Lane(0, "d0"));
  }

  /** In one transaction of the broker goes no more than in a batch of one lane. */
  @ParameterizedTest
  @EnumSource
  void messagesBeyondABatchAreLeftForTheNext(TestDatabase database) throws SQLException {
    RelayFixture fixture =
        new RelayFixture(database, TestConfig.DEFAULT.withPartitions(1).withRelay(1, 10));
    enqueueThreeEach(fixture);
    BatchProcessor pass =
        fixture.pass(
            messages -> {
              messages.forEach(it -> sends.merge(it.destination(), 1, Integer::sum));
              assertThat(messages).hasSizeLessThanOrEqualTo(10);
              fixture.broker.send(messages);
            });

    drain(fixture, pass);

    assertThat(sends).hasSize(DESTINATIONS).allSatisfy((d, n) -> assertThat(n).isEqualTo(3));
    assertThat(fixture.broker.calls()).isEqualTo(DESTINATIONS / 3);
  }

  /** As beside a cipher, where every row has to be looked at. */
  @ParameterizedTest
  @EnumSource
  void lanesShareAPassAlsoWhereEveryPayloadIsOpened(TestDatabase database) throws SQLException {
    RelayFixture fixture = fixture(database);
    enqueueThreeEach(fixture);
    int statements = fixture.counting.statements();
    int commits = fixture.counting.commits();

    drain(fixture, fixture.passOpening(opening("")));

    statements = fixture.counting.statements() - statements;
    assertThat(fixture.rows.messages()).isEmpty();
    assertThat(fixture.broker.received()).hasSize(3 * DESTINATIONS);
    assertThat(fixture.broker.received())
        .extracting(it -> it.envelope().body())
        .containsOnly(new Body.Text("opened"));
    assertThat(fixture.broker.calls()).isOne();
    assertThat(statements)
        .as("a poll, one claim, and a read and a completion for each lane")
        .isEqualTo(2 + 2 * DESTINATIONS);
    assertThat(fixture.counting.commits() - commits).isOne();
  }

  @ParameterizedTest
  @EnumSource
  void aLaneWithAPayloadThatCannotBeOpenedGoesAlone(TestDatabase database) throws SQLException {
    RelayFixture fixture = fixture(database);
    enqueueThreeEach(fixture);

    drain(fixture, fixture.passOpening(opening("d7")));

    assertThat(fixture.rows.messages())
        .extracting(Row::status, Row::attempts)
        .containsExactly(tuple("DELAYED", 1), tuple("HELD", 0), tuple("HELD", 0));
    assertThat(fixture.broker.receivedSeqs())
        .hasSize(3 * (DESTINATIONS - 1))
        .doesNotHaveDuplicates();
    assertThat(fixture.broker.calls()).isOne();
  }

  /** Their hashes are committed before any of them is sent. */
  @ParameterizedTest
  @EnumSource
  void lanesWhosePayloadsAreLoadedShareTwoPasses(TestDatabase database) throws SQLException {
    RelayFixture fixture = fixture(database);
    List<OutboxMessage> messages = new ArrayList<>();
    for (int i = 0; i < DESTINATIONS; i++) {
      messages.add(OutboxMessage.to("d" + i).orderedBy("k").reference("invoices", i));
    }
    fixture.enqueue(messages);
    int commits = fixture.counting.commits();
    BatchProcessor pass =
        fixture.passOpening(
            new ApplicationPayloadResolver(
                Optional.of((table, id) -> Optional.of(LoadedPayload.text(id))),
                Optional.empty(),
                1 << 20,
                false));

    drain(fixture, pass);

    assertThat(fixture.rows.messages()).isEmpty();
    assertThat(fixture.broker.received()).hasSize(DESTINATIONS);
    assertThat(fixture.broker.calls()).isOne();
    assertThat(fixture.counting.commits() - commits).isEqualTo(2);
  }

  /** Has every message opened, and fails with those to one destination. */
  private static PayloadResolver opening(String failing) {
    return new PayloadResolver() {
      @Override
      public boolean appliesTo(StoredMessage message) {
        return true;
      }

      @Override
      public Envelope resolve(StoredMessage message) throws PayloadFailure {
        if (message.destination().equals(failing)) {
          throw PayloadFailure.ofMessage("cannot be opened", new Exception());
        }
        return message.carrying("text/plain", new Body.Text("opened")).envelope();
      }
    };
  }
}
