package io.postbox.it.artemis;

import static io.postbox.it.artemis.ArtemisServer.LIMITED;
import static io.postbox.it.artemis.ArtemisServer.NOWHERE;
import static io.postbox.it.artemis.ArtemisServer.PLAIN;
import static io.postbox.it.artemis.ArtemisServer.READ_ONLY;
import static io.postbox.it.artemis.ArtemisServer.SEND_TIMEOUT;
import static io.postbox.it.artemis.Consumers.ATTEMPTS;
import static io.postbox.it.tools.Eventually.patience;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.artemis.Flow.Letter;
import io.postbox.it.frame.OwnServers;
import io.postbox.testkit.ArtemisBroker;
import io.postbox.testkit.sample.SampleServer.Clients;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * PostgreSQL and an Artemis broker, in the real server. Each test leaves outbox and queues empty.
 */
@OwnServers
@Tag("full")
class ArtemisIT {
  private static final String SAMPLE = "postbox-sample";
  private static final String MESSAGE_ID = "OutboxMessageId";
  private static final int TOO_LARGE_FOR_A_PROPERTY = 900_000;
  private static final int PARTITIONS = 16;

  /** Longer than any transaction, of the server's or the broker's. */
  private static final Duration LONGEST_UNTIL_REST = Duration.ofSeconds(150);

  private static ArtemisServer it;
  private static ArtemisBroker broker;
  private static Flow flow;
  private static Consumers consumers;

  @BeforeAll
  static void start() {
    it = new ArtemisServer("artemis", Path.of(System.getProperty("postbox.work")));
    it.start();
    broker = it.broker();
    flow = new Flow(it.sample());
    consumers = new Consumers(it.sample().base().getPort());
  }

  @AfterAll
  static void stop() {
    it.close();
  }

  @Test
  void everyOrderGoesAllTheWay() {
    try (Clients clients = it.sample().clients()) {
      awaitOrders(clients, 100);
    }
    awaitRest();
  }

  /** So the other tests show how the broker's failures look in such transactions. */
  @Test
  void batchesAreSentInLocalTransactions() {
    flow.enqueue(List.of(Letter.to(PLAIN, "")));
    eventually(() -> assertThat(flow.rows()).isEmpty());

    eventually(() -> assertThat(flow.log("OBX0017", "in one local JMS transaction")).isNotEmpty());
    assertThat(broker.take(PLAIN, MESSAGE_ID)).hasSize(1);
  }

  /** Counted at the broker: one for the commit, and one that the client may ask beside it. */
  @Test
  void aBatchCostsAtMostTwoRoundTripsToTheBrokerWhateverItsSize() {
    flow.enqueue(Letter.several(10, PLAIN, "counted")); // has opened what lasts
    eventually(() -> assertThat(flow.rows()).isEmpty());
    eventually(() -> assertThat(flow.log("OBX0017", "in one local JMS transaction")).isNotEmpty());
    int batches = 20;
    long before = broker.roundTrips();

    for (int i = 0; i < batches; i++) {
      flow.enqueue(Letter.several(100, PLAIN, "counted"));
      eventually(() -> assertThat(flow.rows()).isEmpty());
    }

    long trips = broker.roundTrips() - before;
    assertThat(trips).as("round trips of %s batches", batches).isBetween(20L, 40L);
    assertThat(broker.take(PLAIN, MESSAGE_ID)).hasSize(10 + 100 * batches);
  }

  @Test
  void aBrokerThatIsKilledUnderLoadLosesNothingAndNoAttemptIsCounted() {
    try (Clients clients = it.sample().clients()) {
      awaitOrders(clients, 50);
      broker.kill();
      eventually(() -> assertThat(flow.metric("breaker_open", SAMPLE, "shipping")).isEqualTo(1));
      assertThat(flow.health()).contains("\"waiting, without a configured name\":");
      awaitOrders(clients, 50); // nobody who orders notices
      broker.start();
      broker.awaitUp();
      awaitOrders(clients, 50);
    }
    awaitRest();
    eventually(() -> assertThat(flow.metric("breaker_open", SAMPLE, "shipping")).isZero());
    assertThat(flow.metric("attempts_failed_total", SAMPLE, "shipping")).isZero();
    assertThat(flow.metric("attempts_failed_total", SAMPLE, "orders")).isZero();
  }

