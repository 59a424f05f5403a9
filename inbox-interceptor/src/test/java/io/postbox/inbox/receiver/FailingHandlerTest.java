package io.postbox.inbox.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.config.Durations;
import io.postbox.common.log.RecordedError;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.MessageFailed;
import io.postbox.inbox.MessageParked;
import io.postbox.inbox.MessageProcessed;
import io.postbox.inbox.MessageSkipped;
import io.postbox.inbox.MessageSkipped.Why;
import io.postbox.inbox.RejectedMessageException;
import io.postbox.inbox.RetryLaterException;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Failure.Kind;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.receiver.Limits.Used;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailingHandlerTest {
  private static final TestDelivery FIRST = TestDelivery.of("id-1");

  /** The default of {@code quota.messages}. */
  private static final int QUOTA = 100_000;

  private final FakeBroker broker = new FakeBroker(TestConfig.shop(Map.of("max-attempts", "3")));
  private final List<Integer> attempts = new ArrayList<>();

  @Test
  void aMessageThatAlwaysFailsIsTriedAsOftenAsItMayAndParked() {
    fail(new IllegalStateException("no stock"));

    broker.send(FIRST);
    broker.run(100);

    assertThat(broker.isEmpty()).isTrue();
    assertThat(attempts).containsExactly(1, 2, 3);
    assertThat(broker.store.remembered).isEmpty();
    assertThat(broker.store.parked)
        .singleElement()
        .satisfies(
            parked -> {
              assertThat(parked.messageId()).isEqualTo("id-1");
              assertThat(parked.reason()).isEqualTo(ParkReason.TOO_MANY_FAILURES);
              assertThat(parked.attempts()).isEqualTo(3);
              assertThat(parked.error()).contains("IllegalStateException").contains("no stock");
            });
    assertThat(broker.events)
        .last()
        .isInstanceOfSatisfying(
            MessageParked.class, parked -> assertThat(parked.attempts()).isEqualTo(3));
  }

  @Test
  void whenAllMessagesFailTheLogHasTheFirstAndTheirNumber() {
    fail(new IllegalStateException("no stock"));
    try (LogLines lines = new LogLines()) {
      for (int i = 1; i <= 1_000; i++) {
        broker.deliver(TestDelivery.of("id-" + i));
      }
      assertThat(lines.all()).hasSize(10).allMatch(line -> line.startsWith("IBX0008 "));
      assertThat(broker.failures).hasSize(1_000);

      broker.now = broker.now.plusSeconds(10);
      broker.deliver(FIRST);
      assertThat(lines.all()).hasSize(12);
      assertThat(lines.all().get(10)).startsWith("IBX0122 990 more attempts of the consumer");
      assertThat(lines.all().get(11)).startsWith("IBX0008 ");
    }
  }

  @Test
  void theLineOfAFailureTellsWhatBecomesOfTheMessage() {
    try (LogLines lines = new LogLines()) {
      fail(new IllegalStateException("no stock"));
      broker.deliver(FIRST);
      fail(new RejectedMessageException("unreadable"));
      broker.deliver(TestDelivery.of("id-2"));
      fail(new RetryLaterException(Duration.ofHours(1), "the warehouse is closed"));
      broker.deliver(TestDelivery.of("id-3"));
      broker.commitsFail = true;
      broker.handler = run -> "done";
      broker.deliver(TestDelivery.of("id-4"));

      assertThat(lines.all()).hasSize(4).allMatch(line -> line.contains("with all of its effects"));
      assertThat(lines.all().get(0))
          .contains("Attempt 1", "'shipping'", "id-1", "(FAILED)", "no stock")
          .contains(
              "retried after its backoff; if this attempt was its last, it is parked instead");
      assertThat(lines.all().get(1))
          .contains("(REJECTED)", "then parked (IBX0009) without another");
      assertThat(lines.all().get(2)).contains("(LATER)", "this attempt is not charged");
      assertThat(lines.all().get(3))
          .contains("rolled back at commit", "the cause is in the server's log");
    }
  }

  @Test
  void aFailureWhileTheDatabaseIsDownIsNotCounted() {
    broker.databaseIsDown = true;
    fail(new IllegalStateException("could not ask for the stock"));

    broker.send(FIRST);
    broker.run(20);

    assertThat(broker.failures).isEmpty();
    assertThat(broker.events)
        .hasSize(20)
        .allSatisfy(event -> assertThat(((MessageFailed) event).counted()).isFalse());
  }

  @Test
  void aFailureAfterAnOutageThatItHasMetIsNotCounted() {
    broker.handler =
        run -> {
          broker.outagesSoFar++;
          throw new IllegalStateException("its transaction has timed out");
        };

    broker.send(FIRST);
    broker.run(20);

    assertThat(broker.failures).isEmpty();
  }

  @Test
  void itLeavesTheQueueAtItsFirstRedeliveryAndForLongerEachTime() {
    fail(new IllegalStateException("no stock"));

    broker.send(FIRST);
    broker.run(100);

    assertThat(broker.delays).hasSize(2);
    assertThat(broker.delays.get(0)).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1));
    assertThat(broker.delays.get(1)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
  }

  @Test
  void goodMessagesPassOneThatFails() {
    broker.handler =
        run -> {
          if (run.messageId().equals("id-1")) {
            throw new IllegalStateException("no stock");
          }
          return null;
        };
    broker.send(FIRST);
    for (int i = 2; i <= 10; i++) {
      broker.send(TestDelivery.of("id-" + i));
    }

    broker.run(11);

    assertThat(broker.store.remembered).hasSize(9);
    assertThat(broker.now).isZero();
  }

  @Test
  void oneThatSucceedsInTheEndIsHandledOnce() {
    broker.handler =
        run -> {
          attempts.add(run.attempt());
          if (run.attempt() < 3) {
            throw new IllegalStateException("not yet");
          }
          return null;
        };

    broker.send(FIRST);
    broker.run(100);

    assertThat(attempts).containsExactly(1, 2, 3);
    assertThat(broker.store.parked).isEmpty();
    assertThat(broker.events)
        .last()
        .isEqualTo(new MessageProcessed("shipping", "id-1", Optional.of("OrderPlaced"), 3));
  }

  @Test
  void aRejectedMessageIsParkedAtItsNextDeliveryAlsoIfTheRejectionIsWrapped() {
    fail(new RuntimeException(new RejectedMessageException("unknown currency")));

    broker.send(FIRST);
    broker.run(100);

    assertThat(attempts).containsExactly(1);
    assertThat(broker.store.parked)
        .singleElement()
        .satisfies(
            parked -> {
              assertThat(parked.reason()).isEqualTo(ParkReason.REJECTED);
              assertThat(parked.attempts()).isEqualTo(1);
              assertThat(parked.error()).contains("unknown currency");
            });
  }

  @Test
  void aMessageIsRedeliveredWhenTheHandlerSaysSoAndThatDoesNotCount() {
    broker.handler =
        run -> {
          attempts.add(run.attempt());
          if (attempts.size() < 20) {
            throw new RetryLaterException(Duration.ofMinutes(7), "the shop is closed");
          }
          return null;
        };

    broker.send(FIRST);
    broker.run(100);

    assertThat(attempts).hasSize(20).containsOnly(1);
    assertThat(broker.delays).hasSize(19).containsOnly(Duration.ofMinutes(7));
    assertThat(broker.store.parked).isEmpty();
    assertThat(broker.isEmpty()).isTrue();
  }

  @Test
  void aMessageRedeliveredForWeeksStaysAwayAlsoWhenItsFirstFailuresAreForgotten() {
    broker.handler =
        run -> {
          attempts.add(run.attempt());
          if (attempts.size() == 10) {
            broker.store.failures.clear();
          }
          if (attempts.size() < 20) {
            throw new RetryLaterException(Duration.ofMinutes(7), "the shop is closed");
          }
          return null;
        };

    broker.send(FIRST);
    broker.run(100);

    assertThat(broker.delays).hasSize(19).containsOnly(Duration.ofMinutes(7));
  }

  @Test
  void aMessageStaysAwayNoLongerThanItsOtherCopiesAreRemembered() {
    broker.handler =
        run -> {
          attempts.add(run.attempt());
          if (attempts.size() == 1) {
            throw new RetryLaterException(Duration.ofDays(30), "next month");
          }
          return null;
        };

    broker.send(FIRST);
    broker.run(100);

    assertThat(broker.delays).containsExactly(Duration.ofDays(7));
  }

  @Test
  void conflictsInTheDatabaseDoNotCount() {
    for (String state : List.of("40001", "40P01", "55P03", "HYT00", "57014", "90131")) {
      fail(new IllegalStateException(new SQLException("conflict", state)));
      broker.deliver(FIRST);
      assertThat(broker.failures)
          .last()
          .satisfies(failure -> assertThat(failure.kind()).isEqualTo(Kind.TRANSIENT));
      assertThat(broker.events)
          .last()
          .isInstanceOfSatisfying(MessageFailed.class, it -> assertThat(it.counted()).isFalse());
    }
    assertThat(broker.store.failuresOf("shipping", "id-1").counted()).isZero();
  }

  @Test
  void aDatabaseThatLacksDiskOrMemoryOrConnectionsIsNotHeldAgainstTheHandler() {
    List<String> states = List.of("53100", "53200", "53300", "58030", "90028", "90031", "90108");
    for (String state : states) {
      fail(new IllegalStateException(new SQLException("no space left on device", state)));
      broker.deliver(FIRST);
    }
    assertThat(broker.failures)
        .hasSameSizeAs(states)
        .extracting(Failure::kind)
        .containsOnly(Kind.TRANSIENT);
    assertThat(broker.store.failuresOf("shipping", "id-1").counted()).isZero();
    assertThat(broker.outages).as("for it answers").isEmpty();
  }

  /** Seen with H2 2.4.240 in Open Liberty, at a commit on a full disk. */
  @Test
  void aGeneralErrorOfH2IsNotHeldAgainstTheHandlerIfAFileCouldNotBeWritten() {
    Exception full = new RuntimeException(new IOException("No space left on device"));
    for (Exception cause : List.of(full, new RuntimeException("something else"))) {
      SQLException general = new SQLException("General error", "HY000", 50_000, cause);
      fail(new IllegalStateException(general));
      broker.deliver(FIRST);
    }
    assertThat(broker.failures)
        .extracting(Failure::kind)
        .containsExactly(Kind.TRANSIENT, Kind.FAILED);
  }

  @Test
  void aLostConnectionOfAHandlerDoesNotCountAndOnlyCastsDoubt() {
    for (String state : List.of("08006", "57P01", "25006", "90020", "90067", "90097")) {
      SQLException gone = new SQLException("connection lost", state);
      fail(new IllegalStateException(gone));
      broker.deliver(FIRST);
      assertThat(broker.doubts).last().extracting(Throwable::getCause).isSameAs(gone);
      assertThat(broker.failures)
          .last()
          .satisfies(failure -> assertThat(failure.kind()).isEqualTo(Kind.TRANSIENT));
    }
    assertThat(broker.doubts).hasSize(6);
    assertThat(broker.outages).as("it may be another database").isEmpty();
  }

  @Test
  void aLostConnectionOfTheInboxItselfIsAnOutage() {
    InboxException gone = new InboxException("gone", new SQLException("connection lost", "08006"));
    broker.store.fails = gone;

    broker.deliver(FIRST);

    assertThat(broker.outages).containsExactly(gone);
    assertThat(broker.doubts).isEmpty();
    assertThat(broker.failures).isEmpty();
  }

  @Test
  void aPoolThatHasNoConnectionToGiveIsNoOutage() {
    SQLException starved = new SQLTransientConnectionException("timed out after 30 s");
    broker.store.fails = new InboxException("starved", starved);
    broker.deliver(FIRST);
    broker.store.fails = null;
    fail(new IllegalStateException(starved));

    broker.deliver(FIRST);

    assertThat(broker.outages).isEmpty();
    assertThat(broker.doubts).isEmpty();
    assertThat(broker.failures).extracting(Failure::kind).containsExactly(Kind.TRANSIENT);
  }

  @Test
  void aReplyThatCannotBeSentLetsTheMessageComeLaterAndDoesNotCount() {
    broker.wantsReply = true;
    broker.repliesFail = true;
    answering();

    broker.send(FIRST);
    broker.run(20);

    assertThat(attempts).hasSizeGreaterThan(3).containsOnly(1);
    assertThat(broker.delays).hasSizeGreaterThan(3);
    assertThat(broker.failures).extracting(Failure::kind).containsOnly(Kind.TRANSIENT);
    assertThat(broker.store.parked).isEmpty();
  }

  @Test
  void aReplyThatCanNeverBeSentWhereItIsAllowedIsParkedInTheEnd() {
    broker.wantsReply = true;
    broker.repliesFail = true;
    answering();

    broker.send(FIRST);
    broker.run(1_000);

    assertThat(broker.isEmpty()).isTrue();
    assertThat(broker.store.parked)
        .singleElement()
        .satisfies(
            parked -> {
              assertThat(parked.reason()).isEqualTo(ParkReason.TOO_MANY_TRANSIENT_FAILURES);
              assertThat(parked.error()).contains("nobody takes replies");
            });
    assertThat(broker.store.outcomes).as("its work is undone each time").isEmpty();
  }

  private void answering() {
    broker.handler =
        run -> {
          attempts.add(run.attempt());
          run.result("42");
          return null;
        };
  }

  @Test
  void aMarkedTransactionCountsAlsoIfTheHandlerLeftAnAnswer() {
    broker.wantsReply = true;
    broker.repliesFail = true;
    broker.handler =
        run -> {
          run.result("42");
          broker.transaction.setRollbackOnly();
          return null;
        };

    broker.deliver(FIRST);

    assertThat(broker.failures)
        .singleElement()
        .satisfies(failure -> assertThat(failure.kind()).isEqualTo(Kind.FAILED));
  }

  @Test
  void aRejectedObjectMessageIsNotHandledAgain() {
    fail(new RejectedMessageException("unknown currency"));

    broker.send(FIRST.thatCannotBeKept());
    broker.run(20);

    assertThat(attempts).containsExactly(1);
    assertThat(broker.isEmpty()).isFalse();
  }

  @Test
  void aFailureAtCommitCounts() {
    broker.commitsFail = true;

    broker.deliver(FIRST);

    assertThat(broker.failures)
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure.kind()).isEqualTo(Kind.FAILED);
              assertThat(failure.reason()).contains("rolled back at commit");
            });
  }

  @Test
  void aTransactionThatWasMarkedWithoutAnExceptionCountsAndSaysSo() {
    broker.handler =
        run -> {
          broker.transaction.setRollbackOnly();
          return null;
        };

    broker.deliver(FIRST);

    assertThat(broker.failures)
        .singleElement()
        .satisfies(
            failure ->
                assertThat(failure.reason())
                    .contains("it was marked for rollback, or it timed out"));
  }

  @Test
  void aLostRecordCostsOneMoreAttemptAndNoMessage() {
    broker.recordsGetLost = true;
    fail(new IllegalStateException("no stock"));
    broker.send(FIRST);
    broker.run(5);
    assertThat(attempts).hasSize(5).containsOnly(1);

    broker.recordsGetLost = false;
    broker.run(100);

    assertThat(attempts).hasSize(8);
    assertThat(broker.store.parked).hasSize(1);
  }

  @Test
  void aRecordThatComesAfterASuccessIsHistory() {
    broker.deliver(FIRST);
    broker.store.write(
        new Failure(
            "shipping",
            "id-1",
            1,
            Kind.FAILED,
            null,
            RecordedError.of("failed on another node"),
            0,
            false));

    broker.deliver(FIRST.with(new History(true, 0, 0)));

    assertThat(broker.delays).isEmpty();
    assertThat(broker.store.parked).isEmpty();
  }

  @Test
  void aCopyThatSucceedsWhileAnotherIsParkedIsHandledOnce() {
    fail(new IllegalStateException("no stock"));
    broker.send(FIRST);
    broker.run(100);
    broker.handler = run -> attempts.add(100);

    broker.deliver(FIRST);
    broker.deliver(FIRST.with(new History(true, 0, 0)));

    assertThat(attempts).containsExactly(1, 2, 3, 100);
    assertThat(broker.store.parked).hasSize(1);
  }

  @Test
  void withoutAWayBackTheCallerIsAskedToBringItAgain() {
    broker.canBeSentAgain = false;
    fail(new IllegalStateException("no stock"));

    broker.deliver(FIRST);
    broker.deliver(FIRST.with(new History(true, 0, 0)));

    assertThat(broker.thrown)
        .last()
        .isInstanceOfSatisfying(
            RetryLaterException.class,
            later -> {
              assertThat(later.delay()).isPositive();
              assertThat(later).hasMessageContaining(Durations.text(later.delay()));
            });
    assertThat(attempts).containsExactly(1);
  }

  @Test
  void withoutAWayBackItIsTriedAgainWhenTheTimeIsOver() {
    broker.canBeSentAgain = false;
    broker.store.sinceLast = Duration.ofSeconds(1);
    fail(new IllegalStateException("no stock"));

    broker.deliver(FIRST);
    broker.deliver(FIRST.with(new History(true, 0, 0)));

    assertThat(attempts).containsExactly(1, 2);
  }

  @Test
  void aMessageForWhichThereIsNoRoomIsHeldUpAndRetriedInPlace() {
    broker.counts(Limits.Kind.DELAYED, new Used(QUOTA, 0));
    broker.store.clock = () -> broker.now;
    fail(new IllegalStateException("no stock"));

    broker.send(FIRST);
    broker.run(100);

    assertThat(attempts).containsExactly(1, 2, 3);
    assertThat(broker.holds).isPositive();
    assertThat(broker.store.parked).hasSize(1);
    assertThat(broker.isEmpty()).isTrue();
  }

  @Test
  void aMessageThatIsTooEarlyAndCannotBeSentAgainIsHeldUpEachTime() {
    broker.canBeSentAgain = false;
    fail(new IllegalStateException("no stock"));

    broker.send(FIRST);
    broker.run(20);

    assertThat(attempts).containsExactly(1);
    assertThat(broker.holds).as("all but the handler's failure and the first return").isEqualTo(18);
  }

  @Test
  void anObjectMessageIsHeldUpToo() {
    fail(new RejectedMessageException("unknown currency"));
    broker.send(FIRST.thatCannotBeKept());

    broker.run(10);

    assertThat(broker.holds).as("all but the failure and the first return").isEqualTo(8);
  }

  @Test
  void aMessageWhoseRowIsRefusedAtTheCommitIsHeldUpToo() {
    fail(new IllegalStateException("no stock"));
    broker.send(FIRST);
    broker.run(1);
    broker.commitsFail = true;

    broker.run(10);

    assertThat(broker.holds).as("all but the first").isEqualTo(9);
    assertThat(broker.store.handedBack).isEmpty();
  }

  @Test
  void aRepeatOfAStoredMessageIsAcknowledgedAndFindsItsRow() {
    fail(new IllegalStateException("no stock"));
    broker.deliver(FIRST);
    broker.acknowledgementsGetLost = true;
    broker.deliver(FIRST.with(new History(true, 0, 0)));
    broker.acknowledgementsGetLost = false;
    assertThat(broker.store.handedBack).hasSize(1);

    assertThat(broker.deliver(FIRST.with(new History(true, 0, 0)))).isPresent();
    assertThat(broker.events)
        .last()
        .isInstanceOfSatisfying(
            MessageSkipped.class, it -> assertThat(it.why()).isEqualTo(Why.DUPLICATE));
    broker.run(100);

    assertThat(attempts).containsExactly(1, 2, 3);
    assertThat(broker.store.parked).hasSize(1);
    assertThat(broker.store.handedBack).isEmpty();
  }

  @Test
  void otherContentUnderTheIdOfAStoredMessageIsQuarantined() {
    fail(new IllegalStateException("no stock"));
    broker.deliver(FIRST);
    broker.deliver(FIRST.with(new History(true, 0, 0)));
    broker.deliver(FIRST.with(new Fingerprint(1, "22".repeat(32))).with(new History(true, 0, 0)));

    assertThat(broker.store.quarantined)
        .singleElement()
        .satisfies(it -> assertThat(it.reason()).isEqualTo(QuarantineReason.OTHER_CONTENT));
    assertThat(broker.store.handedBack).hasSize(1);
  }

  @Test
  void beyondTheQuotaAFailingMessageWaitsAtTheBroker() {
    fail(new IllegalStateException("no stock"));
    broker.counts(Limits.Kind.DELAYED, new Used(QUOTA, 0));
    broker.send(FIRST);
    broker.run(20);

    assertThat(broker.store.handedBack).isEmpty();
    assertThat(broker.holds).isPositive();
    broker.counts(Limits.Kind.DELAYED, new Used(QUOTA - 1, 0));
    broker.run(1_000);
    assertThat(attempts).containsExactly(1, 2, 3);
    assertThat(broker.store.parked).hasSize(1);
  }

  @Test
  void aRetryIsDueBeforeTheMessageExpires() {
    broker.timeLeft = Duration.ofMillis(300);
    fail(new IllegalStateException("no stock"));
    broker.send(FIRST);
    broker.run(2);

    assertThat(broker.delays).containsExactly(Duration.ofMillis(150));
  }

  @Test
  void aMessageRedeliveredLaterIsNotRemembered() {
    broker.canBeSentAgain = false;
    broker.redeliversAtOnce = false;
    fail(new IllegalStateException("no stock"));
    broker.send(FIRST);

    broker.run(5);

    assertThat(broker.thrown).hasSize(5);
    assertThat(broker.away).isEmpty();
  }

  @Test
  void anObjectMessageIsRedeliveredInsteadOfBeingParked() {
    fail(new IllegalStateException("no stock"));
    broker.store.sinceLast = Duration.ofHours(1);

    broker.send(FIRST.thatCannotBeKept());
    broker.run(20);

    assertThat(attempts).containsExactly(1, 2, 3);
    assertThat(broker.store.parked).isEmpty();
    assertThat(broker.delays).isEmpty();
    assertThat(broker.holds).isPositive();
    assertThat(broker.isEmpty()).isFalse();
  }

  private void fail(RuntimeException thrown) {
    broker.handler =
        run -> {
          attempts.add(run.attempt());
          throw thrown;
        };
  }
}
