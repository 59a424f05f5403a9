package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.outbox.OutboxException;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WaitingActionsTest {
  private static final String NO_KEY = "CAST(NULL AS VARCHAR)";
  private static final String AUDIT =
      "SELECT action || ' ' || principal || ' ' || reason || ' ' || messages || ' ' || subject"
          + " FROM shop.pb_postbox_audit";

  private static WaitingActions actions(LetterFixture fixture) {
    return new WaitingActions(
        fixture.database.dialect(), fixture.config, fixture.counting.dataSource());
  }

  private static long discard(LetterFixture fixture, WaitingPlan plan) {
    return actions(fixture).discard(plan, LetterFixture.WHO, "mistyped").letters();
  }

  @ParameterizedTest
  @EnumSource
  void whatWaitsForADestinationIsCountedAndDiscardedAndNothingElse(TestDatabase database)
      throws SQLException {
    try (LetterFixture fixture = new LetterFixture(database)) {
      fixture.insert("PENDING", 5, "shiping", NO_KEY);
      fixture.insert("DELAYED", 4, "shiping", NO_KEY);
      fixture.insert("HELD", 3, "shiping", "'k'");
      fixture.insert("DEAD", 2, "shiping", NO_KEY);
      fixture.insert("SENT", 1, "shiping", NO_KEY);
      fixture.insert("PENDING", 6, "shipping", NO_KEY);
      fixture.insert("DELAYED", 6, "shipping", NO_KEY);
      WaitingPlan plan = actions(fixture).plan("shiping");

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
      assertThat(
              fixture.column("SELECT DISTINCT outcome || destination FROM shop.pb_outbox_archive"))
          .containsExactly("DISCARDEDshiping");
      assertThat(fixture.rows.count("outbox_archive")).isEqualTo(12);
      assertThat(fixture.column(AUDIT))
          .containsExactly(
              "discard-waiting ada mistyped 12 messages waiting for 'shiping' as of "
                  + plan.asOf());
      assertThat(discard(fixture, plan)).isZero();
      assertThat(fixture.column(AUDIT)).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDiscardedHeadFreesItsKeyForWhatWasEnqueuedAfterThePlan(TestDatabase database)
      throws SQLException {
    try (LetterFixture fixture = new LetterFixture(database)) {
      fixture.insert("DELAYED", 1, "d", "'k'");
      fixture.insert("HELD", 1, "d", "'k'");
      fixture.rows.execute(
          """
          INSERT INTO shop.pb_outbox_held_key (partition_no, destination, ordering_key, head_id)
          SELECT partition_no, destination, ordering_key, id FROM shop.pb_outbox_message
          WHERE status = 'DELAYED'
          """);
      WaitingPlan plan = actions(fixture).plan("d");
      fixture.insert("HELD", 1, "d", "'k'");

      assertThat(discard(fixture, plan)).isEqualTo(2);
      assertThat(fixture.column("SELECT status FROM shop.pb_outbox_message"))
          .containsExactly("PENDING");
      assertThat(fixture.rows.count("outbox_held_key")).isZero();
      assertThat(fixture.column("SELECT put_back FROM shop.pb_outbox_partition ORDER BY 1 DESC"))
          .startsWith("1", "0");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDeadHeadKeepsItsKey(TestDatabase database) throws SQLException {
    try (LetterFixture fixture = new LetterFixture(database)) {
      fixture.insert("DEAD", 1, "d", "'k'");
      fixture.insert("HELD", 3, "d", "'k'");
      fixture.rows.execute(
          """
          INSERT INTO shop.pb_outbox_held_key (partition_no, destination, ordering_key, head_id)
          SELECT partition_no, destination, ordering_key, id FROM shop.pb_outbox_message
          WHERE status = 'DEAD'
          """);
      assertThat(discard(fixture, actions(fixture).plan("d"))).isEqualTo(3);
      assertThat(fixture.column("SELECT status FROM shop.pb_outbox_message"))
          .containsExactly("DEAD");
      assertThat(fixture.rows.count("outbox_held_key")).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void manyGoInSlicesOfAThousand(TestDatabase database) throws SQLException {
    try (LetterFixture fixture = new LetterFixture(database)) {
      fixture.insert("PENDING", 1_600, "d", NO_KEY);
      fixture.rows.execute("UPDATE shop.pb_outbox_message SET partition_no = 3 WHERE seq <= 1500");
      WaitingPlan plan = actions(fixture).plan("d");
      int commits = fixture.counting.commits();
      assertThat(discard(fixture, plan)).isEqualTo(1_600);

      // 1,500 and more in one partition take two transactions; the others one each
      int partitionsWithRows =
          fixture.column("SELECT DISTINCT partition_no FROM shop.pb_outbox_archive").size();
      int looks = 2 * (16 + 1 + 16) + 1; // two rounds by state and partition, and one more page
      assertThat(fixture.counting.commits() - commits).isEqualTo(looks + partitionsWithRows + 1);
      assertThat(fixture.count()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void itWaitsForTheRelayThatHasThePartitionInHand(TestDatabase database) throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (LetterFixture fixture = new LetterFixture(database);
        Connection relay = fixture.counting.dataSource().getConnection()) {
      fixture.insert("PENDING", 1, "d", NO_KEY);
      WaitingPlan plan = actions(fixture).plan("d");
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
    try (LetterFixture fixture = new LetterFixture(database)) {
      assertThatThrownBy(() -> actions(fixture).plan(" "))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> actions(fixture).plan("d".repeat(101)))
          .isInstanceOf(IllegalArgumentException.class);
      WaitingPlan plan = actions(fixture).plan("d");
      assertThatThrownBy(() -> actions(fixture).discard(plan, "ada", " "))
          .isInstanceOf(IllegalArgumentException.class);
      fixture.rows.execute("DROP TABLE shop.pb_outbox_archive");
      fixture.insert("PENDING", 1, "d", NO_KEY);
      WaitingPlan broken = actions(fixture).plan("d");
      assertThatThrownBy(() -> actions(fixture).discard(broken, "ada", "why"))
          .isInstanceOf(OutboxException.class)
          .hasMessageContaining("broke off after 0 messages")
          .hasMessageContaining("can be carried out again");
      assertThat(fixture.count()).isEqualTo(1);
    }
  }

  @Test
  void onPostgresqlWhatWaitsIsFoundByIndexesOnly() throws SQLException {
    try (LetterFixture fixture = new LetterFixture(TestDatabase.POSTGRESQL)) {
      fixture.insert("SENT", 20_000, "d", "'k' || i");
      fixture.insert("PENDING", 4_000, "other", NO_KEY);
      fixture.insert("PENDING", 200, "d", NO_KEY);
      fixture.insert("DELAYED", 200, "d", NO_KEY);
      fixture.insert("HELD", 200, "d", "'k' || MOD(i, 40)");
      fixture.rows.execute("ANALYZE shop.pb_outbox_message");
      ExplainingDataSource explaining = new ExplainingDataSource(fixture.counting.dataSource());
      WaitingActions actions =
          new WaitingActions(fixture.database.dialect(), fixture.config, explaining.dataSource());
      assertThat(actions.discard(actions.plan("d"), "ada", "x").letters()).isEqualTo(600);

      assertThat(explaining.plans())
          .hasSizeGreaterThan(16 + 1 + 16)
          .noneMatch(plan -> plan.contains("Seq Scan on pb_outbox_message"));
    }
  }
}