  @Test
  void aFrozenBrokerHoldsNoPartitionAndNoTransactionForLong() {
    List<Letter> before = Letter.several(10, PLAIN, "");
    flow.enqueue(before);
    eventually(() -> assertThat(flow.rows()).isEmpty());
    double threads = flow.threads();
    double failed = flow.metric("attempts_failed_total", "flow", PLAIN);
    List<Letter> waiting = Letter.several(200, PLAIN, "");

    broker.freeze();
    try {
      flow.enqueue(waiting);
      eventually(() -> assertThat(flow.metric("breaker_open", "flow", PLAIN)).isEqualTo(1));
      assertThat(flow.log("OBX0004", "'" + PLAIN + "'", "the broker did not answer within"))
          .isNotEmpty();
      eventually(() -> assertThat(flow.freePartitions()).isEqualTo(PARTITIONS));
      // Probes come and go meanwhile: a probe holds one partition, and that not for long.
      patience(Duration.ofSeconds(20))
          .during(Duration.ofSeconds(14)) // longer than the client's own time-out
          .untilAsserted(
              () -> {
                // others are held for a moment by those that look whether they are the next probe
                patience(Duration.ofSeconds(1))
                    .untilAsserted(
                        () ->
                            assertThat(flow.freePartitions())
                                .isGreaterThanOrEqualTo(PARTITIONS - 1));
                assertThat(flow.oldestTransaction())
                    .isLessThanOrEqualTo(SEND_TIMEOUT.toSeconds() + 2);
              });
      assertThat(flow.threads()).as("threads").isLessThan(threads + 30);
      assertThat(flow.rows())
          .hasSize(200)
          .containsValue("PENDING 0")
          .doesNotContainValue("PENDING 1");
    } finally {
      broker.thaw(); // the other tests need it
    }

    eventually(() -> assertThat(flow.rows()).isEmpty());
    assertThat(broker.take(PLAIN, MESSAGE_ID))
        .containsExactlyInAnyOrderElementsOf(ids(concat(before, waiting)));
    assertThat(flow.metric("attempts_failed_total", "flow", PLAIN)).isEqualTo(failed);
  }

  @Test
  void aPoisonedMessageInABatchStopsItsKeyAloneAndDies() {
    List<Letter> good = Letter.several(3, PLAIN, "poisoned");
    Letter poison = Letter.to(PLAIN, "poisoned").padded(TOO_LARGE_FOR_A_PROPERTY);
    List<Letter> followers = Letter.several(3, PLAIN, "poisoned");
    List<Letter> others = new ArrayList<>();
    for (int key = 0; key < 50; key++) {
      others.add(Letter.to(PLAIN, "key" + key));
    }
    flow.enqueue(concat(good, List.of(poison), followers, others));

    eventually(() -> assertThat(flow.rows()).containsEntry(poison.id(), "DEAD 2"));
    eventually(() -> assertThat(flow.rows()).hasSize(4));

    assertThat(flow.lastError(poison.id())).contains("AMQ149005");
    followers.forEach(it -> assertThat(flow.rows()).containsEntry(it.id(), "HELD 0"));
    assertThat(broker.take(PLAIN, MESSAGE_ID))
        .containsSubsequence(ids(good))
        .containsExactlyInAnyOrderElementsOf(ids(concat(good, others)));
    assertThat(flow.metric("breaker_open", "flow", PLAIN)).isZero();
    flow.deleteAll();
  }

  @Test
  void aMessageThatTheBrokerHasIsDoneAndItsBatchGoesOn() {
    double failed = flow.metric("attempts_failed_total", "flow", PLAIN);
    List<Letter> batch = Letter.several(50, PLAIN, "one lane");
    Letter known = batch.get(20);
    String there = known.id().toString();
    flow.whileNothingIsClaimed(
        () -> {
          flow.enqueue(batch);
          broker.send(PLAIN, Map.of("_AMQ_DUPL_ID", flow.duplicateId(known), MESSAGE_ID, there));
        });
    eventually(() -> assertThat(flow.rows()).isEmpty());

    List<String> others = ids(batch);
    others.remove(there);
    List<String> arrived = new ArrayList<>(List.of(there));
    arrived.addAll(others);
    assertThat(broker.take(PLAIN, MESSAGE_ID)).containsExactlyElementsOf(arrived);
    assertThat(flow.metric("attempts_failed_total", "flow", PLAIN)).isEqualTo(failed);
    assertThat(flow.log("OBX0070", there, "'" + PLAIN + "'")).hasSize(1);
  }

  /** Ids are in logs; the duplicate id that the broker gets is a secret of the service. */
  @Test
  void aKnownIdCannotMakeItsMessageCountAsSent() {
    Letter letter = Letter.to(PLAIN, "");
    String id = letter.id().toString();
    broker.send(PLAIN, Map.of("_AMQ_DUPL_ID", id, MESSAGE_ID, "forged"));

    flow.enqueue(List.of(letter));
    eventually(() -> assertThat(flow.rows()).isEmpty());

    assertThat(broker.take(PLAIN, MESSAGE_ID)).containsExactly("forged", id);
  }

