package io.postbox.inbox.ops;

import static io.postbox.inbox.ops.KeptFixture.AUDIT;
import static io.postbox.inbox.ops.KeptFixture.WHO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.RedrivePace;
import io.postbox.common.testing.DyingNode;
import io.postbox.common.testing.SettableClock;
import io.postbox.common.testing.Tenth;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.store.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BackgroundActionsTest {
  private static final String WHY = "why not";

  private final SettableClock clock = new SettableClock();

  /** Lets a node do what is due. */
  private void run(BackgroundActions node) {
    clock.advance(Duration.ofSeconds(10));
    node.runner().runIfDue(Runnable::run);
  }

  private BackgroundActions actions(KeptFixture fixture) {
    return fixture.background(fixture.dataSource, clock);
  }

  private static OperatorAction redrive(BackgroundActions actions, KeptPlan plan) {
    return redrive(actions, plan, RedrivePace.FASTEST);
  }

  private static OperatorAction get(BackgroundActions actions, OperatorAction action) {
    return actions.control().get(action.id()).orElseThrow();
  }

  private static Consumer<Outgoing> refusing(boolean atBroker, Set<String> ids) {
    return message -> {
      if (ids.contains(message.id())) {
        throw new NotSentException("no", atBroker, null);
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void aRedriveSendsEachMessageOnceAndSaysHowFarItIs(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 250);
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan());
    assertThat(started)
        .returns(State.RUNNING, OperatorAction::state)
        .returns("redrive", OperatorAction::kind)
        .returns(250L, OperatorAction::total);
    run(actions);
    assertThat(get(actions, started))
        .returns(State.DONE, OperatorAction::state)
        .returns(250L, OperatorAction::done)
        .returns(0L, OperatorAction::failures)
        .returns(null, OperatorAction::note);
    assertThat(fixture.sent).extracting(Outgoing::id).doesNotHaveDuplicates().hasSize(250);
    assertThat(fixture.count(Kind.PARKED)).isZero();
    assertThat(fixture.column(AUDIT)).containsExactly("redrive ada why not 250 inbox shop");
    assertThatThrownBy(() -> actions.discard(fixture.plan().token().id(), "eve", WHY))
        .isInstanceOf(PlanRefusedException.class);
  }

  @ParameterizedTest
  @EnumSource
  void anActionWaitsAsLongAsAHandlerHasItsMessage(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 1);
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan());
    try (Connection handler = fixture.dataSource.getConnection()) {
      handler.setAutoCommit(false);
      try (Statement statement = handler.createStatement()) {
        statement.executeUpdate("UPDATE shop.pb_inbox_stored SET attempts = 7");
      }
      fixture.statements.clear();
      run(actions);
      run(actions);
      assertThat(fixture.statements)
          .filteredOn(it -> it.contains("pb_inbox_stored m"))
          .hasSizeLessThan(8);
      assertThat(get(actions, started))
          .returns(State.RUNNING, OperatorAction::state)
          .returns(0L, OperatorAction::failures);
      handler.rollback();
    }
    run(actions);
    assertThat(get(actions, started)).returns(State.DONE, OperatorAction::state);
  }

  @ParameterizedTest
  @EnumSource
  void anIdleNodeReadsOneIndexEntryEveryFewSeconds(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    BackgroundActions actions = actions(fixture);
    int statements = fixture.statements.size();
    int commits = fixture.commits;
    for (int seconds = 0; seconds < 10; seconds++) {
      actions.runner().runIfDue(Runnable::run);
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(fixture.statements.size() - statements).as("in ten seconds").isEqualTo(2);
    assertThat(fixture.commits - commits).isZero();
  }

  /** One that was not sent when the node died is sent later; each is counted once. */
  @ParameterizedTest
  @EnumSource
  void aNodeMayDieBetweenAnyTwoStatements(TestDatabase database) throws Exception {
    KeptFixture fixture = new KeptFixture(database);
    boolean survived = false;
    int moments = 0;
    for (; !survived; moments++) {
      if (!Tenth.has(moments)) {
        continue;
      }
      fixture.run("DELETE FROM shop.pb_postbox_audit");
      fixture.run("DELETE FROM shop.pb_inbox_message");
      fixture.run("DELETE FROM shop.pb_inbox_stored");
      fixture.sent.clear();
      Kind kind = moments % 2 == 0 ? Kind.PARKED : Kind.QUARANTINED;
      boolean redrives = moments % 3 != 0;
      KeptPlan plan = plan(fixture, kind);
      OperatorAction started =
          redrives
              ? redrive(actions(fixture), plan)
              : actions(fixture).discard(plan.token().id(), WHO, WHY);
      DyingNode mortal = new DyingNode(fixture.dataSource, moments);
      run(fixture.background(mortal.dataSource(), clock));
      survived = !mortal.isDead() && redrives;
      BackgroundActions other = actions(fixture);
      run(other);

      assertThat(get(other, started))
          .as("%s after %s moments", kind, moments)
          .returns(State.DONE, OperatorAction::state)
          .returns(6L, OperatorAction::done);
      assertThat(fixture.column("SELECT messages FROM shop.pb_postbox_audit")).containsExactly("6");
      assertThat(fixture.count(Kind.PARKED) + fixture.count(Kind.QUARANTINED)).isZero();
      fixture.sent.forEach(
          each ->
              fixture.run(
                  "DELETE FROM shop.pb_inbox_stored WHERE id = " + each.stored().id())); // handled
      fixture.run("UPDATE shop.pb_inbox_stored SET due_at = due_at - INTERVAL '1' MINUTE");
      HandBack handBack = fixture.release(fixture.dataSource);
      for (long id : handBack.due("shipping", 10)) {
        handBack.handBack(id);
      }
      Set<String> ids = new HashSet<>(fixture.sent.stream().map(Outgoing::id).toList());
      assertThat(ids).hasSize(redrives ? 6 : 0);
      assertThat(fixture.sent.size() - ids.size()).as("sent again").isLessThanOrEqualTo(1);
    }
    assertThat(moments).as("moments of one action").isGreaterThan(40);
  }

  private static KeptPlan plan(KeptFixture fixture, Kind kind) {
    if (kind == Kind.PARKED) {
      fixture.park("shipping", "m-", 6);
      return fixture.plan();
    }
    fixture.quarantine("shipping", 6);
    return fixture.planQuarantined(KeptFilter.all());
  }

  @ParameterizedTest
  @EnumSource
  void messagesThatCannotBeSentStayAndTheOthersGo(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 20);
    fixture.broker = refusing(false, Set.of("m-2", "m-3", "m-4", "m-5", "m-17"));
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan());
    run(actions);
    assertThat(get(actions, started))
        .returns(State.DONE, OperatorAction::state)
        .returns(15L, OperatorAction::done)
        .returns(5L, OperatorAction::failures)
        .returns(
            "5 messages could not be sent and are still kept. The last was message 17: no",
            OperatorAction::note);
    assertThat(
            fixture.column(
                "SELECT message_id FROM shop.pb_inbox_stored WHERE status = 'PARKED' ORDER BY id"))
        .containsExactly("m-2", "m-3", "m-4", "m-5", "m-17");
    assertThat(fixture.column(AUDIT)).containsExactly("redrive ada why not 15 inbox shop");
  }

  @ParameterizedTest
  @EnumSource
  void aBrokerThatRefusesEverythingStopsItAndItBeginsAgainThere(TestDatabase database)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 20);
    fixture.broker = refusing(true, Set.of("m-5", "m-9", "m-10", "m-11", "m-12"));
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan());
    run(actions);
    assertThat(get(actions, started))
        .returns(State.FAILED, OperatorAction::state)
        .returns(7L, OperatorAction::done)
        .returns(1L, OperatorAction::failures)
        .satisfies(
            it ->
                assertThat(it.note())
                    .startsWith("The broker refused 3 messages in a row. The last was message 11"));
    fixture.broker = message -> {};
    run(actions);
    assertThat(fixture.sent).hasSize(7);
    assertThat(actions.control().resume(started.id(), WHO, "it is back")).isTrue();
    run(actions);
    assertThat(get(actions, started))
        .returns(State.DONE, OperatorAction::state)
        .returns(19L, OperatorAction::done)
        .returns(1L, OperatorAction::failures)
        .returns(
            "1 messages could not be sent and are still kept. The last was message 5: no",
            OperatorAction::note);
    assertThat(fixture.sent).extracting(Outgoing::id).doesNotHaveDuplicates().hasSize(19);
  }

  @ParameterizedTest
  @EnumSource
  void aPausedActionSendsNothingUntilItIsResumed(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 5);
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan());
    assertThat(actions.control().pause(started.id(), WHO, "wait")).isTrue();
    run(actions);
    assertThat(fixture.sent).isEmpty();
    BackgroundActions other = actions(fixture); // runs no steps
    assertThat(other.control().resume(started.id(), WHO, "go")).isTrue();
    assertThat(other.control().cancel(started.id(), WHO, "no")).isTrue();
    run(actions);
    assertThat(fixture.sent).isEmpty();
    assertThat(get(actions, started)).returns(State.CANCELLED, OperatorAction::state);
  }

  private static OperatorAction redrive(
      BackgroundActions actions, KeptPlan plan, RedrivePace pace) {
    return actions.redrive(plan.token().id(), ReplyOnRedrive.KEEP, pace, WHO, WHY);
  }

  @ParameterizedTest
  @EnumSource
  void theOthersFollowOnceTheFirstWereHandled(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 250);
    fixture.run(
        "INSERT INTO shop.pb_inbox_failure (consumer, message_id, attempt, kind, reason)"
            + " VALUES ('shipping', 'm-1', 1, 'FAILED', 'before the redrive')");
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan(), RedrivePace.FASTEST.first(3));
    run(actions);
    run(actions(fixture));
    assertThat(fixture.sent).extracting(Outgoing::id).containsExactly("m-1", "m-2", "m-3");
    assertThat(fixture.count(Kind.PARKED)).as("none beyond the first is touched").isEqualTo(247);

    handled(fixture, "m-1");
    handled(fixture, "m-3");
    run(actions);
    assertThat(fixture.sent).hasSize(3);
    handled(fixture, "m-2");
    run(actions);
    assertThat(get(actions, started))
        .returns(State.DONE, OperatorAction::state)
        .returns(250L, OperatorAction::done);
    assertThat(fixture.sent).extracting(Outgoing::id).doesNotHaveDuplicates().hasSize(250);
  }

  /** As where the consumer is paused: nobody else is to wait for that. */
  @ParameterizedTest
  @EnumSource
  void anActionThatOnlyWaitsLetsTheOthersPass(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 20);
    fixture.quarantine("shipping", 6);
    BackgroundActions actions = actions(fixture);
    OperatorAction watching = redrive(actions, fixture.plan(), RedrivePace.FASTEST.first(3));
    OperatorAction discard =
        actions.discard(fixture.planQuarantined(KeptFilter.all()).token().id(), WHO, WHY);
    run(actions);
    assertThat(get(actions, watching))
        .returns(State.RUNNING, OperatorAction::state)
        .returns(3L, OperatorAction::done);
    assertThat(get(actions, discard)).returns(State.DONE, OperatorAction::state);

    int statements = fixture.statements.size();
    actions.runner().wake();
    assertThat(fixture.statements.size() - statements).as("a look while all wait").isEqualTo(2);

    handled(fixture, "m-1");
    handled(fixture, "m-2");
    handled(fixture, "m-3");
    run(actions);
    assertThat(get(actions, watching)).returns(State.DONE, OperatorAction::state);
  }

  private static void handled(KeptFixture fixture, String id) throws SQLException {
    fixture.run(
        "INSERT INTO shop.pb_inbox_message (consumer, message_id, fingerprint, fingerprint_version,"
            + " headers) SELECT 'shipping', '"
            + id
            + "', fingerprint, 1, '{}' FROM shop.pb_inbox_stored ORDER BY id FETCH FIRST ROW ONLY");
    fixture.run("DELETE FROM shop.pb_inbox_stored WHERE message_id = '" + id + "'");
  }

  @ParameterizedTest
  @EnumSource
  void oneOfTheFirstThatFailsAgainPausesIt(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 10);
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan(), RedrivePace.FASTEST.first(2));
    run(actions);
    fixture.run(
        "INSERT INTO shop.pb_inbox_failure (consumer, message_id, attempt, kind, reason)"
            + " VALUES ('shipping', 'm-1', 1, 'TRANSIENT', 'a deadlock')");
    run(actions);
    assertThat(get(actions, started)).returns(State.RUNNING, OperatorAction::state);
    fixture.run(
        "INSERT INTO shop.pb_inbox_failure (consumer, message_id, attempt, kind, reason)"
            + " VALUES ('shipping', 'm-2', 1, 'FAILED', 'again')");
    run(actions);
    assertThat(get(actions, started))
        .returns(State.PAUSED, OperatorAction::state)
        .returns(2L, OperatorAction::done)
        .satisfies(
            it -> assertThat(it.note()).startsWith("1 of the first 2 messages failed again."));
    assertThat(fixture.sent).hasSize(2);
    assertThat(actions.control().resume(started.id(), WHO, "all the same")).isTrue();
    run(actions);
    assertThat(get(actions, started)).returns(State.DONE, OperatorAction::state);
    assertThat(fixture.sent).hasSize(10);
  }

  @ParameterizedTest
  @EnumSource
  void aMessageThatIsParkedAgainPausesItToo(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 1);
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan(), RedrivePace.FASTEST.first(5));
    run(actions);
    fixture.run("UPDATE shop.pb_inbox_stored SET status = 'PARKED'");
    run(actions);
    assertThat(get(actions, started)).returns(State.PAUSED, OperatorAction::state);
  }

  @ParameterizedTest
  @EnumSource
  void aRateSendsASecondsShareAtOnceAndThenWaits(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 1_000);
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan(), RedrivePace.FASTEST.atRate(5));
    run(actions);
    assertThat(fixture.sent.size()).isBetween(5, 100);
    assertThat(get(actions, started)).returns(State.RUNNING, OperatorAction::state);
    assertThat(fixture.count(Kind.PARKED))
        .as("none is touched before it is sent")
        .isEqualTo(1_000 - fixture.sent.size());
  }

  /** As after a redrive by somebody else, who holds it now: the page of ids was read before. */
  @ParameterizedTest
  @EnumSource
  void aMessageThatIsKeptAsideAgainMeanwhileIsLeftAlone(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 5);
    fixture.broker =
        message ->
            fixture.run(
                "UPDATE shop.pb_inbox_stored SET kept_at = kept_at + INTERVAL '1' MINUTE"
                    + " WHERE message_id = 'm-4' AND status = 'PARKED'");
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan());
    run(actions);

    assertThat(get(actions, started))
        .returns(State.DONE, OperatorAction::state)
        .returns(4L, OperatorAction::done);
    assertThat(fixture.sent).extracting(Outgoing::id).containsExactly("m-1", "m-2", "m-3", "m-5");
  }

  @Test
  void aPaceHasBounds() {
    RedrivePace four = RedrivePace.FASTEST.atRate(4);
    assertThatThrownBy(() -> four.atRate(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> four.first(1_001)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void planAndProgressComeBackAsTheyWere() {
    Instant time = Instant.parse("2026-11-23T12:00:00.123456Z");
    KeptFilter all =
        KeptFilter.all()
            .ids(List.of(3L, 5_000_000_000L))
            .consumer("c \" \u00e9")
            .messageId("m")
            .reason("REJECTED")
            .keptFrom(time)
            .keptBefore(time.plusSeconds(1))
            .event("e")
            .aggregate("Order", 17)
            .signature("5ef0")
            .errorContains("100%");
    assertThat(all.criteria()).hasSize(KeptFilter.Criterion.values().length);
    KeptActionPlan plan = new KeptActionPlan(Kind.PARKED, all, 5_000_000_000L);
    assertThat(KeptActionPlan.of(plan.toJson())).isEqualTo(plan);
    KeptActionPlan paced =
        new KeptActionPlan(Kind.PARKED, all, 1, ReplyOnRedrive.KEEP, new RedrivePace(7, 9));
    assertThat(KeptActionPlan.of(paced.toJson())).isEqualTo(paced);
    KeptProgress begun = KeptProgress.of("", 9);
    KeptProgress first = begun.with(begun.course().redriven(time, List.of("3")));
    assertThat(KeptProgress.of(first.toJson(), 9)).isEqualTo(first);
    assertThat(first.course().first()).containsExactly("3");
    KeptActionPlan discard = new KeptActionPlan(Kind.QUARANTINED, KeptFilter.all(), 1);
    assertThat(KeptActionPlan.of(discard.toJson())).isEqualTo(discard);
    KeptProgress progress =
        KeptProgress.of("", 0).done(3).refused(4, true, "x").refused(5, false, "\"y\"");
    assertThat(KeptProgress.of(progress.toJson(), 0)).isEqualTo(progress);
  }

  @ParameterizedTest
  @EnumSource
  void aRefusedMessageIsTakenBackWhenNobodyHasItsRow(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 1);
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan());
    try (Connection other = fixture.dataSource.getConnection();
        Statement lock = other.createStatement()) {
      other.setAutoCommit(false);
      fixture.broker =
          refused -> {
            try {
              lock.executeQuery("SELECT id FROM shop.pb_inbox_stored FOR UPDATE").close();
            } catch (SQLException failed) {
              throw new IllegalStateException(failed);
            }
            throw new NotSentException("no", false, null);
          };
      run(actions);
      other.rollback();
    }
    run(actions);
    assertThat(get(actions, started))
        .returns(State.DONE, OperatorAction::state)
        .returns(0L, OperatorAction::done)
        .returns(1L, OperatorAction::failures);
    assertThat(fixture.count(Kind.PARKED)).isEqualTo(1);
    assertThat(fixture.column(AUDIT)).containsExactly("redrive ada why not 0 inbox shop");
  }
}
