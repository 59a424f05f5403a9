package io.postbox.inbox.ops;

import static io.postbox.inbox.ops.KeptFixture.WHO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.PlanRefusedException;
import io.postbox.common.PlanRefusedException.Why;
import io.postbox.common.PlanToken;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.store.TestDatabase;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A plan that shows nothing touches nothing: the inbox carries out only plans that it made. */
class PlansTest {
  private static final KeptFilter ALL = KeptFilter.all();
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
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 3);
    fixture.quarantine("shipping", 2);
    for (Kind kind : Kind.values()) {
      KeptPlan none = new KeptPlan(MADE_UP, kind, ALL, Long.MAX_VALUE, List.of());
      refuses(Why.UNKNOWN, () -> fixture.actions(kind).discard(none, WHO, "x"));
      refuses(
          Why.UNKNOWN, () -> fixture.actions(kind).redrive(none, ReplyOnRedrive.KEEP, WHO, "x"));
    }
    assertThat(fixture.count(Kind.PARKED)).isEqualTo(3);
    assertThat(fixture.count(Kind.QUARANTINED)).isEqualTo(2);
    assertThat(fixture.sent).isEmpty();
    assertThat(fixture.count("postbox_audit")).isZero();
  }

  /** What was shown is on record; what an application makes of its copy does not matter. */
  @ParameterizedTest
  @EnumSource
  void aPlanThatWasChangedDoesWhatItHasShown(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 3);
    KeptPlan plan = fixture.planParked(ALL.messageId("m-1"));
    KeptPlan all = new KeptPlan(plan.token(), plan.kind(), ALL, 99, plan.consumers());
    assertThat(fixture.onParked().discard(all, WHO, "x")).isEqualTo(1);
    assertThat(fixture.count(Kind.PARKED)).isEqualTo(2);
    assertThat(fixture.column("SELECT subject FROM shop.pb_postbox_audit"))
        .singleElement()
        .asString()
        .contains("message-id=m-1");
  }

  @ParameterizedTest
  @EnumSource
  void aPlanIsGoodOnceForItsMakerWithinAnHour(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 3);
    KeptPlan some = fixture.plan();
    refuses(Why.FOREIGN, () -> fixture.onParked().redrive(some, ReplyOnRedrive.KEEP, "eve", "x"));
    assertThat(fixture.onParked().redrive(some, ReplyOnRedrive.KEEP, WHO, "x").messages())
        .isEqualTo(3);
    refuses(Why.USED, () -> fixture.onParked().redrive(some, ReplyOnRedrive.KEEP, WHO, "x"));
    refuses(Why.USED, () -> fixture.onParked().discard(some, WHO, "x"));

    fixture.park("shipping", "n-", 2);
    KeptPlan late = fixture.plan();
    fixture.expire(late.token());
    refuses(Why.EXPIRED, () -> fixture.onParked().discard(late, WHO, "x"));
    assertThat(fixture.count(Kind.PARKED)).isEqualTo(2);
    assertThat(fixture.column("SELECT id FROM shop.pb_postbox_audit"))
        .containsExactly(some.token().id().toString());
  }

  /** An HTTP session that is replicated carries it there. */
  @ParameterizedTest
  @EnumSource
  void aPlanOfOneNodeIsCarriedOutByAnother(TestDatabase database) throws Exception {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 3);
    KeptPlan plan = fixture.planParked(ALL.ids(List.of(1L, 2L, 3L)).consumer("shipping"));
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(sent)) {
      out.writeObject(plan);
    }
    KeptPlan there =
        (KeptPlan) new ObjectInputStream(new ByteArrayInputStream(sent.toByteArray())).readObject();

    assertThat(fixture.onParked().redrive(there, ReplyOnRedrive.KEEP, WHO, "x").messages())
        .isEqualTo(3);
    refuses(Why.USED, () -> fixture.onParked().redrive(plan, ReplyOnRedrive.KEEP, WHO, "x"));
  }

  @ParameterizedTest
  @EnumSource
  void theViewerOfAPayloadIsOnRecord(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 1);
    fixture.quarantine("shipping", 1);
    assertThat(fixture.parked.payload(1, "eve")).isPresent();
    assertThat(fixture.quarantined.payload(2, "eve")).isPresent();
    assertThat(fixture.parked.payload(2, "eve")).isEmpty();

    assertThat(
            fixture.column(
                "SELECT action || ' ' || principal || ' ' || messages || ' ' || subject"
                    + " FROM shop.pb_postbox_audit ORDER BY subject"))
        .hasSize(2)
        .first()
        .isEqualTo("view-payload eve 1 parked message 1 of 'shipping', id m-1");
  }

  @ParameterizedTest
  @EnumSource
  void aPayloadIsNotShownWhereThatCannotBePutOnRecord(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", 1);
    fixture.run("DROP TABLE shop.pb_postbox_audit");

    assertThatThrownBy(() -> fixture.parked.payload(1, "eve"))
        .isInstanceOf(InboxException.class)
        .hasMessageStartingWith("The parked messages cannot be read");
  }
}
