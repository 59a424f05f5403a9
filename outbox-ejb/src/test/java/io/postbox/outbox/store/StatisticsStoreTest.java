package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.outbox.config.TableNames;
import io.postbox.outbox.store.StatisticsStore.Kind;
import io.postbox.outbox.store.StatisticsStore.Line;
import io.postbox.outbox.testing.CountingDataSource;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
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

  private static List<Line> count(TestDatabase database, StoreFixture store) throws SQLException {
    try (Connection connection = store.dataSource.getConnection()) {
      return new StatisticsStore(database.dialect(), TABLES).count(connection);
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
  void whatIsSwitchedOffComesWithItsReason(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    store.rows.execute(
        "INSERT INTO shop.pb_outbox_switch (destination, reason, principal)"
            + " VALUES ('shipping', 'they move house', 'anna')");

    assertThat(count(database, store))
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.kind()).isEqualTo(Kind.PAUSED);
              assertThat(line.destination()).isEqualTo("shipping");
              assertThat(line.messages()).isZero();
              assertThat(line.reason()).isEqualTo("they move house");
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
        FROM generate_series(1, %d) i
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

    String plan = explain(store);

    assertThat(plan).doesNotContain("Seq Scan on pb_outbox_message");
    List<Long> rowsRead =
        Pattern.compile("(?:Index|Bitmap Heap|Index Only) Scan.*rows=(\\d+)[.\\d]* loops=1")
            .matcher(plan)
            .results()
            .map((MatchResult found) -> Long.parseLong(found.group(1)))
            .toList();
    assertThat(rowsRead).as(plan).isNotEmpty().allMatch(rows -> rows <= 100);
    assertThat(plan).doesNotContain("Rows Removed by Filter");
  }

  private static String explain(StoreFixture store) throws SQLException {
    String sql = new StatisticsStore(Dialect.POSTGRESQL, TABLES).statement();
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
