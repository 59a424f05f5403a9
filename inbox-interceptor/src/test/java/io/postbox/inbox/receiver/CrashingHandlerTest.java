package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Crashes;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.ops.AttemptRecorder;
import io.postbox.inbox.receiver.CrashSimulation.Log;
import io.postbox.inbox.receiver.CrashSimulation.Process;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that end the process, and those that were only there. */
class CrashingHandlerTest {
  private static final int SEEDS = 200;
  private static final int MAX_CRASHES = 3;
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Log AS_IT_IS = real -> real;

  /** The behaviour without records: nobody remembers that a try began. */
  private static final Log NONE =
      real ->
          new Broken() {
            @Override
            public RecordedAttempt begin(String consumer, String messageId, boolean isRedelivery) {
              return RecordedAttempt.unrecorded(consumer, messageId);
            }
          };

  /** Every message at work in a crash counts like the one that caused it. */
  private static final Log ALL_AT_ONCE =
      real ->
          new Broken() {
            @Override
            public RecordedAttempt begin(String consumer, String messageId, boolean isRedelivery) {
              RecordedAttempt recorded = real.begin(consumer, messageId, isRedelivery);
              Crashes sofar = recorded.crashes();
              return new RecordedAttempt(
                  consumer,
                  messageId,
                  recorded.row(),
                  false,
                  false,
                  sofar.areSuspicious(),
                  new Crashes(sofar.number(), sofar.number()));
            }

            @Override
            public void ends(RecordedAttempt recorded, boolean handlerEnded) {
              real.ends(recorded, handlerEnded);
            }
          };

  /** The behaviour before: only redeliveries that the broker reports are on record. */
  private static final Log BELIEVES_THE_BROKER =
      real ->
          new Broken() {
            @Override
            public RecordedAttempt begin(String consumer, String messageId, boolean isRedelivery) {
              return real.begin(consumer, messageId, isRedelivery);
            }

            @Override
            public void ends(RecordedAttempt recorded, boolean handlerEnded) {
              real.ends(recorded, handlerEnded);
            }
          };

  private abstract static class Broken implements AttemptLog {
    @Override
    public boolean mayBeRedelivery(String messageId) {
      return false;
    }

    @Override
    public void ends(RecordedAttempt recorded, boolean handlerEnded) {}
  }

  private static CrashSimulation simulation(Log log, long seed) {
    return new CrashSimulation(
        TestConfig.shop(Map.of("max-crashes", String.valueOf(MAX_CRASHES))), log, seed);
  }

  /** Plays twenty messages of which one kills; restarts take up to so many seconds. */
  private static CrashSimulation play(Log log, long seed, int slowestRestart) {
    return play(simulation(log, seed), seed, slowestRestart);
  }

  /** The same with a broker that dies with the process and forgets what it has delivered. */
  private static CrashSimulation playEmbedded(Log log, long seed, int slowestRestart) {
    CrashSimulation simulation = simulation(log, seed);
    simulation.saysRedelivered = false;
    return play(simulation, seed, slowestRestart);
  }

  private static CrashSimulation play(CrashSimulation simulation, long seed, int slowestRestart) {
    return play(simulation, id(seed % 20, Duration.ZERO), slowestRestart);
  }

  private static CrashSimulation play(
      CrashSimulation simulation, String killer, int slowestRestart) {
    int place = number(killer);
    IntStream.range(0, 20)
        .forEach(i -> simulation.send(i == place ? killer : id(i, Duration.ZERO)));
    simulation.killers.add(killer);
    simulation.run(50, slowestRestart);
    return simulation;
  }

  /** A message's id, which says when it was made, by its sender's clock. */
  private static String id(long number, Duration ahead) {
    return new UUID(ahead.toMillis() << 16 | 0x7000, 1L << 63 | number).toString();
  }

