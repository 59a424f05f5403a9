package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.store.Dialect;
import io.postbox.common.testing.DataSources;
import io.postbox.common.testing.SettableClock;
import io.postbox.inbox.config.InboxConfig;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.log.LogLines;
import io.postbox.inbox.receiver.Limits;
import io.postbox.inbox.store.AggregateCountStore;
import io.postbox.inbox.store.AggregateCountStore.Line;
import io.postbox.inbox.store.CountStore;
import io.postbox.inbox.store.Schema;
import io.postbox.inbox.store.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class AggregateWatchTest {
  private static final InboxConfig CONFIG =
      TestConfig.shop(
          Map.of(
              "create-tables", "true",
              "consumer.shipping.order", "version",
              "consumer.shipping.quota.aggregates", "3"));

  @Parameter TestDatabase database;
  private String url;
  private AggregateCountStore store;
  private final SettableClock clock = new SettableClock();
  private boolean answers = true;
  private int connections;

  @BeforeEach
  void makeTheTables() throws SQLException {
    url = database.freshUrl();
    try (Connection connection = TestDatabase.connect(url)) {
      Dialect dialect = Dialect.of(connection, "inbox");
      new Schema(dialect, CONFIG).prepare(connection);
      store = new AggregateCountStore(dialect, CONFIG.tables());
    }
  }

  @Test
  void oneNodeCountsForAllAndNoFurtherThanTheQuotaGoes() throws SQLException {
    know("shipping", 7);
    know("billing", 2);
    watch().look();

    assertThat(lines())
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.consumer()).isEqualTo("shipping");
              assertThat(line.aggregates()).as("one more than it may").isEqualTo(4);
              assertThat(line.isDue()).isFalse();
            });

    know("shipping", 1);
    connections = 0;
    AggregateWatch other = watch();
    other.look();
    other.look();
    assertThat(connections).as("it reads what was counted").isEqualTo(2);
  }

  @Test
  void aCountIsMadeAgainWhenItIsDue() throws SQLException {
    AggregateWatch watch = watch();
    watch.look();
    assertThat(lines()).extracting(Line::aggregates).containsExactly(0L);
    know("shipping", 2);
    run("UPDATE inbox_count SET due_at = since WHERE kind = 'AGGREGATES'");

    watch.look();

    assertThat(lines()).extracting(Line::aggregates).containsExactly(2L);
  }

  @Test
  void aCountGoesOnAfterTheDatabasesClockWasSetBack() throws SQLException {
    AggregateWatch watch = watch();
    watch.look();
    know("shipping", 2);
    run(
        "UPDATE inbox_count SET since = since + INTERVAL '1' HOUR, due_at = due_at + INTERVAL '1'"
            + " HOUR WHERE kind = 'AGGREGATES'");

    watch.look();

    assertThat(lines()).extracting(Line::aggregates).containsExactly(2L);
  }

  @Test
  void theCountOfWhatIsKeptAsideLeavesItAlone() throws SQLException {
    watch().look();
    run("UPDATE inbox_count SET due_at = since WHERE kind = 'CLAIM'");
    KeptCounts.on(dataSource(), new CountStore(dialect(), CONFIG.tables()), clock)
        .lookIfDue(Runnable::run, (all, found) -> {});

    assertThat(lines()).hasSize(1);
  }

  @Test
  void withoutAnOrderNobodyAsksTheDatabase() {
    new AggregateWatch(
            dataSource(),
            store,
            TestConfig.shop(true),
            new Limits(TestConfig.shop(true), clock),
            clock)
        .look();

    assertThat(connections).isZero();
  }

  @Test
  void aFailedCountIsLoggedOnce() {
    AggregateWatch watch = watch();
    answers = false;
    try (LogLines log = new LogLines()) {
      watch.look();
      watch.look();
      assertThat(log.all()).singleElement().asString().startsWith("IBX0081 ");

      answers = true;
      watch.look();
      assertThat(log.all()).hasSize(2).last().asString().startsWith("IBX0082 ");
    }
  }

  private AggregateWatch watch() {
    return new AggregateWatch(dataSource(), store, CONFIG, new Limits(CONFIG, clock), clock);
  }

  private Dialect dialect() {
    return database == TestDatabase.H2 ? Dialect.H2 : Dialect.POSTGRESQL;
  }

  private List<Line> lines() throws SQLException {
    try (Connection connection = TestDatabase.connect(url)) {
      return store.read(connection);
    }
  }

  private void know(String consumer, int aggregates) throws SQLException {
    for (int i = 0; i < aggregates; i++) {
      run(
          "INSERT INTO inbox_aggregate (consumer, aggregate_type, aggregate_id, version)"
              + " SELECT '%1$s', 'Order', CAST(COUNT(*) AS VARCHAR(20)), 1 FROM inbox_aggregate"
                  .formatted(consumer));
    }
  }

  private void run(String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private DataSource dataSource() {
    return DataSources.of(
        () -> {
          connections++;
          if (!answers) {
            throw new SQLException("no answer", "08006");
          }
          return TestDatabase.connect(url);
        });
  }
}
