package io.postbox.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.testkit.model.Event.Acknowledged;
import io.postbox.testkit.model.Event.Unanswered;
import io.postbox.testkit.model.FinalState.Captures;
import io.postbox.testkit.model.FinalState.HandledVersion;
import io.postbox.testkit.model.FinalState.Invoice;
import io.postbox.testkit.model.FinalState.KeptAside;
import io.postbox.testkit.model.FinalState.Message;
import io.postbox.testkit.model.FinalState.Order;
import io.postbox.testkit.model.FinalState.Shipment;
import io.postbox.testkit.model.FinalState.Stored;
import io.postbox.testkit.model.FinalState.Versions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A checker that cannot find anything proves nothing: each kind of fault is put in, and found. */
class CheckerTest {
  private static final String SKU = "BOOK-1";
  private static final int SIZE = 1_000;
  private static final Quota QUOTA = new Quota(3 * SIZE, 6, SIZE);

  private final List<Event> history = new ArrayList<>();
  private final List<Order> orders = new ArrayList<>();
  private final List<Shipment> shipments = new ArrayList<>();
  private final List<Invoice> invoices = new ArrayList<>();
  private final Map<String, Long> stock = new TreeMap<>(Map.of(SKU, 1_000L));
  private final List<Message> outbox = new ArrayList<>();
  private final List<String> heldKeys = new ArrayList<>();
  private final List<KeptAside> keptAside = new ArrayList<>();
  private final Set<String> handled = new TreeSet<>();
  private final List<Stored> captured = new ArrayList<>();
  private final List<String> capturedKeys = new ArrayList<>();
  private final List<String> withoutRow = new ArrayList<>();
  private final List<String> attempts = new ArrayList<>();
  private final List<HandledVersion> versions = new ArrayList<>();
  private final List<String> awaited = new ArrayList<>();
  private long billed;
  private final Map<String, Long> queues = new TreeMap<>(Map.of("SHIPPING", 0L));
  private final List<Sent> sent = new ArrayList<>();
  private final List<String> inDoubt = new ArrayList<>();

