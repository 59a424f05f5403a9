package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.Paused;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.RelayControl;
import io.postbox.outbox.config.Destinations;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SwitchesTest {
  private static final String AUDIT =
      "SELECT action || ' ' || subject || ' ' || principal || ' ' || reason"
          + " FROM shop.pb_postbox_audit ORDER BY at";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private Instant now = Instant.EPOCH;
  private int sleeps;
  private Runnable meanwhile = () -> {};

  private Switches switches(DeadLetterFixture fixture) {
    return new Switches(
        new OutboxTables(fixture.database.dialect(), fixture.config, fixture.counting.dataSource()),
        () -> now,
        time -> {
          sleeps++;
          now = now.plus(time);
          meanwhile.run();
        });
  }

  @ParameterizedTest
  @EnumSource
  void aPauseTakesEffectOnceAndIsOnRecord(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    Switches switches = switches(fixture);
    assertThat(switches.pause("d", "ada", "broker is exchanged")).isTrue();
    assertThat(switches.pause("d", "bob", "me too")).isFalse();
    assertThat(switches.pauseAll("bob", "all of it")).isTrue();
    assertThat(switches.paused())
        .extracting(Paused::name, Paused::principal, Paused::reason)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple(RelayControl.ALL, "bob", "all of it"),
            org.assertj.core.groups.Tuple.tuple("d", "ada", "broker is exchanged"));
    assertThat(switches.paused().get(0).since()).isAfter(Instant.now().minusSeconds(60));

    assertThat(switches.resumeAll("ada", "done")).isTrue();
    assertThat(switches.resumeAll("ada", "done")).isFalse();
    assertThat(switches.resume("e", "ada", "never was")).isFalse();
    assertThat(switches.paused()).extracting(Paused::name).containsExactly("d");
    assertThat(switches.resume("d", "ada", "done")).isTrue();
    assertThat(switches.paused()).isEmpty();
    assertThat(fixture.column(AUDIT))
        .containsExactlyInAnyOrder(
            "pause d ada broker is exchanged",
            "pause * bob all of it",
            "resume * ada done",
            "resume d ada done");
  }

  @ParameterizedTest
  @EnumSource
  void oneOfManyPausesAtOnceCounts(TestDatabase database) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(4);
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    try {
      for (int round = 0; round < 5; round++) {
        String destination = "d" + round;
        CyclicBarrier together = new CyclicBarrier(4);
        Callable<Boolean> node =
            () -> {
              together.await();
              return switches(fixture).pause(destination, "ada", "x");
            };
        int changed = 0;
        for (Future<Boolean> each : executor.invokeAll(List.of(node, node, node, node))) {
          changed += each.get() ? 1 : 0;
        }
        assertThat(changed).isEqualTo(1);
      }
      assertThat(fixture.column(AUDIT)).hasSize(5);
    } finally {
      executor.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void waitingMessagesAreSeenUntilTheLimit(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    Switches switches = switches(fixture);
    fixture.dead(1, "d");
    fixture.insert("SENT", 1, "d", "'k'");
    assertThat(switches.awaitEmpty(MINUTE)).isTrue();
    assertThat(sleeps).isZero();

    for (String status : List.of("PENDING", "HELD", "DELAYED")) {
      fixture.insert(status, 1, "d", "'k'");
      Instant begin = now;
      assertThat(switches.awaitEmpty("d", MINUTE)).as(status).isFalse();
      assertThat(Duration.between(begin, now)).isEqualTo(MINUTE);
      assertThat(switches.awaitEmpty(Duration.ZERO)).as(status).isFalse();
      assertThat(switches.awaitEmpty("e", MINUTE)).as(status).isTrue();
      fixture.rows.execute(
          "DELETE FROM shop.pb_outbox_message WHERE status = '%s'".formatted(status));
    }
    assertThat(sleeps).isLessThan(3 * 70);
  }

  @ParameterizedTest
  @EnumSource
  void anOutboxThatBecomesEmptyIsSeenSoon(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("PENDING", 3, "d", "'k'");
    meanwhile = () -> fixture.rows.execute("DELETE FROM shop.pb_outbox_message");
    assertThat(switches(fixture).awaitEmpty("d", MINUTE)).isTrue();
    assertThat(sleeps).isEqualTo(1);
  }

  @Test
  void aPauseWithoutNameOrReasonIsRefused() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.H2);
    Switches switches = switches(fixture);
    for (String wrong : List.of("", " ", "*", "x".repeat(101))) {
      assertThatThrownBy(() -> switches.pause(wrong, "ada", "x"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1 to 100 characters");
    }
    assertThatThrownBy(() -> switches.pauseAll("ada", " "))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> switches.resume("d", "ada", "x".repeat(1_001)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(fixture.column(AUDIT)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aNameThatNobodyHasIsRefusedWithTheNearestOne(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("PENDING", 1, "dropped", "'k'");
    Switches switches =
        new Switches(
            new OutboxTables(
                database.dialect(),
                TestConfig.withDestinations(
                    fixture.config,
                    new Destinations(Set.of("shipping", "billing"), Map.of(), Map.of())),
                fixture.counting.dataSource()),
            () -> now,
            time -> {});
    assertThatThrownBy(() -> switches.pause("shiping", "ada", "x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("did you mean 'shipping'?")
        .hasMessageContaining("Nothing was changed");
    assertThat(switches.pause("shipping", "ada", "before its first message")).isTrue();
    assertThat(switches.pause("dropped", "ada", "its messages still wait")).isTrue();
    assertThat(switches.paused()).extracting(Paused::name).containsExactly("dropped", "shipping");
    fixture.dead(1, "eu//shipping");
    assertThat(switches(fixture).pause("eu//shipping", "ada", "before its redrive")).isTrue();
    for (String noName : List.of("..", "eu\"orders", "eu//orders")) {
      assertThatThrownBy(() -> switches(fixture).pause(noName, "ada", "x"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is not a valid name");
    }
  }

  @Test
  void aDatabaseThatFailsIsSaidToHaveChangedNothing() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.H2);
    fixture.counting.loseCommits(1);
    assertThatThrownBy(() -> switches(fixture).pause("d", "ada", "x"))
        .isInstanceOf(OutboxException.class)
        .hasMessageStartingWith("'d' cannot be paused");
    assertThat(switches(fixture).paused()).isEqualTo(new ArrayList<>());
    assertThat(fixture.column(AUDIT)).isEmpty();
  }
}
