package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.InboxException;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.Body;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Failure.Kind;
import io.postbox.inbox.message.MessageId.Unusable;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.TestDelivery;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages whose body cannot be kept, or not even read: they go round so often and no more. */
class UnkeepableTest {
  private static final int ATTEMPTS = 3;
  private static final int BUDGET = 20;
  private static final TestDelivery WITHOUT_ID =
      TestDelivery.of(new Unusable(QuarantineReason.MISSING_ID));
  private static final Body UNREADABLE =
      new Body.Unreadable("ID:9", new OutOfMemoryError("Java heap space"));

  private static final String COPY = "copy:" + TestDelivery.FINGERPRINT.sha256();

  private final FakeBroker broker =
      new FakeBroker(
          TestConfig.shop(
              Map.of(
                  "max-attempts",
                  String.valueOf(ATTEMPTS),
                  "max-transient-failures",
                  String.valueOf(BUDGET))));

  @Test
  void anObjectMessageWithoutAnIdComesSoOftenAndIsThenKeptWithoutItsBody() {
    try (LogLines lines = new LogLines()) {
      broker.send(WITHOUT_ID.thatCannotBeKept());
      broker.run(1_000);

      assertKept(QuarantineReason.MISSING_ID);
      assertCountedAs("ID:7");
      assertThat(broker.delays).isEmpty();
      assertThat(lines.all())
          .filteredOn(line -> line.startsWith("IBX0010 ") || line.startsWith("IBX0152 "))
          .hasSize(2)
          .last()
          .asString()
          .startsWith("IBX0152 ")
          .contains("without its body");
    }
  }

  @Test
  void oneThatHasNoNameEitherIsQuarantinedAtItsRedelivery() {
    broker.send(WITHOUT_ID.with(new Body.Opaque("")));
    broker.run(10);

    assertKept(QuarantineReason.MISSING_ID);
  }

  @Test
  void anObjectMessageWithAnIdIsNeverLost() {
    broker.handler =
        run -> {
          throw new IllegalStateException("no stock");
        };

    broker.send(TestDelivery.of("id-1").thatCannotBeKept());
    broker.run(1_000);

    assertThat(broker.isEmpty()).isFalse();
    assertThat(broker.store.quarantined).isEmpty();
    assertThat(broker.store.parked).isEmpty();
  }

  @Test
  void aBodyThatCannotBeReadIsTriedSoOftenAndThenTheRestIsKept() {
    broker.send(TestDelivery.of("id-1").with(UNREADABLE));
    broker.run(10 * BUDGET);

    assertKept(QuarantineReason.BODY_UNREADABLE);
    assertThat(broker.store.quarantined.get(0).messageId()).isEqualTo("id-1");
    assertCountedAs("ID:9");
    assertThat(broker.failures.get(0).reason()).contains("Java heap space");
    assertThat(broker.holds).as("one second each").isEqualTo(BUDGET);
    assertThat(broker.delays).as("what cannot be read is not copied").isEmpty();
  }

  @Test
  void alsoWithoutAnId() {
    broker.send(WITHOUT_ID.with(UNREADABLE));
    broker.run(10 * BUDGET);

    assertKept(QuarantineReason.BODY_UNREADABLE);
    assertCountedAs("ID:9");
  }

  @Test
  void withoutAnyNameItsRedeliveryIsItsLastTry() {
    broker.send(WITHOUT_ID.with(new Body.Unreadable("", new IllegalStateException("torn"))));
    broker.run(10);

    assertKept(QuarantineReason.BODY_UNREADABLE);
    assertThat(broker.failures).isEmpty();
    assertThat(broker.holds).isEqualTo(1);
  }

  @Test
  void aBodyThatCanBeReadInTheEndIsHandled() {
    TestDelivery unreadable = TestDelivery.of("id-1").with(UNREADABLE);
    broker.deliver(unreadable);
    broker.deliver(unreadable);

    broker.deliver(TestDelivery.of("id-1"));

    assertThat(broker.store.remembered).hasSize(1);
    assertThat(broker.store.quarantined).isEmpty();
  }

  @Test
  void anOutageOfTheInboxsDatabaseUsesNothingUp() {
    broker.databaseIsDown = true;
    broker.send(TestDelivery.of("id-1").with(UNREADABLE));
    broker.run(10 * BUDGET);

    assertThat(broker.failures).isEmpty();
    assertThat(broker.isEmpty()).isFalse();
  }

