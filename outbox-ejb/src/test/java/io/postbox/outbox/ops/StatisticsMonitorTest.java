package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.testing.SettableClock;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.store.Schema;
import io.postbox.outbox.store.StatisticsStore;
import io.postbox.outbox.testing.CountingDataSource;
import io.postbox.outbox.testing.LogLines;
import io.postbox.outbox.testing.Rows;
import io.postbox.outbox.testing.TestConfig;
import io.postbox.outbox.testing.TestDatabase;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StatisticsMonitorTest {
  private static final OutboxConfig CONFIG = TestConfig.DEFAULT.config();

  private final SettableClock clock = new SettableClock();
  private final CountingDataSource counting = new CountingDataSource(TestDatabase.H2.fresh());
  private final Rows rows = new Rows(counting.dataSource(), CONFIG.tables());
  private final StatisticsMonitor watch =
      new StatisticsMonitor(
          counting.dataSource(),
          new StatisticsStore(TestDatabase.H2.dialect(), CONFIG.tables()),
          CONFIG.backlog(),
          clock);

  @BeforeEach
  void makeTables() throws SQLException {
    try (Connection connection = counting.dataSource().getConnection()) {
      new Schema(TestDatabase.H2.dialect(), CONFIG).prepare(connection);
    }
  }

  private void insert(int messages) {
    for (int i = 0; i < messages; i++) {
      rows.execute(
          """
          INSERT INTO outbox_message (partition_no, id, destination, content_type, headers)
          VALUES (0, '%s', 'shipping', 'text/plain', '{}')
          """
              .formatted(UUID.randomUUID()));
    }
  }

  private void poll() {
    watch.countIfDue(Runnable::run);
  }

  /** For the node and for the last count. */
  private void pass(Duration time) {
    clock.advance(time);
    rows.execute(
        """
        UPDATE outbox_count
        SET since = DATEADD(MILLISECOND, -%1$s, since), due_at = DATEADD(MILLISECOND, -%1$s, due_at)
        WHERE kind = 'CLAIM'
        """
            .formatted(time.toMillis()));
  }

  @Test
  void manyLooksAreOneStatementInAnInterval() {
    poll();
    int before = counting.statements();
    for (int poll = 0; poll < 60; poll++) {
      clock.advance(Duration.ofMillis(500)); // and another node counts
      poll();
      watch.count().last();
      watch.backlog().refuseIfFull();
    }
    assertThat(counting.statements() - before).as("in 30 seconds").isEqualTo(6);
  }

  @Test
  void aDestinationThatHasEmptiedShowsZero() {
    insert(3);
    poll();
    assertThat(watch.count().last().of("shipping").pending()).isEqualTo(3);

    rows.execute("DELETE FROM outbox_message");
    pass(Duration.ofSeconds(5));
    poll();
    assertThat(watch.count().last().of("shipping").pending()).isZero();
  }

  /** The last count began in an hour, by the clock that was set back. */
  @Test
  void aCountGoesOnAfterTheDatabasesClockWasSetBack() {
    insert(3);
    poll();
    rows.execute("DELETE FROM outbox_message");
    rows.execute(
        "UPDATE outbox_count SET since = since + INTERVAL '1' HOUR, due_at = due_at + INTERVAL '1'"
            + " HOUR WHERE kind = 'CLAIM'");
    clock.advance(Duration.ofSeconds(5));
    poll();
    assertThat(watch.count().last().of("shipping").pending()).isZero();
  }

  @Test
  void aCountIsNotWaitedFor() {
    Deque<Runnable> tasks = new ArrayDeque<>();
    insert(1);
    watch.countIfDue(tasks::add);
    pass(Duration.ofMinutes(1));
    watch.countIfDue(tasks::add);

    assertThat(tasks).as("one at a time").hasSize(1);
    assertThat(watch.count().last()).isEqualTo(Snapshot.NOTHING);
    tasks.remove().run();
    assertThat(watch.count().last().pending()).isEqualTo(1);
  }

  @Test
  void theLimitsHearOfEachCount() {
    poll();
    assertThat(watch.backlog().warning()).isEmpty();
    insert(1_000);
    pass(Duration.ofSeconds(5));
    poll();
    assertThat(watch.backlog().warning()).isPresent();
  }

  @Test
  void aFailedCountKeepsTheLastOneAndIsLoggedOnce() {
    insert(2);
    poll();
    rows.execute("ALTER TABLE outbox_message RENAME TO away");
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      for (int i = 0; i < 5; i++) {
        pass(Duration.ofSeconds(5));
        poll();
      }
      assertThat(log.lines()).singleElement().asString().startsWith("OBX0012 ");
      assertThat(watch.count().last().pending()).isEqualTo(2);
      assertThat(watch.isUncounted()).isTrue();
      assertThat(watch.count().problem().orElseThrow().getMessage())
          .containsIgnoringCase("outbox_message");
      assertThatThrownBy(watch.count()::now)
          .isInstanceOf(OutboxException.class)
          .hasMessageStartingWith("The outbox cannot be counted: ");

      rows.execute("ALTER TABLE away RENAME TO outbox_message");
      pass(Duration.ofSeconds(5));
      poll();
      assertThat(log.lines()).hasSize(2).last().asString().startsWith("OBX0035 ");
      assertThat(watch.isUncounted()).isFalse();
    }
  }

  @Test
  void anExecutorThatTakesNothingIsAskedAgain() {
    watch.countIfDue(
        task -> {
          throw new RejectedExecutionException("full");
        });
    pass(Duration.ofSeconds(5));
    insert(1);
    poll();
    assertThat(watch.count().last().pending()).isEqualTo(1);
  }

  /** Else nothing would ever be counted again, and the limits would refuse nobody. */
  @Test
  void whereThereIsNoThreadForACountTheNextOneIsTried() {
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      watch.countIfDue(
          task -> {
            throw new OutOfMemoryError("unable to create native thread");
          });
      assertThat(log.lines()).singleElement().asString().startsWith("OBX0012 ");
    }
    pass(Duration.ofSeconds(5));
    insert(1);
    poll();
    assertThat(watch.count().last().pending()).isEqualTo(1);
  }

  @Test
  void aDirectCountIsFresh() {
    insert(1);
    assertThat(watch.count().now().byDestination().values())
        .singleElement()
        .satisfies(it -> assertThat(it.pending()).isOne());
    insert(1);
    assertThat(watch.count().now().byDestination().values())
        .singleElement()
        .satisfies(it -> assertThat(it.pending()).isEqualTo(2));
  }

  @Test
  void oneOfManyNodesCountsForAllAndTheOthersReadWhatItFound() {
    insert(3);
    List<String> statements = new ArrayList<>();
    List<StatisticsMonitor> nodes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      nodes.add(node(recording(counting.dataSource(), statements)));
    }
    for (int round = 0; round < 3; round++) {
      statements.clear();
      nodes.forEach(node -> node.countIfDue(Runnable::run));

      assertThat(statements).filteredOn(StatisticsMonitorTest::readsMessages).hasSize(1);
      assertThat(statements)
          .as("each reads; one also claims, counts, deletes, inserts, updates and reads again")
          .hasSize(20 + 6);
      assertThat(nodes).allSatisfy(node -> assertThat(node.count().last().pending()).isEqualTo(3));
      pass(Duration.ofSeconds(5));
    }
  }

  @Test
  void aSlowCountHasAllNodesCountLessOften() {
    List<String> statements = new ArrayList<>();
    DataSource slow =
        recording(
            counting.dataSource(),
            statements,
            sql -> {
              if (readsMessages(sql)) {
                clock.advance(Duration.ofSeconds(10));
              }
            });
    node(slow).countIfDue(Runnable::run);
    statements.clear();
    StatisticsMonitor other = node(slow);

    pass(Duration.ofSeconds(170));
    other.countIfDue(Runnable::run);
    assertThat(statements).hasSize(1);
    pass(Duration.ofSeconds(15));
    other.countIfDue(Runnable::run);
    assertThat(statements).filteredOn(StatisticsMonitorTest::readsMessages).hasSize(1);
  }

  /** Its transaction ends with it, and so does its lock. */
  @Test
  void whenTheNodeThatCountsDiesAnotherTakesOver() throws SQLException {
    insert(2);
    poll();
    insert(1);
    pass(Duration.ofSeconds(5));
    StatisticsStore store = new StatisticsStore(TestDatabase.H2.dialect(), CONFIG.tables());
    List<String> statements = new ArrayList<>();
    StatisticsMonitor other = node(recording(counting.dataSource(), statements));
    try (Connection dying = counting.dataSource().getConnection()) {
      dying.setAutoCommit(false);
      assertThat(store.claim(dying)).isPresent();
      store.count(dying);

      for (int i = 0; i < 3; i++) {
        other.countIfDue(Runnable::run);
        clock.advance(Duration.ofSeconds(5));
      }
      assertThat(statements).as("three times, it reads and finds it claimed").hasSize(6);
      assertThat(other.count().last().pending()).as("of the last count").isEqualTo(2);
      assertThat(other.isUncounted()).isFalse();
      dying.rollback();
    }
    other.countIfDue(Runnable::run);
    assertThat(other.count().last().pending()).isEqualTo(3);
  }

  /** A count that fails leaves the claim to the others, and what was counted stays. */
  @Test
  void aCountThatFailsIsMadeByAnother() {
    insert(2);
    poll();
    insert(1);
    pass(Duration.ofSeconds(5));
    List<String> statements = new ArrayList<>();
    StatisticsMonitor failing =
        node(
            recording(
                counting.dataSource(),
                statements,
                sql -> {
                  if (readsMessages(sql)) {
                    throw new OutOfMemoryError("unable to create native thread");
                  }
                }));
    failing.countIfDue(Runnable::run);
    assertThat(failing.isUncounted()).isTrue();
    assertThat(failing.count().last().pending()).isEqualTo(2);

    poll();
    assertThat(watch.count().last().pending()).isEqualTo(3);
    clock.advance(Duration.ofSeconds(5));
    failing.countIfDue(Runnable::run);
    assertThat(failing.count().last().pending()).isEqualTo(3);
    assertThat(failing.isUncounted()).as("the numbers are fresh, whoever counted").isFalse();
  }

  /** A count of many rows takes a minute, and until then nobody would be refused. */
  @Test
  void aNodeThatStartsRefusesByTheLastCountBeforeItCounts() {
    insert(10_000);
    poll();
    pass(Duration.ofSeconds(5));
    List<Boolean> refuses = new ArrayList<>();
    AtomicReference<StatisticsMonitor> node = new AtomicReference<>();
    StatisticsMonitor started =
        node(
            recording(
                counting.dataSource(),
                new ArrayList<>(),
                sql -> {
                  if (readsMessages(sql)) {
                    refuses.add(node.get().backlog().refusal().isPresent());
                  }
                }));
    node.set(started);

    started.countIfDue(Runnable::run);

    assertThat(refuses).as("while it counts").containsExactly(true);
  }

  @Test
  void aCountOfLongAgoRefusesNobody() throws SQLException {
    insert(10_000);
    poll();
    assertThat(watch.backlog().refusal()).isPresent();
    pass(Duration.ofMinutes(2));
    StatisticsMonitor started = node(counting.dataSource());
    try (Connection other = counting.dataSource().getConnection()) {
      other.setAutoCommit(false);
      new StatisticsStore(TestDatabase.H2.dialect(), CONFIG.tables()).claim(other);
      started.countIfDue(Runnable::run);
      assertThat(started.count().last().pending()).isEqualTo(10_000);
      assertThat(started.backlog().refusal()).isEmpty();
      other.rollback();
    }
  }

  private StatisticsMonitor node(DataSource dataSource) {
    return new StatisticsMonitor(
        dataSource,
        new StatisticsStore(TestDatabase.H2.dialect(), CONFIG.tables()),
        CONFIG.backlog(),
        clock);
  }

  private static boolean readsMessages(String sql) {
    return sql.contains("FROM outbox_message");
  }

  private static DataSource recording(DataSource real, List<String> statements) {
    return recording(real, statements, sql -> {});
  }

  private static DataSource recording(
      DataSource real, List<String> statements, Consumer<String> before) {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) -> {
          Connection connection = (Connection) method.invoke(real, arguments);
          return proxy(
              Connection.class,
              (self, called, given) -> {
                if (called.getName().equals("prepareStatement")) {
                  statements.add((String) given[0]);
                  before.accept((String) given[0]);
                }
                return called.invoke(connection, given);
              });
        });
  }

  /** Else whoever gets that connection next finds a transaction in it. */
  @Test
  void aConnectionThatComesWithoutAutoCommitLeavesNoTransactionBehind() {
    List<Boolean> autoCommits = new ArrayList<>();
    StatisticsMonitor pooled =
        new StatisticsMonitor(
            withoutAutoCommit(counting.dataSource(), autoCommits),
            new StatisticsStore(TestDatabase.H2.dialect(), CONFIG.tables()),
            CONFIG.backlog(),
            clock);
    assertThat(pooled.count().now().byDestination()).isEmpty();
    assertThat(autoCommits).as("when it was queried").containsExactly(true);
  }

  private static DataSource withoutAutoCommit(DataSource real, List<Boolean> seen) {
    return proxy(
        DataSource.class,
        (proxy, method, arguments) -> {
          Connection connection = (Connection) method.invoke(real, arguments);
          connection.setAutoCommit(false);
          return proxy(
              Connection.class,
              (self, called, given) -> {
                if (called.getName().equals("prepareStatement")) {
                  seen.add(connection.getAutoCommit());
                }
                return called.invoke(connection, given);
              });
        });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
