package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.store.SchemaException;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.config.OutboxConfig.ArchivePartitions;
import io.postbox.outbox.config.OutboxConfig.Retention;
import io.postbox.outbox.store.Schema;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The archive divided by time, on PostgreSQL. */
class DividedArchiveTest {
  private static final Retention DAILY = new Retention(Duration.ofDays(7), ArchivePartitions.DAILY);
  private static final Retention WHOLE = new Retention(Duration.ofDays(7), ArchivePartitions.NONE);
  private static final String PARTS =
      """
      SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'shop.pb_outbox_archive'::regclass ORDER BY 1
      """;
  private static final String OLD =
      """
      CREATE TABLE shop.pb_outbox_archive_20200101_20200102 PARTITION OF shop.pb_outbox_archive
        FOR VALUES FROM ('2020-01-01 00:00:00+00') TO ('2020-01-02 00:00:00+00')
      """;

  private Instant now = Instant.EPOCH;

  private Housekeeping housekeeping(DeadLetterFixture fixture) {
    return new Housekeeping(
        new OutboxTables(fixture.database.dialect(), fixture.config, fixture.counting.dataSource()),
        () -> now);
  }

  private static void prepare(DeadLetterFixture fixture, Retention retention) throws SQLException {
    OutboxConfig config = TestConfig.withRetention(fixture.config, retention);
    try (Connection connection = fixture.counting.dataSource().getConnection()) {
      new Schema(fixture.database.dialect(), config).prepare(connection);
    }
  }

  @Test
  void itTakesDiscardedLettersAndLosesWholeDays() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL, DAILY);
    List<String> made = fixture.column(PARTS);
    assertThat(made).hasSize(2);
    fixture.dead(3, "d");
    assertThat(fixture.actions.discard(fixture.plan(), "ada", "x")).isEqualTo(3);
    fixture.rows.execute(OLD);
    assertThat(fixture.column(PARTS)).hasSize(3);
    housekeeping(fixture).runIfDue(Runnable::run);

    assertThat(fixture.column(PARTS)).isEqualTo(made);
    assertThat(fixture.rows.count("outbox_archive")).isEqualTo(3);
    prepare(fixture, DAILY); // a second start finds all in order
    assertThat(fixture.column(PARTS)).isEqualTo(made);
  }

  @Test
  void theNextDayIsMadeWhileSomebodyWritesToTheArchive() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL, DAILY);
    try (Connection relay = fixture.counting.dataSource().getConnection()) {
      List<String> made = fixture.column(PARTS);
      fixture.rows.execute("DROP TABLE shop." + made.get(1));
      fixture.dead(1, "d");
      archiveWithoutCommit(relay);
      housekeeping(fixture).runIfDue(Runnable::run);
      assertThat(fixture.column(PARTS)).isEqualTo(made);
      relay.commit();
    }
  }

  @Test
  void anOldDayThatCannotBeDroppedAtOnceIsDroppedLater() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL, DAILY);
    try (Connection relay = fixture.counting.dataSource().getConnection()) {
      fixture.rows.execute(OLD);
      fixture.dead(1, "d");
      archiveWithoutCommit(relay);
      Housekeeping housekeeping = housekeeping(fixture);
      housekeeping.runIfDue(Runnable::run);
      assertThat(fixture.column(PARTS)).hasSize(3);
      relay.commit();
      now = now.plusSeconds(60);
      housekeeping.runIfDue(Runnable::run);
      assertThat(fixture.column(PARTS)).hasSize(2);
    }
  }

  private static void archiveWithoutCommit(Connection relay) throws SQLException {
    relay.setAutoCommit(false);
    try (Statement insert = relay.createStatement()) {
      insert.execute(
          """
          INSERT INTO shop.pb_outbox_archive
            (seq, outcome, partition_no, id, destination, content_type, headers, attempts,
             created_at)
          SELECT seq, 'SENT', partition_no, id, destination, content_type, headers, attempts,
            created_at FROM shop.pb_outbox_message
          """);
    }
  }

  @Test
  void anArchiveInOnePieceIsNotTakenForADividedOneNorTheOtherWayRound() throws SQLException {
    DeadLetterFixture whole = new DeadLetterFixture(TestDatabase.POSTGRESQL, WHOLE);
    assertThatThrownBy(() -> prepare(whole, DAILY))
        .isInstanceOf(SchemaException.class)
        .hasMessageStartingWith(
            "postbox.outbox.archive-partitions=daily, but the table shop.pb_outbox_archive is"
                + " not partitioned.");

    DeadLetterFixture divided = new DeadLetterFixture(TestDatabase.POSTGRESQL, DAILY);
    assertThatThrownBy(() -> prepare(divided, WHOLE))
        .isInstanceOf(SchemaException.class)
        .hasMessageStartingWith("The table shop.pb_outbox_archive is partitioned by time");
  }

  @Test
  void h2HasNone() {
    assertThatThrownBy(() -> new DeadLetterFixture(TestDatabase.H2, DAILY))
        .isInstanceOf(SchemaException.class)
        .hasMessageStartingWith("postbox.outbox.archive-partitions=daily needs PostgreSQL");
  }
}