  @Test
  void aTooLargeMessageIsKeptWithoutItsBodyAtOnce() {
    broker.send(TestDelivery.of("id-1").with(new Body.TooLarge(11, 10)));
    broker.run(10);

    assertKept(QuarantineReason.BODY_TOO_LARGE);
    assertThat(broker.failures).isEmpty();
    assertThat(broker.holds).isZero();
  }

  @Test
  void withADeadQueueNothingIsLostAndNothingGoesRound() {
    broker.canForward = true;
    broker.handler =
        run -> {
          throw new RejectedMessageException("never");
        };
    try (LogLines lines = new LogLines()) {
      broker.send(WITHOUT_ID.thatCannotBeKept());
      broker.send(WITHOUT_ID.with(new Body.TooLarge(11, 10)));
      broker.send(WITHOUT_ID.with(UNREADABLE));
      broker.send(TestDelivery.of("id-1").thatCannotBeKept());
      broker.run(10 * BUDGET);

      assertThat(broker.isEmpty()).isTrue();
      assertThat(broker.forwarded).isEqualTo(4);
      assertThat(broker.store.quarantined)
          .hasSize(3)
          .extracting(kept -> kept.delivery().content().get().type())
          .containsOnly(BodyType.NOT_KEPT);
      assertThat(broker.store.parked)
          .singleElement()
          .extracting(kept -> kept.delivery().content().get().type())
          .isEqualTo(BodyType.NOT_KEPT);
      assertThat(lines.all()).filteredOn(line -> line.startsWith("IBX0153 ")).hasSize(4);
      assertThat(lines.all()).noneMatch(line -> line.startsWith("IBX0152 "));
    }
  }

  @Test
  void aDeadQueueThatIsNotThereLosesNothing() {
    broker.canForward = true;
    broker.sendingFails = true;

    broker.send(TestDelivery.of("id-1").with(new Body.TooLarge(11, 10)));
    broker.run(10);

    assertThat(broker.isEmpty()).isFalse();
    assertThat(broker.store.quarantined).isEmpty();
    assertThat(broker.holds).as("it holds its listener up each time").isPositive();
  }

  @Test
  void aBodyForWhoseCopyThereIsNoMemoryIsTriedSoOftenAndThenTheRestIsQuarantined() {
    broker.cannotBeCopied = true;

    broker.send(WITHOUT_ID);
    broker.run(10 * BUDGET);

    assertKept(QuarantineReason.MISSING_ID);
    assertCountedAs(COPY);
    assertThat(broker.failures.get(0).reason()).contains("Java heap space");
    assertThat(broker.holds).as("one second each").isEqualTo(BUDGET);
  }

  @Test
  void alsoOfAMessageThatIsToBeParkedAndItsLineSaysSo() {
    broker.cannotBeCopied = true;
    broker.handler =
        run -> {
          throw new RejectedMessageException("never");
        };
    try (LogLines lines = new LogLines()) {
      broker.send(TestDelivery.of("id-1"));
      broker.run(10 * BUDGET);

      assertThat(broker.isEmpty()).isTrue();
      assertThat(broker.store.parked)
          .singleElement()
          .satisfies(
              kept -> {
                assertThat(kept.reason()).isEqualTo(ParkReason.REJECTED);
                assertThat(kept.delivery().content().get().type()).isEqualTo(BodyType.NOT_KEPT);
              });
      assertThat(lines.all())
          .filteredOn(line -> line.startsWith("IBX0009 "))
          .singleElement()
          .asString()
          .contains("kept without its body");
    }
    assertThat(broker.failures.stream().filter(it -> it.messageId().equals("id-1")))
        .as("what was the handler's")
        .singleElement()
        .extracting(Failure::kind)
        .isEqualTo(Kind.REJECTED);
  }

  @Test
  void aCopyThatSucceedsInTheEndIsWhole() {
    broker.cannotBeCopied = true;
    broker.send(WITHOUT_ID);
    broker.run(BUDGET - 1);
    broker.cannotBeCopied = false;

    broker.run(1);

    assertThat(broker.store.quarantined)
        .singleElement()
        .extracting(kept -> kept.delivery().content().get().type())
        .isEqualTo(BodyType.TEXT);
  }

