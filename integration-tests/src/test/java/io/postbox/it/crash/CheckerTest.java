package io.postbox.it.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.it.crash.Event.Acknowledged;
import io.postbox.it.crash.Event.Unanswered;
import io.postbox.it.crash.FinalState.Message;
import io.postbox.it.crash.FinalState.Order;
import io.postbox.it.crash.FinalState.Quarantined;
import io.postbox.it.crash.FinalState.Shipment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A checker that cannot find anything proves nothing: each kind of fault is put in, and found. */
class CheckerTest {
  private static final String SKU = "BOOK-1";

  private final List<Event> history = new ArrayList<>();
  private final List<Order> orders = new ArrayList<>();
  private final List<Shipment> shipments = new ArrayList<>();
  private final Map<String, Long> stock = new TreeMap<>(Map.of(SKU, 1_000L));
  private final List<Message> outbox = new ArrayList<>();
  private final List<String> heldKeys = new ArrayList<>();
  private final List<Quarantined> quarantined = new ArrayList<>();
  private final Map<String, Long> queues = new TreeMap<>(Map.of("SHIPPING", 0L));
  private final List<String> inDoubt = new ArrayList<>();

  CheckerTest() {
    for (int id = 1; id <= 3; id++) {
      acknowledge(id, id);
      exists(id, id);
      ship(100 + id, id, id);
    }
  }

  @Test
  void aRunWithoutFaultsIsClean() {
    assertThat(check()).isEmpty();
  }

  @Test
  void anAcknowledgedOrderThatIsNotThereIsLost() {
    acknowledge(4, 1);
    assertThat(check()).containsExactly(new Violation.Lost(4));
  }

  @Test
  void anOrderWhoseMessageVanishedIsLost() {
    acknowledge(4, 1);
    exists(4, 1);
    orders.set(3, new Order(4, SKU, 1, "PLACED", id(4).toString()));
    assertThat(check()).containsExactly(new Violation.NotShipped(4));
  }

  @Test
  void anOrderWithoutAnAnswerMustBeShippedTooIfItExists() {
    unanswered(1);
    exists(4, 1);
    assertThat(check()).containsExactly(new Violation.NotShipped(4));
  }

  @Test
  void aShipmentThatItsOrderNeverHearsOfIsALostMessage() {
    orders.set(0, new Order(1, SKU, 1, "PLACED", id(1).toString()));
    assertThat(check()).containsExactly(new Violation.NotMarked(1, "PLACED"));
  }

  @Test
  void aSecondShipmentIsDoubled() {
    ship(104, 2, 2);
    assertThat(check()).containsExactly(new Violation.ShippedTwice(2, List.of(102L, 104L)));
  }

  @Test
  void aShipmentWithoutAnOrderIsAGhost() {
    ship(104, 4, 1);
    assertThat(check()).containsExactly(new Violation.GhostShipment(4, 104));
  }

  @Test
  void anOrderThatNobodyAskedForIsAGhost() {
    exists(4, 1);
    ship(104, 4, 1);
    assertThat(check()).containsExactly(new Violation.GhostOrder(4));
  }

  @Test
  void aRequestWithoutAnAnswerMayHaveHappenedOnceOrNotAtAll() {
    unanswered(1);
    assertThat(check()).isEmpty();
    exists(4, 1);
    ship(104, 4, 1);
    assertThat(check()).isEmpty();
    exists(5, 1);
    ship(105, 5, 1);
    assertThat(check()).containsExactly(new Violation.GhostOrder(5));
  }

  @Test
  void oneOrderAsTheAnswerToTwoRequestsIsFound() {
    acknowledge(1, 1);
    assertThat(check()).singleElement().isInstanceOf(Violation.Altered.class);
  }

  @Test
  void anOrderThatIsNotWhatWasAnsweredIsFound() {
    orders.set(0, new Order(1, SKU, 1, "SHIPPED", id(9).toString()));
    assertThat(check()).singleElement().isInstanceOf(Violation.Altered.class);
  }

  @Test
  void aShipmentOfSomethingElseIsFound() {
    shipments.set(0, new Shipment(101, 1, SKU, 2));
    stock.merge(SKU, -1L, Long::sum);
    assertThat(check()).singleElement().isInstanceOf(Violation.Altered.class);
  }

