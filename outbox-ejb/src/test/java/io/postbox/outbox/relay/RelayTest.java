package io.postbox.outbox.relay;

import static io.postbox.outbox.relay.RelayFixture.keyed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.testing.DirectExecutor;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole relays, with workers on threads, on the real database. */
class RelayTest {
  private final ExecutorService executor = Executors.newCachedThreadPool();

  @AfterEach
  void end() {
    executor.shutdownNow();
  }

  private static List<Lane> all(RelayFixture fixture) {
    return IntStream.range(0, fixture.config.partitions())
        .mapToObj(partition -> new Lane(partition, "d"))
        .toList();
  }

  private static List<OutboxMessage> messages(int n, int keys) {
    List<OutboxMessage> messages = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      messages.add(keyed("d", "k" + i % keys));
    }
    return messages;
  }

  @ParameterizedTest
  @EnumSource
  void aWakeUpIsEnough(TestDatabase database) throws SQLException {
    RelayFixture fixture = new RelayFixture(database, TestConfig.DEFAULT);
    Relay relay = fixture.relay(fixture.broker, executor, InstantSource.system());
    fixture.enqueue(messages(50, 5));
    relay.wake(all(fixture));

    await().until(() -> fixture.rows.messages().isEmpty());
    assertThat(fixture.broker.receivedSeqs()).hasSize(50);
  }

  @ParameterizedTest
  @EnumSource
  void aPollFindsWhatNoWakeUpAnnounced(TestDatabase database) throws SQLException {
    RelayFixture fixture = new RelayFixture(database, TestConfig.DEFAULT);
    Relay relay = fixture.relay(fixture.broker, executor, fixture.clock);
    fixture.enqueue(messages(50, 5));
    assertThat(relay.poll()).isEqualTo(AdaptivePolling.SHORTEST);

    await().until(() -> fixture.rows.messages().isEmpty());
    assertThat(fixture.broker.receivedSeqs()).hasSize(50);
  }

  @ParameterizedTest
  @EnumSource
  void anIdlePollIsOneStatementAndPollsLessOften(TestDatabase database) throws SQLException {
    RelayFixture fixture = new RelayFixture(database, TestConfig.DEFAULT);
    Relay relay = fixture.relay(fixture.broker, executor, fixture.clock);
    int before = fixture.counting.statements();
    List<Duration> waits = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      waits.add(relay.poll());
    }

    assertThat(fixture.counting.statements() - before).isEqualTo(6);
    assertThat(waits)
        .containsExactly(
            Duration.ofSeconds(1),
            Duration.ofSeconds(2),
            Duration.ofSeconds(4),
            Duration.ofSeconds(8),
            Duration.ofSeconds(10),
            Duration.ofSeconds(10));
  }

  @ParameterizedTest
  @EnumSource
  void twoRelaysShareTheWorkWithoutLossDoublingOrDisorder(TestDatabase database)
      throws SQLException {
    RelayFixture fixture = new RelayFixture(database, TestConfig.DEFAULT.withRelay(4, 20));
    fixture.enqueue(messages(2_000, 50));
    List<Relay> nodes =
        List.of(
            fixture.relay(fixture.broker, executor, InstantSource.system()),
            fixture.relay(fixture.broker, executor, InstantSource.system()));
    nodes.forEach(node -> node.wake(all(fixture)));
    await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> {
              nodes.forEach(Relay::poll);
              return fixture.rows.count("outbox_message") == 0;
            });

    assertThat(fixture.broker.receivedSeqs()).hasSize(2_000).doesNotHaveDuplicates();
    Invariants.assertInOrderPerKey(fixture.broker.received());
  }

  @ParameterizedTest
  @EnumSource
  void aDrainIsFarLessThanAStatementPerMessage(TestDatabase database) throws SQLException {
    RelayFixture fixture = new RelayFixture(database, TestConfig.DEFAULT.withPartitions(1));
    fixture.enqueue(messages(1_000, 50));
    int statements = fixture.counting.statements();
    int commits = fixture.counting.commits();
    fixture.drain();

    assertThat(fixture.broker.receivedSeqs()).hasSize(1_000);
    assertThat(fixture.counting.statements() - statements).isLessThanOrEqualTo(50);
    assertThat(fixture.counting.commits() - commits).isLessThanOrEqualTo(20);
  }

  @ParameterizedTest
  @EnumSource
  void aDatabaseThatFailsIsTriedAgainWithTheNextPoll(TestDatabase database) throws SQLException {
    RelayFixture fixture = new RelayFixture(database, TestConfig.DEFAULT);
    Relay relay = fixture.relay(fixture.broker, executor, InstantSource.system());
    fixture.enqueue(messages(10, 1));
    fixture.counting.loseCommits(3);
    await()
        .until(
            () -> {
              relay.poll();
              return fixture.rows.messages().isEmpty();
            });

    assertThat(fixture.broker.receivedSeqs()).hasSizeGreaterThanOrEqualTo(10);
    assertThat(fixture.broker.receivedSeqs().stream().distinct()).hasSize(10);
  }

  @ParameterizedTest
  @EnumSource
  void anOpenBreakerWithNothingToSendDoesNotKeepTheTimerBusy(TestDatabase database)
      throws SQLException {
    RelayFixture fixture = new RelayFixture(database, TestConfig.DEFAULT);
    Relay relay = fixture.relay(fixture.broker, executor, fixture.clock);
    fixture.enqueue(messages(1, 1));
    fixture.broker.down = true;
    relay.poll();
    await().until(() -> fixture.broker.calls() == 1);
    await() // else a worker that has not ended yet is work
        .until(() -> !relay.status().circuits().isEmpty() && relay.status().inHand().isEmpty());
    fixture.rows.execute("DELETE FROM outbox_message"); // another node has sent it
    Duration last = Duration.ZERO;
    for (int i = 0; i < 10; i++) {
      fixture.clock.pass(Duration.ofSeconds(10));
      last = relay.poll();
    }

    assertThat(last).isEqualTo(AdaptivePolling.LONGEST);
  }

  @ParameterizedTest
  @EnumSource
  void afterStopNothingMoreIsClaimed(TestDatabase database) throws SQLException {
    RelayFixture fixture = new RelayFixture(database, TestConfig.DEFAULT);
    Relay relay = fixture.relay(fixture.broker, executor, InstantSource.system());
    relay.stop();
    fixture.enqueue(messages(10, 1));
    relay.wake(all(fixture));
    relay.poll();

    assertThat(fixture.broker.calls()).isZero();
    assertThat(fixture.rows.messages()).hasSize(10);
  }

  /** Else a message would wait for up to ten seconds after its backoff of one. */
  @ParameterizedTest
  @EnumSource
  void aFailureAfterAWakeUpBringsTheNextPollForward(TestDatabase database) throws SQLException {
    RelayFixture fixture = new RelayFixture(database, TestConfig.DEFAULT);
    Relay relay = fixture.relay(fixture.broker, new DirectExecutor(), fixture.clock);
    for (int i = 0; i < 20; i++) {
      relay.tick();
      fixture.clock.pass(Duration.ofSeconds(10));
    }
    relay.tick();
    int idle = fixture.counting.statements();
    relay.tick();
    assertThat(fixture.counting.statements()).as("not yet time to look").isEqualTo(idle);

    fixture.broker.brokenDestinations.add("d");
    fixture.enqueue(messages(1, 1));
    relay.wake(all(fixture));
    fixture.broker.heal();
    relay.tick();
    assertThat(fixture.rows.messages()).as("the breaker is open").hasSize(1);
    for (int i = 0; i < 2; i++) { // it failed alone, so it is a probe after twice the first wait
      fixture.clock.pass(Duration.ofMillis(500));
      relay.tick();
    }

    assertThat(fixture.rows.messages()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aPartitionFoundBusyIsLookedAtAgainShortly(TestDatabase database) throws SQLException {
    RelayFixture fixture = new RelayFixture(database, TestConfig.DEFAULT);
    Relay relay = fixture.relay(fixture.broker, new DirectExecutor(), fixture.clock);
    for (int i = 0; i < 10; i++) {
      relay.tick();
      fixture.clock.pass(Duration.ofSeconds(10));
    }
    relay.tick();
    fixture.enqueue(messages(1, 1));
    try (Connection other = fixture.counting.dataSource().getConnection()) {
      other.setAutoCommit(false);
      fixture.lockAllPartitions(other);
      relay.wake(all(fixture));
      assertThat(fixture.broker.calls()).isZero();
      other.rollback();
    }
    fixture.clock.pass(AdaptivePolling.SHORTEST);
    relay.tick();

    assertThat(fixture.rows.messages()).isEmpty();
  }

  /** Else what cannot be deleted would be sent with every look. */
  @ParameterizedTest
  @EnumSource
  void aBatchThatCannotBeCompletedIsRepeatedEverLessOften(TestDatabase database)
      throws SQLException {
    RelayFixture fixture = new RelayFixture(database, TestConfig.DEFAULT);
    Relay relay = fixture.relay(fixture.broker, new DirectExecutor(), fixture.clock);
    fixture.enqueue(messages(1, 1));
    fixture.rows.execute("CREATE TABLE kept (id UUID REFERENCES outbox_message (id))");
    fixture.rows.execute("INSERT INTO kept SELECT id FROM outbox_message");
    for (int i = 0; i < 300; i++) { // a minute
      relay.tick();
      fixture.clock.pass(AdaptivePolling.SHORTEST);
    }

    assertThat(fixture.broker.calls()).isBetween(2, 10);
  }
}