  @Test
  void withADeadQueueABodyThatCannotBeCopiedIsForwardedInTheEnd() {
    broker.canForward = true;
    broker.cannotBeCopied = true;

    broker.send(WITHOUT_ID);
    broker.run(10 * BUDGET);

    assertKept(QuarantineReason.MISSING_ID);
    assertThat(broker.forwarded).isOne();
  }

  /** The ways in which a time-out ends the storing of a message. */
  enum TimeOut {
    MARKS_THE_TRANSACTION {
      @Override
      void in(FakeBroker broker) {
        broker.transaction.setRollbackOnly();
      }
    },
    ENDS_THE_TRANSACTION {
      @Override
      void in(FakeBroker broker) {
        broker.transaction.setRollbackOnly();
        broker.transaction.commit();
      }
    },
    CANCELS_THE_STATEMENT {
      @Override
      void in(FakeBroker broker) {
        throw new InboxException("not stored", new SQLException("took too long", "57014"));
      }
    };

    abstract void in(FakeBroker broker);
  }

  @ParameterizedTest
  @EnumSource
  void aMessageThatIsNeverStoredInTimeIsTriedSoOftenAndThenKeptWithoutItsBody(TimeOut timeOut) {
    broker.whileCopied = () -> timeOut.in(broker);

    broker.send(WITHOUT_ID);
    broker.run(10 * BUDGET);

    assertKept(QuarantineReason.MISSING_ID);
    assertCountedAs(COPY);
  }

  @ParameterizedTest
  @EnumSource
  void soIsOneThatIsToBeParked(TimeOut timeOut) {
    broker.handler =
        run -> {
          throw new RejectedMessageException("never");
        };
    broker.whileCopied = () -> timeOut.in(broker);

    broker.send(TestDelivery.of("id-1"));
    broker.run(10 * BUDGET);

    assertThat(broker.isEmpty()).isTrue();
    assertThat(broker.store.parked)
        .singleElement()
        .extracting(kept -> kept.delivery().content().get().type())
        .isEqualTo(BodyType.NOT_KEPT);
  }

  @ParameterizedTest
  @EnumSource
  void andOneThatIsToBeCaptured(TimeOut timeOut) {
    broker.captures = true;
    broker.whileCopied = () -> timeOut.in(broker);

    broker.send(TestDelivery.of("id-1"));
    broker.run(10 * BUDGET);

    assertKept(QuarantineReason.BODY_UNREADABLE);
    assertCountedAs(COPY);
  }

  /** A conflict is over soon, a full quota is a person's, and a dead database is nobody's fault. */
  @Test
  void otherEndsOfItCountNothing() {
    for (SQLException why :
        List.of(
            new SQLException("deadlock", "40P01"),
            new SQLException("lock time-out", "55P03"),
            new SQLException("disk full", "53100"),
            new SQLTimeoutException("lock time-out", "HYT00"))) {
      broker.whileCopied =
          () -> {
            throw new InboxException("not stored", why);
          };
      broker.send(WITHOUT_ID);
      broker.run(2 * BUDGET);

      assertThat(broker.failures).as(why.getMessage()).isEmpty();
      assertThat(broker.isEmpty()).isFalse();
    }
  }

  @Test
  void theLineOfABodySaysThatItIsQuarantinedAndNotParked() {
    try (LogLines lines = new LogLines()) {
      broker.deliver(TestDelivery.of("id-1").with(UNREADABLE));

      assertThat(lines.all())
          .singleElement()
          .asString()
          .startsWith("IBX0008 ")
          .contains("ID:9", "before its handler began", "quarantined (IBX0152)", "Java heap space")
          .doesNotContain("Attempt 1", "it is parked instead");
    }
  }

  private void assertCountedAs(String key) {
    assertThat(broker.failures).hasSize(BUDGET);
    assertThat(broker.failures).extracting(Failure::messageId).containsOnly(key);
    assertThat(broker.failures).extracting(Failure::kind).containsOnly(Kind.TRANSIENT);
  }

  private void assertKept(QuarantineReason reason) {
    assertThat(broker.isEmpty()).isTrue();
    assertThat(broker.store.remembered).isEmpty();
    assertThat(broker.store.quarantined)
        .singleElement()
        .satisfies(
            kept -> {
              assertThat(kept.reason()).isEqualTo(reason);
              assertThat(kept.delivery().content().get().type()).isEqualTo(BodyType.NOT_KEPT);
            });
    assertThat(List.copyOf(broker.store.parked)).isEmpty();
  }
}
