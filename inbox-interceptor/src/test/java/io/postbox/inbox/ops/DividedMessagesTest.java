package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.postbox.common.LookupPage;
import io.postbox.common.ops.OperatorCalls;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.store.SchemaException;
import io.postbox.inbox.FoundMessage;
import io.postbox.inbox.LookupFilter;
import io.postbox.inbox.log.InboxLog;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.store.IdRange.Place;
import io.postbox.inbox.store.InboxStore;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.MessageTables;
import io.postbox.inbox.store.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Handled ids divided by day, on PostgreSQL. */
class DividedMessagesTest {
  private static final Map<String, String> DAILY =
      Map.of("table-partitioning", "daily", "retention", "1d", "consumer.shipping.retention", "3d");
  private static final String TABLES =
      """
      SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'shop.pb_inbox_message'::regclass ORDER BY 1
      """;
  private static final String ALL_TABLES =
      "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'pb_inbox_message_%'";

  private final LocalDate today = LocalDate.now(ZoneOffset.UTC);
  private RetentionFixture fixture;
  private InboxStore store;

  @BeforeEach
  void aDividedTable() throws SQLException {
    fixture = new RetentionFixture(TestDatabase.POSTGRESQL, DAILY);
    store = new InboxStore(fixture.dialect, fixture.config.tables());
  }

  private String table(int daysFromNow) {
    return "pb_inbox_message_"
        + DateTimeFormatter.BASIC_ISO_DATE.format(today.plusDays(daysFromNow));
  }

  private static String id(int daysFromNow) {
    long millis = Instant.now().plus(Duration.ofDays(daysFromNow)).toEpochMilli();
    return new UUID(millis << 16 | 0x7abc, 0x8000000000000000L).toString();
  }

  private boolean handle(int daysFromNow) throws SQLException {
    try (Connection connection = fixture.connect()) {
      return insert(connection, id(daysFromNow));
    }
  }

  private boolean insert(Connection connection, String id) throws SQLException {
    return store.insertIfAbsent(connection, TestDelivery.of(id).delivery(), id, Outcome.PROCESSED);
  }

  private void attachOld(int daysFromNow) throws SQLException {
    fixture.execute(
        "CREATE TABLE shop.%s PARTITION OF shop.pb_inbox_message FOR VALUES FROM ('%s') TO ('%s')"
            .formatted(table(daysFromNow), firstId(daysFromNow), firstId(daysFromNow + 1)));
  }

  private String firstId(int daysFromNow) {
    long millis =
        today.plusDays(daysFromNow).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
    return new UUID(millis << 16, 0).toString().substring(0, 13);
  }

  @Test
  void handledMessagesAreLookedUpByIdAndListedInItsOrder() throws SQLException {
    List<String> ids = List.of(id(0), id(-1), id(-2));
    try (Connection connection = fixture.connect()) {
      for (String id : ids) {
        assertThat(insert(connection, id)).isTrue();
      }
    }
    LookupQueries queries =
        new LookupQueries(
            new OperatorCalls(new LocalTransactions(fixture.dataSource()), InboxLog::failure),
            fixture.config,
            KeptContents.CLEAR);

    String consumer = TestDelivery.of("x").delivery().consumer();
    assertThat(queries.handled(consumer, ids.get(1))).isPresent();
    assertThat(queries.life(Optional.empty(), ids.get(2)).events()).hasSize(1);
    LookupFilter all = LookupFilter.all().consumer(consumer).place(FoundMessage.Place.HANDLED);
    LookupPage<FoundMessage> page = queries.find(all, "", 2);
    assertThat(page.items())
        .extracting(it -> it.messageId().orElseThrow())
        .containsExactly(ids.get(0), ids.get(1));
    assertThat(queries.find(all, page.next().orElseThrow(), 2).items()).hasSize(1);
  }

  @Test
  void thereIsATableForEachDayOfTheLongestRetentionAndForSomeDaysAhead() throws SQLException {
    List<String> made = fixture.column(TABLES);
    assertThat(made).hasSize(3 + 1 + 7).startsWith(table(-3)).endsWith(table(7));
    fixture.again(DAILY);
    assertThat(fixture.column(TABLES)).isEqualTo(made);
  }

  @Test
  void insertIfAbsentIsStillOneStatementThatAbortsNothing() throws SQLException {
    String id = id(-1);
    try (Connection connection = fixture.connect()) {
      connection.setAutoCommit(false);
      assertThat(insert(connection, id)).isTrue();
      assertThat(insert(connection, id)).isFalse();
      assertThat(store.fingerprintOf(connection, "shipping", id)).isPresent();
      connection.commit();
    }
    assertThat(fixture.column("SELECT COUNT(*) FROM shop." + table(-1))).containsExactly("1");
  }

