package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.store.LocalTransactions;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.store.OperatorStore;
import io.postbox.outbox.testing.Operator;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LetterStepsTest {
  private static final DeadLetterFilter ALL = DeadLetterFilter.all();
  private static final String AUDIT =
      "SELECT action || ' ' || principal || ' ' || reason || ' ' || messages || ' ' || module || '"
          + " ' || service FROM shop.pb_postbox_audit";

  @ParameterizedTest
  @EnumSource
  void aRedriveTouchesNothingThatDiedAfterThePlan(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(3, "d");
    DeadLetterPlan plan = fixture.plan();
    fixture.dead(2, "d");
    assertThat(fixture.redrive(plan)).isEqualTo(3);
    assertThat(fixture.count("status = 'DEAD'")).isEqualTo(2);
    assertThat(fixture.column(AUDIT)).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void aDiscardedLetterGoesToTheArchiveAndLetsItsFollowersGo(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("DEAD", 2, "d", "'k' || i");
    fixture.insert("HELD", 2, "d", "'k' || i");
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_outbox_held_key (partition_no, destination, ordering_key, head_id)
        SELECT partition_no, destination, ordering_key, id FROM shop.pb_outbox_message
        WHERE status = 'DEAD'
        """);
    DeadLetterPlan plan = fixture.plan(DeadLetterFilter.all().orderedBy("k1"));
    assertThat(fixture.actions.discard(plan, "ada", "sent by hand")).isEqualTo(1);

    assertThat(fixture.column("SELECT status FROM shop.pb_outbox_message ORDER BY seq"))
        .containsExactly("DEAD", "PENDING", "HELD");
    assertThat(fixture.column("SELECT ordering_key FROM shop.pb_outbox_held_key"))
        .containsExactly("k2");
    assertThat(
            fixture.column(
                "SELECT outcome || id || payload_text || last_error || signature || attempts"
                    + " FROM shop.pb_outbox_archive"))
        .containsExactly(
            "DISCARDED00000000-0000-0000-0000-000000000001xAMQ229032: 100% refused_5ef03");
    assertThat(
            fixture.column(
                "SELECT put_back FROM shop.pb_outbox_partition WHERE partition_no IN (1, 2)"))
        .containsExactlyInAnyOrder("1", "0");
    assertThat(fixture.column(AUDIT)).containsExactly("discard ada sent by hand 1 outbox shop");
    assertThat(fixture.column("SELECT subject FROM shop.pb_postbox_audit").get(0))
        .endsWith(": ordering-key=k1");
  }

  @ParameterizedTest
  @EnumSource
  void aPartitionThatTheRelayHasIsWaitedFor(TestDatabase database) throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    try (Connection relay = fixture.counting.dataSource().getConnection()) {
      fixture.dead(1, "d");
      relay.setAutoCommit(false);
      try (Statement claim = relay.createStatement()) {
        claim.execute("SELECT * FROM shop.pb_outbox_partition WHERE partition_no = 1 FOR UPDATE");
        // the relay holds these while the operator decides, and then takes them away
        claim.execute("DELETE FROM shop.pb_outbox_message WHERE partition_no = 1");
      }
      CountDownLatch begun = new CountDownLatch(1);
      DeadLetterPlan plan = fixture.plan();
      Future<Long> redriven =
          executor.submit(
              () -> {
                begun.countDown();
                return fixture.redrive(plan);
              });
      begun.await();
      fixture.dead(1, "e"); // others go on meanwhile
      assertThat(redriven.isDone()).isFalse();
      relay.commit();
      assertThat(redriven.get()).isZero();
    } finally {
      executor.shutdownNow();
    }
  }

  /** Else it would wait for a node that is frozen, and itself keep others from the partition. */
  @Test
  void aPartitionIsNeitherWaitedForNorKeptForEver() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL);
    LocalTransactions transactions = new LocalTransactions(fixture.counting.dataSource());
    OperatorStore store =
        new OperatorStore(TestDatabase.POSTGRESQL.dialect(), fixture.config.tables());
    String idle =
        transactions.once(
            connection -> {
              store.lock(connection, 1);
              try (Statement statement = connection.createStatement();
                  ResultSet row =
                      statement.executeQuery("SHOW idle_in_transaction_session_timeout")) {
                row.next();
                return row.getString(1);
              }
            });
    assertThat(idle).isEqualTo("2min");
    try (Connection frozen = fixture.counting.dataSource().getConnection()) {
      frozen.setAutoCommit(false);
      store.lock(frozen, 1);
      assertThatThrownBy(() -> transactions.once(connection -> store.lock(connection, 1)))
          .isInstanceOfSatisfying(
              SQLException.class, it -> assertThat(it.getSQLState()).isEqualTo("55P03"))
          .hasMessageStartingWith("The partition 1 is locked by another session for too long");
      Instant free = transactions.once(connection -> store.lock(connection, 2));
      assertThat(free).isNotNull();
    }
  }

  @Test
  void aLockThatH2DoesNotGetInTimeIsTriedAgain() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.H2);
    try (Connection relay = fixture.counting.dataSource().getConnection()) {
      String claim = "SELECT * FROM shop.pb_outbox_partition WHERE partition_no = 1 FOR UPDATE";
      relay.setAutoCommit(false);
      try (Statement statement = relay.createStatement()) {
        statement.execute(claim);
      }
      int[] tries = new int[1];
      LocalTransactions transactions = new LocalTransactions(fixture.counting.dataSource());
      int tried =
          transactions.commit(
              own -> {
                if (++tries[0] == 4) {
                  relay.commit();
                }
                try (Statement statement = own.createStatement()) {
                  statement.execute("SET LOCK_TIMEOUT 10");
                  statement.execute(claim);
                }
                return tries[0];
              });
      assertThat(tried).isEqualTo(4);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsDoneWithoutAReason(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(1, "d");
    DeadLetterPlan plan = fixture.plan();
    for (String none : List.of("", " \n\t", "x".repeat(1_001))) {
      assertThatThrownBy(() -> fixture.actions.redrive(plan, "ada", none))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("A reason has 1 to 1000 characters");
      assertThatThrownBy(() -> fixture.actions.discard(plan, "ada", none))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(fixture.count("status = 'DEAD'")).isEqualTo(1);

    String someone = "a".repeat(300);
    DeadLetterPlan theirs = fixture.plan(ALL, someone);
    fixture.actions.redrive(theirs, someone, "x".repeat(1_000));
    assertThat(fixture.column("SELECT LENGTH(principal) FROM shop.pb_postbox_audit"))
        .containsExactly("200");
  }

  /**
   * Of a partition with many dead letters, only those of the keys in hand are looked at when they
   * are let wait again.
   */
  @Test
  @Tag("full")
  void onPostgresqlLettersWaitAgainByTheIndexOfTheirKeys() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL);
    fixture.insert("DEAD", 3, "d", "'k'");
    fixture.insert("DEAD", 20_000, "d", "'other' || i");
    fixture.rows.execute("UPDATE shop.pb_outbox_message SET partition_no = 1");
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_outbox_held_key (partition_no, destination, ordering_key, head_id)
        SELECT partition_no, destination, ordering_key, id FROM shop.pb_outbox_message
        WHERE seq = 1
        """);
    fixture.rows.execute("ANALYZE shop.pb_outbox_message");
    String id = fixture.column("SELECT id FROM shop.pb_outbox_message WHERE seq = 1").get(0);
    DeadLetterPlan plan = fixture.plan(ALL.id(UUID.fromString(id)));
    ExplainingDataSource explaining = new ExplainingDataSource(fixture.counting.dataSource());
    assertThat(fixture.actions(explaining.dataSource()).discard(plan, "ada", "x")).isEqualTo(1);

    assertThat(fixture.count("status = 'PENDING' OR status = 'HELD'")).isEqualTo(2);
    assertThat(explaining.plans())
        .filteredOn(each -> each.contains("m.due_at >= d.due_at"))
        .isNotEmpty()
        .allSatisfy(
            each ->
                assertThat(each)
                    .contains("Index Scan using pb_outbox_message_dead_key_ix")
                    .doesNotContain("Seq Scan on pb_outbox_message"));
  }

  @Test
  void onPostgresqlALetterIsFoundByIndexesOnly() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL);
    fixture.insert("SENT", 20_000, "d", "'k' || i");
    fixture.insert("DEAD", 2_000, "d", "'k' || MOD(i, 400)");
    fixture.insert("HELD", 4_000, "d", "'k' || MOD(i, 400)");
    fixture.rows.execute("ANALYZE shop.pb_outbox_message");
    ExplainingDataSource explaining = new ExplainingDataSource(fixture.counting.dataSource());
    Operator actions = fixture.actions(explaining.dataSource());
    DeadLetterPlan some = fixture.plan(DeadLetterFilter.all().orderedBy("k7"));
    assertThat(actions.redrive(some, "ada", "x")).isPositive();
    DeadLetterPlan others = fixture.plan(DeadLetterFilter.all().orderedBy("k8"));
    assertThat(actions.discard(others, "ada", "x")).isPositive();

    assertThat(explaining.plans())
        .hasSizeGreaterThan(8)
        .noneMatch(plan -> plan.contains("Seq Scan on pb_outbox_message"));
  }
}
