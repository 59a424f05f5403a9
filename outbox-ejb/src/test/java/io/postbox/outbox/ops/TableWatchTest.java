package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.outbox.OutboxException;
import io.postbox.outbox.config.OutboxConfig;
import io.postbox.outbox.store.Schema;
import io.postbox.outbox.store.StatisticsStore;
import io.postbox.outbox.testing.CountingDataSource;
import io.postbox.outbox.testing.LogLines;
import io.postbox.outbox.testing.Rows;
import io.postbox.outbox.testing.SettableClock;
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
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TableWatchTest {
  private static final OutboxConfig CONFIG = TestConfig.DEFAULT.config();

  private final SettableClock clock = new SettableClock();
  private final CountingDataSource counting = new CountingDataSource(TestDatabase.H2.fresh());
  private final Rows rows = new Rows(counting.dataSource(), CONFIG.tables());
  private final TableWatch watch =
      new TableWatch(
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

  private void look() {
    watch.countIfDue(Runnable::run);
  }

  @Test
  void manyLooksAreOneStatementInAnInterval() {
    int before = counting.statements();
    for (int look = 0; look < 60; look++) {
      look();
      clock.advance(Duration.ofMillis(500));
      watch.last();
      watch.backlog().refuseIfFull();
    }
    assertThat(counting.statements() - before).as("in 30 seconds").isEqualTo(6);
  }

  @Test
  void aDestinationThatHasEmptiedShowsZero() {
    insert(3);
    look();
    assertThat(watch.last().of("shipping").pending()).isEqualTo(3);

    rows.execute("DELETE FROM outbox_message");
    clock.advance(Duration.ofSeconds(5));
    look();
    assertThat(watch.last().of("shipping").pending()).isZero();
  }

  @Test
  void aCountIsNotWaitedFor() {
    Deque<Runnable> tasks = new ArrayDeque<>();
    insert(1);
    watch.countIfDue(tasks::add);
    clock.advance(Duration.ofMinutes(1));
    watch.countIfDue(tasks::add);

    assertThat(tasks).as("one at a time").hasSize(1);
    assertThat(watch.last()).isEqualTo(Snapshot.NOTHING);
    tasks.remove().run();
    assertThat(watch.last().pending()).isEqualTo(1);
  }

  @Test
  void theLimitsHearOfEachCount() {
    look();
    assertThat(watch.backlog().warning()).isEmpty();
    insert(1_000);
    clock.advance(Duration.ofSeconds(5));
    look();
    assertThat(watch.backlog().warning()).isPresent();
  }

  @Test
  void whatCannotBeCountedKeepsTheLastCountAndIsToldOnce() {
    insert(2);
    look();
    rows.execute("ALTER TABLE outbox_message RENAME TO away");
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      for (int i = 0; i < 5; i++) {
        clock.advance(Duration.ofSeconds(5));
        look();
      }
      assertThat(log.lines()).singleElement().asString().startsWith("OBX0012 ");
      assertThat(watch.last().pending()).isEqualTo(2);
      assertThat(watch.uncounted().orElseThrow())
          .startsWith("the table cannot be counted, so gauges stand still, and limits")
          .containsIgnoringCase("outbox_message");
      assertThatThrownBy(watch::countNow)
          .isInstanceOf(OutboxException.class)
          .hasMessageStartingWith("The outbox cannot be counted: ");

      rows.execute("ALTER TABLE away RENAME TO outbox_message");
      clock.advance(Duration.ofSeconds(5));
      look();
      assertThat(log.lines()).hasSize(2).last().asString().startsWith("OBX0035 ");
      assertThat(watch.uncounted()).isEmpty();
    }
  }

  @Test
  void anExecutorThatTakesNothingIsAskedAgain() {
    watch.countIfDue(
        task -> {
          throw new RejectedExecutionException("full");
        });
    clock.advance(Duration.ofSeconds(5));
    insert(1);
    look();
    assertThat(watch.last().pending()).isEqualTo(1);
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
    clock.advance(Duration.ofSeconds(5));
    insert(1);
    look();
    assertThat(watch.last().pending()).isEqualTo(1);
  }

  @Test
  void whoAsksDirectlyGetsAFreshCount() {
    insert(1);
    assertThat(watch.countNow()).singleElement().satisfies(it -> assertThat(it.pending()).isOne());
    insert(1);
    assertThat(watch.countNow())
        .singleElement()
        .satisfies(it -> assertThat(it.pending()).isEqualTo(2));
  }

  /** Else whoever gets that connection next finds a transaction in it. */
  @Test
  void aConnectionThatComesWithoutAutoCommitLeavesNoTransactionBehind() {
    List<Boolean> autoCommits = new ArrayList<>();
    TableWatch pooled =
        new TableWatch(
            withoutAutoCommit(counting.dataSource(), autoCommits),
            new StatisticsStore(TestDatabase.H2.dialect(), CONFIG.tables()),
            CONFIG.backlog(),
            clock);
    assertThat(pooled.countNow()).isEmpty();
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
