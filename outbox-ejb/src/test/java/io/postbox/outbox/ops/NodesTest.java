package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.store.NodeTable;
import io.postbox.common.store.NodeTable.Node;
import io.postbox.common.testing.SampleCipher;
import io.postbox.common.testing.SettableClock;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.OutboxNode;
import io.postbox.outbox.OutboxNode.BreakerState;
import io.postbox.outbox.OutboxNode.Claim;
import io.postbox.outbox.OutboxNode.OpenBreaker;
import io.postbox.outbox.OutboxNode.RelayState;
import io.postbox.outbox.OutboxNode.StuckPartition;
import io.postbox.outbox.config.OutboxConfig.RelayConfig;
import io.postbox.outbox.config.OutboxConfig.RelayMode;
import io.postbox.outbox.ops.Nodes.Report;
import io.postbox.outbox.ops.Nodes.Self;
import io.postbox.outbox.relay.CircuitBreakers.OpenCircuit;
import io.postbox.outbox.relay.RelayStatus;
import io.postbox.outbox.relay.RelayStatus.InHand;
import io.postbox.outbox.store.StoredErrors;
import io.postbox.outbox.testing.LogLines;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NodesTest {
  private static final RelayConfig RELAY =
      new RelayConfig(RelayMode.POLLING, "slot", true, 4, 100, Duration.ofSeconds(30));
  private static final Duration MOMENT = Duration.ofMinutes(1);
  private static final RelayStatus BUSY =
      new RelayStatus(
          Optional.of(Duration.ofMillis(1_500)),
          List.of(
              new OpenCircuit("b", true, Duration.ofSeconds(9), Duration.ZERO, 3, "down"),
              new OpenCircuit(
                  "d", false, Duration.ofSeconds(60), Duration.ofSeconds(4), 12, "no such queue")),
          List.of(
              new InHand(3, List.of("d", "e"), Duration.ofMillis(40)),
              new InHand(7, List.of("b"), Duration.ofSeconds(29))),
          new TreeMap<>(Map.of(5, Duration.ofSeconds(61))));

  private final SettableClock clock = new SettableClock();
  private final Instant startedAt = clock.instant();
  private RelayStatus status = RelayStatus.NONE;
  private List<String> findings = List.of();

  private Nodes nodes(DeadLetterFixture fixture, StoredErrors errors) {
    return new Nodes(
        new OutboxTables(fixture.database.dialect(), fixture.config, fixture.counting.dataSource()),
        errors,
        clock);
  }

  private Nodes nodes(DeadLetterFixture fixture) {
    return nodes(fixture, StoredErrors.CLEAR);
  }

  private Self self(String name, RelayConfig relay) {
    return new Self(
        new Node(name, "host-1", "0.1.0"),
        startedAt,
        () -> new Report(relay, status, findings, List.of("pool-size")));
  }

  private Self self(String name) {
    return self(name, RELAY);
  }

  private void beat(Nodes nodes, Self self) {
    clock.advance(NodeTable.BEAT);
    nodes.beatIfDue(Runnable::run, self);
  }

  private static void age(DeadLetterFixture fixture, String node, Duration time) {
    fixture.rows.execute(
        "UPDATE shop.pb_outbox_node SET alive_at = alive_at - INTERVAL '%s' SECOND WHERE node = '%s'"
            .formatted(time.toSeconds(), node));
  }

  @ParameterizedTest
  @EnumSource
  void aNodeIsSeenAsItLastReported(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    status = BUSY;
    findings = List.of("cipher-missing", "h2-version");
    clock.advance(Duration.ofHours(2));
    beat(nodes(fixture), self("a"));

    OutboxNode node = nodes(fixture).list().get(0);

    Instant at = node.aliveAt();
    assertThat(node)
        .isEqualTo(
            new OutboxNode(
                "a",
                "host-1",
                "0.1.0",
                node.startedAt(),
                at,
                node.readAt(),
                true,
                RelayState.ON,
                4,
                Optional.of(at.minusMillis(1_500)),
                List.of(
                    new OpenBreaker(
                        "d",
                        BreakerState.OPEN,
                        at.minusSeconds(60),
                        at.plusSeconds(4),
                        12,
                        "no such queue"),
                    new OpenBreaker(
                        "b", BreakerState.HALF_OPEN, at.minusSeconds(9), at, 3, "down")),
                List.of(
                    new Claim(7, List.of("b"), at.minusSeconds(29)),
                    new Claim(3, List.of("d", "e"), at.minusMillis(40))),
                List.of(new StuckPartition(5, at.minusSeconds(61))),
                List.of("cipher-missing", "h2-version"),
                List.of("pool-size")));
    assertThat(Duration.between(node.startedAt(), at))
        .isBetween(Duration.ofHours(2), Duration.ofHours(2).plus(MOMENT));
    assertThat(Duration.between(at, node.readAt())).isBetween(Duration.ZERO, MOMENT);
  }

  @ParameterizedTest
  @EnumSource
  void itIsOneStatementAndOneCommitInFiveSecondsHoweverOftenItIsAsked(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    Nodes nodes = nodes(fixture);
    status = BUSY;
    beat(nodes, self("a"));
    int statements = fixture.counting.statements();
    int commits = fixture.counting.commits();
    for (int i = 0; i < 120; i++) { // a minute of the timer
      clock.advance(Duration.ofMillis(500));
      nodes.beatIfDue(Runnable::run, self("a"));
    }

    assertThat(fixture.counting.statements() - statements).isEqualTo(12);
    assertThat(fixture.counting.commits() - commits).isEqualTo(12);
    assertThat(nodes.list()).hasSize(1);
    assertThat(fixture.counting.statements() - statements).as("to list them").isEqualTo(13);
  }

  @ParameterizedTest
  @EnumSource
  void aNodeThatDiedStaysForADayAndIsNotAliveAfterThreeHeartbeats(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    Nodes killed = nodes(fixture);
    Nodes living = nodes(fixture);
    clock.advance(Duration.ofDays(2)); // both run when one dies, so the other has not replaced it
    beat(killed, self("a"));
    beat(living, self("b"));
    age(fixture, "a", Duration.ofSeconds(10));
    assertThat(living.list()).extracting(OutboxNode::alive).containsExactly(true, true);

    age(fixture, "a", Duration.ofSeconds(5));
    assertThat(living.list()).extracting(OutboxNode::name).containsExactly("b", "a");
    assertThat(living.list()).extracting(OutboxNode::alive).containsExactly(true, false);

    age(fixture, "a", NodeTable.MEMORY.minusMinutes(1));
    clock.advance(Duration.ofHours(1));
    beat(living, self("b"));
    assertThat(living.list()).hasSize(2);
    age(fixture, "a", Duration.ofMinutes(1));
    beat(living, self("b"));
    assertThat(living.list()).as("each node looks once an hour").hasSize(2);
    clock.advance(Duration.ofHours(1));
    beat(living, self("b"));
    assertThat(living.list()).extracting(OutboxNode::name).containsExactly("b");

    beat(killed, self("a"));
    assertThat(living.list())
        .as("it was only frozen")
        .extracting(OutboxNode::alive)
        .containsExactly(true, true);
  }

  @ParameterizedTest
  @EnumSource
  void aNodeThatStopsIsGoneAndDoesNotComeBack(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    Nodes nodes = nodes(fixture);
    Queue<Runnable> late = new ArrayDeque<>();
    beat(nodes, self("a"));
    clock.advance(NodeTable.BEAT);
    nodes.beatIfDue(late::add, self("a"));
    nodes.leave(self("a").node());
    late.remove().run();
    beat(nodes, self("a"));

    assertThat(nodes.list()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aFailureIsLoggedOnceUntilAHeartbeatSucceeds(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    Nodes nodes = nodes(fixture);
    try (LogLines lines = LogLines.of("io.postbox.outbox")) {
      fixture.counting.loseCommits(2);
      beat(nodes, self("a"));
      beat(nodes, self("a"));
      clock.advance(NodeTable.BEAT);
      nodes.beatIfDue(
          task -> {
            throw new RejectedExecutionException("no thread");
          },
          self("a"));
      beat(nodes, self("a"));
      beat(nodes, self("a"));

      assertThat(nodes.list()).hasSize(1);
      assertThat(lines.lines())
          .extracting(line -> line.substring(0, 7))
          .containsExactly("OBX0068", "OBX0069");
      assertThat(lines.lines().get(0)).contains("messages are not affected", "connection was lost");
    }
  }

  /** Where there is no memory for a thread, there may be none for its line either. */
  @Test
  void aLineThatFailsAsWellDoesNotEndTheReports() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.H2);
    Nodes nodes = nodes(fixture);
    Handler noMemory =
        new StreamHandler() {
          @Override
          public synchronized void publish(LogRecord line) {
            throw new OutOfMemoryError("Java heap space");
          }
        };
    Logger log = Logger.getLogger("io.postbox.outbox");
    log.addHandler(noMemory);
    try {
      assertThatThrownBy(
              () ->
                  nodes.beatIfDue(
                      task -> {
                        throw new OutOfMemoryError("unable to create native thread");
                      },
                      self("a")))
          .isInstanceOf(OutOfMemoryError.class);
    } finally {
      log.removeHandler(noMemory);
    }

    beat(nodes, self("a"));

    assertThat(nodes.list()).hasSize(1);
  }

  /** As when the database hangs: the timer polls meanwhile. */
  @Test
  void aHeartbeatThatHangsKeepsNobodyWaitingAndHasNoSecondBesideIt() throws SQLException {
    Nodes nodes = nodes(new DeadLetterFixture(TestDatabase.H2));
    Queue<Runnable> hanging = new ArrayDeque<>();
    for (int i = 0; i < 10; i++) {
      clock.advance(NodeTable.BEAT);
      nodes.beatIfDue(hanging::add, self("a"));
    }
    assertThat(hanging).hasSize(1);
    hanging.remove().run();
    nodes.beatIfDue(hanging::add, self("a"));
    assertThat(hanging).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void anErrorIsEncryptedWhereThereIsACipher(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    StoredErrors errors = new StoredErrors(Optional.of(new SampleCipher("k1")));
    status = BUSY;
    beat(nodes(fixture, errors), self("a"));

    assertThat(fixture.column("SELECT details FROM shop.pb_outbox_node").get(0))
        .contains("sealed:", "\"destination\":\"d\"")
        .doesNotContain("no such queue");
    assertThat(nodes(fixture, errors).list().get(0).breakers())
        .extracting(OpenBreaker::error)
        .containsExactly("no such queue", "down");
    assertThat(nodes(fixture).list().get(0).breakers())
        .extracting(OpenBreaker::error)
        .allMatch(error -> error.startsWith("encrypted, and cannot be decrypted here: java"));
  }

  @ParameterizedTest
  @EnumSource
  void aReportIsBoundedWhateverTheNodeKnows(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    String longName = "\u00e9".repeat(96);
    status =
        new RelayStatus(
            Optional.empty(),
            IntStream.range(0, 1_000)
                .mapToObj(
                    i ->
                        new OpenCircuit(
                            longName + i,
                            false,
                            Duration.ofSeconds(i),
                            Duration.ZERO,
                            1,
                            "\ud83d\udd25\u0000\n".repeat(1_000)))
                .toList(),
            IntStream.range(0, 64)
                .mapToObj(i -> new InHand(i, Collections.nCopies(100, longName), Duration.ZERO))
                .toList(),
            new TreeMap<>(
                IntStream.range(0, 1_024)
                    .boxed()
                    .collect(
                        java.util.stream.Collectors.toMap(i -> i, i -> Duration.ofSeconds(i)))));
    StoredErrors errors = new StoredErrors(Optional.of(new SampleCipher("k1")));
    beat(nodes(fixture, errors), self("a"));

    OutboxNode node = nodes(fixture, errors).list().get(0);
    assertThat(node.polledAt()).isEmpty();
    assertThat(node.breakers()).hasSize(100);
    assertThat(node.breakers().get(0).destination()).as("open longest").isEqualTo(longName + 999);
    assertThat(node.breakers().get(0).error()).hasSizeBetween(499, 500).doesNotContain("\n");
    assertThat(node.claims()).hasSize(64).allMatch(claim -> claim.destinations().size() == 10);
    assertThat(node.stuckPartitions()).hasSize(100);
    assertThat(node.stuckPartitions().get(0).partition()).isEqualTo(1_023);
    assertThat(fixture.column("SELECT LENGTH(details) FROM shop.pb_outbox_node").get(0))
        .satisfies(length -> assertThat(Integer.parseInt(length)).isLessThan(400_000));
  }

  @Test
  void aNodeThatDoesNotSendSaysSo() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.H2);
    Nodes nodes = nodes(fixture);
    beat(
        nodes,
        self("a", new RelayConfig(RelayMode.POLLING, "s", false, 4, 100, Duration.ofSeconds(30))));
    beat(
        nodes,
        self("b", new RelayConfig(RelayMode.CDC, "s", true, 4, 100, Duration.ofSeconds(30))));

    assertThat(nodes.list())
        .extracting(OutboxNode::relay)
        .containsExactly(RelayState.OFF, RelayState.CDC);
    assertThat(nodes.list()).extracting(OutboxNode::workers).containsExactly(0, 0);
  }

  /** One of another version may know more of itself, or less. */
  @Test
  void aReportOfAnotherVersionIsReadAsFarAsItIsKnown() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.H2);
    beat(nodes(fixture), self("a"));
    fixture.rows.execute(
        """
        UPDATE shop.pb_outbox_node
        SET details = '{"relay":"ON","workers":2,"mood":{"good":true},"findings":["x"]}'
        """);

    OutboxNode node = nodes(fixture).list().get(0);
    assertThat(node.workers()).isEqualTo(2);
    assertThat(node.breakers()).isEmpty();
    assertThat(node.findings()).containsExactly("x");
  }

  @ParameterizedTest
  @EnumSource
  void aMalformedReportIsRefusedWithTheWayOut(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    beat(nodes(fixture), self("a"));
    for (String details : List.of("", "{", "[]", "{}", "{\"relay\":\"x\",\"workers\":1}")) {
      fixture.rows.execute("UPDATE shop.pb_outbox_node SET details = '%s'".formatted(details));
      assertThatThrownBy(() -> nodes(fixture).list())
          .as(details)
          .isInstanceOf(OutboxException.class)
          .hasMessageContaining("The row of the node 'a' in outbox_node")
          .hasMessageContaining("Delete it");
    }
    fixture.rows.execute("DROP TABLE shop.pb_outbox_node");
    assertThatThrownBy(() -> nodes(fixture).list())
        .isInstanceOf(OutboxException.class)
        .hasMessageStartingWith("The nodes cannot be listed: ");
  }
}
