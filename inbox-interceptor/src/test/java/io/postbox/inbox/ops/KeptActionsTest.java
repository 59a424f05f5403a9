package io.postbox.inbox.ops;

import static io.postbox.inbox.ops.KeptFixture.AUDIT;
import static io.postbox.inbox.ops.KeptFixture.WHO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.postbox.common.ActionUnfinishedException;
import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.Page;
import io.postbox.common.PayloadCipher;
import io.postbox.common.PlanToken;
import io.postbox.common.RedrivePace;
import io.postbox.inbox.FoundMessage.Place;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptMessage;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.LookupFilter;
import io.postbox.inbox.Redriven;
import io.postbox.inbox.Redriven.Refusal;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.message.Subject;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.ops.HandBack.NotHandedBack;
import io.postbox.inbox.store.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeptActionsTest {
  private static final String PARKED =
      "SELECT message_id FROM shop.pb_inbox_stored WHERE status = 'PARKED' ORDER BY id";

  private static final Consumer<Outgoing> FOR_OPERATORS =
      message -> {
        throw NotSentException.reachingOthers("it came from a topic");
      };

  @ParameterizedTest
  @EnumSource
  void aParkedMessageIsFoundByItsAggregateAlsoWithoutAVersion(TestDatabase database)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park(TestDelivery.of("m-1").with(new Subject("Order", "7", null)));
    fixture.park(TestDelivery.of("m-2").with(new Subject("Order", "8", 3L)));
    fixture.park(TestDelivery.of("m-3"));
    fixture.park(TestDelivery.of("m-4").to("ordered").with(new Subject("Order", "7", null)));

    KeptFilter filter = KeptFilter.all().consumer("shipping").aggregate("Order", 7);
    assertThat(fixture.parked.find(filter, Page.first(10)))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.messageId()).contains("m-1");
              assertThat(found.aggregateType()).contains("Order");
              assertThat(found.aggregateId()).contains("7");
              assertThat(found.aggregateVersion()).isEmpty();
            });

    assertThat(fixture.onParked().discard(fixture.plan(), WHO, "none has its turn")).isEqualTo(4);
    assertThat(fixture.count("inbox_discarded")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aRedrivenMessageIsSentAsItWasAndHasAllAttemptsAgain(TestDatabase database)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 3);
    for (String id : List.of("m-1", "m-2")) {
      fixture.run(
          "INSERT INTO shop.pb_inbox_failure (consumer, message_id, attempt, kind, reason)"
              + " VALUES ('shipping', '%s', 1, 'FAILED', 'x')".formatted(id));
      fixture.run(
          "INSERT INTO shop.pb_inbox_attempt (consumer, message_id, node, alone)"
              + " VALUES ('shipping', '%s', 'dead', TRUE)".formatted(id));
    }
    KeptPlan plan = fixture.planParked(KeptFilter.all().messageId("m-1"));
    assertThat(fixture.onParked().redrive(plan, ReplyOnRedrive.KEEP, WHO, "why not"))
        .isEqualTo(new Redriven(1, 0, List.of()));

    assertThat(fixture.sent)
        .singleElement()
        .satisfies(
            message -> {
              assertThat(message.consumer()).isEqualTo("shipping");
              assertThat(message.destination()).isEqualTo("queue:SHIPPING");
              assertThat(message.id()).isEqualTo("m-1");
              assertThat(message.isNewId()).isFalse();
              assertThat(message.content().text()).isEqualTo("body 1");
            });
    assertThat(fixture.column(PARKED)).containsExactly("m-2", "m-3");
    assertThat(fixture.column("SELECT message_id FROM shop.pb_inbox_failure WHERE NOT redriven"))
        .containsExactly("m-2");
    assertThat(fixture.column("SELECT message_id FROM shop.pb_inbox_failure WHERE redriven"))
        .as("history")
        .containsExactly("m-1");
    assertThat(fixture.column("SELECT message_id FROM shop.pb_inbox_attempt"))
        .containsExactly("m-2");
    assertThat(fixture.count("inbox_message")).isZero();
    assertThat(fixture.column(AUDIT)).containsExactly("redrive ada why not 1 inbox shop");
    assertThat(fixture.column("SELECT subject FROM shop.pb_postbox_audit").get(0))
        .isEqualTo("parked messages up to 1: message-id=m-1");
  }

  /** It may be back, and fail, as soon as it is sent. */
  @ParameterizedTest
  @EnumSource
  void nobodyKnowsItsFailuresAnyMoreWhenItIsSent(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 3);
    for (String id : List.of("m-1", "m-2", "m-3")) {
      fixture.run(
          "INSERT INTO shop.pb_inbox_failure (consumer, message_id, attempt, kind, reason)"
              + " VALUES ('shipping', '%s', 3, 'FAILED', 'x')".formatted(id));
      fixture.run(
          "INSERT INTO shop.pb_inbox_attempt (consumer, message_id, node, alone)"
              + " VALUES ('shipping', '%s', 'dead', TRUE)".formatted(id));
    }
    List<Integer> failures = new ArrayList<>();
    List<Integer> attempts = new ArrayList<>();
    fixture.broker =
        message -> {
          failures.add(fixture.count("inbox_failure WHERE NOT redriven"));
          attempts.add(fixture.count("inbox_attempt"));
        };

    fixture
        .onParked()
        .redrive(
            fixture.planParked(KeptFilter.all().ids(List.of(1L, 3L))),
            ReplyOnRedrive.KEEP,
            WHO,
            "x");

    assertThat(failures).as("those of others which are still parked").containsExactly(2, 1);
    assertThat(attempts).containsExactly(2, 1);
  }

  @ParameterizedTest
  @EnumSource
  void failuresSinceItWasSentAreItsOwn(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 2);
    fixture.broker =
        message ->
            fixture.run(
                "INSERT INTO shop.pb_inbox_failure (consumer, message_id, attempt, kind, reason)"
                    + " VALUES ('shipping', '%s', 1, 'FAILED', 'x')".formatted(message.id()));

    fixture.onParked().redrive(fixture.plan(), ReplyOnRedrive.KEEP, WHO, "x");

    assertThat(
            fixture.column(
                "SELECT message_id FROM shop.pb_inbox_failure WHERE NOT redriven ORDER BY 1"))
        .containsExactly("m-1", "m-2");
  }

  /** However often it is redriven, its history does not grow. */
  @ParameterizedTest
  @EnumSource
  void ofFailuresBeforeRedrivesThoseOfTheLastTimeAreKept(TestDatabase database)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    for (int i = 1; i <= 3; i++) {
      fixture.park("shipping", "m-", 1);
      fixture.run(
          "INSERT INTO shop.pb_inbox_failure (consumer, message_id, attempt, kind, reason)"
              + " VALUES ('shipping', 'm-1', 1, 'FAILED', 'x%s')".formatted(i));
      assertThat(
              fixture.onParked().redrive(fixture.plan(), ReplyOnRedrive.KEEP, WHO, "x").messages())
          .isEqualTo(1);
      fixture.handleAll();
    }

    assertThat(fixture.column("SELECT reason FROM shop.pb_inbox_failure WHERE redriven"))
        .containsExactly("x3");
    assertThat(fixture.count("inbox_failure")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void theResultsOfARedrivenMessageAreRememberedForItsWholeAgeAgain(TestDatabase database)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 2);
    for (String result : List.of("'m-1', ''", "'m-1', 'charge'", "'m-2', 'charge'")) {
      fixture.run(
          "INSERT INTO shop.pb_inbox_result (consumer, message_id, effect, created_at)"
              + " VALUES ('shipping', %s, CURRENT_TIMESTAMP - INTERVAL '10' DAY)"
                  .formatted(result));
    }
    fixture.run(
        """
        INSERT INTO shop.pb_inbox_message
          (consumer, message_id, fingerprint, fingerprint_version, headers, processed_at)
        SELECT consumer, message_id, fingerprint, 1, '{}', CURRENT_TIMESTAMP - INTERVAL '10' DAY
        FROM shop.pb_inbox_stored
        """);
    fixture
        .onParked()
        .redrive(
            fixture.planParked(KeptFilter.all().messageId("m-1")), ReplyOnRedrive.KEEP, WHO, "x");

    assertThat(
            fixture.column(
                "SELECT message_id FROM shop.pb_inbox_message"
                    + " WHERE processed_at > CURRENT_TIMESTAMP - INTERVAL '1' DAY"))
        .containsExactly("m-1");
    assertThat(
            fixture.column(
                "SELECT message_id || effect FROM shop.pb_inbox_result"
                    + " WHERE created_at > CURRENT_TIMESTAMP - INTERVAL '1' DAY ORDER BY 1"))
        .containsExactly("m-1", "m-1charge");
  }

  @ParameterizedTest
  @EnumSource
  void aPlanTouchesNothingThatCameLater(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 3);
    KeptPlan plan = fixture.plan();
    fixture.park("shipping", "later-", 2);
    assertThat(fixture.onParked().redrive(plan, ReplyOnRedrive.KEEP, WHO, "x").messages())
        .isEqualTo(3);
    assertThat(fixture.count(Kind.PARKED)).isEqualTo(2);
    assertThat(fixture.column(AUDIT)).containsExactly("redrive ada x 3 inbox shop");
  }

  @ParameterizedTest
  @EnumSource
  void aCrashBeforeTheSendHasTheMessageSentLaterUnderItsId(TestDatabase database) throws Exception {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 3);
    KeptPlan plan = fixture.plan();
    BackgroundActions node = fixture.background(fixture.dataSource, fixture.clock);
    OperatorAction started =
        node.redrive(plan.token().id(), ReplyOnRedrive.KEEP, RedrivePace.FASTEST, WHO, "x");
    fixture.commitsUntilLoss = 1; // after the first
    look(fixture, node);
    assertThat(fixture.count(Kind.PARKED)).isEqualTo(2);
    assertThat(fixture.sent).as("nothing that is not committed").hasSize(1);
    assertThat(fixture.column(AUDIT)).containsExactly("redrive ada x 1 inbox shop");

    fixture.broker =
        message -> {
          fixture.broker = next -> {};
          throw new IllegalStateException("the process is gone");
        };
    look(fixture, node);
    look(fixture, node);
    assertThat(node.control().untilDone(started).done()).isEqualTo(3);
    assertThat(fixture.column(AUDIT)).containsExactly("redrive ada x 3 inbox shop");
    assertThat(fixture.sent).extracting(Outgoing::id).containsExactly("m-1", "m-3");

    fixture.run("DELETE FROM shop.pb_inbox_stored WHERE message_id <> 'm-2'"); // handled
    fixture.run("UPDATE shop.pb_inbox_stored SET due_at = due_at - INTERVAL '1' MINUTE");
    HandBack handBack = fixture.release(fixture.dataSource);
    for (long id : handBack.due("shipping", 10)) {
      handBack.handBack(id);
    }
    assertThat(fixture.sent).extracting(Outgoing::id).containsExactly("m-1", "m-3", "m-2");
  }

  /** As one that came from a topic, which may have a long subscription. */
  @ParameterizedTest
  @EnumSource
  void oneThatOnlyAnOperatorMaySendWaitsForTheCopyThatWasSent(TestDatabase database)
      throws Exception {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 1);
    fixture.onParked().redrive(fixture.plan(), ReplyOnRedrive.KEEP, WHO, "x");
    StoredRow copy = fixture.sent.get(0).stored();
    HandBack handBack = fixture.release(fixture.dataSource);
    fixture.broker = FOR_OPERATORS;

    for (int minutes = 1; minutes <= 512; minutes *= 2) {
      NotHandedBack refused = handBackAfter(fixture, handBack, minutes);
      assertThat(handBack.giveUp(refused)).as("after %s minutes", minutes).isFalse();
      assertThat(fixture.claims(copy)).isTrue();
    }
    NotHandedBack last = handBackAfter(fixture, handBack, 1_024);
    assertThat(handBack.giveUp(last)).as("it was lost").isTrue();
    assertThat(fixture.parked.find(KeptFilter.all(), Page.first(10)))
        .extracting(KeptMessage::reason)
        .containsExactly("NOT_RELEASED");
  }

  @ParameterizedTest
  @EnumSource
  void oneThatOnlyAnOperatorMaySendAndNobodyHasSentIsLeftToOne(TestDatabase database)
      throws Exception {
    KeptFixture fixture = new KeptFixture(database);
    fixture.delay(TestDelivery.of("m-1"), Duration.ZERO);
    fixture.broker = FOR_OPERATORS;

    HandBack handBack = fixture.release(fixture.dataSource);
    assertThat(handBack.giveUp(handBackAfter(fixture, handBack, 1))).isTrue();
  }

  private static NotHandedBack handBackAfter(KeptFixture fixture, HandBack handBack, int minutes)
      throws SQLException {
    fixture.run(
        "UPDATE shop.pb_inbox_stored SET due_at = due_at - INTERVAL '%s' MINUTE"
            .formatted(minutes));
    long id = handBack.due("shipping", 10).get(0);
    return catchThrowableOfType(NotHandedBack.class, () -> handBack.handBack(id));
  }

  /** Unless it has expired: then a person decides. */
  @ParameterizedTest
  @EnumSource
  void aRetryGoesBackByItselfAndExpiresAndOneThatIsRedrivenDoesNot(TestDatabase database)
      throws Exception {
    KeptFixture fixture = new KeptFixture(database);
    fixture.delay(TestDelivery.of("m-1").askedFor("queue:REPLIES"), Duration.ZERO);
    HandBack handBack = fixture.release(fixture.dataSource);
    long id = handBack.due("shipping", 10).get(0);

    fixture.broker =
        message -> {
          throw new NotSentException("its time to live ended", false, null);
        };
    NotHandedBack failed = catchThrowableOfType(NotHandedBack.class, () -> handBack.handBack(id));
    assertThat(fixture.count(Kind.PARKED)).isZero();
    handBack.again(failed);
    fixture.broker = message -> {};
    assertThat(handBack.handBack(id)).isEqualTo(HandBack.Result.SENT);
    assertThat(handBack.giveUp(failed)).isTrue();
    assertThat(fixture.onParked().redrive(fixture.plan(), ReplyOnRedrive.KEEP, WHO, "x").messages())
        .isOne();

    assertThat(fixture.sent)
        .extracting(Outgoing::stored, Outgoing::waitedFor, Outgoing::expires)
        .containsExactly(
            tuple(new StoredRow(id, 1), 1, true), tuple(new StoredRow(id, 2), 0, false));
    assertThat(fixture.sent)
        .allSatisfy(
            copy -> {
              assertThat(copy.id()).isEqualTo("m-1");
              assertThat(copy.isNewId()).isFalse();
              assertThat(copy.replies()).isEqualTo(ReplyOnRedrive.KEEP);
              assertThat(copy.mayReply()).isTrue();
              assertThat(copy.destination()).isEqualTo("queue:Q.shipping");
            });
  }

  /** Lets a node do what is due, until it fails. */
  private static void look(KeptFixture fixture, BackgroundActions node) {
    fixture.clock.advance(Duration.ofSeconds(10));
    node.runner().runIfDue(Runnable::run);
  }

  @ParameterizedTest
  @EnumSource
  void aMessageThatIsParkedAgainWhileItIsSentIsNotLost(TestDatabase database) throws Exception {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 1);
    fixture.broker = // its handler has it already
        message ->
            fixture.run(
                "UPDATE shop.pb_inbox_stored SET status = 'PARKED', error = 'again' WHERE id = "
                    + message.stored().id());
    assertThat(fixture.onParked().redrive(fixture.plan(), ReplyOnRedrive.KEEP, WHO, "x").messages())
        .isEqualTo(1);
    assertThat(fixture.column("SELECT message_id || ' ' || error FROM shop.pb_inbox_stored"))
        .containsExactly("m-1 again");

    KeptPlan plan = fixture.plan();
    BackgroundActions node = fixture.background(fixture.dataSource, fixture.clock);
    OperatorAction started =
        node.redrive(plan.token().id(), ReplyOnRedrive.KEEP, RedrivePace.FASTEST, WHO, "x");
    fixture.commitsUntilLoss = 0;
    look(fixture, node);
    assertThat(fixture.count(Kind.PARKED)).isEqualTo(1);
    assertThat(node.control().cancel(started.id(), WHO, "discarded instead")).isTrue();
    assertThat(fixture.onParked().discard(fixture.plan(), WHO, "x")).isEqualTo(1);
    assertThat(fixture.column("SELECT message_id FROM shop.pb_inbox_message"))
        .containsExactly("m-1");
  }

  @ParameterizedTest
  @EnumSource
  void messagesThatCannotBeSentStayAndTheOthersGo(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 5);
    fixture.run("UPDATE shop.pb_inbox_stored SET encrypted = TRUE WHERE message_id = 'm-4'");
    fixture.broker =
        message -> {
          if (message.id().equals("m-2")) {
            throw new NotSentException("its original destination is unknown", false, null);
          }
          if (message.id().equals("m-5")) {
            throw new NotSentException("too large", true, null);
          }
        };
    Redriven redriven = fixture.onParked().redrive(fixture.plan(), ReplyOnRedrive.KEEP, WHO, "x");
    assertThat(redriven.messages()).isEqualTo(2);
    assertThat(redriven.refused()).isEqualTo(3);
    assertThat(redriven.refusals())
        .extracting(Refusal::id, Refusal::reason)
        .contains(
            org.assertj.core.groups.Tuple.tuple(2L, "its original destination is unknown"),
            org.assertj.core.groups.Tuple.tuple(5L, "too large"))
        .anySatisfy(refusal -> assertThat(refusal.toString()).contains("no PayloadCipher"));
    assertThat(fixture.column(PARKED)).containsExactly("m-2", "m-4", "m-5");
    assertThat(fixture.column(AUDIT)).containsExactly("redrive ada x 2 inbox shop");
  }

  @ParameterizedTest
  @EnumSource
  void ofMessagesThatCannotBeSentTheFirstHundredAreReported(TestDatabase database)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 120);
    fixture.broker =
        message -> {
          if (!message.id().equals("m-7")) {
            throw new NotSentException("it's \"no\"\n" + "\u00fc".repeat(2_000), false, null);
          }
        };
    Redriven redriven = fixture.onParked().redrive(fixture.plan(), ReplyOnRedrive.KEEP, WHO, "x");
    assertThat(redriven.messages()).isEqualTo(1);
    assertThat(redriven.refused()).isEqualTo(119);
    assertThat(redriven.refusals())
        .hasSize(100)
        .doesNotHaveDuplicates()
        .allMatch(it -> it.id() != 7 && it.id() <= 101)
        .allMatch(it -> it.reason().startsWith("it's \"no\" \u00fc\u00fc"))
        .allMatch(it -> it.reason().length() == 300);
    assertThat(fixture.column("SELECT note FROM shop.pb_inbox_action"))
        .singleElement()
        .asString()
        .startsWith("119 messages could not be sent and are still kept. The last was message 120:");
  }

  @ParameterizedTest
  @EnumSource
  void aBrokerThatTakesNothingBreaksTheRedriveOff(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 9);
    int[] tries = new int[1];
    fixture.broker =
        message -> {
          if (++tries[0] > 2) {
            throw new NotSentException("connection refused", true, null);
          }
        };
    assertThatThrownBy(
            () -> fixture.onParked().redrive(fixture.plan(), ReplyOnRedrive.KEEP, WHO, "x"))
        .isInstanceOfSatisfying(
            ActionUnfinishedException.class,
            it -> assertThat(it.action().state()).isEqualTo(State.FAILED))
        .hasMessageContaining("it is failed. 2 of 9 messages were changed")
        .hasMessageEndingWith(
            "The broker refused 3 messages in a row. The last was message 5: connection refused");
    assertThat(tries[0]).isEqualTo(5);
    assertThat(fixture.count(Kind.PARKED)).isEqualTo(7);
  }

  @ParameterizedTest
  @EnumSource
  void aReleasedMessageHasOneNewIdHoweverOftenItTakes(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.quarantine("shipping", 2);
    List<String> refused = new ArrayList<>();
    fixture.broker =
        message -> {
          refused.add(message.id());
          throw new NotSentException("too large", false, null);
        };
    redriveQuarantined(fixture);
    assertThat(fixture.count(Kind.QUARANTINED)).isEqualTo(2);
    assertThat(fixture.quarantined.get(1).orElseThrow().releasedAs()).contains(refused.get(0));
    fixture.broker = message -> {};
    redriveQuarantined(fixture);

    assertThat(fixture.sent).extracting(Outgoing::id).containsExactlyElementsOf(refused);
    assertThat(fixture.sent).hasSize(2).allMatch(Outgoing::isNewId);
    assertThat(fixture.sent.get(1).id()).isNotEqualTo(fixture.sent.get(0).id());
    assertThat(fixture.sent).allMatch(each -> UUID.fromString(each.id()).variant() == 2);
    assertThat(fixture.count(Kind.QUARANTINED)).isZero();
    assertThat(fixture.column(AUDIT))
        .containsExactlyInAnyOrder("redrive ada x 0 inbox shop", "redrive ada x 2 inbox shop");
  }

  private static void redriveQuarantined(KeptFixture fixture) {
    fixture
        .actions(Kind.QUARANTINED)
        .redrive(fixture.planQuarantined(KeptFilter.all()), ReplyOnRedrive.KEEP, WHO, "x");
  }

  @ParameterizedTest
  @EnumSource
  void aMessageKeptAsideTwiceIsReleasedUnderOneId(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.quarantine("shipping", 1);
    fixture.quarantine("shipping", 1);
    fixture.quarantine("billing", 1);
    String original = "{\"headers\":{\"JMSMessageID\":\"ID:1\"},\"properties\":{}}";
    String copy =
        """
        {"headers":{"JMSMessageID":"ID:2"},
        "properties":{"InboxAttempt":"integer:1","InboxMessageId":"string:ID:1"}}
        """
            .replaceAll("\\s", "");
    fixture.run("UPDATE shop.pb_inbox_stored SET properties = '%s'".formatted(original));
    fixture.run("UPDATE shop.pb_inbox_stored SET properties = '%s' WHERE id = 2".formatted(copy));
    for (long id = 1; id <= 3; id++) {
      KeptPlan plan = fixture.planQuarantined(KeptFilter.all().id(id));
      fixture.actions(Kind.QUARANTINED).redrive(plan, ReplyOnRedrive.KEEP, WHO, "x");
    }
    fixture.quarantine("shipping", 1); // a copy that comes after the release
    fixture.run("UPDATE shop.pb_inbox_stored SET properties = '%s'".formatted(copy));
    KeptPlan late = fixture.planQuarantined(KeptFilter.all());
    fixture.actions(Kind.QUARANTINED).redrive(late, ReplyOnRedrive.KEEP, WHO, "x");

    List<String> ids = fixture.sent.stream().map(Outgoing::id).toList();
    assertThat(ids).hasSize(4);
    assertThat(List.of(ids.get(1), ids.get(3))).containsOnly(ids.get(0));
    assertThat(ids.get(2)).as("another consumer's").isNotEqualTo(ids.get(0));
  }

  @ParameterizedTest
  @EnumSource
  void aDiscardedMessageIsRememberedUnlessItWasHandled(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 3);
    fixture.run(
        """
        INSERT INTO shop.pb_inbox_message
          (consumer, message_id, fingerprint, fingerprint_version, headers)
        VALUES ('shipping', 'm-2', %s, 1, '{}')
        """
            .formatted(fixture.fingerprint()));
    assertThat(fixture.onParked().discard(fixture.plan(), WHO, "sent by hand")).isEqualTo(3);

    assertThat(
            fixture.column(
                "SELECT consumer || ' ' || message_id || ' ' || outcome || ' ' || COALESCE(source,"
                    + " '-') FROM shop.pb_inbox_message ORDER BY message_id"))
        .containsExactly(
            "shipping m-1 DISCARDED shop",
            "shipping m-2 PROCESSED -",
            "shipping m-3 DISCARDED shop");
    assertThat(fixture.count(Kind.PARKED)).isZero();
    assertThat(fixture.count("inbox_aggregate")).isZero();
    assertThat(fixture.sent).isEmpty();
    assertThat(fixture.column(AUDIT)).containsExactly("discard ada sent by hand 3 inbox shop");
  }

  @ParameterizedTest
  @EnumSource
  void theOrderStepsOverDiscardedVersionsInWhateverOrderTheyAreDiscarded(TestDatabase database)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("ordered", "m-", 6); // versions 1 to 6 of Order 7
    fixture.park("shipping", "s-", 6); // which takes them as they come
    discard(fixture, "m-4");
    discard(fixture, "m-2");
    discard(fixture, "s-1");
    assertThat(fixture.lets(3, 5)).isTrue();
    assertThat(fixture.lets(1, 3)).isTrue();
    assertThat(fixture.lets(0, 3)).as("1 is missing").isFalse();
    assertThat(fixture.lets(1, 5)).as("3 is missing").isFalse();

    discard(fixture, "m-1");
    assertThat(fixture.lets(0, 3)).isTrue();
    assertThat(fixture.lets(0, 4)).as("3 is missing").isFalse();

    fixture.park("ordered", "again-", 6); // under other ids
    assertThat(fixture.onParked().discard(fixture.plan(), WHO, "x")).isEqualTo(3 + 5 + 6);
    assertThat(fixture.lets(0, 7)).isTrue();
    assertThat(fixture.column("SELECT consumer || version FROM shop.pb_inbox_discarded"))
        .containsExactlyInAnyOrder(
            "ordered1", "ordered2", "ordered3", "ordered4", "ordered5", "ordered6");
    assertThat(fixture.count("inbox_aggregate")).isZero();
  }

  /** Another message with its version is to be compared with it, and not to be skipped. */
  @ParameterizedTest
  @EnumSource
  void theOrderStepsOverNoVersionThatWasHandled(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("ordered", "m-", 2);
    fixture.run(
        "UPDATE shop.pb_inbox_stored SET handled = TRUE, reason = 'REPLY_NOT_SENT'"
            + " WHERE message_id = 'm-1'");
    assertThat(fixture.onParked().discard(fixture.plan(), WHO, "x")).isEqualTo(2);
    assertThat(fixture.column("SELECT version FROM shop.pb_inbox_discarded")).containsExactly("2");
  }

  private static void discard(KeptFixture fixture, String messageId) {
    KeptPlan plan = fixture.planParked(KeptFilter.all().messageId(messageId));
    assertThat(fixture.onParked().discard(plan, WHO, "x")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void tenThousandAreDiscardedInTenTransactions(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 10_000);
    fixture.quarantine("shipping", 2_500);
    KeptPlan parked = fixture.plan();
    KeptPlan quarantined = fixture.planQuarantined(KeptFilter.all().consumer("shipping"));
    int commits = fixture.commits;
    int statements = fixture.statements.size();
    assertThat(fixture.onParked().discard(parked, WHO, "x")).isEqualTo(10_000);
    assertThat(fixture.commits - commits).isEqualTo(13); // with the start, the end and the wait
    // The start, the steps, each with the look at the action, its claim and its progress, two
    // pages,
    // the end, the looks of an idle node, before and after, and the caller's
    assertThat(fixture.statements.size() - statements)
        .isEqualTo(4 + 10 * (3 + 5) + 2 + 4 + 2 + 1); // their aggregates first
    assertThat(fixture.count("inbox_message")).isEqualTo(10_000);

    assertThat(fixture.actions(Kind.QUARANTINED).discard(quarantined, WHO, "y")).isEqualTo(2_500);
    assertThat(fixture.count(Kind.QUARANTINED)).isZero();
    assertThat(fixture.count("inbox_message")).isEqualTo(10_000);
    assertThat(fixture.column(AUDIT))
        .containsExactlyInAnyOrder(
            "discard ada x 10000 inbox shop", "discard ada y 2500 inbox shop");
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsDoneWithoutAReasonOrWithTheOtherKindsPlan(TestDatabase database)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 1);
    KeptPlan plan = fixture.plan();
    for (String none : List.of("", " \n\t", "x".repeat(1_001))) {
      assertThatThrownBy(() -> fixture.onParked().redrive(plan, ReplyOnRedrive.KEEP, WHO, none))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("A reason has 1 to 1000 characters");
      assertThatThrownBy(() -> fixture.onParked().discard(plan, WHO, none))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> fixture.actions(Kind.QUARANTINED).discard(plan, WHO, "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "The plan is for parked messages, but this action is for quarantined ones; nothing was"
                + " changed.");
    assertThat(fixture.count(Kind.PARKED)).isEqualTo(1);
    assertThat(fixture.count("postbox_audit")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void pagesAndFiltersFindWhatThereIs(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 5);
    fixture.park("billing", "b-", 2);
    fixture.quarantine("shipping", 4);
    List<String> ids = new ArrayList<>();
    Page page = Page.first(2);
    for (var found = fixture.parked.find(KeptFilter.all().consumer("shipping"), page);
        !found.isEmpty();
        found = fixture.parked.find(KeptFilter.all().consumer("shipping"), page)) {
      found.forEach(each -> ids.add(each.messageId().orElseThrow()));
      page = Page.after(found.get(found.size() - 1).id(), 2);
    }
    assertThat(ids).containsExactly("m-1", "m-2", "m-3", "m-4", "m-5");

    KeptFilter all = KeptFilter.all();
    var now = fixture.parked.get(1).orElseThrow().keptAt();
    KeptFilter everything =
        all.ids(List.of(1L, 2L, 6L))
            .consumer("shipping")
            .messageId("m-2")
            .reason("REJECTED")
            .keptFrom(now)
            .keptBefore(now.plusSeconds(60))
            .event("OrderPlaced")
            .aggregate("Order", 7)
            .errorContains("100% refused_");
    assertThat(fixture.parked.find(everything, Page.first(9)))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.id()).isEqualTo(2);
              assertThat(found.attempts()).isEqualTo(3);
              assertThat(found.source()).contains("shop");
              assertThat(found.aggregateVersion()).hasValue(2);
              assertThat(found.fingerprint()).isEqualTo("ab".repeat(32));
              assertThat(found.destination()).contains("queue:SHIPPING");
              assertThat(found.bodyType()).isEqualTo("TEXT");
              assertThat(found.encrypted()).isFalse();
            });
    assertThat(fixture.parked.find(all.errorContains("100_"), Page.first(9))).isEmpty();
    KeptPlan plan = fixture.planParked(everything);
    assertThat(plan.messages()).isEqualTo(1);
    assertThat(fixture.onParked().redrive(plan, ReplyOnRedrive.KEEP, WHO, "x").messages())
        .isEqualTo(1);
    assertThat(fixture.sent).extracting(Outgoing::id).containsExactly("m-2");

    assertThat(fixture.plan().consumers())
        .extracting(each -> each.consumer() + each.messages())
        .containsExactly("billing2", "shipping4");
    assertThat(fixture.plan().upTo()).isEqualTo(7);
    assertThat(fixture.parked.plan(all.consumer("none")))
        .isEqualTo(new KeptPlan(PlanToken.NONE, Kind.PARKED, all.consumer("none"), 0, List.of()));
    assertThat(fixture.quarantined.find(all.reason("OTHER_CONTENT"), Page.first(9)))
        .hasSize(2)
        .allSatisfy(
            found -> {
              assertThat(found.messageId()).isPresent();
              assertThat(found.storedFingerprint()).contains("ab".repeat(32));
              assertThat(found.releasedAs()).isEmpty();
            });
    assertThatThrownBy(() -> fixture.planQuarantined(all.errorContains("x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("error-contains");
    assertThat(fixture.quarantined.get(99)).isEmpty();
  }

  /** Whoever looks for its sender finds what the row says anyway; nothing of one that is sealed. */
  @ParameterizedTest
  @EnumSource
  void aQuarantinedMessageSaysWhereItCameFrom(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.quarantine("shipping", 4);
    fixture.run(
        """
        UPDATE shop.pb_inbox_stored
        SET aggregate_type = 'Order', aggregate_id = '7', encrypted = (id = 2),
          properties = CASE WHEN id = 3 THEN '{' WHEN id = 4 THEN
            '{"headers":{},"properties":{"OutboxSource":"integer:7"}}'
          ELSE '{"headers":{},"properties":{"OutboxSource":"string:shop","OutboxEventType":"string:%s"}}' END
        """
            .formatted("x".repeat(300)));

    assertThat(fixture.quarantined.find(KeptFilter.all(), Page.first(9)))
        .extracting(KeptMessage::source)
        .containsExactly(Optional.of("shop"), Optional.empty(), Optional.empty(), Optional.empty());
    KeptMessage first = fixture.quarantined.get(1).orElseThrow();
    assertThat(first.eventType().orElseThrow()).hasSize(200);
    assertThat(first.aggregateType()).hasValue("Order");
    assertThat(first.aggregateId()).hasValue("7");
    assertThat(
            fixture
                .lookup(fixture.dataSource)
                .find(LookupFilter.all().place(Place.QUARANTINED), "", 9)
                .items())
        .hasSize(4)
        .allSatisfy(found -> assertThat(found.aggregateId()).hasValue("7"));
  }

  @ParameterizedTest
  @EnumSource
  void anEncryptedErrorIsShownAndFoundByItsSignatureOnly(TestDatabase database)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    KeptPlan old = fixture.planParked(KeptFilter.all().errorContains("why"));
    fixture.cipher = Optional.of(new NoSecret());
    fixture.park(TestDelivery.of("id-1").to("shipping"));

    assertThat(fixture.column("SELECT error FROM shop.pb_inbox_stored")).containsExactly("");
    assertThat(fixture.parked.find(KeptFilter.all().signature("5ef0"), Page.first(9)))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.error()).isEqualTo("why");
              assertThat(found.signature()).isEqualTo("5ef0");
            });
    assertThatThrownBy(
            () -> fixture.parked.find(KeptFilter.all().errorContains("why"), Page.first(9)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("PayloadCipher", "encrypted", "KeptFilter.signature");
    assertThatThrownBy(() -> fixture.planParked(KeptFilter.all().errorContains("why")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> fixture.onParked().discard(old, WHO, "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("nothing was changed");
    fixture.cipher = Optional.empty();
    assertThat(fixture.parked.get(1).orElseThrow().error()).contains("cannot be decrypted");
  }

  private static final class NoSecret implements PayloadCipher {
    @Override
    public Encrypted encrypt(byte[] plain, AssociatedData associated) {
      return new Encrypted(plain, "key-1");
    }

    @Override
    public byte[] decrypt(Encrypted encrypted, AssociatedData associated) {
      return encrypted.value();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPayloadIsReadOnItsOwnAndNeverPrinted(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 1);
    fixture.run("UPDATE shop.pb_inbox_stored SET payload_text = 'secret'");
    var payload = fixture.parked.payload(1, WHO).orElseThrow();
    assertThat(payload.text()).contains("secret");
    assertThat(payload.bytes()).isEmpty();
    assertThat(payload.toString()).isEqualTo("StoredPayload[TEXT]");
    assertThat(fixture.parked.get(1).orElseThrow().toString()).doesNotContain("secret");
    assertThat(fixture.parked.payload(2, WHO)).isEmpty();

    fixture.run(
        "UPDATE shop.pb_inbox_stored SET body_type = 'TEXT_UTF16', payload_text = NULL,"
            + " payload_bytes = "
            + (database == TestDatabase.H2 ? "X'00410000'" : "'\\x00410000'::bytea"));
    assertThat(fixture.parked.payload(1, WHO).orElseThrow().text()).contains("A\0");
  }

  @ParameterizedTest
  @EnumSource(value = TestDatabase.class, names = "POSTGRESQL")
  void onPostgresqlARowIsFoundByIndexesOnly(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("ordered", "m-", 20_000);
    fixture.quarantine("shipping", 20_000);
    fixture.run(
        "INSERT INTO shop.pb_inbox_failure (consumer, message_id, attempt, kind, reason)"
            + " SELECT 'ordered', 'm-' || i, 1, 'FAILED', 'x' FROM generate_series(1, 20000) i");
    fixture.run(
        "INSERT INTO shop.pb_inbox_attempt (consumer, message_id, node, alone)"
            + " SELECT 'ordered', 'm-' || i, 'dead', TRUE FROM generate_series(1, 20000) i");
    fixture.run(
        "INSERT INTO shop.pb_inbox_message"
            + " (consumer, message_id, fingerprint, fingerprint_version, headers)"
            + " SELECT 'ordered', 'x-' || i, %s, 1, '{}' FROM generate_series(1, 20000) i"
                .formatted(fixture.fingerprint()));
    fixture.run(
        "INSERT INTO shop.pb_inbox_discarded (consumer, aggregate_type, aggregate_id, version)"
            + " SELECT 'ordered', 'Order', 'x-' || i, 1 FROM generate_series(1, 20000) i");
    fixture.run(
        "INSERT INTO shop.pb_inbox_aggregate (consumer, aggregate_type, aggregate_id, version)"
            + " SELECT 'ordered', 'Order', 'x-' || i, 1 FROM generate_series(1, 20000) i");
    fixture.run(
        "INSERT INTO shop.pb_inbox_result (consumer, message_id, effect)"
            + " SELECT 'ordered', 'm-' || i, '' FROM generate_series(1, 20000) i");
    fixture.run(
        "INSERT INTO shop.pb_inbox_stored (consumer, message_id, status, captured, precedence,"
            + " size, fingerprint, fingerprint_version, headers, body_type, properties)"
            + " SELECT 'ordered', 'c-' || i, 'PENDING', TRUE, 5, 1, %s, 1, '{}', 'NONE', '{}'"
                .formatted(fixture.fingerprint())
            + " FROM generate_series(1, 20000) i");
    fixture.run(
        "INSERT INTO shop.pb_inbox_action (id, action, state, principal, reason, subject, total,"
            + " plan, progress, finished_at)"
            + " SELECT gen_random_uuid(), 'redrive', 'DONE', 'ada', 'x', 'x', 1, '{}', '', now()"
            + " FROM generate_series(1, 20000) i");
    fixture.run("ANALYZE");
    Explaining explaining = new Explaining(fixture.dataSource);
    KeptPlan some = fixture.planParked(KeptFilter.all().ids(List.of(1L, 15_000L)));
    KeptActions actions = fixture.actions(Kind.PARKED, explaining.dataSource());
    assertThat(actions.discard(some, WHO, "x")).isEqualTo(2);
    KeptPlan other = fixture.planParked(KeptFilter.all().consumer("ordered").messageId("m-9"));
    assertThat(actions.redrive(other, ReplyOnRedrive.KEEP, WHO, "x").messages()).isEqualTo(1);
    KeptActions release = fixture.actions(Kind.QUARANTINED, explaining.dataSource());
    KeptPlan odd = fixture.planQuarantined(KeptFilter.all().id(20_007));
    assertThat(release.redrive(odd, ReplyOnRedrive.KEEP, WHO, "x").messages()).isEqualTo(1);

    assertThat(explaining.plans())
        .hasSizeGreaterThan(12)
        .noneMatch(plan -> plan.contains("Seq Scan on pb_inbox"));
  }

  @ParameterizedTest
  @EnumSource
  void aPageAMessageAndAPlanAreOneStatementEach(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 5);
    int before = fixture.statements.size();
    assertThat(fixture.parked.find(KeptFilter.all(), Page.first(3))).hasSize(3);
    assertThat(fixture.parked.get(4)).isPresent();
    assertThat(fixture.parked.plan(KeptFilter.all()).messages()).isEqualTo(5);
    assertThat(fixture.statements.size() - before).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource(value = TestDatabase.class, names = "POSTGRESQL")
  void onPostgresqlPagesMessagesAndPlansAreReadByIndexes(TestDatabase database)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 10_000);
    fixture.park("billing", "b-", 200);
    fixture.park("shipping", "n-", 10_000);
    fixture.run("ANALYZE");
    Explaining explaining = new Explaining(fixture.dataSource);
    KeptQueries queries = fixture.parked(explaining.dataSource());
    for (KeptFilter filter : List.of(KeptFilter.all(), KeptFilter.all().consumer("shipping"))) {
      List<KeptMessage> page = queries.find(filter, Page.first(100));
      queries.find(filter, Page.after(page.get(99).id(), 100));
    }
    assertThat(queries.get(20_000)).isPresent();
    assertThat(explaining.plans())
        .hasSize(5)
        .allMatch(
            plan ->
                plan.contains("Index Scan using pb_inbox_stored_pk")
                    || plan.contains("Index Scan using pb_inbox_stored_person_ix"),
            "an index by id")
        .noneMatch(plan -> plan.contains("Sort"));

    KeptFilter some = KeptFilter.all().ids(List.of(1L, 20_000L));
    assertThat(queries.find(some, Page.first(100))).hasSize(2);
    assertThat(queries.plan(some).messages()).isEqualTo(2);
    assertThat(queries.plan(KeptFilter.all().consumer("billing")).messages()).isEqualTo(200);
    assertThat(queries.plan(KeptFilter.all().consumer("shipping").messageId("m-9")).messages())
        .isEqualTo(1);
    assertThat(explaining.plans())
        .hasSize(9)
        .allMatch(plan -> plan.contains("Index"))
        .noneMatch(plan -> plan.contains("Seq Scan"));
  }
}
