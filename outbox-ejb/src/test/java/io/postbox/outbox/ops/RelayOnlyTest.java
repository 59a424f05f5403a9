package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.WaitingPlan;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.testing.Operator;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operators' actions where a connector sends. */
class RelayOnlyTest {
  private static final OutboxConfig CDC =
      TestConfig.DEFAULT.withTables("shop", "pb_").withCdc().config();
  private static final String WHO = DeadLetterFixture.WHO;

  private DeadLetterFixture fixture;
  private Switches switches;

  @BeforeEach
  void makeTables() throws SQLException {
    fixture = new DeadLetterFixture(TestDatabase.H2);
    switches =
        new Switches(
            new OutboxTables(fixture.database.dialect(), CDC, dataSource()),
            () -> Instant.EPOCH,
            time -> {
              throw new AssertionError("nothing is waited for");
            });
  }

  private DataSource dataSource() {
    return fixture.counting.dataSource();
  }

  private void assertRefused(ThrowingCallable action, String what, String wayOut) {
    int before = fixture.counting.statements();
    assertThatThrownBy(action)
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageStartingWith(what)
        .hasMessageContaining(", nothing was changed: postbox.outbox.relay.mode=cdc, so no node")
        .hasMessageContaining(wayOut);
    assertThat(fixture.counting.statements()).isEqualTo(before);
  }

  @Test
  void nothingIsPausedOrAwaitedThatNoNodeSends() {
    assertRefused(() -> switches.pause("d", WHO, "x"), "'d' cannot be paused", "the connector");
    assertRefused(() -> switches.pauseAll(WHO, "x"), "Sending cannot be paused", "the connector");
    assertRefused(
        () -> switches.awaitEmpty(Duration.ZERO), "An empty outbox", "confirmed_flush_lsn");
    assertRefused(
        () -> switches.awaitEmpty("d", Duration.ZERO), "An empty outbox", "confirmed_flush_lsn");
  }

  @Test
  void aPauseMadeWhileNodesRelayedCanBeResumed() {
    Switches before =
        new Switches(
            new OutboxTables(fixture.database.dialect(), fixture.config, dataSource()),
            () -> Instant.EPOCH,
            it -> {});
    before.pause("d", WHO, "x");
    before.pauseAll(WHO, "x");

    assertThat(switches.paused()).hasSize(2);
    assertThat(switches.resume("d", WHO, "over")).isTrue();
    assertThat(switches.resumeAll(WHO, "over")).isTrue();
    assertThat(switches.paused()).isEmpty();
  }

  @Test
  void aDeadLetterIsDiscardedAndNotRedriven() {
    fixture.dead(3, "d");
    Operator actions = new Operator(fixture.database.dialect(), CDC, dataSource());
    DeadLetterPlan plan = fixture.plan();

    assertRefused(() -> actions.redrive(plan, WHO, "x"), "The dead letters", "or discard them");
    assertThat(actions.discard(plan, WHO, "x")).as("the plan still counts").isEqualTo(3);
  }

  @Test
  void aWaitingMessageIsDiscardedAndNotRedirected() throws SQLException {
    fixture.insert("PENDING", 2, "d", "CAST(NULL AS VARCHAR)");
    WaitingActions waiting =
        new WaitingActions(new OutboxTables(fixture.database.dialect(), CDC, dataSource()));
    WaitingPlan plan = waiting.plan("d", WHO);

    assertRefused(
        () ->
            new Redirects(new OutboxTables(fixture.database.dialect(), CDC, dataSource()))
                .redirect(plan.token().id(), "d", "e", WHO, "x"),
        "'d' cannot be redirected",
        "Route in the connector");
    Operator actions = new Operator(fixture.database.dialect(), CDC, dataSource());
    assertThat(actions.discard(plan, WHO, "x")).isEqualTo(2);
  }
}