  @Test
  void itIsKnownWhichIdsHaveAPlace() throws SQLException {
    fixture.housekeeping.tick();
    for (int day = -3; day <= 7; day++) {
      assertThat(fixture.ids.of(id(day))).as("day %s", day).isEqualTo(Place.STORABLE);
      assertThat(handle(day)).isTrue();
    }
    assertThat(fixture.ids.of(id(-4))).isEqualTo(Place.TOO_OLD);
    assertThat(fixture.ids.of(id(8))).isEqualTo(Place.NOT_TIME_ORDERED);
    assertThat(fixture.ids.of(UUID.randomUUID().toString())).isEqualTo(Place.NOT_TIME_ORDERED);
  }

  @Test
  void wholeDaysGoADayAfterTheirIdsAreRefused() throws SQLException {
    for (int day = -4; day >= -7; day--) {
      attachOld(day);
    }
    handle(-6);
    handle(-2);

    fixture.housekeeping.tick();

    assertThat(fixture.column(TABLES)).hasSize(12).startsWith(table(-4));
    assertThat(fixture.column(ALL_TABLES)).hasSize(12);
    assertThat(fixture.ids.of(id(-4))).isEqualTo(Place.TOO_OLD);
    assertThat(fixture.count("inbox_message")).isEqualTo(1);
  }

  @Test
  void theDayOfACapturedMessageThatStillWaitsIsKept() throws SQLException {
    for (int day = -4; day >= -7; day--) {
      attachOld(day);
    }
    handle(-6);
    fixture.execute(
        """
        INSERT INTO shop.pb_inbox_stored (consumer, message_id, status, captured, precedence, fingerprint,
          fingerprint_version, headers, size, body_type, properties)
        VALUES ('shipping', '%s', 'PENDING', TRUE, 5, '', 1, '{}', 0, 'NONE', '{}')
        """
            .formatted(id(-6)));
    fixture.housekeeping.tick();
    assertThat(fixture.column(TABLES)).hasSize(14).startsWith(table(-6));

    fixture.execute("UPDATE shop.pb_inbox_stored SET status = 'PROCESSED'");
    try (Connection connection = fixture.connect()) {
      new MessageTables(fixture.config).drop(connection, Instant.now().minus(Duration.ofDays(3)));
    }
    assertThat(fixture.column(TABLES)).hasSize(12).startsWith(table(-4));
  }

  /** The first node to come back holds the lock, and has not committed what it found. */
  @Test
  void theSecondNodeAfterASilenceRefusesNothingThatMayYetCome() throws SQLException {
    attachOld(-30);
    fixture.execute(
        "UPDATE shop.pb_inbox_alive SET alive_at = CURRENT_TIMESTAMP - INTERVAL '28' DAY");
    RetentionFixture second = fixture.again(DAILY);
    try (Connection first = fixture.connect();
        Statement lock = first.createStatement()) {
      first.setAutoCommit(false);
      lock.execute("SELECT id FROM shop.pb_inbox_alive FOR UPDATE");

      second.housekeeping.tick();

      assertThat(second.ids.of(id(-29))).isEqualTo(Place.STORABLE);
      assertThat(second.ids.of(id(-33))).isEqualTo(Place.TOO_OLD);
    }
  }

  @Test
  void daysOnWhichNothingRanAreMadeUpForAndDoNotCount() throws SQLException {
    attachOld(-30); // the last table that was made before
    fixture.execute(
        "UPDATE shop.pb_inbox_alive SET alive_at = CURRENT_TIMESTAMP - INTERVAL '28' DAY");

    RetentionFixture started = fixture.again(DAILY);
    started.housekeeping.tick();

    assertThat(fixture.column(TABLES)).hasSize(30 + 1 + 7).startsWith(table(-30));
    assertThat(started.ids.of(id(-29))).isEqualTo(Place.STORABLE);
    assertThat(handle(-29)).isTrue();
  }

  @Test
  void rowsAreNotDeletedOneByOne() throws SQLException {
    handle(-2);
    fixture.execute(
        "UPDATE shop.pb_inbox_message SET consumer = 'billing', processed_at = '2020-01-01'");

    fixture.housekeeping.tick();

    assertThat(fixture.count("inbox_message")).isEqualTo(1);
  }

