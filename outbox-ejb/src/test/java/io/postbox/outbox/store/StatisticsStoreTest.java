package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.CountTable.LastCount;
import io.postbox.common.store.Dialect;
import io.postbox.outbox.store.StatisticsStore.Kind;
import io.postbox.outbox.store.StatisticsStore.Line;
import io.postbox.outbox.testing.CountingDataSource;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StatisticsStoreTest {
  private static final TableNames TABLES = new TableNames("shop", "pb_");

  /** Of a step of the plan that reads messages. */
  private static final Pattern FILTERED_OUT =
      Pattern.compile("on pb_outbox_message(?:(?!->).)*?Rows Removed by Filter", Pattern.DOTALL);

  private static List<Line> count(TestDatabase database, StoreFixture store) throws SQLException {
    try (Connection connection = store.dataSource.getConnection()) {
      return new StatisticsStore(database.dialect(), TABLES).count(connection);
    }
  }

  private static LastCount<Line> read(TestDatabase database, StoreFixture store)
      throws SQLException {
    try (Connection connection = store.dataSource.getConnection()) {
      return new StatisticsStore(database.dialect(), TABLES).read(connection);
    }
  }

  private static long messages(List<Line> lines, Kind kind, String destination) {
    return lines.stream()
        .filter(line -> line.kind() == kind && line.destination().equals(destination))
        .mapToLong(Line::messages)
        .sum();
  }

  private static void update(StoreFixture store, String changes, String key) {
    store.rows.execute(
        "UPDATE shop.pb_outbox_message SET %s WHERE ordering_key = '%s'".formatted(changes, key));
  }

  @ParameterizedTest
  @EnumSource
  void anEmptyTableHasNothing(TestDatabase database) throws SQLException {
    assertThat(count(database, new StoreFixture(database))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void theHistoryOutlivesCountsAndNodes(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    StatisticsStore statistics = new StatisticsStore(database.dialect(), TABLES);
    try (Connection connection = store.dataSource.getConnection()) {
      assertThat(statistics.history(connection)).isEmpty();

      statistics.keepHistory(connection, "[1]");
      statistics.keepHistory(connection, "[1,2]");
      statistics.keep(connection, List.of(), Instant.EPOCH, Instant.EPOCH);

      assertThat(statistics.read(connection).lines()).isEmpty();
    }
    try (Connection next = store.dataSource.getConnection()) {
      assertThat(statistics.history(next)).hasValue("[1,2]");
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachStatusIsCountedByDestinationAndWhatWasSentIsNot(TestDatabase database)
      throws SQLException {
    StoreFixture store = new StoreFixture(database);
    for (String key : List.of("pending", "held", "delayed", "retry", "dead", "sent")) {
      store.insert("a", key);
    }
    store.insert("a", "pending");
    store.insert("b", "dead");
    update(store, "status = 'HELD'", "held");
    update(store, "status = 'DELAYED'", "delayed");
    update(store, "status = 'DELAYED', attempts = 2", "retry");
    update(store, "status = 'DEAD'", "dead");
    update(store, "status = 'SENT', sent_at = CURRENT_TIMESTAMP", "sent");

    List<Line> lines = count(database, store);

    assertThat(lines).hasSize(6);
    assertThat(messages(lines, Kind.PENDING, "a")).isEqualTo(2);
    assertThat(messages(lines, Kind.HELD, "a")).isEqualTo(1);
    assertThat(messages(lines, Kind.DELAYED, "a")).isEqualTo(1);
    assertThat(messages(lines, Kind.RETRY, "a")).isEqualTo(1);
    assertThat(messages(lines, Kind.DEAD, "a")).isEqualTo(1);
    assertThat(messages(lines, Kind.DEAD, "b")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void theAgeIsThatOfTheOldestSinceItCouldGo(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    String hour = " = CURRENT_TIMESTAMP - INTERVAL '1' HOUR";
    String day = " = CURRENT_TIMESTAMP - INTERVAL '1' DAY";
    store.insert("new", "new");
    store.insert("old", "new");
    store.insert("old", "old");
    store.insert("later", "later");
    store.insert("tried", "tried");
    update(store, "created_at%s, due_at%s".formatted(hour, hour), "old");
    update(store, "created_at%s, due_at%s".formatted(day, hour), "later");
    update(store, "created_at%s, due_at%s, attempts = 1".formatted(hour, day), "tried");

    List<Line> lines = count(database, store);

    assertThat(lines).hasSize(4);
    for (Line line : lines) {
      Duration least = line.destination().equals("new") ? Duration.ZERO : Duration.ofHours(1);
      assertThat(line.age())
          .as(line.destination())
          .isBetween(least, least.plus(Duration.ofMinutes(5)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAgeIsNeverNegative(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    store.insert("a", "k");
    update(store, "due_at = CURRENT_TIMESTAMP + INTERVAL '1' HOUR", "k");

    assertThat(count(database, store)).extracting(Line::age).containsExactly(Duration.ZERO);
  }

  @ParameterizedTest
  @EnumSource
  void aPausedDestinationComesWithTheCount(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    store.rows.execute(
        "INSERT INTO shop.pb_outbox_switch (destination, reason, principal)"
            + " VALUES ('shipping', 'they move house', 'anna')");

    assertThat(count(database, store)).as("that is no message").isEmpty();
    assertThat(read(database, store).lines())
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.kind()).isEqualTo(Kind.PAUSED);
              assertThat(line.destination()).isEqualTo("shipping");
              assertThat(line.messages()).isZero();
            });
  }

  @ParameterizedTest
  @EnumSource
  void itIsOneStatementWhateverThereIs(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    for (int i = 0; i < 20; i++) {
      store.insert("d" + i, null);
    }
    CountingDataSource counting = new CountingDataSource(store.dataSource);
    try (Connection connection = counting.dataSource().getConnection()) {
      assertThat(new StatisticsStore(database.dialect(), TABLES).count(connection)).hasSize(20);
    }
    assertThat(counting.statements()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void oneNodeHasTheClaimAndOnlyWhenACountIsDue(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    StatisticsStore statistics = new StatisticsStore(database.dialect(), TABLES);
    assertThat(read(database, store).isDue()).as("nobody has counted").isTrue();
    try (Connection one = store.begin();
        Connection other = store.begin()) {
      Instant began = statistics.claim(one).orElseThrow();
      assertThat(statistics.claim(other)).as("without waiting").isEmpty();

      one.rollback(); // as if it had died
      assertThat(statistics.claim(other)).isPresent();
      other.rollback();

      assertThat(statistics.claim(one)).isPresent();
      statistics.keep(one, List.of(), began, began.plus(Duration.ofHours(1)));
      one.commit();
      assertThat(statistics.claim(other)).as("it is not due").isEmpty();
      other.rollback();
    }
    LastCount<Line> last = read(database, store);
    assertThat(last.isDue()).isFalse();
    assertThat(last.interval()).isEqualTo(Duration.ofHours(1));
    assertThat(last.age()).isBetween(Duration.ZERO, Duration.ofMinutes(5));
  }

  @ParameterizedTest
  @EnumSource
  void aCountIsReadByAllNodesAndReplacesTheLastOne(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    StatisticsStore statistics = new StatisticsStore(database.dialect(), TABLES);
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    for (int messages : List.of(1, 12_345_678)) {
      try (Connection connection = store.begin()) {
        statistics.keep(
            connection,
            List.of(
                new Line(Kind.PENDING, "a", messages, true, now, now),
                new Line(Kind.DEAD, "a", 7, false, now, now)),
            now,
            now.plusSeconds(5));
        connection.commit();
      }
    }
    assertThat(read(database, store).lines())
        .extracting(Line::kind, Line::destination, Line::messages, Line::estimated, Line::since)
        .containsExactlyInAnyOrder(
            tuple(Kind.PENDING, "a", 12_345_678L, true, now),
            tuple(Kind.DEAD, "a", 7L, false, now));
  }

  /** The part of a lane that is not counted is estimated; small destinations stay exact. */
  @Test
  void onPostgresALaneIsCountedSoFarAndItsRestIsEstimated() throws SQLException {
    StoreFixture store = new StoreFixture(TestDatabase.POSTGRESQL);
    for (String status : List.of("PENDING", "HELD", "DELAYED", "DEAD")) {
      fill(store, 20_000, "big", status);
      fill(store, 3, "small", status);
    }
    store.rows.execute(
        "UPDATE shop.pb_outbox_message SET created_at = now() - INTERVAL '1' HOUR,"
            + " due_at = now() - INTERVAL '1' HOUR WHERE seq IN (1, 20001)");
    List<Line> unknown = countUpTo(1_000, store);
    assertThat(unknown).filteredOn(Line::estimated).as("at least what was counted").isNotEmpty();
    assertThat(messages(unknown, Kind.PENDING, "big")).isBetween(8_000L, 40_000L);

    store.rows.execute("VACUUM ANALYZE shop.pb_outbox_message");
    List<Line> lines = countUpTo(1_000, store);

    for (Kind kind : List.of(Kind.PENDING, Kind.HELD, Kind.DELAYED, Kind.DEAD)) {
      assertThat(messages(lines, kind, "big")).as("%s", kind).isBetween(18_000L, 22_000L);
    }
    for (Kind kind : List.of(Kind.PENDING, Kind.HELD, Kind.DEAD)) {
      assertThat(messages(lines, kind, "small")).as("%s", kind).isEqualTo(3);
    }
    assertThat(lines)
        .filteredOn(line -> line.kind() != Kind.DELAYED)
        .allSatisfy(
            line -> assertThat(line.estimated()).isEqualTo(line.destination().equals("big")));
    assertThat(lines)
        .filteredOn(line -> line.kind() == Kind.PENDING)
        .allSatisfy(line -> assertThat(line.age()).isGreaterThanOrEqualTo(Duration.ofHours(1)));
  }

  /** However much waits, and whatever the planner knows. */
  @Test
  void onPostgresPendingAndDeadOnesAreCountedInTheirIndexesAlone() throws SQLException {
    StoreFixture store = new StoreFixture(TestDatabase.POSTGRESQL);
    store.rows.execute("ALTER TABLE shop.pb_outbox_message SET (autovacuum_enabled = off)");
    store.rows.execute("ALTER TABLE shop.pb_outbox_message SET UNLOGGED");
    for (String status : List.of("PENDING", "HELD", "DELAYED", "DEAD", "SENT")) {
      fill(store, 20_000, "big", status);
    }
    StatisticsStore statistics = new StatisticsStore(Dialect.POSTGRESQL, TABLES, 1_000);
    assertCountedInIndexesAlone(explain(store, statistics));

    store.rows.execute("VACUUM ANALYZE shop.pb_outbox_message");
    String plan = explain(store, statistics);
    assertCountedInIndexesAlone(plan);
    assertThat(plan) // before that it takes the delayed messages for so few that it sorts them
        .doesNotContain("Sort Key: m")
        .doesNotContain("Bitmap")
        .containsPattern("Index Scan using pb_outbox_message_delayed_ix .*rows=1001");
  }

  private static void assertCountedInIndexesAlone(String plan) {
    assertThat(plan)
        .doesNotContain("Seq Scan on pb_outbox_message")
        .doesNotContainPattern(FILTERED_OUT)
        .containsPattern("Index Only Scan using pb_outbox_message_due_ix .*rows=1001")
        .containsPattern("Index Only Scan using pb_outbox_message_dead_destination_ix .*rows=1001")
        .containsPattern("Index Scan using pb_outbox_message_due_ix .*rows=100[. ]")
        .containsPattern("Index Scan using pb_outbox_message_held_ix .*rows=1001");
  }

  private static List<Line> countUpTo(int messages, StoreFixture store) throws SQLException {
    try (Connection connection = store.dataSource.getConnection()) {
      return new StatisticsStore(Dialect.POSTGRESQL, TABLES, messages).count(connection);
    }
  }

  private static void fill(StoreFixture store, int messages, String destination, String status) {
    store.rows.execute(
        """
        INSERT INTO shop.pb_outbox_message (partition_no, id, destination, ordering_key,
          content_type, payload_text, headers, status, sent_at)
        SELECT i %% 16, gen_random_uuid(), '%2$s', 'k' || i, 'text/plain', 'x', '{}', '%3$s',
          CASE '%3$s' WHEN 'SENT' THEN now() END
        FROM generate_series(1, %1$s) i
        """
            .formatted(messages, destination, status));
  }

  /** Each part of the plan reads its own partial index; the SENT rows are in none of them. */
  @Test
  void onPostgresWhatWasSentIsNotRead() throws SQLException {
    StoreFixture store = new StoreFixture(TestDatabase.POSTGRESQL);
    int sent = 50_000;
    store.rows.execute(
        """
        INSERT INTO shop.pb_outbox_message
          (partition_no, id, destination, content_type, payload_text, headers, status, sent_at)
        SELECT i %% 16, gen_random_uuid(), 'd' || i %% 5, 'text/plain', 'x', '{}', 'SENT', now()
        FROM generate_series(1, %s) i
        """
            .formatted(sent));
    for (String status : List.of("PENDING", "HELD", "DELAYED", "DEAD")) {
      store.rows.execute(
          """
          INSERT INTO shop.pb_outbox_message
            (partition_no, id, destination, content_type, payload_text, headers, status)
          SELECT i %% 16, gen_random_uuid(), 'd' || i %% 5, 'text/plain', 'x', '{}', '%s'
          FROM generate_series(1, 100) i
          """
              .formatted(status));
    }
    store.rows.execute("ANALYZE shop.pb_outbox_message");

    String plan = explain(store, new StatisticsStore(Dialect.POSTGRESQL, TABLES));

    assertThat(plan).doesNotContain("Seq Scan on pb_outbox_message");
    List<Double> rowsRead =
        Pattern.compile("on pb_outbox_message .*rows=([.\\d]+) loops=(\\d+)")
            .matcher(plan)
            .results()
            .map((MatchResult found) -> number(found, 1) * number(found, 2))
            .toList();
    assertThat(rowsRead).as(plan).isNotEmpty().allMatch(rows -> rows <= 101);
    assertThat(plan).doesNotContainPattern(FILTERED_OUT);
  }

  private static double number(MatchResult found, int group) {
    return Double.parseDouble(found.group(group));
  }

  private static String explain(StoreFixture store, StatisticsStore statistics)
      throws SQLException {
    String sql = statistics.statement();
    try (Connection connection = store.dataSource.getConnection();
        PreparedStatement explain =
            connection.prepareStatement("EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) " + sql);
        ResultSet rows = explain.executeQuery()) {
      List<String> lines = new ArrayList<>();
      while (rows.next()) {
        lines.add(rows.getString(1));
      }
      return lines.stream().collect(Collectors.joining("\n"));
    }
  }
}
