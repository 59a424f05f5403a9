package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.OperatorAction;
import io.postbox.common.OperatorAction.State;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanRefusedException.Why;
import io.postbox.common.RedrivePace;
import io.postbox.common.ops.ActionRunner;
import io.postbox.common.testing.DyingNode;
import io.postbox.common.testing.SettableClock;
import io.postbox.common.testing.Tenth;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.testing.Operator;
import io.postbox.outbox.testing.PlanRecorder;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BackgroundActionsTest {
  private static final String WHO = DeadLetterFixture.WHO;
  private static final String WHY = "why not";
  private static final String AUDIT =
      "SELECT action || ' ' || principal || ' ' || reason || ' ' || messages"
          + " FROM shop.pb_postbox_audit ORDER BY at";

  private final SettableClock clock = new SettableClock();
  private final Set<Lane> woken = new HashSet<>();

  private BackgroundActions actions(DeadLetterFixture fixture) {
    return actions(fixture, fixture.counting.dataSource());
  }

  private BackgroundActions actions(DeadLetterFixture fixture, DataSource dataSource) {
    return actions(fixture, dataSource, woken::addAll);
  }

  private BackgroundActions actions(
      DeadLetterFixture fixture, DataSource dataSource, Consumer<Set<Lane>> wake) {
    return new BackgroundActions(
        new OutboxTables(fixture.database.dialect(), fixture.config, dataSource),
        Operator.KEY,
        false,
        wake,
        clock);
  }

  /** Lets a node do what is due. */
  private void run(BackgroundActions node) {
    clock.advance(Duration.ofSeconds(10));
    node.runner().runIfDue(Runnable::run);
  }

  private static OperatorAction get(BackgroundActions actions, OperatorAction action) {
    return actions.control().get(action.id()).orElseThrow();
  }

  private static OperatorAction redrive(BackgroundActions actions, DeadLetterPlan plan) {
    return actions.redrive(plan.token().id(), new RedrivePace(plan.perSecond(), 0), WHO, WHY);
  }

  private static OperatorAction redrive(BackgroundActions actions, DeadLetterPlan plan, int first) {
    return actions.redrive(plan.token().id(), new RedrivePace(plan.perSecond(), first), WHO, WHY);
  }

  @ParameterizedTest
  @EnumSource
  void aRedriveGoesOnInStepsAndSaysHowFarItIs(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("DEAD", 5_000, "d", "'k' || MOD(i, 160)");
    fixture.dead(5_000, "d");
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan());
    assertThat(started)
        .returns(State.RUNNING, OperatorAction::state)
        .returns("redrive", OperatorAction::kind)
        .returns(WHO, OperatorAction::principal)
        .returns(WHY, OperatorAction::reason)
        .returns(10_000L, OperatorAction::total)
        .returns(0L, OperatorAction::done);
    assertThat(fixture.count("status = 'DEAD'")).isEqualTo(10_000);
    int statements = fixture.counting.statements();
    run(actions);
    statements = fixture.counting.statements() - statements;

    assertThat(get(actions, started))
        .returns(State.DONE, OperatorAction::state)
        .returns(10_000L, OperatorAction::done);
    assertThat(fixture.count("status = 'PENDING'")).isEqualTo(5_160);
    assertThat(fixture.count("status = 'HELD'")).isEqualTo(4_840);
    assertThat(fixture.rows.count("outbox_held_key")).isEqualTo(160);
    assertThat(fixture.count("attempts <> 0")).isZero();
    assertThat(fixture.count("last_error LIKE 'AMQ229032%'")).isEqualTo(10_000);
    assertThat(fixture.column("SELECT MIN(put_back) FROM shop.pb_outbox_partition"))
        .containsExactly("1");
    assertThat(fixture.column(AUDIT)).containsExactly("redrive ada why not 10000");
    assertThat(woken).hasSize(16);
    // One page; for each partition the eight of a redrive, two looks at the action and its
    // progress;
    // an empty page, with the two looks and the end, which is read back; and no action is left.
    assertThat(statements).isEqualTo(1 + 16 * (8 + 3) + 1 + 4 + 1);
  }

  @ParameterizedTest
  @EnumSource
  void aPlanCountsNoLettersOfATimeToComeWhichItsActionLeaves(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(5, "d");
    fixture.rows.execute(
        "UPDATE shop.pb_outbox_message SET due_at = due_at + INTERVAL '7' MINUTE WHERE seq <= 2");
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan());
    run(actions);

    assertThat(get(actions, started))
        .returns(State.DONE, OperatorAction::state)
        .returns(3L, OperatorAction::total)
        .returns(3L, OperatorAction::done);
    assertThat(fixture.count("status = 'DEAD'")).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void anIdleNodeReadsOneIndexEntryEveryFewSeconds(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_outbox_action
          (id, action, state, principal, reason, subject, total, plan, progress, finished_at)
        SELECT CAST(LPAD(CAST(i AS VARCHAR), 32, '0') AS UUID), 'redrive',
          CASE WHEN MOD(i, 10) = 0 THEN 'PAUSED' ELSE 'DONE' END, 'a', 'b', 'c', 1, '{}', '',
          CASE WHEN MOD(i, 10) = 0 THEN NULL ELSE CURRENT_TIMESTAMP END
        FROM %s n
        """
            .formatted(
                database == TestDatabase.H2
                    ? "(SELECT X AS i FROM SYSTEM_RANGE(1, 2000))"
                    : "(SELECT generate_series AS i FROM generate_series(1, 2000))"));
    BackgroundActions actions = actions(fixture);
    int statements = fixture.counting.statements();
    int commits = fixture.counting.commits();
    for (int halfSeconds = 0; halfSeconds < 20; halfSeconds++) {
      actions.runner().runIfDue(Runnable::run);
      clock.advance(Duration.ofMillis(500));
    }
    assertThat(fixture.counting.statements() - statements).as("in ten seconds").isEqualTo(2);
    assertThat(fixture.counting.commits() - commits).isZero();
    if (database == TestDatabase.POSTGRESQL) {
      PlanRecorder recorder = new PlanRecorder(fixture.counting.dataSource(), "");
      run(actions(fixture, recorder.dataSource()));
      assertThat(recorder.take())
          .singleElement()
          .satisfies(
              look -> {
                assertThat(look.steps())
                    .containsExactly(
                        "Limit", "Index Scan pb_outbox_action pb_outbox_action_turn_ix");
                assertThat(look.pages()).isLessThan(5);
              });
    }
  }

  /** Another node goes on, and counts no letter twice and none not at all. */
  @ParameterizedTest
  @EnumSource
  void aNodeMayDieBetweenAnyTwoStatements(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    boolean survived = false;
    int moments = 0;
    for (; !survived; moments++) {
      if (!Tenth.has(moments)) {
        continue;
      }
      fixture.rows.execute("DELETE FROM shop.pb_outbox_held_key");
      fixture.rows.execute("DELETE FROM shop.pb_postbox_audit");
      fixture.rows.execute("DELETE FROM shop.pb_outbox_message");
      fixture.insert("DEAD", 40, "d", "CASE WHEN MOD(i, 2) = 0 THEN 'k' || MOD(i, 8) END");
      fixture.insert("HELD", 5, "d", "'k2'");
      fixture.rows.execute(
          """
          UPDATE shop.pb_outbox_message
          SET partition_no = CASE status WHEN 'HELD' THEN 2 ELSE MOD(CAST(aggregate_id AS INT), 4) END
          """);
      OperatorAction started =
          moments % 2 == 0
              ? redrive(actions(fixture), fixture.plan())
              : actions(fixture).discard(fixture.plan().token().id(), WHO, WHY);
      DyingNode mortal = new DyingNode(fixture.counting.dataSource(), moments);
      run(actions(fixture, mortal.dataSource()));
      survived = !mortal.isDead();
      BackgroundActions other = actions(fixture);
      run(other);

      assertThat(get(other, started))
          .as("after %s moments", moments)
          .returns(State.DONE, OperatorAction::state)
          .returns(40L, OperatorAction::done);
      assertThat(fixture.column("SELECT messages FROM shop.pb_postbox_audit"))
          .containsExactly("40");
      assertThat(fixture.count("status = 'DEAD'")).isZero();
      assertThat(fixture.count("status <> 'HELD' OR ordering_key IS NOT NULL"))
          .isEqualTo(moments % 2 == 0 ? 45 : 5);
    }
    assertThat(moments).as("moments of one action").isGreaterThan(40);
  }

  @ParameterizedTest
  @EnumSource
  void aRateKeepsTheRestDeadUntilTheirTimeIsNear(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(995, "d");
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan().atRate(10));
    run(actions);
    long marked = get(actions, started).done();
    assertThat(marked).isBetween(50L, 110L);
    assertThat(fixture.count("status = 'DEAD'")).isEqualTo(995 - marked);
    assertThat(
            fixture.column(
                "SELECT COUNT(*) FROM shop.pb_outbox_message WHERE status = 'DELAYED' GROUP BY"
                    + " due_at"))
        .allSatisfy(perSecond -> assertThat(Integer.parseInt(perSecond)).isLessThanOrEqualTo(10));
    assertThat(fixture.count("due_at > CURRENT_TIMESTAMP + INTERVAL '11' SECOND")).isZero();

    assertThat(actions.control().pause(started.id(), "bob", "lunch")).isTrue();
    assertThat(actions.control().pause(started.id(), "bob", "lunch")).isFalse();
    run(actions);
    assertThat(get(actions, started))
        .returns(State.PAUSED, OperatorAction::state)
        .returns(marked, OperatorAction::done);
    assertThat(actions.control().resume(started.id(), "bob", "coffee")).isTrue();
    assertThat(actions.control().cancel(started.id(), "eve", "enough")).isTrue();
    run(actions);
    assertThat(get(actions, started)).returns(State.CANCELLED, OperatorAction::state);
    assertThat(actions.control().resume(started.id(), "bob", "no")).isFalse();
    assertThat(fixture.count("status = 'DEAD'")).isEqualTo(995 - marked);
    assertThat(fixture.column(AUDIT))
        .containsExactly(
            "redrive ada why not " + marked,
            "pause-action bob lunch 0",
            "resume-action bob coffee 0",
            "cancel-action eve enough 0");
    assertThat(fixture.redrive(fixture.plan())).isEqualTo(995 - marked);
  }

  @Test
  void planAndProgressComeBackAsTheyWere() {
    Instant time = Instant.parse("2026-11-23T12:00:00.123456Z");
    UUID id = UUID.randomUUID();
    DeadLetterFilter all =
        DeadLetterFilter.all()
            .ids(List.of(id, UUID.randomUUID()))
            .destination("d \" \u00e9")
            .event("e")
            .aggregate("Order", 17)
            .orderedBy("k")
            .signature("5ef0")
            .errorContains("100%")
            .enqueuedFrom(time)
            .enqueuedBefore(time.plusSeconds(1));
    assertThat(all.criteria()).hasSize(DeadLetterFilter.Criterion.values().length);
    MessagePlan plan = MessagePlan.ofDead(all, time).redriven(10, 3);
    assertThat(MessagePlan.of(plan.toJson())).isEqualTo(plan);
    MessagePlan waiting = MessagePlan.ofWaiting("d \" \u00e9", time, true);
    assertThat(MessagePlan.of(waiting.toJson())).isEqualTo(waiting);
    LetterProgress begun = LetterProgress.of("", plan);
    LetterProgress progress =
        begun.with(begun.course().redriven(time, List.of(id.toString()))).after(17);
    assertThat(LetterProgress.of(progress.toJson(), plan)).isEqualTo(progress);
  }

  @ParameterizedTest
  @EnumSource
  void afterTheFirstWereSentTheOthersFollow(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(100, "d");
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan(), 10);
    run(actions);
    run(actions);
    assertThat(
            fixture.column(
                "SELECT MAX(seq) - MIN(seq) FROM shop.pb_outbox_message WHERE status = 'PENDING'"))
        .containsExactly("9");
    assertThat(get(actions, started))
        .returns(State.RUNNING, OperatorAction::state)
        .returns(10L, OperatorAction::done);

    fixture.rows.execute(
        "DELETE FROM shop.pb_outbox_message WHERE status = 'PENDING' AND MOD(seq, 2) = 0");
    run(actions);
    assertThat(get(actions, started)).returns(10L, OperatorAction::done);
    fixture.rows.execute("DELETE FROM shop.pb_outbox_message WHERE status = 'PENDING'");
    run(actions(fixture)); // another node
    assertThat(get(actions, started))
        .returns(State.DONE, OperatorAction::state)
        .returns(100L, OperatorAction::done)
        .returns(0L, OperatorAction::failures);
  }

  /** A node that ends with its first step. */
  private BackgroundActions endingAmongSteps(DeadLetterFixture fixture) {
    List<BackgroundActions> ending = new ArrayList<>();
    ending.add(
        actions(fixture, fixture.counting.dataSource(), lanes -> ending.get(0).runner().stop()));
    return ending.get(0);
  }

  /** A step is for one partition, so the first letters may take several. */
  @ParameterizedTest
  @EnumSource
  void theyAreNoMoreIfANodeEndsAmongThem(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(100, "d");
    BackgroundActions ending = endingAmongSteps(fixture);
    OperatorAction started = redrive(ending, fixture.plan(), 10);
    run(ending);
    assertThat(get(ending, started)).returns(1L, OperatorAction::done);

    BackgroundActions other = actions(fixture);
    run(other);
    run(other);
    assertThat(get(other, started))
        .returns(State.RUNNING, OperatorAction::state)
        .returns(10L, OperatorAction::done);
    assertThat(fixture.count("status = 'DEAD'")).isEqualTo(90);
    fixture.rows.execute("DELETE FROM shop.pb_outbox_message WHERE status = 'PENDING'");
    run(other);
    assertThat(get(other, started))
        .returns(State.DONE, OperatorAction::state)
        .returns(100L, OperatorAction::done);
  }

  @ParameterizedTest
  @EnumSource
  void noneGoAheadBesidesThoseThatGoWithTheFirst(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("DEAD", 320, "d", "'k' || MOD(i, 16)"); // 20 of a key, which go together
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_outbox_held_key (partition_no, destination, ordering_key, head_id)
        SELECT partition_no, destination, ordering_key, id FROM shop.pb_outbox_message
        WHERE seq IN (SELECT MIN(seq) FROM shop.pb_outbox_message GROUP BY ordering_key)
        """);
    BackgroundActions ending = endingAmongSteps(fixture);
    OperatorAction started = redrive(ending, fixture.plan(), 10);
    run(ending);
    assertThat(get(ending, started)).returns(20L, OperatorAction::done);

    BackgroundActions other = actions(fixture);
    run(other);
    run(other);
    assertThat(get(other, started))
        .returns(State.RUNNING, OperatorAction::state)
        .returns(20L, OperatorAction::done);
    fixture.rows.execute("DELETE FROM shop.pb_outbox_message WHERE status <> 'DEAD'");
    run(other);
    assertThat(get(other, started))
        .returns(State.DONE, OperatorAction::state)
        .returns(320L, OperatorAction::done);
  }

  @ParameterizedTest
  @EnumSource
  void ifOneOfTheFirstFailsAgainTheOthersStayUntilAnOperatorResumes(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(100, "d");
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan(), 10);
    run(actions);
    fixture.rows.execute(
        "UPDATE shop.pb_outbox_message SET attempts = 1, status = 'DELAYED' WHERE status ="
            + " 'PENDING' AND MOD(seq, 5) = 0");
    run(actions);
    assertThat(get(actions, started))
        .returns(State.PAUSED, OperatorAction::state)
        .returns(10L, OperatorAction::done)
        .returns(2L, OperatorAction::failures)
        .satisfies(
            it -> assertThat(it.note()).startsWith("2 of the first 10 letters failed again"));
    run(actions);
    assertThat(fixture.count("status = 'DEAD'")).isEqualTo(90);

    assertThat(actions.control().resume(started.id(), "bob", "all the same")).isTrue();
    run(actions);
    assertThat(get(actions, started))
        .returns(State.DONE, OperatorAction::state)
        .returns(100L, OperatorAction::done)
        .returns(2L, OperatorAction::failures)
        .returns(null, OperatorAction::note);
    assertThat(fixture.column(AUDIT))
        .containsExactly("redrive ada why not 100", "resume-action bob all the same 0");
    for (int first : List.of(-1, 1_001)) {
      assertThatThrownBy(() -> redrive(actions, fixture.plan(), first))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void waitingMessagesAreDiscardedWhateverTheyWaitFor(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("PENDING", 1_700, "d", "'p' || i");
    fixture.insert("DELAYED", 50, "d", "'k' || i");
    fixture.insert("HELD", 1_800, "d", "'k' || MOD(i, 50)");
    fixture.insert("PENDING", 10, "e", "'p' || i");
    fixture.dead(10, "d");
    WaitingActions waiting =
        new WaitingActions(
            new OutboxTables(database.dialect(), fixture.config, fixture.counting.dataSource()));
    WaitingPlan plan = waiting.plan("d", WHO);
    BackgroundActions actions = actions(fixture);
    OperatorAction started = actions.discardWaiting(plan.token().id(), WHO, WHY);
    fixture.insert("PENDING", 10, "d", "'p' || i"); // behind the plan
    DyingNode mortal = new DyingNode(fixture.counting.dataSource(), 200);
    run(actions(fixture, mortal.dataSource()));
    assertThat(mortal.isDead()).isTrue();
    run(actions);
    assertThat(get(actions, started))
        .returns("discard-waiting", OperatorAction::kind)
        .returns(State.DONE, OperatorAction::state)
        .returns(3_550L, OperatorAction::total)
        .returns(3_550L, OperatorAction::done);
    assertThat(fixture.rows.count("outbox_archive")).isEqualTo(3_550);
    assertThat(fixture.count()).isEqualTo(30);
    assertThat(fixture.column(AUDIT)).containsExactly("discard-waiting ada why not 3550");
  }

  @ParameterizedTest
  @EnumSource
  void oneRunsAtATimeInTheOrderOfTheirStart(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(100, "d");
    fixture.dead(5, "e");
    BackgroundActions actions = actions(fixture);
    OperatorAction first = redrive(actions, fixture.plan(DeadLetterFilter.all().destination("d")));
    OperatorAction second = redrive(actions, fixture.plan(DeadLetterFilter.all().destination("e")));
    try (Connection other = fixture.counting.dataSource().getConnection();
        Statement lock = other.createStatement()) {
      other.setAutoCommit(false);
      lock.execute(
          "SELECT id FROM shop.pb_outbox_action WHERE state = 'RUNNING' ORDER BY started_at FETCH"
              + " FIRST 1 ROW ONLY FOR UPDATE");
      run(actions);
      other.rollback();
    }
    assertThat(get(actions, second)).returns(0L, OperatorAction::done);
    actions.control().pause(first.id(), WHO, "let others pass");
    run(actions);
    assertThat(get(actions, second)).returns(State.DONE, OperatorAction::state);
    actions.control().resume(first.id(), WHO, "on");
    assertThat(actions.control().list(10))
        .extracting(OperatorAction::id)
        .containsExactly(second.id(), first.id());
    assertThat(actions.control().list(1))
        .extracting(OperatorAction::id)
        .containsExactly(second.id());
    assertThat(actions.control().list(second.id(), 5))
        .extracting(OperatorAction::id)
        .containsExactly(first.id());
    assertThat(actions.control().list(first.id(), 5)).isEmpty();
    assertThat(actions.control().list(UUID.randomUUID(), 5)).isEmpty();
    assertThatThrownBy(() -> actions.control().list(0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> actions.control().list(1_001))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** As of a plan that was not counted to its end. */
  @ParameterizedTest
  @EnumSource
  void noActionHasDoneMoreThanItsTotal(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(20, "d");
    BackgroundActions actions = actions(fixture);
    OperatorAction discard = actions.discard(fixture.plan().token().id(), WHO, WHY);
    fixture.rows.execute("UPDATE shop.pb_outbox_action SET total = 3");
    run(actions);
    assertThat(get(actions, discard))
        .returns(20L, OperatorAction::done)
        .returns(20L, OperatorAction::total);
  }

  /** As at a destination that is down: nobody else is to wait for that. */
  @ParameterizedTest
  @EnumSource
  void anActionThatOnlyWaitsLetsTheOthersPassAndGoesOnBeforeThem(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(20, "d");
    fixture.dead(20, "e");
    fixture.dead(20, "f");
    BackgroundActions actions = actions(fixture);
    OperatorAction watching =
        redrive(actions, fixture.plan(DeadLetterFilter.all().destination("d")), 10);
    OperatorAction paced =
        redrive(actions, fixture.plan(DeadLetterFilter.all().destination("e")).atRate(1));
    OperatorAction discard =
        actions.discard(
            fixture.plan(DeadLetterFilter.all().destination("f")).token().id(), WHO, WHY);
    run(actions);
    assertThat(get(actions, watching))
        .returns(State.RUNNING, OperatorAction::state)
        .returns(10L, OperatorAction::done);
    assertThat(get(actions, paced))
        .returns(State.RUNNING, OperatorAction::state)
        .satisfies(it -> assertThat(it.done()).isBetween(1L, 19L));
    assertThat(get(actions, discard)).returns(State.DONE, OperatorAction::state);

    int statements = fixture.counting.statements();
    actions.runner().wake();
    assertThat(fixture.counting.statements() - statements).as("a look while all wait").isEqualTo(2);

    fixture.rows.execute(
        "DELETE FROM shop.pb_outbox_message WHERE destination = 'd' AND status = 'PENDING'");
    OperatorAction other =
        actions.discard(
            fixture.plan(DeadLetterFilter.all().destination("e")).token().id(), WHO, WHY);
    assertThat(get(actions, watching)).returns(State.RUNNING, OperatorAction::state);
    run(actions);
    assertThat(get(actions, watching))
        .returns(State.DONE, OperatorAction::state)
        .returns(20L, OperatorAction::done);
    assertThat(get(actions, other)).returns(State.DONE, OperatorAction::state);
  }

  @ParameterizedTest
  @EnumSource
  void aPlanIsGoodForOneActionOfWhomeverItWasMadeFor(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(3, "d");
    BackgroundActions actions = actions(fixture);
    DeadLetterPlan plan = fixture.plan();
    assertThatThrownBy(
            () -> actions.redrive(plan.token().id(), new RedrivePace(500, 0), "eve", WHY))
        .isInstanceOfSatisfying(
            PlanRefusedException.class, it -> assertThat(it.why()).isEqualTo(Why.FOREIGN));
    assertThatThrownBy(() -> actions.discard(plan.token().id(), WHO, " "))
        .isInstanceOf(IllegalArgumentException.class);
    redrive(actions, plan);
    assertThatThrownBy(() -> actions.discard(plan.token().id(), WHO, WHY))
        .isInstanceOfSatisfying(
            PlanRefusedException.class, it -> assertThat(it.why()).isEqualTo(Why.USED));
    assertThatThrownBy(() -> fixture.redrive(plan)).isInstanceOf(PlanRefusedException.class);
    assertThat(fixture.column(AUDIT)).containsExactly("redrive ada why not 0");

    for (int i = 1; i < 100; i++) {
      redrive(actions, fixture.plan());
    }
    DeadLetterPlan tooMany = fixture.plan();
    assertThatThrownBy(() -> redrive(actions, tooMany))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("100 actions are unfinished");
    run(actions);
    assertThat(redrive(actions, tooMany).state()).isEqualTo(State.RUNNING);
  }

  @ParameterizedTest
  @EnumSource
  void aStepThatTheDatabaseRefusesAgainAndAgainFailsTheAction(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(40, "d");
    BackgroundActions actions = actions(fixture);
    OperatorAction started = actions.discard(fixture.plan().token().id(), WHO, WHY);
    fixture.rows.execute(
        "ALTER TABLE shop.pb_outbox_archive ADD CONSTRAINT refused CHECK (payload_text <> 'x' OR"
            + " MOD(seq, 16) <> 5)");
    for (int i = 0; i < 4; i++) {
      run(actions);
      assertThat(get(actions, started)).returns(State.RUNNING, OperatorAction::state);
    }
    run(actions);
    OperatorAction failed = get(actions, started);
    assertThat(failed.state()).isEqualTo(State.FAILED);
    assertThat(failed.note()).containsIgnoringCase("refused").doesNotContain("Failing row");
    assertThat(failed.done()).isBetween(1L, 39L);
    assertThat(fixture.count("status = 'DEAD'")).isEqualTo(40 - failed.done());

    fixture.rows.execute("ALTER TABLE shop.pb_outbox_archive DROP CONSTRAINT refused");
    run(actions);
    assertThat(get(actions, started)).returns(State.FAILED, OperatorAction::state);
    assertThat(actions.control().resume(started.id(), WHO, "mended")).isTrue();
    run(actions);
    assertThat(get(actions, started))
        .returns(State.DONE, OperatorAction::state)
        .returns(40L, OperatorAction::done)
        .returns(null, OperatorAction::note);
  }

  @ParameterizedTest
  @EnumSource
  void anOutageFailsNoAction(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(40, "d");
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan());
    fixture.counting.loseCommits(20);
    for (int i = 0; i < 20; i++) {
      run(actions);
      assertThat(fixture.column("SELECT state FROM shop.pb_outbox_action"))
          .containsExactly("RUNNING");
    }
    run(actions);
    assertThat(get(actions, started)).returns(State.DONE, OperatorAction::state);
  }

  @ParameterizedTest
  @EnumSource
  void aNodeThatStopsTakesNoFurtherStep(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(40, "d");
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan());
    actions.runner().stop();
    run(actions);
    assertThat(get(actions, started)).returns(0L, OperatorAction::done);
    run(actions(fixture));
    assertThat(get(actions, started)).returns(State.DONE, OperatorAction::state);
  }

  @Test
  void withAConnectorNothingIsRedriven() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.H2);
    BackgroundActions actions =
        new BackgroundActions(
            new OutboxTables(
                TestDatabase.H2.dialect(),
                TestConfig.DEFAULT.withTables("shop", "pb_").withCdc().config(),
                fixture.counting.dataSource()),
            Operator.KEY,
            false,
            woken::addAll,
            clock);
    assertThatThrownBy(() -> redrive(actions, fixture.plan()))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void aTaskThatNoThreadTakesIsStartedLater() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.H2);
    fixture.dead(4, "d");
    BackgroundActions actions = actions(fixture);
    OperatorAction started = redrive(actions, fixture.plan());
    List<Runnable> given = new ArrayList<>();
    clock.advance(ActionRunner.IDLE);
    actions
        .runner()
        .runIfDue(
            task -> {
              given.add(task);
              throw new java.util.concurrent.RejectedExecutionException("full");
            });
    assertThat(given).hasSize(1);
    run(actions);
    assertThat(get(actions, started)).returns(State.DONE, OperatorAction::state);
  }
}
