package io.postbox.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.postbox.testkit.model.Event.Place;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A line of a failed campaign is all that somebody has to begin with. */
class ViolationTest {
  private static final Duration ONE = Duration.ofSeconds(1);
  private static final Duration TWO = Duration.ofSeconds(2);
  private static final FinalState.Message MESSAGE =
      new FinalState.Message("m-3", "shipping", 3, "DEAD", 10, "IOException");
  private static final UUID TAG = new UUID(1, 2);
  private static final FinalState.KeptAside KEPT =
      new FinalState.KeptAside("shipping", "m-8", "OTHER_CONTENT", "", true, 9);

  private static final FinalState.Invoice INVOICE = new FinalState.Invoice(201, 3, 101);
  private static final FinalState.Stored CAPTURED =
      new FinalState.Stored("billing", "m-8", "Order:3", "HELD");

  @ParameterizedTest
  @MethodSource("violations")
  void itSaysWhatIsWrongAndWithWhichOrder(Violation violation, long orderId, String what) {
    assertThat(violation.what()).isEqualTo(what);
    assertThat(violation.orderId()).isEqualTo(orderId);
  }

  static Stream<Arguments> violations() {
    return Stream.of(
        arguments(new Violation.Lost(3), 3, "LOST: order 3 was answered 201 and does not exist"),
        arguments(new Violation.NotShipped(3), 3, "LOST: order 3 has no shipment"),
        arguments(
            new Violation.NotMarked(3, "PLACED"),
            3,
            "LOST: order 3 has a shipment and is still PLACED"),
        arguments(
            new Violation.ShippedTwice(3, List.of(101L, 102L)),
            3,
            "DOUBLED: order 3 has shipments [101, 102]"),
        arguments(
            new Violation.GhostShipment(3, 101),
            3,
            "GHOST: shipment 101 is for order 3, which does not exist"),
        arguments(
            new Violation.NotBilled(3, 101), 3, "LOST: shipment 101 of order 3 has no invoice"),
        arguments(
            new Violation.BilledTwice(3, List.of(201L, 202L)),
            3,
            "DOUBLED: a shipment of order 3 has invoices [201, 202]"),
        arguments(
            new Violation.GhostInvoice(INVOICE), 3, "GHOST: no shipment is as it says: " + INVOICE),
        arguments(
            new Violation.HandledOutOfOrder(3, "BOOK-1", 4),
            3,
            "OUT OF ORDER: order 3 was captured before order 4 and handled after it, both of key"
                + " 'BOOK-1'"),
        arguments(new Violation.LeftStored(CAPTURED), 0, "LEFT IN THE INBOX: " + CAPTURED),
        arguments(
            new Violation.CapturedAndGone("billing m-8"),
            0,
            "LOST: the inbox has captured message billing m-8 and has no row of it"),
        arguments(
            new Violation.LeftAtWork("m-8 of 'billing' by node-1"),
            0,
            "LEFT AT WORK: an attempt at message m-8 of 'billing' by node-1"),
        arguments(
            new Violation.Forgotten(3),
            3,
            "FORGOTTEN: order 3 is shipped, and its message is not remembered"),
        arguments(
            new Violation.WrongMemory("billing", 3, 2),
            0,
            "WRONG MEMORY: billing has handled 3 messages, of which 2 are remembered"),
        arguments(new Violation.GhostOrder(3), 3, "GHOST: nobody asked for order 3"),
        arguments(new Violation.Altered(3, "is another"), 3, "ALTERED: order 3: is another"),
        arguments(
            new Violation.OutOfOrder(3, "BOOK-1", 4),
            3,
            "OUT OF ORDER: the message of order 3 was overtaken by that of order 4, both of key"
                + " 'BOOK-1'"),
        arguments(
            new Violation.Unseen(3),
            3,
            "UNSEEN: order 3 is shipped, and nobody saw its message being sent"),
        arguments(new Violation.NotAtRest(3, "KILLED"), 0, "NOT AT REST after round 3: KILLED"),
        arguments(new Violation.WrongCounts(3, "dead=1"), 0, "WRONG COUNTS after round 3: dead=1"),
        arguments(
            new Violation.WrongStock("BOOK-1", 7, 8), 0, "WRONG STOCK of BOOK-1: 8 instead of 7"),
        arguments(new Violation.LeftInOutbox(3, MESSAGE), 3, "LEFT IN THE OUTBOX: " + MESSAGE),
        arguments(new Violation.KeyHeld("Order:3"), 0, "HELD: ordering key Order:3"),
        arguments(
            new Violation.HostileNotOnRecord(HostileMessage.HUGE, TAG, List.of(KEPT)),
            0,
            "HOSTILE, and not kept aside as it has to be: HUGE " + TAG + ": [" + KEPT + "]"),
        arguments(
            new Violation.HostileSkipped(HostileMessage.FORGED_PROOF, TAG),
            0,
            "SKIPPED: FORGED_PROOF " + TAG + " was to be handled"),
        arguments(new Violation.Filled(3, 4_000), 0, "FILLED: 4000 bytes in 3 rows are kept aside"),
        arguments(
            new Violation.BodiesDropped(3, 400),
            0,
            "LOST: the bodies of 3 messages, with only 400 bytes kept aside"),
        arguments(
            new Violation.Forwarded(3, 4),
            0,
            "FORWARDED: 3 messages are on record, 4 in the dead queue"),
        arguments(
            new Violation.Grows("under load", "heap rises"), 0, "GROWS, under load: heap rises"),
        arguments(new Violation.KeptAside(KEPT), 0, "KEPT ASIDE: " + KEPT),
        arguments(new Violation.LeftInQueue("SHIPPING", 2), 0, "LEFT IN QUEUE SHIPPING: 2"),
        arguments(
            new Violation.VersionLost("a", 2),
            0,
            "LOST: version 2 of a was sent and is not handled"),
        arguments(
            new Violation.VersionHandledTwice("a", 2, 3),
            0,
            "DOUBLED: version 2 of a is handled 3 times"),
        arguments(new Violation.GhostVersion("a", 2), 0, "GHOST: nobody sent version 2 of a"),
        arguments(
            new Violation.VersionOutOfOrder("a", 3, 1),
            0,
            "OUT OF ORDER: version 3 of a was handled after version 1"),
        arguments(new Violation.VersionAwaited("a"), 0, "AWAITED: a version of a"),
        arguments(
            new Violation.JobLost(7), 0, "LOST: job 7 has no effect, and nobody discarded it"),
        arguments(
            new Violation.JobDoubled(7, 2, 1),
            0,
            "DOUBLED: job 7 has 2 effects, of which 1 were asked for"),
        arguments(new Violation.GhostJob(7), 0, "GHOST: nobody enqueued job 7"),
        arguments(
            new Violation.JobUndecided(7, Place.INBOX, ONE, TWO),
            0,
            "UNDECIDED: job 7 was seen kept in the INBOX at PT1S, and went on at PT2S without a"
                + " decision"),
        arguments(
            new Violation.JobAfterDiscard(7, ONE, TWO),
            0,
            "DISCARDED: job 7 was discarded at PT1S, and went on at PT2S"),
        arguments(
            new Violation.JobBeforeTheFirst(7, 6, TWO),
            0,
            "FIRST: job 7 went at PT2S, and the redrive was to wait for job 6"),
        arguments(
            new Violation.JobOutOfOrder(7, "k", 8),
            0,
            "OUT OF ORDER: job 7 was overtaken by job 8, both of key 'k'"),
        arguments(new Violation.JobAltered(7, "7;lot"), 0, "ALTERED: job 7 took effect as '7;lot'"),
        arguments(
            new Violation.JobDuringPause(7, "jobs", TWO),
            0,
            "PAUSED: job 7 was sent at PT2S, while its destination 'jobs' was paused"),
        arguments(
            new Violation.ActionMiscounts("a", "redrive", 3, 2),
            0,
            "ACTION: redrive a has changed 2 messages of the 3 that its plan counted"),
        arguments(new Violation.InDoubt("xid"), 0, "IN DOUBT: prepared transaction xid"));
  }
}
