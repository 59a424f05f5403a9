package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.OperatorAction;
import io.postbox.common.RedrivePace;
import io.postbox.common.testing.SettableClock;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.testing.LogLines;
import io.postbox.outbox.testing.Operator;
import io.postbox.outbox.testing.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A step that a database which works refuses each time. */
class RefusedStepTest {
  /** What happens instead of the look for letters whose error has a text. */
  private interface Refusal {
    void on(Connection connection) throws SQLException;
  }

  private static DataSource refusing(DataSource real, Refusal refusal) {
    return proxy(
        DataSource.class,
        (method, arguments) -> {
          Connection connection = (Connection) method.invoke(real, arguments);
          return proxy(
              Connection.class,
              (called, given) -> {
                if (called.getName().equals("prepareStatement")
                    && ((String) given[0]).contains("LIKE")) {
                  refusal.on(connection);
                }
                return called.invoke(connection, given);
              });
        });
  }

  private interface Answer {
    Object to(java.lang.reflect.Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Answer answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              try {
                return answer.to(method, arguments);
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
            }));
  }

  /** As where the role has a statement_timeout, and the look takes longer. */
  private static void timeOut(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET statement_timeout = 30");
      try {
        statement.execute("SELECT pg_sleep(5)");
      } finally {
        if (!connection.getAutoCommit()) {
          connection.rollback();
        }
        statement.execute("SET statement_timeout = 0");
      }
    }
  }

  /** The control: a refusal that no time mends. */
  private static void deny(Connection connection) throws SQLException {
    throw new SQLException("permission denied for table outbox_message", "42501");
  }

  @ParameterizedTest
  @ValueSource(strings = {"timeout", "denied"})
  void aStepThatNeverSucceedsEndsItsAction(String kind) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL);
    fixture.dead(100, "d");
    SettableClock clock = new SettableClock();
    BackgroundActions node =
        new BackgroundActions(
            new OutboxTables(
                fixture.database.dialect(),
                fixture.config,
                refusing(
                    fixture.counting.dataSource(),
                    kind.equals("timeout") ? RefusedStepTest::timeOut : RefusedStepTest::deny)),
            Operator.KEY,
            false,
            lanes -> {},
            clock);
    OperatorAction searching =
        node.redrive(
            fixture.plan(DeadLetterFilter.all().errorContains("refused")).token().id(),
            RedrivePace.FASTEST,
            "ada",
            "x");
    OperatorAction other = node.discard(fixture.plan().token().id(), "ada", "y");
    for (int i = 0; i < 7; i++) {
      clock.advance(Duration.ofSeconds(10));
      node.runner().runIfDue(Runnable::run);
    }
    OperatorAction now = node.control().get(searching.id()).orElseThrow();
    OperatorAction behind = node.control().get(other.id()).orElseThrow();
    assertThat(now.state()).isEqualTo(OperatorAction.State.FAILED);
    assertThat(behind.state()).isEqualTo(OperatorAction.State.DONE);
  }

  @ParameterizedTest
  @EnumSource
  void theThreadThatGivesAnActionUpEndsInOrder(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(40, "d");
    SettableClock clock = new SettableClock();
    BackgroundActions node =
        new BackgroundActions(
            new OutboxTables(
                fixture.database.dialect(), fixture.config, fixture.counting.dataSource()),
            Operator.KEY,
            false,
            lanes -> {},
            clock);
    OperatorAction started = node.discard(fixture.plan().token().id(), "ada", "x");
    fixture.rows.execute(
        "ALTER TABLE shop.pb_outbox_archive ADD CONSTRAINT refused CHECK (seq < 0)");
    List<Throwable> uncaught = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      clock.advance(Duration.ofSeconds(10));
      node.runner()
          .runIfDue(
              task -> { // as on a thread of its own
                try {
                  task.run();
                } catch (Throwable thrown) {
                  uncaught.add(thrown);
                }
              });
    }
    assertThat(node.control().get(started.id()).orElseThrow().state())
        .isEqualTo(OperatorAction.State.FAILED);
    assertThat(uncaught).isEmpty();
  }

  /** An operator would look for an action. */
  @Test
  void aLookThatFailsIsNoStepAndIsToldOnceAnOutage() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.H2);
    SettableClock clock = new SettableClock();
    boolean[] down = {true};
    DataSource real = fixture.counting.dataSource();
    BackgroundActions node =
        new BackgroundActions(
            new OutboxTables(
                fixture.database.dialect(),
                fixture.config,
                proxy(
                    DataSource.class,
                    (method, arguments) -> {
                      if (down[0]) {
                        throw new SQLException("the database is down", "08001");
                      }
                      return method.invoke(real, arguments);
                    })),
            Operator.KEY,
            false,
            lanes -> {},
            clock);
    try (LogLines log = LogLines.of("io.postbox.outbox")) {
      for (int i = 0; i < 30; i++) {
        clock.advance(Duration.ofSeconds(10));
        node.runner().runIfDue(Runnable::run);
      }
      assertThat(log.lines())
          .singleElement()
          .asString()
          .startsWith("OBX0077 The look for operators' actions failed; it is repeated");
      clock.advance(Duration.ofMinutes(10));
      node.runner().runIfDue(Runnable::run);
      assertThat(log.lines()).as("every ten minutes").hasSize(2);
    }
  }
}
