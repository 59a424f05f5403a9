package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.Page;
import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanRefusedException.Why;
import io.postbox.common.PlanToken;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.DeadLetterPlan.ForDestination;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.testing.LogLines;
import io.postbox.outbox.testing.Operator;
import io.postbox.outbox.testing.TestDatabase;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Only a plan that the outbox made is carried out, so nothing is touched that was not shown. */
class PlansTest {
  private static final DeadLetterFilter ALL = DeadLetterFilter.all();
  private static final String WHO = DeadLetterFixture.WHO;
  private static final PlanToken MADE_UP =
      new PlanToken(UUID.randomUUID(), WHO, Instant.MAX, "made up");

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

  @ParameterizedTest
  @EnumSource
  void aPlanThatWasChangedIsRefused(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(3, "d");
    fixture.dead(2, "e");
    DeadLetterPlan plan = fixture.plan(ALL.destination("d"));
    PlanToken token = plan.token();
    ForDestination found = plan.destinations().get(0);
    ForDestination fewer = new ForDestination("d", 1, 0, 0, 0, found.oldest(), found.newest());
    for (DeadLetterPlan other :
        List.of(
            changed(plan, token, ALL, plan.asOf(), plan.destinations()),
            changed(plan, token, ALL.event("d"), plan.asOf(), plan.destinations()),
            changed(plan, token, plan.filter(), Instant.MAX, plan.destinations()),
            changed(plan, token, plan.filter(), plan.asOf(), List.of()),
            changed(plan, token, plan.filter(), plan.asOf(), List.of(fewer)),
            changed(plan, other(token, UUID.randomUUID(), WHO, token.expiresAt())),
            changed(plan, other(token, token.id(), "eve", token.expiresAt())),
            changed(plan, other(token, token.id(), WHO, Instant.MAX)))) {
      refuses(Why.UNKNOWN, () -> fixture.actions.discard(other, other.token().madeBy(), "x"));
    }
    assertThat(fixture.count("status = 'DEAD'")).isEqualTo(5);
    assertThat(fixture.actions.discard(plan.atRate(7), WHO, "x")).isEqualTo(3);
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
      fixture.clock.advance(Duration.ofMinutes(59));
      assertThat(fixture.redrive(some)).isEqualTo(3);
      refuses(Why.USED, () -> fixture.redrive(some));
      refuses(Why.USED, () -> fixture.actions.discard(some, WHO, "x"));

      fixture.dead(2, "d");
      DeadLetterPlan late = fixture.plan();
      fixture.clock.advance(Duration.ofHours(1));
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
    Plans plans = new Plans("shop", new byte[] {1, 2, 3}, fixture.clock);
    Operator node =
        new Operator(database.dialect(), fixture.config, fixture.counting.dataSource(), plans);

    assertThat(node.redrive(there, WHO, "x")).isEqualTo(3);
    refuses(Why.USED, () -> fixture.redrive(plan));
    refuses(
        Why.UNKNOWN,
        () ->
            new Operator(
                    database.dialect(),
                    fixture.config,
                    fixture.counting.dataSource(),
                    new Plans("other", new byte[] {1, 2, 3}, fixture.clock))
                .redrive(fixture.plan(), WHO, "x"));
  }

  @ParameterizedTest
  @EnumSource
  void aPlanOfWhatWaitsIsNoLessBound(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("PENDING", 3, "d", "CAST(NULL AS VARCHAR)");
    WaitingActions waiting =
        new WaitingActions(
            database.dialect(), fixture.config, fixture.counting.dataSource(), fixture.plans);
    Operator actions = fixture.actions;
    WaitingPlan made = new WaitingPlan(MADE_UP, "d", Instant.MAX, 0, 0, 0);
    refuses(Why.UNKNOWN, () -> actions.discard(made, WHO, "x"));
    WaitingPlan ofE = waiting.plan("e", WHO);
    WaitingPlan changed = new WaitingPlan(ofE.token(), "d", ofE.asOf(), 0, 0, 0);
    refuses(Why.UNKNOWN, () -> actions.discard(changed, WHO, "x"));
    assertThat(fixture.count()).isEqualTo(3);

    WaitingPlan plan = waiting.plan("d", WHO);
    refuses(Why.FOREIGN, () -> actions.discard(plan, "eve", "x"));
    assertThat(actions.discard(plan, WHO, "x")).isEqualTo(3);
    refuses(Why.USED, () -> actions.discard(plan, WHO, "x"));
    WaitingPlan late = waiting.plan("d", WHO);
    fixture.clock.advance(Duration.ofHours(1));
    refuses(Why.EXPIRED, () -> actions.discard(late, WHO, "x"));
  }

  private static Page first() {
    return Page.first(10);
  }

  private static PlanToken other(PlanToken token, UUID id, String who, Instant until) {
    return new PlanToken(id, who, until, token.mac());
  }

  private static DeadLetterPlan changed(DeadLetterPlan plan, PlanToken token) {
    return changed(plan, token, plan.filter(), plan.asOf(), plan.destinations());
  }

  private static DeadLetterPlan changed(
      DeadLetterPlan plan,
      PlanToken token,
      DeadLetterFilter filter,
      Instant asOf,
      List<ForDestination> found) {
    return new DeadLetterPlan(token, filter, asOf, plan.perSecond(), found);
  }
}
