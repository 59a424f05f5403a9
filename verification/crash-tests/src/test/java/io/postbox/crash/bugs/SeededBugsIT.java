package io.postbox.crash.bugs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.crash.topology.Node;
import io.postbox.crash.topology.Nodes;
import io.postbox.crash.topology.Settings;
import io.postbox.testkit.database.Tables;
import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.model.HostileMessage;
import io.postbox.testkit.model.Violation;
import io.postbox.testkit.model.Violation.GhostShipment;
import io.postbox.testkit.model.Violation.HostileSkipped;
import io.postbox.testkit.model.Violation.KeptAside;
import io.postbox.testkit.model.Violation.LeftInOutbox;
import io.postbox.testkit.model.Violation.LeftInQueue;
import io.postbox.testkit.model.Violation.LeftStored;
import io.postbox.testkit.model.Violation.NotShipped;
import io.postbox.testkit.model.Violation.OutOfOrder;
import io.postbox.testkit.model.Violation.ShippedTwice;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * A checker that finds nothing says something only if it would have found something. So the product
 * is given one bug after the other, and each has to be found for what it is, all the way from the
 * client to the tables. A bug's damage stays, so each test is about new messages.
 */
@Tag("crash")
@TestMethodOrder(OrderAnnotation.class)
class SeededBugsIT {
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final Duration STAYS = Duration.ofMillis(500);
  private static final Set<Violation> known = new HashSet<>();
  private static @Nullable Nodes started;

  @BeforeAll
  static void start() {
    started = Nodes.onPostgres(Settings.read(), "seeded-bugs", 1, Map.of());
    started.get(0).rules().load(SeededBug.all());
    started.start();
  }

  @AfterAll
  static void stop() {
    if (started != null) {
      started.close();
    }
  }

  @BeforeEach
  void aSleepingBugDoesNoHarm() {
    order();
    awaitFound();
  }

  @Test
  @Order(1)
  void aMessageMarkedAsSentAndNotSentIsLost() {
    seed(SeededBug.COMPLETE_WITHOUT_SEND);
    Acknowledged order = order();

    awaitFound(SeededBug.COMPLETE_WITHOUT_SEND, isLost(order));
  }

  @Test
  @Order(2)
  void aMessageWithoutAWakeUpStaysInTheOutbox() {
    seed(SeededBug.LOSE_WAKE_UPS);
    Acknowledged order = order();

    awaitFound(
        SeededBug.LOSE_WAKE_UPS,
        isLost(order),
        it -> it instanceof LeftInOutbox && it.orderId() == order.orderId());
  }

  @Test
  @Order(3)
  void aDuplicateThatIsHandledIsDoubled() {
    Acknowledged order = order();
    nodes().awaitShipped(List.of(order));
    awaitFound();
    seed(SeededBug.HANDLE_DUPLICATES);
    nodes().resend(node(), order);

    awaitFound(
        SeededBug.HANDLE_DUPLICATES,
        it -> it instanceof ShippedTwice && it.orderId() == order.orderId());
  }

  /** On PostgreSQL, which goes on with no transaction in which a statement has failed. */
  @Test
  @Order(4)
  void aDuplicateWhoseInsertIsCaughtGoesRoundForEver() {
    Acknowledged order = order();
    nodes().awaitShipped(List.of(order));
    awaitFound();
    seed(SeededBug.INSERT_AND_CATCH);
    nodes().resend(node(), order);

    awaitFound(SeededBug.INSERT_AND_CATCH, LeftInQueue.class::isInstance);
  }

  @Test
  @Order(5)
  void aFailureThatIsSwallowedIsALoss() {
    seed(SeededBug.SWALLOW_THE_HANDLERS_FAILURE);
    Acknowledged order = order();

    awaitFound(SeededBug.SWALLOW_THE_HANDLERS_FAILURE, isLost(order));
  }

  @Test
  @Order(6)
  void anInboxRowThatOutlivesItsTransactionIsALoss() {
    seed(SeededBug.INBOX_ROW_IN_A_TRANSACTION_OF_ITS_OWN);
    Acknowledged order = order();

    awaitFound(SeededBug.INBOX_ROW_IN_A_TRANSACTION_OF_ITS_OWN, isLost(order));
  }