  @Test
  void stockThatDoesNotAgreeWithTheShipmentsIsFound() {
    stock.merge(SKU, -2L, Long::sum);
    assertThat(check()).containsExactly(new Violation.WrongStock(SKU, 994, 992));
  }

  @Test
  void whatIsLeftOnTheWayIsFound() {
    Message message = new Message(id(7).toString(), "shipping", 3, "DEAD", 10, "IOException");
    outbox.add(message);
    heldKeys.add("shipping Order:3");
    quarantined.add(new Quarantined("shipping", id(8).toString(), "OTHER_CONTENT"));
    queues.put("SHIPPING", 2L);
    inDoubt.add("xid");
    assertThat(check())
        .containsExactly(
            new Violation.LeftInOutbox(3, message),
            new Violation.KeyHeld("shipping Order:3"),
            new Violation.KeptAside(quarantined.get(0)),
            new Violation.LeftInQueue("SHIPPING", 2),
            new Violation.InDoubt("xid"));
  }

  @Test
  void aFailureTellsTheOrdersWholeLife() {
    ship(104, 2, 2);
    history.add(new Event.Marked(Duration.ofSeconds(10), 7, "killed"));
    history.add(new Event.Resent(Duration.ofSeconds(11), 2, "202"));

    Report report = new Report("h2", 42);
    report.begin(7, "-Drounds=7");
    String story = report.failure(history, state(), check());

    assertThat(story)
        .contains("-Drounds=7 -Dseed=42", "DOUBLED: order 2 has shipments [102, 104]")
        .containsSubsequence(
            "10.00 s  round 7: server killed",
            "2.00 s  order 2 (2 x BOOK-1), asked for at 1.90 s, answered 201",
            "10.00 s  round 7: server killed",
            "11.00 s  order 2 asked for again: 202",
            "in the end: Shipment[id=104, orderId=2");
  }

  @Test
  void aSeedAlwaysMeansTheSameRounds() {
    assertThat(Round.draw(42, 20)).isEqualTo(Round.draw(42, 100).subList(0, 20));
    assertThat(Round.draw(42, 20)).isNotEqualTo(Round.draw(43, 20));
    assertThat(Round.draw(42, 20)).anyMatch(round -> round.kills().size() == 2);
  }

  @Test
  void everyCrashPointHasItsTurnBeforeOneHasASecond() {
    List<CrashPoint> points = CrashPoint.on("h2");
    List<Strike> strikes = Strike.draw(42, points, 3 * points.size());

    assertThat(strikes.subList(0, points.size()))
        .extracting(Strike::point)
        .containsExactlyInAnyOrderElementsOf(points);
    assertThat(Strike.draw(42, points, 4)).isEqualTo(strikes.subList(0, 4));
    assertThat(points).contains(CrashPoint.H2_COMMITTED).doesNotContain(CrashPoint.XA_DECIDED);
  }

  private List<Violation> check() {
    return Checker.check(history, state());
  }

  private FinalState state() {
    return new FinalState(
        orders,
        shipments,
        Map.of(SKU, 1_000L),
        stock,
        outbox,
        heldKeys,
        quarantined,
        queues,
        inDoubt);
  }

  private void acknowledge(long orderId, int quantity) {
    Duration at = Duration.ofSeconds(orderId);
    history.add(new Acknowledged(at, at.minusMillis(100), orderId, id(orderId), SKU, quantity));
  }

  private void unanswered(int quantity) {
    Duration at = Duration.ofSeconds(9);
    history.add(new Unanswered(at, at.minusMillis(100), SKU, quantity, 0, "connection reset"));
  }

  private void exists(long orderId, int quantity) {
    orders.add(new Order(orderId, SKU, quantity, "SHIPPED", id(orderId).toString()));
  }

  private void ship(long id, long orderId, int quantity) {
    shipments.add(new Shipment(id, orderId, SKU, quantity));
    stock.merge(SKU, (long) -quantity, Long::sum);
  }

  private static UUID id(long orderId) {
    return new UUID(0, orderId);
  }
}