  CheckerTest() {
    for (int id = 1; id <= 3; id++) {
      acknowledge(id, id);
      exists(id, id);
      ship(100 + id, id, id);
      send(id);
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
    handled.add(id(9).toString());
    assertThat(check()).singleElement().isInstanceOf(Violation.Altered.class);
  }

  @Test
  void aShipmentOfSomethingElseIsFound() {
    shipments.set(0, new Shipment(101, 1, SKU, 2));
    stock.merge(SKU, -1L, Long::sum);
    assertThat(check()).singleElement().isInstanceOf(Violation.Altered.class);
  }

  @Test
  void aShipmentOfAnotherArticleIsFound() {
    shipments.set(0, new Shipment(101, 1, "PEN-1", 1));
    stock.merge(SKU, 1L, Long::sum);
    assertThat(check()).singleElement().isInstanceOf(Violation.Altered.class);
  }

  @Test
  void stockThatDoesNotAgreeWithTheShipmentsIsFound() {
    stock.merge(SKU, -2L, Long::sum);
    assertThat(check()).containsExactly(new Violation.WrongStock(SKU, 994, 992));
  }

  @Test
  void aMessageThatOvertakesAnEarlierOneOfItsKeyIsFound() {
    sent.clear();
    send(1);
    send(3);
    send(2);
    assertThat(check()).containsExactly(new Violation.OutOfOrder(2, SKU, 3));
  }

  @Test
  void onlyTheFirstSendingCounts() {
    send(1);
    send(3);
    send(2);
    assertThat(check()).isEmpty();
  }

  @Test
  void ofTwoOrdersAtTheSameTimeEitherMayBeFirst() {
    history.clear();
    for (int id = 1; id <= 3; id++) {
      history.add(
          new Acknowledged(
              Duration.ofSeconds(10 + id), Duration.ofSeconds(id), id, id(id), SKU, id));
    }
    sent.clear();
    send(3);
    send(1);
    send(2);
    assertThat(check()).isEmpty();
  }

  @Test
  void anOrderThatWasAskedForWhenTheOtherWasAnsweredMayBeFirstAndALaterOneMayNot() {
    history.clear();
    promise(1, 1, 5);
    promise(2, 5, 9);
    promise(3, 10, 12);
    sent.clear();
    send(2);
    send(1);
    send(3);
    assertThat(check()).isEmpty();
    history.set(1, new Acknowledged(seconds(9), seconds(6), 2, id(2), SKU, 2));
    assertThat(check()).containsExactly(new Violation.OutOfOrder(1, SKU, 2));
  }

  private void promise(long id, int asked, int answered) {
    history.add(new Acknowledged(seconds(answered), seconds(asked), id, id(id), SKU, (int) id));
  }

  private static Duration seconds(int number) {
    return Duration.ofSeconds(number);
  }

  @Test
  void otherKeysAndDestinationsHaveAnOrderOfTheirOwn() {
    sent.clear();
    sent.add(new Sent(1, id(3).toString(), "shipping", "other", true));
    sent.add(new Sent(2, id(2).toString(), "elsewhere", SKU, true));
    send(1);
    assertThat(check()).isEmpty();
  }

  @Test
  void aShippedOrderWhoseMessageNobodySawIsFound() {
    sent.remove(1);
    assertThat(check()).containsExactly(new Violation.Unseen(2));
  }

  @Test
  void anUnknownFirstSendIsNotJudgedByTheSecond() {
    sent.clear();
    tries(2);
    tries(1);
    send(1);
    tries(3);
    send(3);
    tries(2);
    send(2);
    assertThat(check()).isEmpty();
    sent.remove(0);
    assertThat(check()).containsExactly(new Violation.OutOfOrder(2, SKU, 3));
  }

  @Test
  void leftoversOnTheWayAreFound() {
    Message message = new Message(id(7).toString(), "shipping", 3, "DEAD", 10, "IOException");
    outbox.add(message);
    heldKeys.add("shipping Order:3");
    keptAside.add(new KeptAside("shipping", id(8).toString(), "OTHER_CONTENT", "", true, SIZE));
    queues.put("SHIPPING", 2L);
    inDoubt.add("xid");
    assertThat(check())
        .containsExactly(
            new Violation.LeftInOutbox(3, message),
            new Violation.KeyHeld("shipping Order:3"),
            new Violation.LeftInQueue("SHIPPING", 2),
            new Violation.InDoubt("xid"),
            new Violation.KeptAside(keptAside.get(0)));
  }

  @Test
  void aHostileMessageIsOnRecordForItsOwnReasonAndMoreThanOnceOnlyWithoutAnId() {
    UUID without = hostile(HostileMessage.WITHOUT_AN_ID, true);
    keep(without, "MISSING_ID");
    keep(without, "MISSING_ID");
    hostile(HostileMessage.HUGE, false);
    keep(hostile(HostileMessage.HUGE, false), "REJECTED");
    assertThat(check()).isEmpty();
  }

  @Test
  void aHostileMessageThatVanishedOrIsThereTwiceOrForAnotherReasonIsFound() {
    UUID lost = hostile(HostileMessage.WITHOUT_AN_ID, true);
    UUID twice = hostile(HostileMessage.HUGE, true);
    keep(twice, "REJECTED");
    keep(twice, "REJECTED");
    UUID other = hostile(HostileMessage.WITH_ANOTHER_BODY, false);
    keep(other, "TOO_MANY_FAILURES");
    assertThat(check())
        .containsExactly(
            new Violation.HostileNotOnRecord(HostileMessage.WITHOUT_AN_ID, lost, List.of()),
            new Violation.HostileNotOnRecord(HostileMessage.HUGE, twice, keptAside.subList(0, 2)),
            new Violation.HostileNotOnRecord(
                HostileMessage.WITH_ANOTHER_BODY, other, keptAside.subList(2, 3)));
  }

  /** The broker brings a question mark in its place after a restart. */
  @Test
  void aSecondDeliveryOfHalfACharacterMayBeAnotherMessageButNotInThePlaceOfTheFirst() {
    UUID both = hostile(HostileMessage.WITH_HALF_A_CHARACTER, true);
    keep(both, "REJECTED");
    keep(both, "OTHER_CONTENT");
    assertThat(check()).isEmpty();

    UUID alone = hostile(HostileMessage.WITH_HALF_A_CHARACTER, true);
    keep(alone, "OTHER_CONTENT");
    UUID whole = hostile(HostileMessage.WITH_CONTROL_CHARACTERS, true);
    keep(whole, "REJECTED");
    keep(whole, "OTHER_CONTENT");
    assertThat(check())
        .containsExactly(
            new Violation.HostileNotOnRecord(
                HostileMessage.WITH_HALF_A_CHARACTER, alone, keptAside.subList(2, 3)),
            new Violation.HostileNotOnRecord(
                HostileMessage.WITH_CONTROL_CHARACTERS, whole, keptAside.subList(3, 5)));
  }

  @Test
  void aForgedMessageThatIsSkippedOrKeptAsideIsFound() {
    UUID skipped = hostile(HostileMessage.FORGED_RECIPIENT, true);
    UUID kept = hostile(HostileMessage.FORGED_PROOF, true);
    handled.add(kept.toString());
    keep(kept, "REJECTED");
    handled.add(hostile(HostileMessage.FORGED_PROOF, true).toString());
    hostile(HostileMessage.FORGED_PROOF, false);
    assertThat(check())
        .containsExactly(
            new Violation.HostileNotOnRecord(HostileMessage.FORGED_PROOF, kept, keptAside),
            new Violation.HostileSkipped(HostileMessage.FORGED_RECIPIENT, skipped));
  }

  @Test
  void aBodyThatMustNotBeKeptIsFound() {
    UUID with = hostile(HostileMessage.OVERSIZED, true);
    keep(with, "BODY_TOO_LARGE");
    keepWithoutBody(hostile(HostileMessage.OVERSIZED, true), "BODY_TOO_LARGE");
    assertThat(check())
        .containsExactly(
            new Violation.HostileNotOnRecord(
                HostileMessage.OVERSIZED, with, keptAside.subList(0, 1)));
  }

  @Test
  void eachMessageThatWasForwardedIsInTheDeadQueueOnce() {
    keepWithoutBody(hostile(HostileMessage.OBJECT_WITHOUT_AN_ID, true), "MISSING_ID");
    keep(hostile(HostileMessage.WITHOUT_AN_ID, true), "MISSING_ID");
    queues.put("node-1 " + HostileMessage.DEAD_QUEUE, 1L);
    assertThat(check()).isEmpty();
    queues.put("node-1 " + HostileMessage.DEAD_QUEUE, 2L);
    assertThat(check()).containsExactly(new Violation.Forwarded(1, 2));
  }

  @Test
  void moreThanAConsumerMayHaveKeptAsideIsFound() {
    flood(4);
    assertThat(check(QUOTA)).isEmpty();
    flood(1);
    assertThat(check(QUOTA)).containsExactly(new Violation.Filled(5, 5 * SIZE));
  }

  @Test
  void moreRowsThanAConsumerMayHaveAreFound() {
    flood(4);
    for (int i = 0; i < 3; i++) {
      keepWithoutBody(hostile(HostileMessage.FLOOD, true), "MISSING_ID");
    }
    assertThat(check(QUOTA)).containsExactly(new Violation.Filled(7, 4 * SIZE + 3 * 100));
  }

  @Test
  void aBodyThatIsDroppedWhileThereIsRoomIsLost() {
    flood(1);
    keepWithoutBody(hostile(HostileMessage.OVERSIZED, true), "BODY_TOO_LARGE");
    assertThat(check(new Quota(10 * SIZE, 20, SIZE))).isEmpty();
    keepWithoutBody(hostile(HostileMessage.FLOOD, true), "MISSING_ID");
    assertThat(check(new Quota(10 * SIZE, 20, SIZE)))
        .containsExactly(new Violation.BodiesDropped(1, SIZE + 2 * 100));
    flood(4);
    assertThat(check(new Quota(10 * SIZE, 20, SIZE))).isEmpty();
  }

  @Test
  void aShipmentWithoutAnInvoiceIsALostMessage() {
    invoices.remove(1);
    billed--;
    assertThat(check()).containsExactly(new Violation.NotBilled(2, 102));
  }

  @Test
  void aSecondInvoiceIsDoubled() {
    bill(204, 2, 102);
    assertThat(check()).containsExactly(new Violation.BilledTwice(2, List.of(202L, 204L)));
  }

  @Test
  void anInvoiceWithoutItsShipmentIsAGhost() {
    bill(204, 2, 104);
    billed++;
    assertThat(check()).containsExactly(new Violation.GhostInvoice(invoices.get(3)));
    bill(205, 1, 102);
    assertThat(check())
        .containsExactly(
            new Violation.BilledTwice(2, List.of(202L, 205L)),
            new Violation.GhostInvoice(invoices.get(3)),
            new Violation.GhostInvoice(invoices.get(4)));
  }

  @Test
  void aCapturedMessageThatIsHandledBeforeAnEarlierOneOfItsKeyIsFound() {
    capture(1, "PROCESSED");
    capture(3, "PROCESSED");
    capture(2, "PROCESSED");
    assertThat(check()).containsExactly(new Violation.HandledOutOfOrder(3, SKU, 2));
    captured.set(1, new Stored("shipping", id(3).toString(), "other", "PROCESSED"));
    assertThat(check()).isEmpty();
    captured.set(1, new Stored("shipping", id(3).toString(), "", "PROCESSED"));
    captured.set(2, new Stored("shipping", id(2).toString(), "", "PROCESSED"));
    assertThat(check()).isEmpty();
  }

  @Test
  void ofACapturedMessageThatIsHandledTwiceTheFirstTimeCounts() {
    capture(1, "PROCESSED");
    capture(2, "PROCESSED");
    capture(3, "PROCESSED");
    ship(104, 1, 1);
    assertThat(check()).containsExactly(new Violation.ShippedTwice(1, List.of(101L, 104L)));
  }

  @Test
  void aStoredMessageThatIsNotHandledIsFoundUnlessItIsParked() {
    capture(7, "HELD");
    captured.add(new Stored("shipping", id(8).toString(), "", "HANDED_BACK"));
    UUID rejected = hostile(HostileMessage.HUGE, true);
    captured.add(new Stored("shipping", rejected.toString(), "", "PARKED"));
    keptAside.add(
        new KeptAside(
            "shipping", rejected.toString(), "REJECTED", rejected.toString(), true, SIZE));
    assertThat(check())
        .containsExactly(
            new Violation.LeftStored(captured.get(0)), new Violation.LeftStored(captured.get(1)));
  }

  @Test
  void aKeyWithoutUnfinishedMessagesIsHeld() {
    capturedKeys.add("shipping " + SKU);
    assertThat(check()).containsExactly(new Violation.KeyHeld("captured by shipping " + SKU));
    UUID rejected = hostile(HostileMessage.HUGE, true);
    captured.add(new Stored("shipping", rejected.toString(), SKU, "PARKED"));
    keptAside.add(
        new KeptAside(
            "shipping", rejected.toString(), "REJECTED", rejected.toString(), true, SIZE));
    assertThat(check()).isEmpty();
  }

  @Test
  void aCapturedMessageThatVanishedAndAnAttemptThatNobodyMakesAreFound() {
    withoutRow.add("billing 7");
    attempts.add("8 of 'billing' by node-1");
    assertThat(check())
        .containsExactly(
            new Violation.CapturedAndGone("billing 7"),
            new Violation.LeftAtWork("8 of 'billing' by node-1"));
  }

  @Test
  void anIdThatIsForgottenIsFoundUnlessTheRetentionIsShort() {
    handled.remove(id(2).toString());
    billed--;
    assertThat(check())
        .containsExactly(new Violation.Forgotten(2), new Violation.WrongMemory("billing", 3, 2));
    assertThat(Checker.check(history, state(), new Terms(Quota.NONE, true))).isEmpty();
  }

  @Test
  void versionsThatAreHandledOnceAndInOrderAreClean() {
    versions(true, 3, 1, 2);
    versions(false, 4);
    handle(2, 1);
    handle(1, 0);
    handle(3, 2);
    assertThat(check()).isEmpty();
    handle(4, 3);
    assertThat(check()).isEmpty();
  }

  @Test
  void aVersionThatIsNotHandledIsLostAndOneThatNobodySentIsAGhost() {
    versions(true, 1, 2);
    handle(1, 0);
    assertThat(check()).containsExactly(new Violation.VersionLost("a", 2));
    handle(2, 1);
    handle(3, 2);
    assertThat(check()).containsExactly(new Violation.GhostVersion("a", 3));
  }

  @Test
  void aVersionThatIsHandledBeforeTheOneBeforeItHasCommittedIsFound() {
    versions(true, 1, 2, 3);
    handle(1, 0);
    handle(2, 0);
    handle(3, 2);
    assertThat(check()).containsExactly(new Violation.VersionOutOfOrder("a", 2, 0));
  }

  @Test
  void aVersionThatIsHandledTwiceIsDoubled() {
    versions(true, 1, 2);
    handle(1, 0);
    handle(2, 2);
    handle(2, 1);
    assertThat(check()).containsExactly(new Violation.VersionHandledTwice("a", 2, 2));
  }

  @Test
  void aVersionThatIsTakenForMissingIsFound() {
    awaited.add("a");
    assertThat(check()).containsExactly(new Violation.VersionAwaited("a"));
  }

  private void versions(boolean isSent, long... numbers) {
    history.add(
        new Event.VersionsSent(
            Duration.ofSeconds(9), "a", LongStream.of(numbers).boxed().toList(), isSent));
  }

  private void handle(long version, long after) {
    versions.add(new HandledVersion("a", version, after));
  }

  private void flood(int number) {
    for (int i = 0; i < number; i++) {
      keep(hostile(HostileMessage.FLOOD, true), "MISSING_ID");
    }
  }

  private void keepWithoutBody(UUID tag, String reason) {
    keptAside.add(new KeptAside("shipping", "", reason, tag.toString(), false, 100));
  }

  private List<Violation> check(Quota quota) {
    return Checker.check(history, state(), new Terms(quota, false));
  }

  private UUID hostile(HostileMessage kind, boolean isSent) {
    UUID tag = id(1_000 + history.size());
    history.add(new Event.HostileSent(Duration.ofSeconds(9), kind, tag, isSent));
    return tag;
  }

  private void keep(UUID tag, String reason) {
    keptAside.add(new KeptAside("shipping", "", reason, tag.toString(), true, SIZE));
  }

  private List<Violation> check() {
    return Checker.check(history, state());
  }

  private FinalState state() {
    return new FinalState(
        orders,
        shipments,
        invoices,
        Map.of(SKU, 1_000L),
        stock,
        outbox,
        heldKeys,
        keptAside,
        handled,
        new Captures(captured, capturedKeys, withoutRow, billed, attempts),
        new Versions(
            versions, awaited, versions.stream().map(HandledVersion::version).distinct().count()),
        FinalState.Jobs.NONE,
        queues,
        sent,
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
    handled.add(id(orderId).toString());
    bill(100 + id, orderId, id);
    billed++;
  }

  private void bill(long id, long orderId, long shipmentId) {
    invoices.add(new Invoice(id, orderId, shipmentId));
  }

  private void capture(long orderId, String status) {
    captured.add(new Stored("shipping", id(orderId).toString(), SKU, status));
  }

  private void send(long orderId) {
    sent.add(new Sent(sent.size(), id(orderId).toString(), "shipping", SKU, true));
  }

  private void tries(long orderId) {
    sent.add(new Sent(sent.size(), id(orderId).toString(), "shipping", SKU, false));
  }

  private static UUID id(long orderId) {
    return new UUID(0, orderId);
  }
}