  @Test
  @Order(7)
  void aRowOfTheInboxForWhatIsParkedMakesItsRedriveALoss() {
    Acknowledged shipped = order();
    nodes().awaitShipped(List.of(shipped));
    seed(SeededBug.PARK_WITH_AN_INBOX_ROW);
    Acknowledged order = order();
    await("its message is parked")
        .atMost(LONGEST)
        .until(() -> nodes().check().stream().anyMatch(KeptAside.class::isInstance));
    nodes().resend(node(), shipped);

    awaitFound(SeededBug.PARK_WITH_AN_INBOX_ROW, isLost(order));
  }

  @Test
  @Order(8)
  void aForgedProofThatIsBelievedHidesAMessageFromItsConsumer() {
    seed(SeededBug.BELIEVE_ANY_PROOF);
    UUID tag = UUID.randomUUID();
    nodes().sendHostileMessage(node(), HostileMessage.FORGED_PROOF, tag);

    awaitFound(
        SeededBug.BELIEVE_ANY_PROOF, new HostileSkipped(HostileMessage.FORGED_PROOF, tag)::equals);
  }

  @Test
  @Order(9)
  void messagesOfAKeyThatChangePlacesAreOutOfOrder() throws Exception {
    Acknowledged first;
    Acknowledged second;
    seed(SeededBug.SEND_BACKWARDS);
    try (Connection past = nodes().database().connect()) {
      Tables.claimAllPartitions(past); // so that they go in one batch
      first = order();
      second = order();
      past.rollback();
    }

    awaitFound(
        SeededBug.SEND_BACKWARDS,
        new OutOfOrder(first.orderId(), first.sku(), second.orderId())::equals);
  }

  @Test
  @Order(10)
  void aMessageDeletedBeforeItIsSentIsLostInACrash() throws Exception {
    Acknowledged order;
    try (Connection past = nodes().database().connect()) {
      Tables.claimAllPartitions(past); // so that the client is answered before the crash
      order = order();
      seed(SeededBug.DELETE_BEFORE_SEND);
      past.rollback();
    }
    node().awaitDeathAt(SeededBug.DELETE_BEFORE_SEND.name());
    node().rules().disarm(SeededBug.DELETE_BEFORE_SEND.name());
    nodes().startAgain();

    awaitFound(isLost(order));
  }

  /** The last one, because the answer to a ghost is retried for longer than the test takes. */
  @Test
  @Order(11)
  void aMessageThatDoesNotRollBackWithItsCauseIsAGhost() {
    seed(SeededBug.ENQUEUE_OUTSIDE_OF_THE_TRANSACTION);
    nodes().orderInVain(node());

    awaitFound(
        SeededBug.ENQUEUE_OUTSIDE_OF_THE_TRANSACTION,
        GhostShipment.class::isInstance,
        LeftStored.class::isInstance);
  }

  private static Nodes nodes() {
    return Objects.requireNonNull(started);
  }

  private static Node node() {
    return nodes().get(0);
  }

  private static Acknowledged order() {
    return nodes().order(node(), 1).get(0);
  }

  private static void seed(SeededBug bug) {
    node().rules().arm(bug.name());
  }

  private static Predicate<Violation> isLost(Acknowledged order) {
    return new NotShipped(order.orderId())::equals;
  }

  /** Waits until the bug has had an effect and is found; then takes it out. */
  @SafeVarargs
  private static void awaitFound(SeededBug bug, Predicate<Violation>... expected) {
    await(bug + " has an effect").atMost(LONGEST).until(() -> node().rules().wasHit(bug.name()));
    awaitFound(expected);
    node().rules().disarm(bug.name());
  }

  /** Waits until what is new is exactly this, and stays so. */
  @SafeVarargs
  private static void awaitFound(Predicate<Violation>... expected) {
    List<Violation> found = new ArrayList<>();
    await("violations")
        .atMost(LONGEST)
        .during(STAYS)
        .untilAsserted(
            () -> {
              found.clear();
              found.addAll(nodes().check());
              found.removeAll(known);
              assertThat(found).hasSize(expected.length);
              for (Predicate<Violation> one : expected) {
                assertThat(found).anyMatch(one);
              }
            });
    known.addAll(found);
  }
}
