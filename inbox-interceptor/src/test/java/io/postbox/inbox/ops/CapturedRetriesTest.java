package io.postbox.inbox.ops;

import static io.postbox.inbox.ops.KeptFixture.WHO;
import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.Page;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptMessage;
import io.postbox.inbox.KeptPlan;
import io.postbox.inbox.Redriven;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.store.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Operators' actions on captured messages that wait for their retry, in the place of their key. */
class CapturedRetriesTest {
  private static final String ROWS =
      "SELECT message_id || ' ' || status || CASE WHEN holds THEN ' holds' ELSE '' END"
          + " || CASE WHEN due_at IS NULL THEN '' ELSE ' due' END || ' ' || waited_for"
          + " FROM shop.pb_inbox_stored ORDER BY id";

  private static final KeptFilter DELAYED = KeptFilter.all().reason("DELAYED");

  private static KeptFixture fixture(TestDatabase database, String consumer, String key)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.run(
        """
        INSERT INTO shop.pb_inbox_stored
          (consumer, message_id, status, captured, precedence, ordering_key, due_at, waited_for,
           headers, size, fingerprint, fingerprint_version, body_type, payload_text, properties)
        SELECT '%4$s', 'c-' || i, CASE WHEN i = 1 OR %2$s IS NULL THEN 'DELAYED' ELSE 'HELD' END, TRUE, 5, %2$s,
          CASE WHEN i = 1 OR %2$s IS NULL THEN CURRENT_TIMESTAMP + INTERVAL '1' HOUR END, CASE WHEN i = 1 THEN 2 ELSE 0 END,
          '{}', 0, %3$s, 1, 'TEXT', 'body', '{"headers":{},"properties":{}}'
        FROM %1$s n ORDER BY i
        """
            .formatted(fixture.numbers(2), key, fixture.fingerprint(), consumer));
    fixture.run(
        """
        INSERT INTO shop.pb_inbox_message
          (consumer, message_id, fingerprint, fingerprint_version, headers, outcome)
        SELECT consumer, message_id, fingerprint, fingerprint_version, '{}', 'CAPTURED'
        FROM shop.pb_inbox_stored
        """);
    fixture.run(
        "INSERT INTO shop.pb_inbox_failure (consumer, message_id, attempt, kind, reason)"
            + " VALUES ('shipping', 'c-1', 1, 'FAILED', 'x')");
    fixture.run(
        "INSERT INTO shop.pb_inbox_key (consumer, ordering_key) SELECT DISTINCT consumer, ordering_key"
            + " FROM shop.pb_inbox_stored WHERE ordering_key IS NOT NULL");
    return fixture;
  }

  private static KeptFixture inOrder(TestDatabase database) throws SQLException {
    return fixture(database, "shipping", "CAST('k' AS VARCHAR)");
  }

  @ParameterizedTest
  @EnumSource
  void theyAreSeenIfTheyAreAskedFor(TestDatabase database) throws SQLException {
    KeptFixture fixture = inOrder(database);
    assertThat(fixture.parked.find(DELAYED, Page.first(10)))
        .extracting(it -> it.messageId().orElseThrow())
        .containsExactly("c-1");
    assertThat(fixture.parked.find(KeptFilter.all(), Page.first(10))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aRedriveHasTheHeadOfAKeyHandledNow(TestDatabase database) throws SQLException {
    KeptFixture fixture = inOrder(database);
    KeptPlan plan = fixture.planParked(DELAYED);
    assertThat(fixture.onParked().redrive(plan, ReplyOnRedrive.KEEP, WHO, "the shop is open"))
        .isEqualTo(new Redriven(1, 0, List.of()));
    assertThat(fixture.column(ROWS)).containsExactly("c-1 PENDING 0", "c-2 HELD 0");
    assertThat(fixture.sent).isEmpty();
    assertThat(fixture.count("inbox_failure WHERE NOT redriven")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aHoldKeepsThoseBehindItWaiting(TestDatabase database) throws SQLException {
    KeptFixture fixture = inOrder(database);
    assertThat(fixture.onParked().hold(fixture.planParked(DELAYED), WHO, "wait for Bob"))
        .isEqualTo(1);
    assertThat(fixture.column(ROWS)).containsExactly("c-1 PARKED holds 0", "c-2 HELD 0");
    assertThat(fixture.parked.get(1).orElseThrow())
        .returns("HELD", KeptMessage::reason)
        .returns(1, KeptMessage::attempts);

    fixture
        .onParked()
        .redrive(
            fixture.planParked(KeptFilter.all().reason("HELD")), ReplyOnRedrive.KEEP, WHO, "go");
    assertThat(fixture.column(ROWS)).containsExactly("c-1 PENDING 0", "c-2 HELD 0");
  }

  /** An edit would change nothing, and be told as if it did. */
  @ParameterizedTest
  @EnumSource
  void oneOfWhichOnlyTheReplyIsNotSentSaysSoWhileItIsHeld(TestDatabase database)
      throws SQLException {
    KeptFixture fixture = fixture(database, "shipping", "CAST(NULL AS VARCHAR)");
    fixture.run("UPDATE shop.pb_inbox_stored SET handled = TRUE WHERE message_id = 'c-1'");
    assertThat(fixture.onParked().hold(fixture.planParked(DELAYED), WHO, "wait")).isEqualTo(2);

    assertThat(fixture.parked.find(KeptFilter.all(), Page.first(10)))
        .extracting(KeptMessage::reason)
        .containsExactly("REPLY_NOT_SENT", "HELD");
  }

  @ParameterizedTest
  @EnumSource
  void whereParkedOnesHoldNothingAHoldLetsTheNextGo(TestDatabase database) throws SQLException {
    KeptFixture fixture = fixture(database, "eager", "CAST('k' AS VARCHAR)");
    assertThat(fixture.onParked().hold(fixture.planParked(DELAYED), WHO, "wait")).isEqualTo(1);
    assertThat(fixture.column(ROWS)).containsExactly("c-1 PARKED 0", "c-2 PENDING 0");

    fixture
        .onParked()
        .redrive(
            fixture.planParked(KeptFilter.all().reason("HELD")), ReplyOnRedrive.KEEP, WHO, "go");
    assertThat(fixture.column(ROWS)).containsExactly("c-1 HELD 0", "c-2 PENDING 0");
  }

  @ParameterizedTest
  @EnumSource
  void aHoldWithoutAKeyHoldsNothing(TestDatabase database) throws SQLException {
    KeptFixture fixture = fixture(database, "shipping", "CAST(NULL AS VARCHAR)");
    assertThat(fixture.onParked().hold(fixture.planParked(DELAYED.messageId("c-1")), WHO, "wait"))
        .isEqualTo(1);
    assertThat(fixture.column(ROWS)).containsExactly("c-1 PARKED 0", "c-2 DELAYED due 0");
  }

  @ParameterizedTest
  @EnumSource
  void aDiscardLetsTheNextOfItsKeyGo(TestDatabase database) throws SQLException {
    KeptFixture fixture = inOrder(database);
    assertThat(fixture.onParked().discard(fixture.planParked(DELAYED), WHO, "no more"))
        .isEqualTo(1);
    assertThat(fixture.column(ROWS)).containsExactly("c-2 PENDING 0");
    assertThat(
            fixture.column(
                "SELECT message_id || ' ' || outcome FROM shop.pb_inbox_message ORDER BY 1"))
        .containsExactly("c-1 DISCARDED", "c-2 CAPTURED");
    assertThat(fixture.count("inbox_key")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void oneThatItsHandlerHasIsNotHeld(TestDatabase database) throws SQLException {
    KeptFixture fixture = inOrder(database);
    KeptPlan plan = fixture.planParked(DELAYED);
    fixture.whileLocked(1, () -> assertThat(fixture.onParked().hold(plan, WHO, "x")).isZero());
    assertThat(fixture.column(ROWS)).containsExactly("c-1 DELAYED due 2", "c-2 HELD 0");
  }

  /** A version that came early and has its turn: it is not its key's head, another one is. */
  private static KeptFixture besideTheHead(TestDatabase database, String consumer)
      throws SQLException {
    KeptFixture fixture = fixture(database, consumer, "CAST('k' AS VARCHAR)");
    fixture.run(
        "UPDATE shop.pb_inbox_stored SET message_id = 'v-' || id, status = 'PENDING', due_at = NULL,"
            + " waited_for = 0 WHERE id = 1");
    fixture.run(
        """
        INSERT INTO shop.pb_inbox_stored
          (consumer, message_id, status, captured, precedence, ordering_key, due_at, reason, kept_at,
           headers, size, fingerprint, fingerprint_version, body_type, payload_text, properties)
        VALUES ('%s', 'e-1', 'HANDED_BACK', TRUE, 5, 'k', CURRENT_TIMESTAMP, 'EARLY', CURRENT_TIMESTAMP,
          '{}', 0, %s, 1, 'TEXT', 'body', '{"headers":{},"properties":{}}')
        """
            .formatted(consumer, fixture.fingerprint()));
    return fixture;
  }

  private static void holdsNothing(TestDatabase database, String consumer) throws SQLException {
    KeptFixture fixture = besideTheHead(database, consumer);
    KeptPlan plan = fixture.planParked(KeptFilter.all().reason("HANDED_BACK"));
    assertThat(fixture.onParked().hold(plan, WHO, "wait")).isEqualTo(1);
    assertThat(fixture.column(ROWS)).containsExactly("v-1 PENDING 0", "c-2 HELD 0", "e-1 PARKED 0");
    assertThat(fixture.count("inbox_key")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aVersionThatIsNotTheHeadOfItsKeyHoldsNothing(TestDatabase database) throws SQLException {
    holdsNothing(database, "shipping");
  }

  @ParameterizedTest
  @EnumSource
  void aVersionThatIsNotTheHeadOfItsKeyLetsNobodyGo(TestDatabase database) throws SQLException {
    holdsNothing(database, "eager");
  }

  @ParameterizedTest
  @EnumSource
  void aHoldWaitsForNoKeyWhileItHasAnother(TestDatabase database) throws SQLException {
    KeptFixture fixture = fixture(database, "eager", "CASE WHEN i = 1 THEN 'k' ELSE 'l' END");
    fixture.run(
        "UPDATE shop.pb_inbox_stored SET status = 'DELAYED',"
            + " due_at = CURRENT_TIMESTAMP + INTERVAL '1' HOUR");
    BackgroundActions node = fixture.background(fixture.dataSource, fixture.clock);
    KeptPlan plan = node.plan(fixture.parked.plan(DELAYED), WHO);
    node.hold(plan.token().id(), WHO, "wait");
    fixture.whileLocked(
        "SELECT consumer FROM shop.pb_inbox_key WHERE ordering_key = 'l' FOR UPDATE",
        () -> node.runner().runIfDue(Runnable::run));
    assertThat(fixture.column(ROWS)).containsExactly("c-1 PARKED 0", "c-2 DELAYED due 0");

    fixture.clock.advance(Duration.ofSeconds(2));
    node.runner().runIfDue(Runnable::run);
    assertThat(fixture.column(ROWS)).containsExactly("c-1 PARKED 0", "c-2 PARKED 0");
    assertThat(fixture.count("inbox_key")).isZero();
  }
}
