package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.store.Dialect;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Standing;
import io.postbox.inbox.ops.KeptCounts;
import io.postbox.inbox.receiver.Limits;
import io.postbox.inbox.receiver.Limits.Limit;
import io.postbox.inbox.receiver.Limits.Used;
import io.postbox.inbox.store.CountStore.Kind;
import io.postbox.inbox.store.CountStore.Line;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The rows that any sender can cause have a bound, and their count is cheap. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class KeptBoundsTest {
  private static final InboxConfig CONFIG = TestConfig.shop(true);
  private static final Aggregate INVENTED = new Aggregate("Order", "invented", 7);

  @Parameter TestDatabase database;
  private String url;
  private Dialect dialect;
  private VersionStore versions;

  @BeforeEach
  void makeTheTables() throws SQLException {
    url = database.freshUrl();
    try (Connection connection = TestDatabase.connect(url)) {
      dialect = Dialect.of(connection, "inbox");
      new Schema(dialect, CONFIG).prepare(connection);
    }
    versions = new VersionStore(dialect, CONFIG.tables());
  }

  @Test
  void anAggregateThatIsForgottenLeavesNoRowAndNobodyWhoWaitsForItFails() throws Exception {
    try (Connection first = TestDatabase.connect(url);
        Connection second = TestDatabase.connect(url)) {
      first.setAutoCommit(false);
      second.setAutoCommit(false);
      assertThat(versions.lock(first, "shipping", INVENTED, 1).isNew()).isTrue();
      CompletableFuture<Standing> waiting = CompletableFuture.supplyAsync(() -> lock(second));

      versions.forget(first, "shipping", INVENTED);
      first.commit();

      Standing place = waiting.get(20, TimeUnit.SECONDS);
      assertThat(place.version()).isZero();
      if (place.isNew()) { // it may have come before the first one's row
        versions.forget(second, "shipping", INVENTED);
      }
      second.commit();
    }
    assertThat(value("SELECT COUNT(*) FROM inbox_aggregate")).isEqualTo("0");
  }

  private Standing lock(Connection connection) {
    try {
      return versions.lock(connection, "shipping", INVENTED, 1);
    } catch (SQLException failed) {
      throw new IllegalStateException(failed);
    }
  }

  @Test
  void theCountReadsTheIndexesAlone() throws SQLException {
    fill(20_000);
    CountStore store = new CountStore(dialect, CONFIG.tables());

    try (Connection connection = TestDatabase.connect(url)) {
      assertThat(store.count(connection))
          .usingRecursiveFieldByFieldElementComparatorIgnoringFields("age")
          .containsExactlyInAnyOrder(
              new Line(Kind.PARKED, "billing", 10_000, 10_000_000, Duration.ZERO),
              new Line(Kind.PARKED, "shipping", 10_000, 10_000_000, Duration.ZERO),
              new Line(Kind.QUARANTINED, "billing", 10_000, 10_000_000, Duration.ZERO),
              new Line(Kind.QUARANTINED, "shipping", 10_000, 10_000_000, Duration.ZERO));
    }
    String plan = plan(store.statement());
    assertThat(plan.toLowerCase(java.util.Locale.ROOT))
        .contains("inbox_stored_count_ix")
        .doesNotContain("seq scan on inbox_stored", "inbox_stored.tablescan");
  }

  @Test
  void capturedMessagesAreCountedByStatusInTheirIndexAndTheOldestIsFound() throws SQLException {
    String digest =
        dialect == Dialect.H2
            ? "CAST('%s' AS BINARY(32))".formatted("0".repeat(32))
            : "decode(repeat('00', 32), 'hex')";
    run(
        """
        INSERT INTO inbox_stored
          (consumer, message_id, status, captured, precedence, stored_at, fingerprint,
           fingerprint_version, headers, size, body_type, payload_text, properties)
        SELECT CASE WHEN MOD(i, 2) = 0 THEN 'shipping' ELSE 'billing' END, CAST(i AS VARCHAR(20)),
          CASE MOD(i / 2, 5) WHEN 0 THEN 'PENDING' WHEN 1 THEN 'DELAYED' WHEN 2 THEN 'HELD'
            WHEN 3 THEN 'PARKED' ELSE 'PROCESSED' END,
          TRUE, 5, CURRENT_TIMESTAMP - i * INTERVAL '1' SECOND, %s, 1, '{}', 1000, 'TEXT',
          REPEAT('x', 1000), '{}'
        FROM %s
        """
            .formatted(
                digest,
                dialect == Dialect.H2
                    ? "SYSTEM_RANGE(1, 20000) n(i)"
                    : "generate_series(1, 20000) n(i)"));
    run(dialect == Dialect.H2 ? "ANALYZE" : "VACUUM ANALYZE inbox_stored");
    CountStore store = new CountStore(dialect, CONFIG.tables());

    List<Line> lines;
    try (Connection connection = TestDatabase.connect(url)) {
      connection.setAutoCommit(false);
      lines = store.count(connection);
      store.keep(connection, lines, Instant.now(), Instant.now());
      List<Line> read = store.read(connection).lines();
      assertThat(read).hasSize(8);
      assertThat(KeptCounts.of(read).of(KeptCounts.CAPTURED, "shipping"))
          .isEqualTo(new Used(6_000, 6_000_000));
      assertThat(KeptCounts.of(read).oldestOf("shipping").toSeconds()).isBetween(19_990L, 20_600L);
    }
    for (String consumer : List.of("shipping", "billing")) {
      KeptCounts counts = KeptCounts.of(lines);
      assertThat(List.of(Kind.PENDING, Kind.DELAYED, Kind.HELD))
          .allSatisfy(kind -> assertThat(counts.of(kind, consumer)).isEqualTo(2_000));
      assertThat(counts.oldestOf(consumer).toSeconds()).isBetween(19_990L, 20_600L);
    }
    assertThat(KeptCounts.of(lines).consumers(KeptCounts.KEPT))
        .as("those that are parked")
        .containsExactly("billing", "shipping")
        .allSatisfy(
            consumer ->
                assertThat(KeptCounts.of(lines).of(KeptCounts.KEPT, consumer))
                    .isEqualTo(new Used(2_000, 2_000_000)));
    assertThat(plan(store.statement()).toLowerCase(java.util.Locale.ROOT))
        .contains("inbox_stored_count_ix")
        .doesNotContain("seq scan on inbox_stored", "inbox_stored.tablescan");
  }

  @Test
  void aListenersRetryIsNoCapturedMessage() throws SQLException {
    fill(8);
    run("UPDATE inbox_stored SET status = 'HANDED_BACK' WHERE id <= 2");
    run("UPDATE inbox_stored SET status = 'DELAYED' WHERE id > 2");
    CountStore store = new CountStore(dialect, CONFIG.tables());

    KeptCounts counts;
    try (Connection connection = TestDatabase.connect(url)) {
      counts = KeptCounts.of(store.count(connection));
    }

    assertThat(counts.capturing()).as("nobody's handler is missing for it").isEmpty();
    assertThat(counts.limited())
        .as("whose copies are not handled yet")
        .containsEntry(new Limit("shipping", Limits.Kind.DELAYED), new Used(8, 8_000))
        .containsEntry(new Limit("billing", Limits.Kind.DELAYED), new Used(8, 8_000));
    assertThat(counts.consumers(Set.of(Kind.HANDED_BACK))).containsExactly("billing", "shipping");
  }

  @Test
  void aggregatesAreCountedByTheirKeyAndNoFurtherThanTheQuotaGoes() throws SQLException {
    String numbers =
        dialect == Dialect.H2 ? "SYSTEM_RANGE(1, 20000) n(i)" : "generate_series(1, 20000) n(i)";
    run(
        """
        INSERT INTO inbox_aggregate (consumer, aggregate_type, aggregate_id, version)
        SELECT CASE WHEN MOD(i, 10) = 0 THEN 'shipping' ELSE 'billing' END, 'Order',
          CAST(i AS VARCHAR(20)), 1
        FROM %s
        """
            .formatted(numbers));
    run(dialect == Dialect.H2 ? "ANALYZE" : "VACUUM ANALYZE inbox_aggregate");
    AggregateCountStore store = new AggregateCountStore(dialect, CONFIG.tables());

    try (Connection connection = TestDatabase.connect(url)) {
      assertThat(store.count(connection, "shipping", 10_001)).isEqualTo(2_000);
      assertThat(store.count(connection, "billing", 10_001)).isEqualTo(10_001);
      assertThat(store.count(connection, "mail", 10_001)).isZero();
    }
    String plan =
        plan(store.statement().replaceFirst("\\?", "'shipping'").replaceFirst("\\?", "10001"));
    assertThat(plan.toLowerCase(java.util.Locale.ROOT))
        .contains(dialect == Dialect.H2 ? "primary_key" : "inbox_aggregate_pk")
        .doesNotContain("seq scan", "tablescan");
  }

  private void fill(int rows) throws SQLException {
    String numbers =
        dialect == Dialect.H2 ? "SYSTEM_RANGE(1, %s) n(i)" : "generate_series(1, %s) n(i)";
    String digest =
        dialect == Dialect.H2
            ? "CAST('%s' AS BINARY(32))".formatted("0".repeat(32))
            : "decode(repeat('00', 32), 'hex')";
    String from = numbers.formatted(rows);
    run(
        """
        INSERT INTO inbox_stored
          (consumer, message_id, status, captured, variant, reason, precedence, kept_at, fingerprint,
           fingerprint_version, headers, size, body_type, payload_text, properties)
        SELECT CASE WHEN MOD(i, 2) = 0 THEN 'shipping' ELSE 'billing' END, CAST(i AS VARCHAR(20)),
          s.status, FALSE, s.variant, s.reason, 5, CURRENT_TIMESTAMP, %s, 1, '{}', 1000, 'TEXT',
          REPEAT('x', 1000), '{}'
        FROM %s CROSS JOIN (VALUES
          ('PARKED', '', 'REJECTED'), ('QUARANTINED', 'v', 'OTHER_CONTENT')) s(status, variant, reason)
        """
            .formatted(digest, from));
    if (dialect == Dialect.POSTGRESQL) {
      run("VACUUM ANALYZE inbox_stored");
    }
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private String value(String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private String plan(String sql) throws SQLException {
    StringBuilder plan = new StringBuilder();
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("EXPLAIN " + sql)) {
      while (row.next()) {
        plan.append(row.getString(1)).append('\n');
      }
    }
    return plan.toString();
  }
}
