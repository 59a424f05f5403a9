package io.postbox.inbox.ops;

import static io.postbox.inbox.ops.KeptFixture.AUDIT;
import static io.postbox.inbox.ops.KeptFixture.WHO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.Page;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptMessage;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.Redriven;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.store.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operators' actions on messages that go back to their queue by themselves. */
class GoingBackTest {
  private static final String ROWS =
      "SELECT message_id || ' ' || status || ' ' || generation || ' ' || COALESCE(reason, '-') || ' '"
          + " || attempts || CASE WHEN kept_at IS NULL THEN '' ELSE ' kept' END"
          + " FROM shop.pb_inbox_stored ORDER BY id";

  private static final KeptFilter DELAYED = KeptFilter.all().reason("DELAYED");
  private static final KeptFilter HANDED_BACK = KeptFilter.all().reason("HANDED_BACK");

  private static KeptFixture fixture(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.delay(TestDelivery.of("m-1"), Duration.ofMinutes(5));
    fixture.park("shipping", "p-", 1);
    fixture.delay(TestDelivery.of("m-2"), Duration.ofMinutes(5));
    fixture.run(
        "INSERT INTO shop.pb_inbox_failure (consumer, message_id, attempt, kind, reason)"
            + " VALUES ('shipping', 'm-1', 1, 'FAILED', 'x')");
    return fixture;
  }

  private static void refuse(KeptFixture fixture) {
    fixture.broker =
        copy -> {
          throw new NotSentException("the broker is down", true, null);
        };
  }

