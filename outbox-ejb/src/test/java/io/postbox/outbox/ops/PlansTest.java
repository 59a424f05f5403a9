package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.Page;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanRefusedException.Why;
import io.postbox.common.PlanToken;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.testing.LogLines;
import io.postbox.outbox.testing.Operator;
import io.postbox.outbox.testing.TestDatabase;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Only a plan that the outbox made is carried out, so nothing is touched that was not shown. */
class PlansTest {
  private static final DeadLetterFilter ALL = DeadLetterFilter.all();
  private static final String WHO = DeadLetterFixture.WHO;
  private static final PlanToken MADE_UP = new PlanToken(UUID.randomUUID(), WHO, Instant.MAX);

  private static void refuses(Why why, ThrowingCallable action) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            PlanRefusedException.class, refused -> assertThat(refused.why()).isEqualTo(why))
        .hasMessageContaining("nothing was changed. Make another plan.");
  }

  @ParameterizedTest
  @EnumSource
  void aConstructedPlanIsRefusedWhateverItShows(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(3, "d");
    DeadLetterPlan none = new DeadLetterPlan(MADE_UP, ALL, Instant.MAX, 500, List.of());
    refuses(Why.UNKNOWN, () -> fixture.actions.discard(none, WHO, "x"));
    refuses(Why.UNKNOWN, () -> fixture.redrive(none));

    assertThat(fixture.count("status = 'DEAD'")).isEqualTo(3);
    assertThat(fixture.rows.count("postbox_audit")).isZero();
  }

  /** What was shown is on record; what an application makes of its copy does not matter. */
  @ParameterizedTest
  @EnumSource
  void aPlanThatWasChangedDoesWhatItHasShown(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(3, "d");
    fixture.dead(2, "e");
    DeadLetterPlan plan = fixture.plan(ALL.destination("d"));
    DeadLetterPlan all =
        new DeadLetterPlan(plan.token(), ALL, Instant.MAX, 500, plan.destinations());
    fixture.dead(1, "d");
    assertThat(fixture.actions.discard(all, WHO, "x")).isEqualTo(3);
    assertThat(fixture.column("SELECT subject FROM shop.pb_postbox_audit"))
        .singleElement()
        .asString()
        .contains("destination=d");
  }

  @ParameterizedTest
  @EnumSource
  void aPlanIsForWhatItWasMadeFor(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(3, "d");
    WaitingActions waiting =
        new WaitingActions(
            new OutboxTables(database.dialect(), fixture.config, fixture.counting.dataSource()));
    WaitingPlan ofWaiting = waiting.plan("d", WHO);
    DeadLetterPlan ofLetters = fixture.plan();
    refuses(
        Why.UNKNOWN,
        () ->
            fixture.actions.discard(
                new DeadLetterPlan(ofWaiting.token(), ALL, Instant.MAX, 500, List.of()), WHO, "x"));
    refuses(
        Why.UNKNOWN,
        () ->
            fixture.actions.discard(
                new WaitingPlan(ofLetters.token(), "d", Instant.MAX, 0, 0, 0), WHO, "x"));
    assertThat(fixture.count("status = 'DEAD'")).isEqualTo(3);
    assertThat(fixture.actions.discard(ofLetters, WHO, "x")).as("it stays valid").isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void oneOfTwoWhoCarryOutAPlanAtOnceDoes(TestDatabase database) throws Exception {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(3, "d");
    DeadLetterPlan plan = fixture.plan();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<Long>> both =
          threads.invokeAll(
              List.of(
                  () -> fixture.actions.discard(plan, WHO, "x"),
                  () -> fixture.actions(fixture.counting.dataSource()).discard(plan, WHO, "y")));
      List<Object> ends = new ArrayList<>();
      for (Future<Long> each : both) {
        try {
          ends.add(each.get());
        } catch (ExecutionException refused) {
          ends.add(((PlanRefusedException) refused.getCause()).why());
        }
      }
      assertThat(ends).containsExactlyInAnyOrder(3L, Why.USED);
    } finally {
      threads.shutdownNow();
    }
  }

  /** So that nobody fills the table by planning; and what is planned is no action to be seen. */
  @ParameterizedTest
  @EnumSource
  void theOldestOfMoreThanFiftyPlansOfAPersonIsForgotten(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(3, "d");
    DeadLetterPlan others = fixture.plan(ALL, "eve");
    DeadLetterPlan oldest = fixture.plan();
    DeadLetterPlan second = fixture.plan();
    for (int i = 0; i < 49; i++) {
      fixture.plan();
    }
    assertThat(fixture.rows.count("outbox_action")).isEqualTo(51);
    assertThat(fixture.actions.control().list(10)).isEmpty();
    assertThat(fixture.actions.control().get(second.token().id())).isEmpty();
    assertThat(fixture.actions.control().cancel(second.token().id(), WHO, "x")).isFalse();
    refuses(Why.UNKNOWN, () -> fixture.actions.discard(oldest, WHO, "x"));
    fixture.expire(others.token());
    fixture.rows.execute(
        "UPDATE shop.pb_outbox_action SET finished_at = finished_at - INTERVAL '61' MINUTE WHERE"
            + " principal = 'eve'");
    fixture.plan();
    assertThat(fixture.rows.count("outbox_action")).as("50 of one person").isEqualTo(50);
    refuses(Why.UNKNOWN, () -> fixture.actions.discard(second, WHO, "x"));
    assertThat(fixture.actions.discard(fixture.plan(), WHO, "x")).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource
  void aPlanIsGoodOnceForItsMakerWithinAnHour(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    try (LogLines lines = LogLines.of("io.postbox.outbox")) {
      fixture.dead(3, "d");
      DeadLetterPlan some = fixture.plan();
      refuses(Why.FOREIGN, () -> fixture.actions.redrive(some, "eve", "x"));
      assertThat(lines.lines())
          .containsExactly(
              "OBX0071 The outbox refused a plan that eve submitted: The plan %s was made by another principal; nothing was changed. Make another plan."
                  .formatted(some.token().id()));
      assertThat(fixture.redrive(some)).isEqualTo(3);
      refuses(Why.USED, () -> fixture.redrive(some));
      refuses(Why.USED, () -> fixture.actions.discard(some, WHO, "x"));

      fixture.dead(2, "d");
      DeadLetterPlan late = fixture.plan();
      fixture.expire(late.token());
      refuses(Why.EXPIRED, () -> fixture.actions.discard(late, WHO, "x"));
      assertThat(fixture.count("status = 'DEAD'")).isEqualTo(2);
      assertThat(fixture.column("SELECT id FROM shop.pb_postbox_audit"))
          .containsExactly(some.token().id().toString());
    }
  }

  /** An HTTP session that is replicated carries it there. */
  @ParameterizedTest
  @EnumSource
  void aPlanOfOneNodeIsCarriedOutByAnother(TestDatabase database) throws Exception {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(3, "d");
    DeadLetterPlan plan =
        fixture.plan(
            ALL.destination("d")
                .ids(
                    fixture.queries.find(ALL, first()).stream()
                        .map(letter -> letter.id())
                        .toList()));
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(sent)) {
      out.writeObject(plan);
    }
    DeadLetterPlan there =
        (DeadLetterPlan)
            new ObjectInputStream(new ByteArrayInputStream(sent.toByteArray())).readObject();
    Operator node = new Operator(database.dialect(), fixture.config, fixture.counting.dataSource());

    assertThat(node.redrive(there, WHO, "x")).isEqualTo(3);
    refuses(Why.USED, () -> fixture.redrive(plan));
  }

  @ParameterizedTest
  @EnumSource
  void aPlanOfWhatWaitsIsNoLessBound(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("PENDING", 3, "d", "CAST(NULL AS VARCHAR)");
    WaitingActions waiting =
        new WaitingActions(
            new OutboxTables(database.dialect(), fixture.config, fixture.counting.dataSource()));
    Operator actions = fixture.actions;
    WaitingPlan made = new WaitingPlan(MADE_UP, "d", Instant.MAX, 0, 0, 0);
    refuses(Why.UNKNOWN, () -> actions.discard(made, WHO, "x"));
    WaitingPlan ofE = waiting.plan("e", WHO);
    WaitingPlan changed = new WaitingPlan(ofE.token(), "d", ofE.asOf(), 0, 0, 0);
    assertThat(actions.discard(changed, WHO, "x")).as("what it has shown").isZero();
    assertThat(fixture.count()).isEqualTo(3);

    WaitingPlan plan = waiting.plan("d", WHO);
    refuses(Why.FOREIGN, () -> actions.discard(plan, "eve", "x"));
    assertThat(actions.discard(plan, WHO, "x")).isEqualTo(3);
    refuses(Why.USED, () -> actions.discard(plan, WHO, "x"));
    WaitingPlan late = waiting.plan("d", WHO);
    fixture.expire(late.token());
    refuses(Why.EXPIRED, () -> actions.discard(late, WHO, "x"));
  }

  private static Page first() {
    return Page.first(10);
  }
}
