package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.config.TableNames;
import io.postbox.common.log.RecordedError;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.Failure.Kind;
import io.postbox.inbox.message.Failures;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class FailureStoreTest {
  private static final TableNames TABLES = new TableNames("", "");
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Parameter TestDatabase database;
  private String url;
  private Connection connection;
  private FailureStore store;

  @BeforeEach
  void makeTheTables() throws SQLException {
    url = database.freshUrl();
    connection = TestDatabase.connect(url);
    Dialect dialect = Dialect.of(connection, "inbox");
    new Schema(dialect, TestConfig.of("shop", TABLES, true)).prepare(connection);
    connection.setAutoCommit(true);
    store = new FailureStore(dialect, TABLES, KeptContents.CLEAR.texts());
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void chargedFailuresAreCountedAndTheLastOneIsKnown() throws SQLException {
    assertThat(sofar()).isEqualTo(Failures.NONE);
    fail(Kind.FAILED, null, "one");
    fail(Kind.LATER, SECOND, "two");
    assertThat(sofar().lastPause()).isEqualTo(SECOND);
    assertThat(sofar().last()).isEqualTo("two");
    fail(Kind.FAILED, null, "three");

    Failures sofar = sofar();
    assertThat(sofar.total()).isEqualTo(3);
    assertThat(sofar.counted()).isEqualTo(2);
    assertThat(sofar.last()).isEqualTo("three");
    assertThat(sofar.lastPause()).isNull();
    assertThat(sofar.rejected()).isFalse();
    assertThat(sofar.sinceLast()).isBetween(Duration.ZERO, Duration.ofMinutes(1));
    assertThat(store.of(connection, "billing", "id-1")).isEqualTo(Failures.NONE);
    assertThat(store.of(connection, "shipping", "id-2")).isEqualTo(Failures.NONE);
  }

  @Test
  void aRejectionIsNotTalkedOver() throws SQLException {
    fail(Kind.REJECTED, null, "never");
    fail(Kind.LATER, SECOND, "or perhaps");

    assertThat(sofar().rejected()).isTrue();
    assertThat(sofar().last()).isEqualTo("never");
    assertThat(sofar().counted()).isZero();
  }

  @Test
  void unchargedFailuresHaveOneRowHoweverLongTheyGoOn() throws SQLException {
    fail(Kind.FAILED, null, "one");
    for (int i = 0; i < 50; i++) {
      fail(Kind.LATER, SECOND, "later " + i);
      fail(Kind.TRANSIENT, null, "a deadlock " + i);
      assertThat(sofar().total()).isEqualTo(3 + 2 * i);
    }

    assertThat(reasons()).containsExactly("one", "later 49", "a deadlock 49");
    assertThat(sofar().last()).isEqualTo("a deadlock 49");
    assertThat(sofar().counted()).isEqualTo(1);
  }

  @Test
  void transientFailuresHaveTheirOwnCountAlsoWhenTheirRowsAreReplaced() throws SQLException {
    for (int i = 1; i <= 50; i++) {
      fail(Kind.FAILED, null, "one");
      fail(Kind.LATER, SECOND, "later " + i);
      fail(Kind.BYSTANDER, null, "another one's " + i);
      fail(Kind.TRANSIENT, null, "a deadlock " + i);
      assertThat(sofar().transients()).isEqualTo(i);
      assertThat(sofar().counted()).isEqualTo(i);
    }
    assertThat(sofar().total()).isEqualTo(200);
    assertThat(sofar().signature()).isEqualTo("5ef0 a deadlock 50");
    fail(Kind.REJECTED, null, "never");
    fail(Kind.LATER, SECOND, "or perhaps");
    assertThat(sofar().signature()).isEqualTo("5ef0 never");
  }

  @Test
  void aFailureComesAfterAllThatItsDeliveryHasWaitedFor() throws SQLException {
    for (int waitedFor : List.of(500, 0, Integer.MAX_VALUE, Integer.MAX_VALUE)) { // forgotten ones
      store.insert(
          connection,
          "a node",
          new Failure(
              "shipping", "id-1", 1, Kind.FAILED, null, RecordedError.of("x"), waitedFor, false));
      assertThat(sofar().total()).isGreaterThanOrEqualTo(waitedFor).isGreaterThan(500);
    }
    assertThat(sofar().counted()).isEqualTo(4);
  }

  @Test
  void rowsThatWereNotReplacedInTheirTimeAreCountedAndThenReplaced() throws SQLException {
    for (int i = 0; i < 5; i++) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(
            "INSERT INTO inbox_failure (consumer, message_id, attempt, kind, wait_millis, reason)"
                + " VALUES ('shipping', 'id-1', 1, 'LATER', 1000, 'old')");
      }
    }
    assertThat(sofar().total()).isEqualTo(5);

    fail(Kind.LATER, SECOND, "new");

    assertThat(sofar().total()).isEqualTo(6);
    assertThat(reasons()).containsExactly("new");
  }

  @Test
  void ofChargedFailuresTheFirstAndTheLastTenAreKeptAndAllAreCounted() throws SQLException {
    for (int i = 1; i <= 25; i++) {
      fail(Kind.FAILED, null, "failed " + i);
      assertThat(sofar().counted()).isEqualTo(i);
      assertThat(sofar().total()).isEqualTo(i);
    }

    assertThat(reasons())
        .containsExactly(
            IntStream.of(1, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25)
                .mapToObj(i -> "failed " + i)
                .toArray(String[]::new));
  }

  @Test
  void failuresBeforeARedriveAreHistoryAndCountNoLonger() throws SQLException {
    fail(Kind.FAILED, null, "one");
    fail(Kind.LATER, SECOND, "two");
    try (Statement statement = connection.createStatement()) {
      statement.execute("UPDATE inbox_failure SET redriven = TRUE");
    }
    assertThat(sofar()).isEqualTo(Failures.NONE);
    fail(Kind.LATER, SECOND, "three");
    fail(Kind.FAILED, null, "four");

    assertThat(sofar().total()).isEqualTo(2);
    assertThat(sofar().counted()).isEqualTo(1);
    assertThat(reasons()).containsExactly("one", "two", "three", "four");
  }

  /** A row is trimmed from the twelfth charged failure on; a message is parked before that. */
  @Test
  void aFailureIsOneStatementAsLongAsNothingIsInItsPlace() throws SQLException {
    if (database == TestDatabase.H2) {
      return; // the same statements, which H2 does not tell
    }
    PlanRecorder recorder = new PlanRecorder(TestDatabase.connect(url), "");
    try (Connection recorded = recorder.connection()) {
      for (int i = 1; i <= 12; i++) {
        store.insert(
            recorded,
            "a node",
            new Failure("shipping", "id-1", 1, Kind.FAILED, null, RecordedError.of("x"), 0, false));
        assertThat(recorder.take()).hasSize(i <= 11 ? 1 : 2);
      }
    }
  }

  @Test
  void severalNodesDoNotDisturbEachOther() throws Exception {
    ExecutorService nodes = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int node = 0; node < 4; node++) {
        all.add(nodes.submit(this::failOften));
      }
      for (Future<?> each : all) {
        each.get();
      }
    } finally {
      nodes.shutdown();
    }
    fail(Kind.LATER, SECOND, "last");

    assertThat(reasons()).containsExactly("last");
  }

  private @Nullable Object failOften() throws SQLException {
    try (Connection node = TestDatabase.connect(url)) {
      node.setAutoCommit(false);
      for (int i = 0; i < 25; i++) {
        store.insert(
            node,
            "another node",
            new Failure(
                "shipping", "id-1", 1, Kind.LATER, SECOND, RecordedError.of("not yet"), i, false));
        node.commit();
      }
    }
    return null;
  }

  private Failures sofar() throws SQLException {
    return store.of(connection, "shipping", "id-1");
  }

  private void fail(Kind kind, @Nullable Duration pause, String reason) throws SQLException {
    store.insert(
        connection,
        "a node",
        new Failure(
            "shipping",
            "id-1",
            1,
            kind,
            pause,
            new RecordedError(reason, "", "", "5ef0 " + reason),
            0,
            false));
  }

  private List<String> reasons() throws SQLException {
    List<String> reasons = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT reason FROM inbox_failure ORDER BY id")) {
      while (row.next()) {
        reasons.add(row.getString(1));
      }
    }
    return reasons;
  }
}