  @ParameterizedTest
  @EnumSource
  void theyAreSeenOnlyIfTheyAreAskedFor(TestDatabase database) throws SQLException {
    KeptFixture fixture = fixture(database);

    assertThat(fixture.parked.find(KeptFilter.all(), Page.first(10)))
        .extracting(it -> it.messageId().orElseThrow())
        .containsExactly("p-1");
    assertThat(fixture.plan().messages()).isEqualTo(1);
    assertThat(fixture.parked.find(DELAYED, Page.first(10)))
        .extracting(it -> it.messageId().orElseThrow() + " " + it.reason() + " " + it.attempts())
        .containsExactly("m-1 DELAYED 1", "m-2 DELAYED 1");
    assertThat(fixture.parked.get(1)).map(KeptMessage::reason).contains("DELAYED");
    assertThat(fixture.parked.payload(1, WHO)).isPresent();
    assertThat(fixture.parked.find(HANDED_BACK, Page.first(10))).isEmpty();
    assertThat(fixture.quarantined.find(DELAYED, Page.first(10))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aRedriveHasOneHandledNowWithAllItsAttempts(TestDatabase database) throws SQLException {
    KeptFixture fixture = fixture(database);

    KeptPlan plan = fixture.planParked(DELAYED.messageId("m-1"));
    assertThat(fixture.onParked().redrive(plan, ReplyOnRedrive.KEEP, WHO, "the shop is open"))
        .isEqualTo(new Redriven(1, 0, List.of()));

    assertThat(fixture.sent)
        .singleElement()
        .satisfies(
            copy -> {
              assertThat(copy.stored()).isEqualTo(new StoredRow(1, 1));
              assertThat(copy.waitedFor()).isZero();
              assertThat(copy.expires()).as("an operator wants it handled").isFalse();
            });
    assertThat(fixture.column(ROWS))
        .containsExactly(
            "m-1 HANDED_BACK 1 - 0 kept", "p-1 PARKED 0 REJECTED 3 kept", "m-2 DELAYED 0 - 0");
    assertThat(fixture.count("inbox_failure WHERE NOT redriven")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void oneThatTheBrokerRefusesWaitsForItsRetry(TestDatabase database) throws SQLException {
    KeptFixture fixture = fixture(database);
    refuse(fixture);

    KeptPlan plan = fixture.planParked(DELAYED.messageId("m-1"));
    assertThat(fixture.onParked().redrive(plan, ReplyOnRedrive.KEEP, WHO, "now").refusals())
        .hasSize(1);

    assertThat(fixture.column(ROWS).get(0)).startsWith("m-1 DELAYED 1");
    assertThat(fixture.count("inbox_stored WHERE status = 'DELAYED' AND due_at IS NOT NULL"))
        .isEqualTo(2);
  }

  /** Nothing would release it again: those before it are handled. */
  @ParameterizedTest
  @EnumSource
  void aReleasedVersionThatTheBrokerRefusesGoesOnByItself(TestDatabase database)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park(TestDelivery.of("o-2").to("ordered"), ParkReason.EARLY);
    fixture.run(
        "UPDATE shop.pb_inbox_stored SET status = 'HANDED_BACK', generation = 1,"
            + " due_at = CURRENT_TIMESTAMP");
    refuse(fixture);

    fixture.onParked().redrive(fixture.planParked(HANDED_BACK), ReplyOnRedrive.KEEP, WHO, "now");
    assertThat(fixture.column(ROWS)).containsExactly("o-2 DELAYED 2 EARLY 1 kept");
    assertThat(fixture.count("inbox_stored WHERE due_at IS NOT NULL")).isEqualTo(1);
  }

  /** The version before it may have been handled, and have found none that waits. */
  @ParameterizedTest
  @EnumSource
  void anEarlyVersionThatTheBrokerRefusesGoesOnByItself(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park(TestDelivery.of("o-2").to("ordered"), ParkReason.EARLY);
    refuse(fixture);

    fixture
        .onParked()
        .redrive(
            fixture.planParked(KeptFilter.all().reason("EARLY")), ReplyOnRedrive.KEEP, WHO, "now");
    assertThat(fixture.column(ROWS)).containsExactly("o-2 DELAYED 1 EARLY 1 kept");
    assertThat(fixture.count("inbox_stored WHERE due_at IS NOT NULL")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void oneThatWasParkedBeforeGoesOnAfterARefusal(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "p-", 1);
    fixture.onParked().redrive(fixture.plan(), ReplyOnRedrive.KEEP, WHO, "again");
    fixture.delay(TestDelivery.of("p-1").with(new StoredRow(1, 1)), Duration.ofMinutes(1));
    assertThat(fixture.column(ROWS)).containsExactly("p-1 DELAYED 1 - 0 kept");
    refuse(fixture);

    fixture.onParked().redrive(fixture.planParked(DELAYED), ReplyOnRedrive.KEEP, WHO, "now");
    assertThat(fixture.column(ROWS)).containsExactly("p-1 DELAYED 2 - 0 kept");
  }

  @ParameterizedTest
  @EnumSource
  void aHoldParksOneAndItsCopyIsNotHandled(TestDatabase database) throws SQLException {
    KeptFixture fixture = fixture(database);
    fixture
        .onParked()
        .redrive(fixture.planParked(DELAYED.messageId("m-2")), ReplyOnRedrive.KEEP, WHO, "now");
    assertThat(fixture.claims(new StoredRow(3, 1))).isTrue();

    assertThat(fixture.onParked().hold(fixture.planParked(HANDED_BACK), WHO, "wait for Bob"))
        .isEqualTo(1);
    assertThat(fixture.onParked().hold(fixture.planParked(DELAYED), WHO, "wait for Bob"))
        .isEqualTo(1);

    assertThat(fixture.claims(new StoredRow(3, 1))).isFalse();
    assertThat(fixture.column(ROWS))
        .containsExactly(
            "m-1 PARKED 0 HELD 1 kept", "p-1 PARKED 0 REJECTED 3 kept", "m-2 PARKED 1 HELD 0 kept");
    assertThat(fixture.column(AUDIT)).contains("hold ada wait for Bob 1 inbox shop");
    fixture
        .onParked()
        .redrive(
            fixture.planParked(KeptFilter.all().reason("HELD")), ReplyOnRedrive.KEEP, WHO, "go");
    assertThat(fixture.sent).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource
  void nothingElseIsHeld(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "p-", 1);
    fixture.quarantine("shipping", 1);
    KeptPlan parked = fixture.plan();
    KeptPlan quarantined = fixture.planQuarantined(KeptFilter.all());
    List<String> before = fixture.column(ROWS);

    assertThatThrownBy(() -> fixture.onParked().hold(parked, WHO, "wait"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("DELAYED or HANDED_BACK");
    assertThatThrownBy(() -> fixture.actions(Kind.QUARANTINED).hold(quarantined, WHO, "wait"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(fixture.column(ROWS)).isEqualTo(before);
    assertThat(fixture.onParked().discard(parked, WHO, "the plan stays valid")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void oneThatItsHandlerHasIsNotHeld(TestDatabase database) throws SQLException {
    KeptFixture fixture = fixture(database);
    KeptPlan plan = fixture.planParked(DELAYED);

    fixture.whileLocked(1, () -> assertThat(fixture.onParked().hold(plan, WHO, "x")).isEqualTo(1));
    assertThat(fixture.column(ROWS).get(0)).startsWith("m-1 DELAYED");
  }

  @ParameterizedTest
  @EnumSource
  void aDiscardOfQuarantinedOnesLeavesWhatGoesBackMeanwhile(TestDatabase database)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.quarantine("shipping", 2);
    KeptPlan plan = fixture.planQuarantined(KeptFilter.all());
    fixture.beforeDelete =
        () ->
            fixture.run(
                "UPDATE shop.pb_inbox_stored SET status = 'HANDED_BACK', released_as = 'new'"
                    + " WHERE id = 2");

    fixture.actions(Kind.QUARANTINED).discard(plan, WHO, "no more");
    assertThat(fixture.count("inbox_stored WHERE status = 'HANDED_BACK'")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aDiscardEndsOne(TestDatabase database) throws SQLException {
    KeptFixture fixture = fixture(database);

    assertThat(fixture.onParked().discard(fixture.planParked(DELAYED), WHO, "no more"))
        .isEqualTo(2);

    assertThat(fixture.column(ROWS)).containsExactly("p-1 PARKED 0 REJECTED 3 kept");
    assertThat(
            fixture.column(
                "SELECT message_id || ' ' || outcome FROM shop.pb_inbox_message ORDER BY 1"))
        .containsExactly("m-1 DISCARDED", "m-2 DISCARDED");
  }

  @ParameterizedTest
  @EnumSource
  void aPlanLeavesAloneWhatIsParkedOrComesMeanwhile(TestDatabase database) throws SQLException {
    KeptFixture fixture = fixture(database);
    KeptPlan plan = fixture.planParked(DELAYED);
    assertThat(plan.messages()).isEqualTo(2);
    fixture.run(
        "UPDATE shop.pb_inbox_stored SET status = 'PARKED', reason = 'REJECTED' WHERE id = 1");
    fixture.delay(TestDelivery.of("m-3"), Duration.ofMinutes(5));
    fixture.run("UPDATE shop.pb_inbox_stored SET status = 'DELAYED' WHERE message_id = 'p-1'");

    assertThat(fixture.onParked().discard(plan, WHO, "no more")).isEqualTo(1);

    assertThat(fixture.column(ROWS))
        .containsExactly(
            "m-1 PARKED 0 REJECTED 0", "p-1 DELAYED 0 REJECTED 3 kept", "m-3 DELAYED 0 - 0");
  }

  @ParameterizedTest
  @EnumSource
  void oneWithANewIdHasAllItsAttemptsToo(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.quarantine("shipping", 2);
    fixture.run(
        "UPDATE shop.pb_inbox_stored SET status = 'DELAYED', released_as = 'new-2',"
            + " due_at = CURRENT_TIMESTAMP + INTERVAL '1' HOUR WHERE id = 2");
    fixture.run(
        "INSERT INTO shop.pb_inbox_failure (consumer, message_id, attempt, kind, reason)"
            + " VALUES ('shipping', 'new-2', 1, 'FAILED', 'x'), ('shipping', 'id-2', 1, 'FAILED', 'x')");
    fixture
        .actions(Kind.QUARANTINED)
        .redrive(fixture.planQuarantined(DELAYED), ReplyOnRedrive.KEEP, WHO, "now");
    assertThat(fixture.column("SELECT message_id FROM shop.pb_inbox_failure WHERE NOT redriven"))
        .containsExactly("id-2");
    assertThat(fixture.sent).extracting(Outgoing::id).containsExactly("new-2");
  }
}
