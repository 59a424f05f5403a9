package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.outbox.config.OutboxConfig.ArchivePartitions;
import io.postbox.outbox.config.OutboxConfig.Retention;
import io.postbox.outbox.testing.LogLines;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HousekeepingTest {
  private static final Retention WEEK = new Retention(Duration.ofDays(7), ArchivePartitions.NONE);
  private static final String EIGHT_DAYS_AGO = "CURRENT_TIMESTAMP - INTERVAL '8' DAY";

  private Instant now = Instant.EPOCH;

  private Housekeeping housekeeping(DeadLetterFixture fixture, DataSource dataSource) {
    return new Housekeeping(
        new OutboxTables(fixture.database.dialect(), fixture.config, dataSource), () -> now);
  }

  private Housekeeping housekeeping(DeadLetterFixture fixture) {
    return housekeeping(fixture, fixture.counting.dataSource());
  }

  private static void age(DeadLetterFixture fixture, String table, String column, String where) {
    fixture.rows.execute(
        "UPDATE shop.pb_%s SET %s = %s WHERE %s".formatted(table, column, EIGHT_DAYS_AGO, where));
  }

  private static void action(DeadLetterFixture fixture, int number, String state, String end) {
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_outbox_action
          (id, action, state, principal, reason, subject, total, plan, progress, finished_at)
        VALUES ('00000000-0000-0000-0000-00000000000%1$s', 'redrive', '%2$s', 'a', 'b', 'c', %1$s,
          '{}', '', %3$s)
        """
            .formatted(number, state, end));
  }

  /** One row for each letter that is discarded, and one in the record. */
  private static void archived(DeadLetterFixture fixture, int howMany) {
    fixture.dead(howMany, "d");
    fixture.actions.discard(fixture.plan(), "ada", "x");
  }

  @ParameterizedTest
  @EnumSource
  void onlyRowsPastTheirRetentionAreDeleted(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database, WEEK);
    fixture.sent(4, "CURRENT_TIMESTAMP");
    archived(fixture, 4);
    fixture.dead(2, "d");
    fixture.insert("PENDING", 2, "d", "'k'");
    age(fixture, "outbox_message", "sent_at", "status = 'SENT' AND MOD(seq, 2) = 0");
    age(fixture, "outbox_message", "due_at", "TRUE");
    age(fixture, "outbox_message", "created_at", "TRUE");
    age(fixture, "outbox_archive", "ended_at", "MOD(seq, 2) = 0");
    age(fixture, "postbox_audit", "at", "TRUE");
    FailureQueriesTest.fail(fixture, 4, "aa");
    age(fixture, "outbox_failure", "failed_at", "failure_no = 2");
    action(fixture, 1, "DONE", EIGHT_DAYS_AGO);
    action(fixture, 2, "DONE", "CURRENT_TIMESTAMP");
    action(fixture, 3, "PAUSED", "NULL");
    age(fixture, "outbox_action", "changed_at", "TRUE");
    housekeeping(fixture).runIfDue(Runnable::run);

    assertThat(fixture.column("SELECT status FROM shop.pb_outbox_message ORDER BY seq"))
        .containsExactly("SENT", "SENT", "DEAD", "DEAD", "PENDING", "PENDING");
    assertThat(fixture.column("SELECT MOD(seq, 2) FROM shop.pb_outbox_archive"))
        .containsExactly("1", "1");
    assertThat(fixture.rows.count("postbox_audit")).isEqualTo(1);
    assertThat(fixture.column("SELECT total FROM shop.pb_outbox_action ORDER BY total"))
        .as("the discard of four is an action, too")
        .containsExactly("2", "3", "4");
    assertThat(fixture.column("SELECT failure_no FROM shop.pb_outbox_failure"))
        .containsOnly("1")
        .hasSize(4);
  }

  @ParameterizedTest
  @EnumSource
  void theRecordIsKeptForMoreThanAYearAndTheInboxsIsItsOwn(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database, WEEK);
    for (int i = 0; i < 3; i++) {
      archived(fixture, 1);
      fixture.rows.execute(
          """
          UPDATE shop.pb_postbox_audit SET at = CURRENT_TIMESTAMP - INTERVAL '%s' DAY,
            action = '%s' WHERE action = 'discard'
          """
              .formatted(i == 0 ? 399 : 401, i));
    }
    fixture.rows.execute("UPDATE shop.pb_postbox_audit SET module = 'inbox' WHERE action = '1'");
    housekeeping(fixture).runIfDue(Runnable::run);
    assertThat(fixture.column("SELECT action FROM shop.pb_postbox_audit ORDER BY action"))
        .containsExactly("0", "1");
  }

  @ParameterizedTest
  @EnumSource
  void muchIsDeletedALittleAtATime(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database, WEEK);
    fixture.sent(22_500, EIGHT_DAYS_AGO);
    Housekeeping housekeeping = housekeeping(fixture);
    int statements = fixture.counting.statements();
    int commits = fixture.counting.commits();
    housekeeping.runIfDue(Runnable::run);
    assertThat(fixture.count("TRUE")).isEqualTo(2_500);
    int look = 1; // for retries that a step of the clock has left far ahead
    assertThat(fixture.counting.commits() - commits).isEqualTo(look + 20);
    assertThat(fixture.counting.statements() - statements)
        .isEqualTo(3 * look + 2 * 20 + 1); // and the count

    housekeeping.runIfDue(Runnable::run);
    assertThat(fixture.count("TRUE")).as("too early").isEqualTo(2_500);
    now = now.plusSeconds(1);
    housekeeping.runIfDue(Runnable::run);
    assertThat(fixture.count("TRUE")).isZero();
    commits = fixture.counting.commits();
    now = now.plusSeconds(59);
    housekeeping.runIfDue(Runnable::run);
    assertThat(fixture.counting.commits()).isEqualTo(commits);
    now = now.plusSeconds(1);
    housekeeping.runIfDue(Runnable::run);
    assertThat(fixture.counting.commits()).isGreaterThan(commits);
  }

  @ParameterizedTest
  @EnumSource
  void oneNodeAtATimeDoesIt(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database, WEEK);
    try (Connection other = fixture.counting.dataSource().getConnection()) {
      fixture.sent(1, EIGHT_DAYS_AGO);
      other.setAutoCommit(false);
      try (Statement lock = other.createStatement()) {
        lock.execute(
            "SELECT service FROM shop.pb_postbox_schema WHERE module = 'outbox' FOR UPDATE");
      }
      Housekeeping housekeeping = housekeeping(fixture);
      housekeeping.runIfDue(Runnable::run);
      assertThat(fixture.count("TRUE")).isEqualTo(1);
      other.rollback();
      now = now.plusSeconds(60);
      housekeeping.runIfDue(Runnable::run);
      assertThat(fixture.count("TRUE")).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDatabaseThatFailsIsAskedAgainAfterAMinute(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database, WEEK);
    fixture.sent(1, EIGHT_DAYS_AGO);
    Housekeeping housekeeping = housekeeping(fixture);
    fixture.counting.loseCommits(2); // of the look for retries, and of the first deletion
    housekeeping.runIfDue(Runnable::run);
    assertThat(fixture.count("TRUE")).isEqualTo(1);
    now = now.plusSeconds(60);
    housekeeping.runIfDue(Runnable::run);
    assertThat(fixture.count("TRUE")).isZero();
  }

  @Test
  void onPostgresqlWhatIsOldIsFoundByIndexes() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL, WEEK);
    archived(fixture, 20_000);
    age(fixture, "outbox_archive", "ended_at", "seq <= 3000");
    fixture.sent(2_000, EIGHT_DAYS_AGO);
    fixture.sent(18_000, "CURRENT_TIMESTAMP");
    FailureQueriesTest.fail(fixture, 10_000, "aa");
    fixture.rows.execute("VACUUM ANALYZE");
    ExplainingDataSource explaining = new ExplainingDataSource(fixture.counting.dataSource());
    housekeeping(fixture, explaining.dataSource()).runIfDue(Runnable::run);

    assertThat(fixture.rows.count("outbox_archive")).isEqualTo(17_000);
    assertThat(explaining.plans())
        .hasSizeGreaterThan(5)
        .filteredOn(plan -> !plan.contains("postbox_audit"))
        .allMatch(plan -> plan.contains("Index"))
        .noneMatch(plan -> plan.contains("Seq Scan") || plan.contains("Sort"));
  }

  /**
   * Whoever asks also polls, wakes retries and probes: a table that somebody has locked, as to
   * vacuum it, must not stop that.
   */
  @Test
  @Timeout(60)
  void aDeletionThatWaitsForALockKeepsNobodyElseWaiting() throws Exception {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL, WEEK);
    archived(fixture, 4);
    age(fixture, "outbox_archive", "ended_at", "TRUE");
    Housekeeping housekeeping = housekeeping(fixture);
    AtomicInteger started = new AtomicInteger();
    ExecutorService threads = Executors.newCachedThreadPool();
    Executor counting =
        task -> {
          started.incrementAndGet();
          threads.execute(task);
        };
    try (Connection locking = fixture.counting.dataSource().getConnection();
        Statement statement = locking.createStatement()) {
      locking.setAutoCommit(false);
      statement.execute("LOCK TABLE shop.pb_outbox_archive IN ACCESS EXCLUSIVE MODE");
      for (int i = 0; i < 3; i++) { // each call returns, or the lock would never be released
        housekeeping.runIfDue(counting);
        now = now.plus(Duration.ofMinutes(2));
      }
      assertThat(started).as("one at a time").hasValue(1);
      locking.rollback();
      await().until(() -> fixture.rows.count("outbox_archive") == 0);
      await()
          .untilAsserted(
              () -> {
                housekeeping.runIfDue(counting);
                assertThat(started).hasValue(2);
              });
    } finally {
      threads.shutdown();
    }
    assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
  }

  /** The fixture's retries wait for an hour at most. */
  @ParameterizedTest
  @EnumSource
  void aRetryDoesNotWaitForTheStepOfAClockThatWasSetBack(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database, WEEK);
    fixture.insert("DELAYED", 5, "d", "NULL");
    String muchLater = "CURRENT_TIMESTAMP + INTERVAL '3' HOUR";
    fixture.rows.execute("UPDATE shop.pb_outbox_message SET attempts = 1, due_at = " + muchLater);
    fixture.rows.execute( // its sender delays the one, an operator's rate the other
        "UPDATE shop.pb_outbox_message SET attempts = 0 WHERE seq IN (2, 5)");
    fixture.rows.execute("UPDATE shop.pb_outbox_message SET signature = NULL WHERE seq = 2");
    fixture.rows.execute(
        "UPDATE shop.pb_outbox_message SET due_at = CURRENT_TIMESTAMP + INTERVAL '2' MINUTE WHERE"
            + " seq = 3");
    String soon =
        "SELECT seq FROM shop.pb_outbox_message WHERE due_at <= CURRENT_TIMESTAMP + INTERVAL '1'"
            + " HOUR ORDER BY seq";
    String due = "SELECT seq FROM shop.pb_outbox_message WHERE due_at <= CURRENT_TIMESTAMP";
    Housekeeping housekeeping = housekeeping(fixture);

    try (LogLines lines = LogLines.of("io.postbox.outbox")) {
      housekeeping.runIfDue(Runnable::run);
      assertThat(lines.lines())
          .singleElement()
          .asString()
          .startsWith("OBX0110 3 retries")
          .contains("clock was set back", "backoff was lowered");
    }
    assertThat(fixture.column(soon))
        .as("a step before the start")
        .containsExactly("1", "3", "4", "5");
    assertThat(fixture.column(due)).as("all at once").isEmpty();

    fixture.rows.execute(
        "UPDATE shop.pb_outbox_message SET due_at = %s WHERE seq = 4".formatted(muchLater));
    now = now.plus(Duration.ofMinutes(2));
    housekeeping.runIfDue(Runnable::run);
    assertThat(fixture.column(soon))
        .as("a step since the last look")
        .containsExactly("1", "3", "4", "5");
  }

  @ParameterizedTest
  @EnumSource
  void aFailureToLookForRetriesKeepsNoRowPastItsRetention(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database, WEEK);
    fixture.sent(1, EIGHT_DAYS_AGO);
    fixture.rows.execute("ALTER TABLE shop.pb_outbox_policy RENAME TO lost_policy");

    try (LogLines lines = LogLines.of("io.postbox.outbox")) {
      housekeeping(fixture).runIfDue(Runnable::run);
      assertThat(lines.lines())
          .singleElement()
          .asString()
          .startsWith("OBX0024")
          .contains("retries");
    }
    assertThat(fixture.count("TRUE")).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void whatAPolicyLetsWaitIsNoStep(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database, WEEK);
    fixture.insert("DELAYED", 1, "d", "NULL");
    fixture.rows.execute(
        "UPDATE shop.pb_outbox_message SET due_at = CURRENT_TIMESTAMP + INTERVAL '3' HOUR");
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_outbox_policy
          (destination, backoff_first_ms, backoff_max_ms, reason, principal)
        VALUES ('d', 1000, 14400000, 'r', 'p')
        """);

    housekeeping(fixture).runIfDue(Runnable::run);

    assertThat(
            fixture.column(
                "SELECT seq FROM shop.pb_outbox_message WHERE due_at > CURRENT_TIMESTAMP"))
        .hasSize(1);
  }
}
