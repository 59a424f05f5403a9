package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.AuditFilter;
import io.postbox.common.Page;
import io.postbox.common.ops.ActionControl;
import io.postbox.common.ops.AuditQueries;
import io.postbox.common.ops.FailureQueries;
import io.postbox.common.store.LocalTransactions;
import io.postbox.common.store.LocalTransactions.Work;
import io.postbox.common.testing.DataSources;
import io.postbox.common.testing.TimeLimits;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.LookupFilter;
import io.postbox.outbox.store.FailureViews;
import io.postbox.outbox.store.StatisticsStore;
import io.postbox.outbox.store.StoredErrors;
import io.postbox.outbox.testing.Operator;
import io.postbox.outbox.testing.TestDatabase;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A person's question keeps a connection of the application's pool for ten seconds at most. */
class ReadLimitsTest {
  private static final UUID ID = new UUID(0, 1);

  @ParameterizedTest
  @EnumSource
  void everyStatementOfAQuestionHasALimitOfTime(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(3, "d");
    TimeLimits limits = new TimeLimits(fixture.counting.dataSource());
    DataSource source = limits.dataSource();
    DeadLetterQueries letters = new DeadLetterQueries(fixture.config, source, StoredErrors.CLEAR);
    LookupQueries lookup = LookupQueriesTest.queries(fixture, source);
    FailureQueries<?, ?> failures =
        new FailureQueries<>(
            DeadLetterFixture.calls(source),
            new FailureViews(database.dialect(), fixture.config.tables(), StoredErrors.CLEAR));
    AuditQueries audit = new AuditQueries(DeadLetterFixture.calls(source), fixture.config.tables());
    StatisticsMonitor statistics =
        new StatisticsMonitor(
            source,
            new StatisticsStore(database.dialect(), fixture.config.tables()),
            fixture.config.backlog(),
            InstantSource.system());
    Nodes nodes = nodes(fixture, source);
    Switches switches =
        new Switches(
            new OutboxTables(database.dialect(), fixture.config, source),
            InstantSource.system(),
            time -> {});
    Redirects redirects =
        new Redirects(new OutboxTables(database.dialect(), fixture.config, source));
    Policies policies =
        new Policies(RuntimePolicies.on(fixture.config, source, fixture.clock), source);
    ActionControl actions = new Operator(database.dialect(), fixture.config, source).control();
    List<Runnable> questions =
        List.of(
            () -> letters.find(DeadLetterFilter.all().event("none"), Page.first(10)),
            () -> letters.get(ID),
            () -> lookup.find(LookupFilter.all().event("none"), "", 10),
            () -> lookup.get(ID),
            () -> lookup.heldKeys("", 10),
            () -> lookup.life(ID),
            () -> failures.groups("", 10),
            () -> failures.of(ID),
            () -> audit.find(AuditFilter.all(), "", 10),
            () -> nodes.list(),
            () -> statistics.count().now(),
            () -> switches.paused(),
            () -> redirects.all(),
            () -> policies.list(),
            () -> actions.list(10),
            () -> actions.list(ID, 10),
            () -> actions.get(ID),
            statistics.count()::history,
            () -> statistics.count().keepHistory("[]"));

    limits.taken(); // of those that begin the actions
    for (Runnable question : questions) {
      question.run();
      assertThat(limits.taken()).isNotEmpty().allMatch(seconds -> seconds >= 1 && seconds <= 10);
    }
  }

  /** H2 does not tell, without a statement. */
  @Test
  void theSearchForAHolderHasALimitOfTime() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL);
    TimeLimits limits = new TimeLimits(fixture.counting.dataSource());
    nodes(fixture, limits.dataSource()).holder(0);

    assertThat(limits.taken()).isNotEmpty().allMatch(seconds -> seconds >= 1 && seconds <= 10);
  }

  private static Nodes nodes(DeadLetterFixture fixture, DataSource source) {
    return new Nodes(
        new OutboxTables(fixture.database.dialect(), fixture.config, source),
        StoredErrors.CLEAR,
        InstantSource.system());
  }

  /** H2 has one limit for all statements of a connection, which goes back to the pool. */
  @ParameterizedTest
  @EnumSource
  void noLimitIsLeftBehind(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    try (Connection pooled = fixture.counting.dataSource().getConnection()) {
      DataSource pool = DataSources.of(() -> unclosed(pooled));
      new DeadLetterQueries(fixture.config, pool, StoredErrors.CLEAR)
          .find(DeadLetterFilter.all(), Page.first(10));

      try (Statement next = pooled.createStatement()) {
        assertThat(next.getQueryTimeout()).isZero();
      }
    }
  }

  /** Else the log would say that the connection is closed, and not why. */
  @ParameterizedTest
  @EnumSource
  void whatEndedTheConnectionIsTold(TestDatabase database) {
    LocalTransactions transactions = new LocalTransactions(database.fresh());
    SQLException gone = new SQLException("terminated by an administrator", "57P01");
    Work<Integer> question =
        LocalTransactions.brief(
            connection -> {
              connection.close();
              throw gone;
            });

    assertThatThrownBy(() -> transactions.eachAlone(question)).isSameAs(gone);
  }

  private static Connection unclosed(Connection pooled) {
    return (Connection)
        Proxy.newProxyInstance(
            ReadLimitsTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) ->
                method.getName().equals("close") ? null : method.invoke(pooled, arguments));
  }
}