  @Test
  void aHandlerThatRunsForLongKeepsNoOtherFromInserting() throws Exception {
    attachOld(-7);
    try (Connection handler = fixture.connect()) {
      handler.setAutoCommit(false);
      insert(handler, id(0));

      CompletableFuture<Void> round = CompletableFuture.runAsync(fixture.housekeeping::tick);
      await()
          .until(
              () ->
                  !fixture
                      .column(
                          "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%DETACH PARTITION%'"
                              + " AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()")
                      .isEmpty());
      assertThat(handle(-1)).as("while the table waits to be detached").isTrue();
      assertThat(round).isNotDone();
      handler.commit();
      round.get(20, TimeUnit.SECONDS);
    }
    assertThat(fixture.column(ALL_TABLES)).doesNotContain(table(-7)).hasSize(12);
  }

  @Test
  void halfDoneWorkOfACrashIsFinished() throws Exception {
    attachOld(-8);
    attachOld(-9);
    fixture.execute("COMMENT ON TABLE shop.%s IS 'Postbox drops this table'".formatted(table(-9)));
    fixture.execute("COMMENT ON TABLE shop.%s IS 'Postbox drops this table'".formatted(table(-8)));
    fixture.execute("ALTER TABLE shop.pb_inbox_message DETACH PARTITION shop." + table(-9));
    try (Connection handler = fixture.connect();
        Connection crashing = fixture.connect()) {
      handler.setAutoCommit(false);
      insert(handler, id(0));
      assertThatThrownBy(
              () -> {
                try (var statement = crashing.createStatement()) {
                  statement.execute("SET lock_timeout = '100ms'");
                  statement.execute(
                      "ALTER TABLE shop.pb_inbox_message DETACH PARTITION shop.%s CONCURRENTLY"
                          .formatted(table(-8)));
                }
              })
          .isInstanceOf(SQLException.class);
      handler.commit();
    }
    assertThat(fixture.column("SELECT 1 FROM pg_inherits WHERE inhdetachpending")).hasSize(1);

    fixture.again(DAILY).housekeeping.tick();

    assertThat(fixture.column(ALL_TABLES)).doesNotContain(table(-9), table(-8));
  }

  @Test
  void aTableThatSomebodyDetachedToKeepItIsKept() throws SQLException {
    attachOld(-8);
    fixture.execute("ALTER TABLE shop.pb_inbox_message DETACH PARTITION shop." + table(-8));

    fixture.housekeeping.tick();

    assertThat(fixture.column(ALL_TABLES)).contains(table(-8));
  }

  @Test
  void aTableInOnePieceIsNotTakenForADividedOneNorTheOtherWayRound() throws SQLException {
    assertThatThrownBy(() -> fixture.again(Map.of()))
        .isInstanceOf(SchemaException.class)
        .hasMessageStartingWith("The table shop.pb_inbox_message is partitioned by day, but")
        .hasMessageContaining("postbox.inbox.table-partitioning=none");
    RetentionFixture whole = new RetentionFixture(TestDatabase.POSTGRESQL, Map.of());
    assertThatThrownBy(() -> whole.again(DAILY))
        .isInstanceOf(SchemaException.class)
        .hasMessageStartingWith(
            "postbox.inbox.table-partitioning=daily, but the table shop.pb_inbox_message is not"
                + " partitioned.");
  }

  @Test
  void aRetentionOfTooManyTablesIsRefused() {
    assertThatThrownBy(
            () -> fixture.again(Map.of("table-partitioning", "daily", "retention", "401d")))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("is 401 days. Make it 400 at most");
  }

  @Test
  void aUserWhoMayNotMakeTablesIsRefused() throws SQLException {
    fixture.execute("DROP TABLE shop." + table(7));
    fixture.execute("CREATE ROLE guest LOGIN");
    fixture.execute("GRANT USAGE ON SCHEMA shop TO guest");
    fixture.execute("GRANT ALL ON ALL TABLES IN SCHEMA shop TO guest");
    assertThatThrownBy(() -> fixture.of("guest", DAILY))
        .isInstanceOf(SchemaException.class)
        .hasMessageContaining("the daily tables cannot be created (")
        .hasMessageContaining("own the table shop.pb_inbox_message");
    fixture.execute("DROP OWNED BY guest");
    fixture.execute("DROP ROLE guest");
  }

  @Test
  void h2HasNone() {
    assertThatThrownBy(() -> new RetentionFixture(TestDatabase.H2, DAILY))
        .isInstanceOf(SchemaException.class)
        .hasMessageStartingWith("postbox.inbox.table-partitioning=daily needs PostgreSQL");
  }
}
