package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.store.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class HousekeepingTest {
  private static final String IDS =
      "SELECT CONCAT(consumer, ' ', message_id) FROM shop.pb_inbox_message ORDER BY 1";
  private static final String OUTAGES = "SELECT COUNT(*) FROM shop.pb_inbox_outage";

  @Parameter TestDatabase database;

  private RetentionFixture fixture(Map<String, String> settings) throws SQLException {
    return new RetentionFixture(database, settings);
  }

  @Test
  void eachConsumerKeepsItsIdsForItsOwnRetention() throws SQLException {
    RetentionFixture fixture =
        fixture(Map.of("retention", "7d", "consumer.shipping.retention", "30d"));
    for (String consumer : List.of("billing", "shipping", "unheard of")) {
      fixture.handled(consumer, "young-", 1, 6);
      fixture.handled(consumer, "old-", 2, 8);
      fixture.handled(consumer, "very-old-", 1, 31);
    }

    fixture.housekeeping.tick();

    assertThat(fixture.column(IDS))
        .containsExactly(
            "billing young-1",
            "shipping old-1",
            "shipping old-2",
            "shipping young-1",
            "unheard of young-1");
  }

  @Test
  void theRowsOfAnIdGoWithIt() throws SQLException {
    RetentionFixture fixture = fixture(Map.of());
    fixture.handled("shipping", "old-", 1, 8);
    fixture.handled("shipping", "remembered-", 1, 6);
    fixture.left("shipping", "old-1", "", 8);
    fixture.left("shipping", "old-1", "charge", 9);
    fixture.left("shipping", "remembered-1", "charge", 9);
    fixture.left("shipping", "never handled", "charge", 9);
    fixture.left("shipping", "tried just now", "charge", 1);
    fixture.left("shipping", "still tried", "charge", 9);
    fixture.failed("shipping", "still tried", 6);
    fixture.failed("shipping", "old-1", 8);
    fixture.failed("only failures", "x", 8);
    fixture.failed("shipping", "remembered-1", 6);

    fixture.housekeeping.tick();

    assertThat(fixture.column("SELECT message_id FROM shop.pb_inbox_result ORDER BY 1"))
        .containsExactly("remembered-1", "still tried", "tried just now");
    assertThat(fixture.column("SELECT message_id FROM shop.pb_inbox_failure ORDER BY 1"))
        .containsExactly("remembered-1", "still tried");
  }

  @Test
  void anIdIsRememberedWhileItsConsumerHasItParked() throws SQLException {
    RetentionFixture fixture = fixture(Map.of());
    fixture.handled("shipping", "old-", 2, 8);
    fixture.handled("billing", "old-", 1, 8);
    park(fixture, "old-1");

    fixture.housekeeping.tick();

    assertThat(fixture.column(IDS)).containsExactly("shipping old-1");
  }

  private void park(RetentionFixture fixture, String id) throws SQLException {
    fixture.execute(
        """
        INSERT INTO shop.pb_inbox_stored (consumer, message_id, status, captured, precedence,
          size, headers, reason, attempts, fingerprint, fingerprint_version, body_type, properties,
          kept_at)
        VALUES ('shipping', '%s', 'PARKED', FALSE, 5, 0, '{}', 'R', 1, %s, 1, 'TEXT', '', %s)
        """
            .formatted(
                id, database == TestDatabase.H2 ? "X'00'" : "'\\x00'", fixture.daysAgo(100)));
  }

  @Test
  void rowsForAPersonsDecisionAreKeptWithAllTheyNeed() throws SQLException {
    RetentionFixture fixture = fixture(Map.of());
    String body = "1, 'TEXT', '', " + fixture.daysAgo(100);
    String print = database == TestDatabase.H2 ? "X'00'" : "'\\x00'";
    park(fixture, "parked");
    fixture.execute(
        """
        INSERT INTO shop.pb_inbox_stored (consumer, message_id, status, captured, precedence,
          size, headers, reason, variant, fingerprint, fingerprint_version, body_type, properties,
          kept_at)
        VALUES ('shipping', 'aside', 'QUARANTINED', FALSE, 5, 0, '{}', 'R', '1.00', %s, %s)
        """
            .formatted(print, body));
    fixture.execute(
        """
        INSERT INTO shop.pb_inbox_aggregate (consumer, aggregate_type, aggregate_id, version,
          changed_at)
        VALUES ('shipping', 'Order', '1', 1, %s)
        """
            .formatted(fixture.daysAgo(100)));
    fixture.execute(
        """
        INSERT INTO shop.pb_inbox_discarded (consumer, aggregate_type, aggregate_id, version)
        VALUES ('shipping', 'Order', '1', 3)
        """);
    fixture.left("shipping", "parked", "charge", 100);

    fixture.housekeeping.tick();

    for (String table : List.of("inbox_aggregate", "inbox_discarded", "inbox_result")) {
      assertThat(fixture.count(table)).as(table).isEqualTo(table.equals("inbox_stored") ? 2 : 1);
    }
  }

  @Test
  void theRecordIsKeptForMoreThanAYearAndTheOutboxesIsItsOwn() throws SQLException {
    RetentionFixture fixture = fixture(Map.of());
    for (String row : List.of("1 inbox 399", "2 inbox 401", "3 outbox 401")) {
      String[] parts = row.split(" ");
      fixture.execute(
          """
          INSERT INTO shop.pb_postbox_audit (id, at, module, service, action, principal, reason,
            subject, messages)
          VALUES ('00000000-0000-0000-0000-00000000000%s', %s, '%s', 's', '%s', 'p', 'r', 's', 1)
          """
              .formatted(
                  parts[0], fixture.daysAgo(Integer.parseInt(parts[2])), parts[1], parts[0]));
    }

    fixture.housekeeping.tick();

    assertThat(fixture.column("SELECT action FROM shop.pb_postbox_audit ORDER BY 1"))
        .containsExactly("1", "3");
  }

  @Test
  void finishedActionsAreKeptForTheirRetentionAndOthersForEver() throws SQLException {
    RetentionFixture fixture = fixture(Map.of());
    for (int daysAgo : List.of(1, 400)) {
      fixture.execute(
          """
          INSERT INTO shop.pb_inbox_action (id, action, state, principal, reason, subject, total,
            plan, progress, changed_at, finished_at)
          SELECT CAST(CONCAT('00000000-0000-0000-0000-00000000', 1000 + %2$s + a.n) AS UUID),
            'redrive', a.state, 'p', 'r', 's', %2$s, '{}', '', %1$s,
            CASE WHEN a.n = 1000 THEN %1$s END
          FROM (VALUES (1000, 'DONE'), (2000, 'PAUSED')) a (n, state)
          """
              .formatted(fixture.daysAgo(daysAgo), daysAgo));
    }

    fixture.housekeeping.tick();

    assertThat(
            fixture.column("SELECT CONCAT(state, ' ', total) FROM shop.pb_inbox_action ORDER BY 1"))
        .containsExactly("DONE 1", "PAUSED 1", "PAUSED 400");
  }

  @Test
  void manyFinishedActionsAreDeletedInOneRound() throws SQLException {
    RetentionFixture fixture = fixture(Map.of());
    fixture.finished(2_500, 400);

    fixture.housekeeping.tick();

    assertThat(fixture.count("inbox_action")).isZero();
    assertThat(fixture.commits)
        .as("that it lives, that none is captured, who there is, 3 batches")
        .isEqualTo(6);
  }

  @Test
  void muchIsDeletedALittleAtATime() throws SQLException {
    RetentionFixture fixture = fixture(Map.of());
    fixture.handled("shipping", "", 22_500, 8);

    fixture.housekeeping.tick();
    assertThat(fixture.count("inbox_message")).isEqualTo(2_500);
    assertThat(fixture.commits)
        .as("that it lives, that none is captured, who there is, 20 batches")
        .isEqualTo(23);

    fixture.housekeeping.tick();
    assertThat(fixture.count("inbox_message")).as("too early").isEqualTo(2_500);
    fixture.tickAfter(Duration.ofSeconds(1));
    assertThat(fixture.count("inbox_message")).isZero();

    int commits = fixture.commits;
    fixture.tickAfter(Duration.ofSeconds(59));
    assertThat(fixture.commits).isEqualTo(commits);
    fixture.tickAfter(Duration.ofSeconds(1));
    assertThat(fixture.commits).isGreaterThan(commits);
  }

  @Test
  void oneThatIsNeverDoneKeepsNoOtherOneWaiting() throws SQLException {
    RetentionFixture fixture = fixture(Map.of());
    fixture.handled("a", "", 30_000, 8);
    fixture.execute(
        """
        INSERT INTO shop.pb_inbox_message (consumer, message_id, fingerprint, fingerprint_version,
          headers)
        SELECT CONCAT('consumer ', message_id), '1', fingerprint, 1, '' FROM shop.pb_inbox_message
        WHERE LENGTH(message_id) < 4
        """);
    fixture.handled("z", "", 1, 8);
    fixture.failed("a", "1", 8);
    fixture.left("z", "2", "", 8);
    fixture.execute(
        """
        INSERT INTO shop.pb_postbox_audit (id, at, module, service, action, principal, reason,
          subject, messages)
        VALUES ('00000000-0000-0000-0000-000000000001', %s, 'inbox', 's', 'a', 'p', 'r', 's', 1)
        """
            .formatted(fixture.daysAgo(401)));

    fixture.housekeeping.tick();

    assertThat(fixture.column("SELECT COUNT(*) FROM shop.pb_inbox_message WHERE consumer = 'z'"))
        .containsExactly("0");
    assertThat(fixture.count("inbox_failure")).isZero();
    assertThat(fixture.count("inbox_result")).isZero();
    assertThat(fixture.count("postbox_audit")).isZero();
    assertThat(fixture.count("inbox_message")).as("20 batches").isEqualTo(10_000 + 999 + 4);
  }

  @Test
  void itGoesOnWhereItStoppedHoweverLittleTimeThereIs() throws SQLException {
    RetentionFixture fixture = fixture(Map.of());
    for (String consumer : List.of("a", "b", "c")) {
      fixture.handled(consumer, "", 2_000, 8);
    }
    fixture.perCommit = Duration.ofMillis(300); // more than there is for all batches
    String left = "SELECT COUNT(*) FROM shop.pb_inbox_message GROUP BY consumer ORDER BY consumer";

    fixture.housekeeping.tick();
    assertThat(fixture.column(left)).containsExactly("1000", "2000", "2000");
    fixture.tickAfter(Duration.ofSeconds(1));
    assertThat(fixture.column(left)).containsExactly("1000", "1000", "2000");
    fixture.tickAfter(Duration.ofSeconds(1));
    assertThat(fixture.column(left)).containsExactly("1000", "1000", "1000");
  }

  @Test
  void oneThatCannotBeDeletedFromKeepsNoOtherOneWaiting() throws SQLException {
    RetentionFixture fixture = fixture(Map.of());
    fixture.handled("a", "", 1_500, 8);
    fixture.handled("b", "", 1_500, 8);
    fixture.perCommit = Duration.ofMillis(300);
    fixture.loseCommit = 4; // that it lives, that none is captured, who there is, the first batch
    fixture.housekeeping.tick();
    assertThat(fixture.count("inbox_message")).isEqualTo(3_000);

    fixture.tickAfter(Duration.ofMinutes(1));
    assertThat(fixture.column("SELECT COUNT(*) FROM shop.pb_inbox_message WHERE consumer = 'b'"))
        .containsExactly("500");
    for (int i = 0; i < 4; i++) {
      fixture.tickAfter(Duration.ofSeconds(1));
    }
    assertThat(fixture.count("inbox_message")).as("and nothing is passed over").isZero();
  }

  @Test
  void oneNodeAtATimeDoesIt() throws SQLException {
    RetentionFixture fixture = fixture(Map.of());
    fixture.handled("shipping", "", 1, 8);
    try (Connection other = fixture.connect();
        Statement lock = other.createStatement()) {
      other.setAutoCommit(false);
      lock.execute("SELECT id FROM shop.pb_inbox_alive FOR UPDATE");

      fixture.housekeeping.tick();
      assertThat(fixture.count("inbox_message")).isEqualTo(1);
      other.rollback();
    }
    fixture.tickAfter(Duration.ofMinutes(1));
    assertThat(fixture.count("inbox_message")).isZero();
  }

  @Test
  void aDatabaseThatFailsIsAskedAgainAfterAMinute() throws SQLException {
    RetentionFixture fixture = fixture(Map.of());
    fixture.handled("shipping", "", 1, 8);
    fixture.loseCommits = true;
    try (LogLines lines = new LogLines()) {
      fixture.housekeeping.tick();
      assertThat(lines.all()).singleElement().asString().startsWith("IBX0050 ");
    }
    fixture.loseCommits = false;
    fixture.tickAfter(Duration.ofSeconds(59));
    assertThat(fixture.count("inbox_message")).isEqualTo(1);
    fixture.tickAfter(Duration.ofSeconds(1));
    assertThat(fixture.count("inbox_message")).isZero();
  }

  @Test
  void afterAnOutageNothingIsDeletedThatHadTimeLeft() throws SQLException {
    RetentionFixture fixture = fixture(Map.of());
    fixture.handled("shipping", "had a day left-", 1, 16);
    fixture.handled("shipping", "was over-", 1, 18);
    aliveLast(fixture, fixture.daysAgo(10)); // down for ten days, the week was over 17 days ago

    try (LogLines lines = new LogLines()) {
      fixture.housekeeping.tick();
      assertThat(lines.all()).singleElement().asString().startsWith("IBX0051 No node of this ");
    }
    assertThat(fixture.column(IDS)).containsExactly("shipping had a day left-1");
    assertThat(fixture.column(OUTAGES)).containsExactly("1");
  }

  @Test
  void theOutageIsThereBeforeAnythingIsDeletedWhateverFails() throws SQLException {
    RetentionFixture fixture = fixture(Map.of());
    fixture.handled("shipping", "had a day left-", 1, 16);
    aliveLast(fixture, fixture.daysAgo(10));
    fixture.loseCommits = true;
    fixture.housekeeping.tick();
    assertThat(fixture.column(OUTAGES)).containsExactly("0");
    fixture.loseCommits = false;

    fixture.tickAfter(Duration.ofMinutes(1));
    fixture.tickAfter(Duration.ofMinutes(1));

    assertThat(fixture.column(IDS)).hasSize(1);
    assertThat(fixture.column(OUTAGES)).as("once").containsExactly("1");
  }

  @Test
  void aShortSilenceIsNoOutage() throws SQLException {
    RetentionFixture fixture = fixture(Map.of());
    aliveLast(fixture, "CURRENT_TIMESTAMP - INTERVAL '170' SECOND");

    fixture.housekeeping.tick();

    assertThat(fixture.column(OUTAGES)).containsExactly("0");
    assertThat(
            fixture.column(
                """
                SELECT COUNT(*) FROM shop.pb_inbox_alive
                WHERE alive_at > CURRENT_TIMESTAMP - INTERVAL '60' SECOND
                """))
        .containsExactly("1");
  }

  @Test
  void outagesAreForgottenWhenNoWindowReachesThem() throws SQLException {
    RetentionFixture fixture =
        fixture(Map.of("retention", "7d", "consumer.shipping.retention", "30d"));
    outage(fixture, 60, 50);
    outage(fixture, 29, 20);

    fixture.housekeeping.tick();

    assertThat(fixture.column(OUTAGES)).containsExactly("1");
  }

  @Test
  void whereNobodyKnowsWhenNodesLivedNothingIsDeletedBeforeTheyHaveForLongEnough()
      throws SQLException {
    RetentionFixture fixture = fixture(Map.of());
    fixture.handled("shipping", "", 1, 100);
    fixture.execute("DELETE FROM shop.pb_inbox_alive");
    fixture.housekeeping.tick();
    assertThat(fixture.count("inbox_message")).isEqualTo(1);
    assertThat(fixture.count("inbox_alive")).isEqualTo(1);

    fixture.execute("UPDATE shop.pb_inbox_outage SET ended_at = " + fixture.daysAgo(8));
    fixture.tickAfter(Duration.ofMinutes(1));
    assertThat(fixture.count("inbox_message")).isZero();
    assertThat(fixture.column(OUTAGES)).containsExactly("0");

    fixture.execute("DELETE FROM shop.pb_inbox_alive"); // a person does that twice
    fixture.tickAfter(Duration.ofMinutes(1));
    fixture.execute("DELETE FROM shop.pb_inbox_alive");
    fixture.tickAfter(Duration.ofMinutes(1));
    assertThat(fixture.column(OUTAGES)).containsExactly("1");
  }

  @Test
  void aClockThatWasAheadForAWhileDoesNotKeepEverythingForEver() throws SQLException {
    RetentionFixture fixture = fixture(Map.of());
    fixture.handled("shipping", "", 1, 100);
    fixture.execute(
        "INSERT INTO shop.pb_inbox_outage VALUES (%s, CURRENT_TIMESTAMP + INTERVAL '365' DAY)"
            .formatted(fixture.daysAgo(1)));
    aliveLast(fixture, "CURRENT_TIMESTAMP + INTERVAL '365' DAY");

    fixture.housekeeping.tick();

    assertThat(fixture.count("inbox_message")).isZero();
    assertThat(
            fixture.column(
                "SELECT began_at FROM shop.pb_inbox_outage WHERE ended_at > CURRENT_TIMESTAMP"))
        .isEmpty();
  }

  private static void aliveLast(RetentionFixture fixture, String time) throws SQLException {
    fixture.execute("UPDATE shop.pb_inbox_alive SET alive_at = " + time);
  }

  private static void outage(RetentionFixture fixture, int beganDaysAgo, int endedDaysAgo)
      throws SQLException {
    fixture.execute(
        "INSERT INTO shop.pb_inbox_outage VALUES (%s, %s)"
            .formatted(fixture.daysAgo(beganDaysAgo), fixture.daysAgo(endedDaysAgo)));
  }
}