  private static int number(String id) {
    return (int) UUID.fromString(id).getLeastSignificantBits();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 120})
  void itIsParkedAfterAFewCrashesAndNoBystanderIs(int slowestRestart) {
    for (long seed = 0; seed < SEEDS; seed++) {
      CrashSimulation simulation = play(AS_IT_IS, seed, slowestRestart);

      assertThat(simulation.parked())
          .as("seed %s", seed)
          .containsExactly(id(seed % 20, Duration.ZERO));
      assertThat(simulation.handled).as("seed %s", seed).hasSize(19).containsValue(1);
      assertThat(simulation.deaths)
          .as(
              "deaths with seed %s: the first leaves no record, and late ones are not clear yet",
              seed)
          .isBetween(MAX_CRASHES + 1, slowestRestart > 60 ? MAX_CRASHES + 5 : MAX_CRASHES + 7);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 120})
  void alsoWhereTheBrokerNeverSaysRedelivered(int slowestRestart) {
    for (long seed = 0; seed < SEEDS; seed++) {
      CrashSimulation simulation = playEmbedded(AS_IT_IS, seed, slowestRestart);

      assertThat(simulation.parked())
          .as("seed %s", seed)
          .containsExactly(id(seed % 20, Duration.ZERO));
      assertThat(simulation.handled).as("seed %s", seed).hasSize(19).containsValue(1);
      assertThat(simulation.deaths)
          .as("deaths with seed %s: the first two leave no record", seed)
          .isBetween(MAX_CRASHES + 2, slowestRestart > 60 ? MAX_CRASHES + 6 : MAX_CRASHES + 9);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 20, 120})
  void alsoWhereItsIdIsDatedAhead(int slowestRestart) {
    for (long seed = 0; seed < SEEDS; seed++) {
      CrashSimulation simulation = simulation(AS_IT_IS, seed);
      simulation.saysRedelivered = false;
      String killer = id(seed % 20, Duration.ofSeconds(1L << seed % 32));
      play(simulation, killer, slowestRestart);

      assertThat(simulation.parked()).as("seed %s", seed).containsExactly(killer);
      assertThat(simulation.handled).as("seed %s", seed).hasSize(19).containsValue(1);
      assertThat(simulation.deaths).as("deaths with seed %s", seed).isLessThan(MAX_CRASHES + 10);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void afterOneDeathOnlyWhatTheBrokerCallsARedeliveryIsOnRecord(boolean saysRedelivered) {
    for (long seed = 0; seed < SEEDS; seed++) {
      CrashSimulation simulation = simulation(AS_IT_IS, seed);
      simulation.saysRedelivered = saysRedelivered;
      IntStream.range(0, 20).forEach(i -> simulation.send("id-" + i));
      simulation.killers.add("id-" + seed % 20);
      simulation.run(1, 20);
      simulation.killers.clear();
      int redelivered = simulation.redelivered();
      simulation.run(2, 20);

      assertThat(simulation.handled).as("seed %s", seed).hasSize(20).containsValue(1);
      assertThat(simulation.recorded()).as("seed %s", seed).isEqualTo(redelivered);
    }
  }

  @Test
  void withoutTheRecordItKillsForEver() {
    CrashSimulation simulation = play(NONE, 1, 20);

    assertThat(simulation.deaths).isEqualTo(50);
    assertThat(simulation.parked()).isEmpty();
  }

  @Test
  void whereTheBrokerForgetsItKillsForEverUnlessUncleanShutdownsAreNoticed() {
    CrashSimulation simulation = playEmbedded(BELIEVES_THE_BROKER, 1, 20);

    assertThat(simulation.deaths).isEqualTo(50);
    assertThat(simulation.parked()).isEmpty();
    assertThat(simulation.rows).as("nothing was ever on record").isEmpty();
  }

  @Test
  void ifAllWereTriedAtOnceBystandersWouldBeParked() {
    long withBystanders =
        IntStream.range(0, SEEDS)
            .filter(seed -> play(ALL_AT_ONCE, seed, 120).parked().size() > 1)
            .count();

    assertThat(withBystanders).isPositive();
  }

  /**
   * A third could end the process with its first delivery too, beside a suspect that was there
   * twice before: a message that kills at once leaves no record.
   */
  @Test
  void twoKillersAreFoundOneAfterTheOther() {
    for (long seed = 0; seed < SEEDS; seed++) {
      CrashSimulation simulation = simulation(AS_IT_IS, seed);
      IntStream.range(0, 12).forEach(i -> simulation.send("id-" + i));
      simulation.killers.addAll(List.of("id-1", "id-7"));
      simulation.run(60, 60);

      assertThat(simulation.parked()).as("seed %s", seed).containsExactlyInAnyOrder("id-1", "id-7");
    }
  }

  @Test
  void alsoTwoKillersWhereTheBrokerNeverSaysRedelivered() {
    for (long seed = 0; seed < SEEDS; seed++) {
      CrashSimulation simulation = simulation(AS_IT_IS, seed);
      simulation.saysRedelivered = false;
      IntStream.range(0, 12).forEach(i -> simulation.send("id-" + i));
      simulation.killers.addAll(List.of("id-1", "id-7"));
      simulation.run(60, 60);

      assertThat(simulation.parked()).as("seed %s", seed).containsExactlyInAnyOrder("id-1", "id-7");
    }
  }

  @Test
  void itsParkReasonSaysWhatHappened() {
    CrashSimulation simulation = play(AS_IT_IS, 3, 60);

    assertThat(simulation.store.parked)
        .singleElement()
        .satisfies(
            parked -> {
              assertThat(parked.reason()).isEqualTo(ParkReason.TOO_MANY_CRASHES);
              assertThat(parked.attempts()).isGreaterThanOrEqualTo(MAX_CRASHES);
              assertThat(parked.error()).contains("began and never ended").contains("died");
            });
  }

  /** As a transaction that takes long is abandoned by the broker, but not by its process. */
  @Test
  void aTryThatIsAtWorkElsewhereIsNoCrashHoweverLongItTakes() {
    CrashSimulation simulation = simulation(AS_IT_IS, 1);
    Process slow = simulation.start();
    Process other = simulation.start();
    simulation.redeliver("id-1");

    simulation.take(
        slow,
        "id-1",
        () -> {
          for (int i = 0; i < 10; i++) {
            simulation.pass(LONG);
            assertThat(crashes(simulation, other)).isZero();
          }
        });
    simulation.pass(LONG);

    assertThat(simulation.rows).isEmpty();
  }

  @Test
  void aTryOfAFrozenProcessCountsOnlyUntilItIsBack() {
    CrashSimulation simulation = simulation(AS_IT_IS, 1);
    Process frozen = simulation.start();
    Process other = simulation.start();
    simulation.redeliver("id-1");

    simulation.take(
        frozen,
        "id-1",
        () -> {
          frozen.isFrozen = true;
          simulation.pass(LONG);
          assertThat(crashes(simulation, other)).isEqualTo(1);
          frozen.isFrozen = false;
          simulation.pass(AttemptRecorder.BEAT);
          assertThat(crashes(simulation, other)).isZero();
        });
    simulation.pass(LONG);

    assertThat(simulation.rows).isEmpty();
  }

  @Test
  void aMessageThatComesForTheFirstTimeHasNoRecordAndOneStatement() {
    FakeBroker broker = new FakeBroker(TestConfig.shop(Map.of()));

    broker.deliver(TestDelivery.of("id-1"));

    assertThat(broker.begins).isZero();
    assertThat(broker.store.statements).isEqualTo(1);
    broker.deliver(TestDelivery.of("id-2").with(History.UNKNOWN));
    assertThat(broker.begins).as("who does not know cannot say that it began").isZero();
  }

  @Test
  void afterAnUncleanShutdownAlsoThoseOfWhichNobodySaysThatTheyCameBefore() {
    FakeBroker broker = new FakeBroker(TestConfig.shop(Map.of()));
    broker.anyMayBeRedelivery = true;

    broker.deliver(TestDelivery.of("id-1"));
    broker.deliver(TestDelivery.of("id-2").with(History.UNKNOWN));

    assertThat(broker.begins).isEqualTo(2);
    assertThat(broker.ends).isEqualTo(2);
    assertThat(broker.statementsAtBegin).as("before its transaction has a connection").contains(0);
    assertThat(broker.store.remembered).hasSize(2);
  }

  @Test
  void aMessageHandedOnIsCoveredByItsHandlersRecord() {
    FakeBroker broker = new FakeBroker(TestConfig.shop(Map.of()));
    broker.anyMayBeRedelivery = true;
    broker.handler =
        run ->
            run.messageId().equals("id-1")
                ? RunningHandlers.during(
                    run, () -> broker.deliver(TestDelivery.of("id-2").to("billing")))
                : null;

    broker.deliver(TestDelivery.of("id-1"));

    assertThat(broker.questions).as("its connection is taken").isEqualTo(1);
    assertThat(broker.begins).isEqualTo(1);
  }

  @Test
  void aRedeliveryIsOnRecordBeforeItsTransactionTouchesTheDatabaseAndComesOffAtItsEnd() {
    FakeBroker broker = new FakeBroker(TestConfig.shop(Map.of()));
    broker.handler =
        run -> {
          assertThat(broker.begins).isEqualTo(1);
          throw new IllegalStateException("no stock");
        };

    broker.deliver(TestDelivery.of("id-1").with(new History(true, 0, 0)));

    assertThat(broker.statementsAtBegin).containsExactly(0);
    assertThat(broker.ends).isEqualTo(1);
  }

  private static int crashes(CrashSimulation simulation, Process looking) {
    return simulation.crashesAsSeenBy(looking, "id-1");
  }
}
