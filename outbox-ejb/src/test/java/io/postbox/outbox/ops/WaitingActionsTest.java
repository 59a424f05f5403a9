package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.PlanRefusedException;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WaitingActionsTest {
  private static final String NO_KEY = "CAST(NULL AS VARCHAR)";
  private static final String AUDIT =
      "SELECT action || ' ' || principal || ' ' || reason || ' ' || messages || ' ' || subject"
          + " FROM shop.pb_postbox_audit";

  private static WaitingActions actions(DeadLetterFixture fixture) {
    return actions(fixture, fixture.counting.dataSource());
  }

  private static WaitingActions actions(DeadLetterFixture fixture, DataSource dataSource) {
    return new WaitingActions(
        new OutboxTables(fixture.database.dialect(), fixture.config, dataSource));
  }

  private static WaitingPlan plan(DeadLetterFixture fixture, String destination) {
    return actions(fixture).plan(destination, DeadLetterFixture.WHO);
  }

  private static Optional<Lane> cancel(DeadLetterFixture fixture, String id) {
    return actions(fixture)
        .cancel(Optional.empty(), UUID.fromString(id), DeadLetterFixture.WHO, "mistyped");
  }

  private static long discard(DeadLetterFixture fixture, WaitingPlan plan) {
    return fixture.actions.discard(plan, DeadLetterFixture.WHO, "mistyped");
  }

  @ParameterizedTest
  @EnumSource
  void onlyMessagesWaitingForADestinationAreCountedAndDiscarded(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("PENDING", 5, "shiping", NO_KEY);
    fixture.insert("DELAYED", 4, "shiping", NO_KEY);
    fixture.insert("HELD", 3, "shiping", "'k'");
    fixture.insert("DEAD", 2, "shiping", NO_KEY);
    fixture.insert("SENT", 1, "shiping", NO_KEY);
    fixture.insert("PENDING", 6, "shipping", NO_KEY);
    fixture.insert("DELAYED", 6, "shipping", NO_KEY);
    WaitingPlan plan = plan(fixture, "shiping");

    assertThat(plan.pending()).isEqualTo(5);
    assertThat(plan.delayed()).isEqualTo(4);
    assertThat(plan.held()).isEqualTo(3);
    assertThat(plan.messages()).isEqualTo(12);

    fixture.insert("PENDING", 1, "shiping", NO_KEY); // after the plan
    assertThat(discard(fixture, plan)).isEqualTo(12);
    assertThat(fixture.count("destination = 'shipping'")).isEqualTo(12);
    assertThat(
            fixture.column(
                "SELECT status FROM shop.pb_outbox_message WHERE destination = 'shiping'"
                    + " ORDER BY status"))
        .containsExactly("DEAD", "DEAD", "PENDING", "SENT");
    assertThat(fixture.column("SELECT DISTINCT outcome || destination FROM shop.pb_outbox_archive"))
        .containsExactly("DISCARDEDshiping");
    assertThat(fixture.rows.count("outbox_archive")).isEqualTo(12);
    assertThat(fixture.column(AUDIT))
        .containsExactly(
            "discard-waiting ada mistyped 12 messages waiting for 'shiping' as of " + plan.asOf());
  }

  @ParameterizedTest
  @EnumSource
  void aDiscardedHeadFreesItsKeyForWhatWasEnqueuedAfterThePlan(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("DELAYED", 1, "d", "'k'");
    fixture.insert("HELD", 1, "d", "'k'");
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_outbox_held_key (partition_no, destination, ordering_key, head_id)
        SELECT partition_no, destination, ordering_key, id FROM shop.pb_outbox_message
        WHERE status = 'DELAYED'
        """);
    WaitingPlan plan = plan(fixture, "d");
    fixture.insert("HELD", 1, "d", "'k'");

    assertThat(discard(fixture, plan)).isEqualTo(2);
    assertThat(fixture.column("SELECT status FROM shop.pb_outbox_message"))
        .containsExactly("PENDING");
    assertThat(fixture.rows.count("outbox_held_key")).isZero();
    assertThat(fixture.column("SELECT put_back FROM shop.pb_outbox_partition ORDER BY 1 DESC"))
        .startsWith("1", "0");
  }

  @ParameterizedTest
  @EnumSource
  void oneMessageThatWaitsIsCancelledAndNoOther(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    for (String status : List.of("PENDING", "DELAYED", "HELD", "DEAD", "SENT")) {
      fixture.insert(status, 2, "d", NO_KEY);
    }
    for (String status : List.of("PENDING", "DELAYED", "HELD", "DEAD", "SENT")) {
      String id =
          fixture
              .column(
                  "SELECT id FROM shop.pb_outbox_message WHERE status = '%s' ORDER BY seq"
                      .formatted(status))
              .get(0);
      boolean waits = !status.equals("DEAD") && !status.equals("SENT");
      assertThat(cancel(fixture, id).isPresent()).as(status).isEqualTo(waits);
      assertThat(fixture.count("status = '%s'".formatted(status))).isEqualTo(waits ? 1 : 2);
      assertThat(cancel(fixture, id)).isEmpty();
    }
    assertThat(cancel(fixture, UUID.randomUUID().toString())).isEmpty();
    assertThat(fixture.column("SELECT outcome FROM shop.pb_outbox_archive"))
        .containsExactly("DISCARDED", "DISCARDED", "DISCARDED");
    assertThat(fixture.column(AUDIT))
        .hasSize(3)
        .allSatisfy(
            row -> assertThat(row).startsWith("cancel-message ada mistyped 1 message 0000"));
    assertThatThrownBy(
            () -> actions(fixture).cancel(Optional.empty(), UUID.randomUUID(), "ada", " "))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @EnumSource
  void behindACancelledHeadTheNextOnesFollowAndBehindAFollowerNobodyMoves(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("DELAYED", 1, "d", "'k'");
    fixture.insert("HELD", 3, "d", "'k'");
    fixture.rows.execute("UPDATE shop.pb_outbox_message SET partition_no = 1");
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_outbox_held_key (partition_no, destination, ordering_key, head_id)
        SELECT partition_no, destination, ordering_key, id FROM shop.pb_outbox_message
        WHERE status = 'DELAYED'
        """);
    List<String> ids = fixture.column("SELECT id FROM shop.pb_outbox_message ORDER BY seq");
    assertThat(cancel(fixture, ids.get(2))).contains(new Lane(1, "d"));
    assertThat(fixture.column("SELECT status FROM shop.pb_outbox_message ORDER BY seq"))
        .containsExactly("DELAYED", "HELD", "HELD");
    assertThat(fixture.rows.count("outbox_held_key")).isEqualTo(1);

    assertThat(cancel(fixture, ids.get(0))).isPresent();
    assertThat(fixture.column("SELECT status FROM shop.pb_outbox_message ORDER BY seq"))
        .containsExactly("PENDING", "PENDING");
    assertThat(fixture.rows.count("outbox_held_key")).isZero();
    assertThat(fixture.column("SELECT put_back FROM shop.pb_outbox_partition ORDER BY 1 DESC"))
        .startsWith("1", "0");
  }

  @ParameterizedTest
  @EnumSource
  void aMessageThatTheRelayHasIsNotCancelledBeforeItsFateIsKnown(TestDatabase database)
      throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    try (Connection relay = fixture.counting.dataSource().getConnection()) {
      fixture.insert("PENDING", 1, "d", NO_KEY);
      String id = fixture.column("SELECT id FROM shop.pb_outbox_message").get(0);
      relay.setAutoCommit(false);
      try (Statement claim = relay.createStatement()) {
        claim.execute("SELECT * FROM shop.pb_outbox_partition WHERE partition_no = 1 FOR UPDATE");
        claim.execute("DELETE FROM shop.pb_outbox_message"); // it was sent
      }
      Future<Optional<Lane>> cancelled = executor.submit(() -> cancel(fixture, id));
      assertThatThrownBy(() -> cancelled.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      relay.commit();
      assertThat(cancelled.get()).isEmpty();
      assertThat(fixture.column(AUDIT)).isEmpty();
    } finally {
      executor.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDeadHeadKeepsItsKey(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("DEAD", 1, "d", "'k'");
    fixture.insert("HELD", 3, "d", "'k'");
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_outbox_held_key (partition_no, destination, ordering_key, head_id)
        SELECT partition_no, destination, ordering_key, id FROM shop.pb_outbox_message
        WHERE status = 'DEAD'
        """);
    assertThat(discard(fixture, plan(fixture, "d"))).isEqualTo(3);
    assertThat(fixture.column("SELECT status FROM shop.pb_outbox_message")).containsExactly("DEAD");
    assertThat(fixture.rows.count("outbox_held_key")).isEqualTo(1);
  }

  /**
   * Several of a key that expired together are dead letters together, the first of them holds the
   * key. Messages that wait behind them are discarded without a decision about any of them.
   */
  @ParameterizedTest
  @EnumSource
  void deadLettersOfAKeyThatExpiredTogetherStayAsTheyAre(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("DEAD", 3, "d", "'k'");
    fixture.insert("HELD", 2, "d", "'k'");
    fixture.insert("DELAYED", 1, "d", "'other'");
    fixture.insert("HELD", 1, "d", "'other'");
    fixture.insert("DEAD", 1, "d", "'other'");
    fixture.rows.execute("UPDATE shop.pb_outbox_message SET partition_no = 1");
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_outbox_held_key (partition_no, destination, ordering_key, head_id)
        SELECT partition_no, destination, ordering_key, id FROM shop.pb_outbox_message
        WHERE seq = 1 OR status = 'DELAYED'
        """);
    assertThat(discard(fixture, plan(fixture, "d"))).isEqualTo(4);

    assertThat(fixture.column("SELECT status FROM shop.pb_outbox_message ORDER BY seq"))
        .as("a dead letter is not put to wait because what held its key was discarded")
        .containsExactly("DEAD", "DEAD", "DEAD", "DEAD");
    assertThat(fixture.column("SELECT ordering_key FROM shop.pb_outbox_held_key"))
        .as("held by its dead head still; the other one has nothing to hold")
        .containsExactly("k");
  }

  @ParameterizedTest
  @EnumSource
  void manyGoInSlicesOfAThousand(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("PENDING", 1_600, "d", NO_KEY);
    fixture.rows.execute("UPDATE shop.pb_outbox_message SET partition_no = 3 WHERE seq <= 1500");
    WaitingPlan plan = plan(fixture, "d");
    int commits = fixture.counting.commits();
    assertThat(discard(fixture, plan)).isEqualTo(1_600);

    // 1,500 and more in one partition take two transactions; the others one each
    int partitionsWithRows =
        fixture.column("SELECT DISTINCT partition_no FROM shop.pb_outbox_archive").size();
    int around = 1 + 2 + 1; // its start, the end of two rounds, and a look at the action
    assertThat(fixture.counting.commits() - commits).isEqualTo(partitionsWithRows + 1 + around);
    assertThat(fixture.count()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void itWaitsForTheRelayThatHasThePartitionInHand(TestDatabase database) throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    try (Connection relay = fixture.counting.dataSource().getConnection()) {
      fixture.insert("PENDING", 1, "d", NO_KEY);
      WaitingPlan plan = plan(fixture, "d");
      relay.setAutoCommit(false);
      try (Statement statement = relay.createStatement()) {
        statement.execute("SELECT 1 FROM shop.pb_outbox_partition FOR UPDATE");
        Future<Long> discarded = thread.submit(() -> discard(fixture, plan));
        assertThatThrownBy(() -> discarded.get(300, TimeUnit.MILLISECONDS))
            .isInstanceOf(TimeoutException.class);
        statement.execute("DELETE FROM shop.pb_outbox_message"); // it was sent
        relay.commit();
        assertThat(discarded.get(30, TimeUnit.SECONDS)).isZero();
      }
      assertThat(fixture.rows.count("outbox_archive")).isZero();
    } finally {
      thread.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aNameOrAReasonThatIsMissingIsRefused(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    assertThatThrownBy(() -> plan(fixture, " ")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> plan(fixture, "d".repeat(101)))
        .isInstanceOf(IllegalArgumentException.class);
    WaitingPlan plan = plan(fixture, "d");
    assertThatThrownBy(() -> fixture.actions.discard(plan, "ada", " "))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void onPostgresqlWhatWaitsIsFoundByIndexesOnly() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL);
    fixture.insert("SENT", 20_000, "d", "'k' || i");
    fixture.insert("PENDING", 4_000, "other", NO_KEY);
    fixture.insert("PENDING", 200, "d", NO_KEY);
    fixture.insert("DELAYED", 200, "d", NO_KEY);
    fixture.insert("HELD", 200, "d", "'k' || MOD(i, 40)");
    fixture.rows.execute("ANALYZE shop.pb_outbox_message");
    ExplainingDataSource explaining = new ExplainingDataSource(fixture.counting.dataSource());
    WaitingPlan plan = actions(fixture, explaining.dataSource()).plan("d", "ada");
    assertThat(fixture.actions(explaining.dataSource()).discard(plan, "ada", "x")).isEqualTo(600);

    assertThat(explaining.plans())
        .hasSizeGreaterThan(16 + 1 + 16)
        .noneMatch(each -> each.contains("Seq Scan on pb_outbox_message"));
  }

  @ParameterizedTest
  @EnumSource
  void aPlannedCancelIsCarriedOutOnceAndOneThatIsTooLateStays(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("PENDING", 1, "d", "CAST(NULL AS VARCHAR)");
    UUID id = UUID.fromString(fixture.column("SELECT id FROM shop.pb_outbox_message").get(0));
    UUID plan = actions(fixture).planCancel(id, "ada").id();
    UUID late = actions(fixture).planCancel(id, "ada").id();
    assertThatThrownBy(
            () -> actions(fixture).cancel(Optional.of(plan), UUID.randomUUID(), "ada", "x"))
        .isInstanceOf(PlanRefusedException.class);
    assertThat(fixture.rows.count("outbox_archive")).isZero();

    assertThat(actions(fixture).cancel(Optional.of(plan), id, "ada", "x")).isPresent();
    assertThatThrownBy(() -> actions(fixture).cancel(Optional.of(plan), id, "ada", "x"))
        .isInstanceOf(PlanRefusedException.class);
    assertThat(actions(fixture).cancel(Optional.of(late), id, "ada", "x")).isEmpty();
    assertThat(fixture.column("SELECT state FROM shop.pb_outbox_action ORDER BY state"))
        .containsExactly("DONE", "PLANNED");
    assertThat(fixture.column("SELECT id FROM shop.pb_postbox_audit"))
        .containsExactly(plan.toString());
  }
}