  @Test
  void aQueueThatTakesNothingMakesItsMessagesWaitAndNoOthers() {
    List<Letter> waiting = new ArrayList<>();
    for (String destination : List.of(LIMITED, READ_ONLY, NOWHERE)) {
      waiting.addAll(Letter.several(40, destination, ""));
    }
    flow.enqueue(waiting);
    for (String destination : List.of(LIMITED, READ_ONLY, NOWHERE)) {
      eventually(() -> assertThat(flow.metric("breaker_open", "flow", destination)).isEqualTo(1));
    }
    List<Letter> others = Letter.several(10, PLAIN, "");
    flow.enqueue(others);
    eventually(() -> assertThat(flow.rows()).doesNotContainKeys(uuids(others)));

    assertThat(broker.take(PLAIN, MESSAGE_ID)).containsExactlyInAnyOrderElementsOf(ids(others));
    assertThat(flow.log("OBX0004", "'" + LIMITED + "'", "ADDRESS_FULL")).isNotEmpty();
    assertThat(flow.log("OBX0004", "'" + READ_ONLY + "'", "SECURITY_EXCEPTION")).isNotEmpty();
    assertThat(flow.log("OBX0004", "'" + NOWHERE + "'", "InvalidDestination")).isNotEmpty();
    assertThat(flow.rows().values()).containsOnly("PENDING 0");
    // The full queue goes on as it is emptied.
    List<String> arrived = new ArrayList<>();
    List<String> expected = ids(waiting.subList(0, 40));
    patience(Duration.ofSeconds(60))
        .until(() -> arrived.addAll(broker.take(LIMITED, MESSAGE_ID)) | arrived.size() >= 40);
    eventually(
        () -> {
          arrived.addAll(broker.take(LIMITED, MESSAGE_ID));
          assertThat(arrived).containsExactlyInAnyOrderElementsOf(expected);
        });
    flow.deleteAll();
  }

  @ParameterizedTest
  @CsvSource({
    "header, CONSUMERS-HEADER",
    "resolved, CONSUMERS-RESOLVED",
    "cashier, CONSUMERS-FRONT"
  })
  void aParkedMessageIsHandledOnceAfterItsRedrive(String consumer, String queue) {
    String text = UUID.randomUUID().toString();
    park(consumer, queue, text);

    assertThat(consumers.redrive(consumer)).isOne(); // in vain
    eventually(() -> assertThat(consumers.tries(consumer, text)).isEqualTo(2 * ATTEMPTS));
    eventually(() -> assertThat(consumers.parked(consumer)).isOne());
    consumers.take(consumer, text);
    assertThat(consumers.redrive(consumer)).isOne();

    eventually(() -> assertThat(consumers.effects(consumer, text)).isOne());
    assertThat(consumers.tries(consumer, text)).isEqualTo(2 * ATTEMPTS + 1);
    assertThat(consumers.effects("clerk", text)).isEqualTo(consumer.equals("cashier") ? 1 : 0);
  }

  @Test
  void aSubscribersFailureIsRetriedAndRedrivenForItAlone() {
    String text = UUID.randomUUID().toString();
    long skipped = consumers.skipped("mailing") + consumers.skipped("billing");
    park("billing", Consumers.TOPIC, text);
    consumers.take("billing", text);

    assertThat(consumers.redrive("billing")).isOne();

    eventually(() -> assertThat(consumers.effects("billing", text)).isOne());
    eventually(() -> assertThat(consumers.effects("mailing", text)).isOne());
    assertThat(consumers.tries("mailing", text)).isOne();
    assertThat(consumers.skipped("mailing") + consumers.skipped("billing"))
        .as("copies that came in vain")
        .isEqualTo(skipped);
  }

  /** It is kept aside again unless the broker has said that its copy is there. */
  @Test
  void anUnconfirmedRedriveLeavesTheMessageParkedAndAnotherHandlesItOnce() {
    String text = UUID.randomUUID().toString();
    park("header", "CONSUMERS-HEADER", text);
    consumers.take("header", text);

    broker.freeze();
    assertThat(consumers.redrive("header")).isZero();
    assertThat(consumers.parked("header")).isOne();
    broker.thaw();

    assertThat(consumers.redrive("header")).isOne();
    eventually(() -> assertThat(consumers.effects("header", text)).isOne());
    assertThat(consumers.parked("header")).isZero();
    eventually(() -> assertThat(broker.counts()).containsEntry("CONSUMERS-HEADER", 0L));
    assertThat(consumers.effects("header", text)).isOne();
  }

  private static void park(String consumer, String destination, String text) {
    consumers.refuse(consumer, text);
    consumers.send(destination, text);
    eventually(() -> assertThat(consumers.parked(consumer)).isOne());
    assertThat(consumers.tries(consumer, text)).isEqualTo(ATTEMPTS);
  }

  private static void awaitOrders(Clients clients, int more) {
    assertThat(clients).isNotNull();
    long before = it.sample().acknowledged();
    eventually(() -> assertThat(it.sample().acknowledged()).isGreaterThanOrEqualTo(before + more));
  }

  /** Nothing lost, nothing doubled, nothing left behind. */
  private static void awaitRest() {
    patience(LONGEST_UNTIL_REST).until(it.sample()::atRest);
    patience(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(it.sample().violations(broker.counts())).isEmpty());
    patience(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(it.shipmentsNotBilledOnce()).isZero());
  }

  private static void eventually(ThrowingRunnable assertion) {
    patience(Duration.ofSeconds(40)).untilAsserted(assertion);
  }

  private static List<String> ids(List<Letter> letters) {
    return new ArrayList<>(letters.stream().map(it -> it.id().toString()).toList());
  }

  private static UUID[] uuids(List<Letter> letters) {
    return letters.stream().map(Letter::id).toArray(UUID[]::new);
  }

  @SafeVarargs
  private static List<Letter> concat(List<Letter>... parts) {
    return List.of(parts).stream().flatMap(List::stream).toList();
  }
}
