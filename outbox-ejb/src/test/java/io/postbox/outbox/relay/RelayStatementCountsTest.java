package io.postbox.outbox.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.common.store.Dialect;
import io.postbox.outbox.config.OutboxConfig.AfterSending;
import io.postbox.outbox.testing.DirectExecutor;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How many statements, commits and sends a message costs, and what an idle node does. */
class RelayStatementCountsTest {
  private static final int MESSAGES = 20_000;
  private static final int OTHERS = 5_000;
  private static final double STATEMENTS = 0.05;
  private static final double COMMITS = 0.02;
  private static final double SENDS = 0.01;

  private static RelayFixture fixture(TestDatabase database, AfterSending afterSending, int workers)
      throws SQLException {
    return new RelayFixture(
        database, TestConfig.DEFAULT.withAfterSending(afterSending).withRelay(workers, 200));
  }

  /** Writes messages as enqueueing them leaves them; a partition has every sixteenth key. */
  private static void fill(RelayFixture fixture, int from, int count, int perKey, String status)
      throws SQLException {
    fixture.rows.execute(
        """
        INSERT INTO outbox_message (partition_no, id, destination, ordering_key, content_type,
          payload_text, headers, status)
        SELECT MOD(n / %3$s, 16),
          CAST('00000000-0000-7000-8000-' || LPAD(CAST(n AS VARCHAR), 12, '0') AS UUID), 'd',
          '%4$s ' || CAST(n / %3$s AS VARCHAR), 'text/plain', 'x', '{}', '%4$s'
        FROM (SELECT x AS n FROM %5$s(%1$s, %1$s + %2$s - 1) x) AS series
        """
            .formatted(from, count, perKey, status, series(fixture)));
  }

  private static String series(RelayFixture fixture) throws SQLException {
    try (Connection connection = fixture.counting.dataSource().getConnection()) {
      return Dialect.of(connection, "outbox") == Dialect.H2 ? "SYSTEM_RANGE" : "generate_series";
    }
  }

  @ParameterizedTest
  @CsvSource({"H2, DELETE", "POSTGRESQL, DELETE", "POSTGRESQL, ARCHIVE"})
  void aFullDrainStaysFarBelowOneStatementPerMessage(
      TestDatabase database, AfterSending afterSending) throws Exception {
    drainStaysFarBelowOneStatementPerMessage(database, afterSending);
  }

  @ParameterizedTest
  @CsvSource({"H2, KEEP", "H2, ARCHIVE", "POSTGRESQL, KEEP"})
  @Tag("full")
  void soItDoesWhateverBecomesOfWhatWasSent(TestDatabase database, AfterSending afterSending)
      throws Exception {
    drainStaysFarBelowOneStatementPerMessage(database, afterSending);
  }

  private static void drainStaysFarBelowOneStatementPerMessage(
      TestDatabase database, AfterSending afterSending) throws Exception {
    RelayFixture fixture = fixture(database, afterSending, 4);
    fill(fixture, 0, MESSAGES, 20, "PENDING");
    int statements = fixture.counting.statements();
    int commits = fixture.counting.commits();
    ExecutorService executor = Executors.newCachedThreadPool();
    try {
      Relay relay = fixture.relay(fixture.broker, executor, InstantSource.system());
      relay.poll();
      await()
          .atMost(Duration.ofMinutes(3))
          .until(() -> fixture.broker.received().size() == MESSAGES);
      relay.stop();
    } finally {
      executor.shutdown();
    }
    assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();

    assertThat(fixture.broker.receivedSeqs()).doesNotHaveDuplicates();
    Invariants.assertInOrderPerKey(fixture.broker.received());
    assertThat(perMessage(fixture.counting.statements() - statements))
        .isLessThanOrEqualTo(STATEMENTS);
    assertThat(perMessage(fixture.counting.commits() - commits)).isLessThanOrEqualTo(COMMITS);
    assertThat(perMessage(fixture.broker.calls())).isLessThanOrEqualTo(SENDS);
  }

  private static double perMessage(int count) {
    return (double) count / MESSAGES;
  }

  @ParameterizedTest
  @EnumSource
  void aThousandHeldKeysDoNotConcernTheOthers(TestDatabase database) throws Exception {
    int without = statementsOfADrain(fixture(database, AfterSending.DELETE, 1));
    RelayFixture fixture = fixture(database, AfterSending.DELETE, 1);
    fill(fixture, MESSAGES, 20_000, 20, "HELD");
    fixture.rows.execute(
        """
        INSERT INTO outbox_held_key (partition_no, destination, ordering_key, head_id)
        SELECT partition_no, destination, ordering_key, CAST(MIN(CAST(id AS VARCHAR)) AS UUID)
        FROM outbox_message GROUP BY partition_no, destination, ordering_key
        """);
    assertThat(fixture.rows.count("outbox_held_key")).isEqualTo(1_000);

    assertThat(statementsOfADrain(fixture)).isEqualTo(without);
    assertThat(fixture.rows.count("outbox_message")).isEqualTo(20_000);
  }

  private static int statementsOfADrain(RelayFixture fixture) throws SQLException {
    fill(fixture, 0, OTHERS, 20, "PENDING");
    int before = fixture.counting.statements();
    fixture.drain();
    assertThat(fixture.broker.received()).hasSize(OTHERS);
    return fixture.counting.statements() - before;
  }

  /** So many become due each second in a redrive at that rate. */
  @ParameterizedTest
  @EnumSource
  void onePollPutsTenThousandDueMessagesToWork(TestDatabase database) throws Exception {
    RelayFixture fixture = new RelayFixture(database, TestConfig.DEFAULT.withRelay(2, 1_000));
    fill(fixture, 0, 10_000, 20, "DELAYED");
    Relay relay = fixture.relay(fixture.broker, new DirectExecutor(), fixture.clock);
    int before = fixture.counting.statements();
    relay.poll();

    assertThat(fixture.broker.received()).hasSize(10_000);
    assertThat(fixture.counting.statements() - before).isLessThanOrEqualTo(200);
  }

  /** With nothing to do for anybody, whatever the reason, for a minute. */
  @ParameterizedTest
  @CsvSource({
    "H2, ''",
    "POSTGRESQL, ''",
    "POSTGRESQL, UPDATE outbox_message SET status = 'DELAYED'; UPDATE outbox_message SET due_at ="
        + " due_at + INTERVAL '1' HOUR",
    "POSTGRESQL, UPDATE outbox_message SET status = 'DEAD'",
    "POSTGRESQL, 'INSERT INTO outbox_switch (destination, reason, principal) VALUES (''d'', ''x'',"
        + " ''y'')'"
  })
  void anIdleNodeExecutesAtMostOneStatementInASecond(TestDatabase database, String reason)
      throws Exception {
    RelayFixture fixture = fixture(database, AfterSending.DELETE, 2);
    if (!reason.isEmpty()) {
      fill(fixture, 0, 100, 10, "PENDING");
      for (String sql : List.of(reason.split(";"))) {
        fixture.rows.execute(sql);
      }
    }
    Relay relay = fixture.relay(fixture.broker, new DirectExecutor(), fixture.clock);
    relay.poll();
    int before = fixture.counting.statements();
    Instant end = fixture.clock.instant().plusSeconds(60);
    while (fixture.clock.instant().isBefore(end)) {
      fixture.clock.pass(relay.tick());
    }

    assertThat(fixture.broker.received()).isEmpty();
    assertThat(fixture.counting.statements() - before).isBetween(6, 60);
  }
}
