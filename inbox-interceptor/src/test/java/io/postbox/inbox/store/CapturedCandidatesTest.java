package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.store.PlanRecorder.Execution;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A transaction with an old snapshot, as that of a long handler, keeps the index entries of all
 * captured messages that are done. A read from the start passes over them, the next ones do not.
 */
class CapturedCandidatesTest {
  private static final int DEAD = 5_000;

  /** Pages: some thirty dead rows lie on each. */
  private static final int MANY = DEAD / 40;

  /** Pages: one statement for each precedence, with three for its index and one for the switch. */
  private static final int FEW = 80;

  private static final int LIMIT = 3;

  private static final Duration SOON = Duration.ofMillis(100);
  private static final Duration LATER = Duration.ofSeconds(11);

  private final CapturedStore store =
      new CapturedStore(Dialect.POSTGRESQL, new TableNames("", ""), KeptContents.CLEAR);
  private final CapturedCandidates candidates = new CapturedCandidates("shipping", this::nanos);
  private String url;
  private Connection snapshot;
  private Connection rows;
  private PlanRecorder recorder;
  private long now;

  /** How long a page takes. */
  private Duration page = Duration.ofMillis(1);

  /** Those of the last read. */
  private final List<Execution> executions = new ArrayList<>();

  @BeforeEach
  void veryManyDeadRows() throws SQLException {
    url = TestDatabase.POSTGRESQL.freshUrl();
    rows = TestDatabase.connect(url);
    new Schema(Dialect.POSTGRESQL, TestConfig.of("shop", new TableNames("", ""), true))
        .prepare(rows);
    rows.setAutoCommit(true);
    snapshot = TestDatabase.connect(url);
    snapshot.setAutoCommit(false);
    snapshot.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    execute(snapshot, "SELECT 1 FROM inbox_stored");
    add(DEAD, "PENDING", 5);
    add(DEAD, "DELAYED", 5);
    execute(rows, "DELETE FROM inbox_stored");
    recorder = new PlanRecorder(TestDatabase.connect(url), "");
    recorder.connection().setAutoCommit(true);
  }

  @AfterEach
  void close() throws SQLException {
    recorder.connection().close();
    rows.close();
    snapshot.close();
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<Long> add(int count, String status, int precedence) throws SQLException {
    try (Statement statement = rows.createStatement()) {
      statement.execute(
          """
          INSERT INTO inbox_stored
            (consumer, message_id, status, captured, precedence, due_at, fingerprint, fingerprint_version,
             headers, size, body_type, payload_text, properties)
          SELECT 'shipping', gen_random_uuid(), '%s', TRUE, %s, clock_timestamp(), sha256(''), 1, '{}',
            100, 'TEXT', REPEAT('x', 100), '{}'
          FROM generate_series(1, %s)
          """
              .formatted(status, precedence, count),
          Statement.RETURN_GENERATED_KEYS);
      List<Long> ids = new ArrayList<>();
      try (var keys = statement.getGeneratedKeys()) {
        while (keys.next()) {
          ids.add(keys.getLong("id"));
        }
      }
      return ids;
    }
  }

  private void done(List<Long> ids) throws SQLException {
    for (long id : ids) {
      execute(rows, "DELETE FROM inbox_stored WHERE id = " + id);
    }
  }

  /** What is found after a time. */
  private List<Long> read(Duration wait) throws SQLException {
    now += wait.toNanos();
    executions.clear();
    return candidates.read(store, recorder.connection(), true, LIMIT);
  }

  private long nanos() {
    for (Execution execution : recorder.take()) {
      now += execution.pages() * page.toNanos();
      executions.add(execution);
    }
    return now;
  }

  private long pages() {
    assertThat(executions)
        .as("whatever PostgreSQL thinks of how many there are")
        .noneMatch(execution -> execution.text().contains("Sort"));
    return executions.stream().mapToLong(Execution::pages).sum();
  }

  /** Pages of the read that finds one new message. */
  private long pagesOfAMessage(String status, Duration wait) throws SQLException {
    List<Long> ids = add(1, status, 5);
    assertThat(read(wait)).isEqualTo(ids);
    long pages = pages();
    done(ids);
    return pages;
  }

  /** Has reads begin at the marks. */
  private void findTheMarks() throws SQLException {
    pagesOfAMessage("PENDING", SOON);
    pagesOfAMessage("DELAYED", SOON);
    read(LATER);
    read(LATER);
    assertThat(read(SOON)).isEmpty();
    assertThat(pages()).as("at the marks").isLessThan(FEW);
  }

  @Test
  void messagesThatAreDoneAreNotSteppedOverAgainAndAgain() throws SQLException {
    assertThat(pagesOfAMessage("PENDING", SOON)).isGreaterThan(MANY);
    findTheMarks();
    for (int i = 0; i < 5; i++) {
      assertThat(pagesOfAMessage("PENDING", SOON)).as("pending %s", i).isLessThan(FEW);
      assertThat(pagesOfAMessage("DELAYED", SOON)).as("delayed %s", i).isLessThan(FEW);
    }
    assertThat(pagesOfAMessage("PENDING", LATER)).as("one may be below").isGreaterThan(MANY);
    assertThat(pagesOfAMessage("PENDING", SOON)).isLessThan(FEW);
  }

  @Test
  void aMoreUrgentMessageIsFoundAtOnce() throws SQLException {
    findTheMarks();
    List<Long> normal = add(2, "PENDING", 5);
    List<Long> urgent = add(2, "PENDING", 0);
    List<Long> slow = add(1, "PENDING", 9);

    assertThat(read(SOON)).containsExactly(urgent.get(0), urgent.get(1), normal.get(0));
    done(urgent);
    assertThat(read(SOON)).containsExactly(normal.get(0), normal.get(1), slow.get(0));
  }

  @Test
  void theFollowerOfALongHandlerIsFoundAtOnce() throws SQLException {
    List<Long> long1 = add(1, "PENDING", 5);
    List<Long> follower = add(1, "HELD", 5);
    done(add(DEAD, "PENDING", 5));
    assertThat(read(SOON)).isEqualTo(long1);
    Connection handler = TestDatabase.connect(url);
    handler.setAutoCommit(false);
    assertThat(store.claim(handler, long1.get(0), Duration.ofHours(1))).isTrue();
    findTheMarks();

    execute(handler, "DELETE FROM inbox_stored WHERE id = " + long1.get(0));
    execute(handler, "UPDATE inbox_stored SET status = 'PENDING' WHERE status = 'HELD'");
    handler.commit();
    handler.close();
    candidates.ended(long1.get(0));

    assertThat(read(SOON)).isEqualTo(follower);
    done(follower);
    pagesOfAMessage("PENDING", SOON);
    assertThat(pagesOfAMessage("PENDING", SOON)).as("again").isLessThan(FEW);
  }

  @Test
  void whatComesBelowTheMarkOtherwiseIsFoundAfterATime() throws SQLException {
    List<Long> parked = add(2 * LIMIT, "PARKED", 5);
    done(add(DEAD, "PENDING", 5));
    findTheMarks();
    execute(rows, "UPDATE inbox_stored SET status = 'PENDING'");

    assertThat(read(SOON)).isEmpty();
    assertThat(read(LATER)).isEqualTo(parked.subList(0, LIMIT));
    done(parked.subList(0, LIMIT));
    assertThat(read(SOON)).as("the rest of them").isEqualTo(parked.subList(LIMIT, 2 * LIMIT));
  }

  @Test
  void aMessageThatCommitsLateIsNotPassedBy() throws SQLException {
    page = Duration.ofNanos(400_000);
    Connection late = TestDatabase.connect(url);
    late.setAutoCommit(false);
    Connection usual = rows;
    rows = late;
    List<Long> first = add(1, "PENDING", 5);
    rows = usual;
    pagesOfAMessage("PENDING", SOON); // with a later id
    read(SOON);
    read(SOON);
    late.commit();
    late.close();

    assertThat(read(SOON)).isEqualTo(first);
  }

  @Test
  void whereReadsAreQuickEachIsFromTheStartInTwoStatements() throws SQLException {
    page = Duration.ofNanos(1);
    List<Long> parked = add(1, "PARKED", 5);
    pagesOfAMessage("PENDING", LATER);
    pagesOfAMessage("PENDING", LATER);
    execute(rows, "UPDATE inbox_stored SET status = 'PENDING'");

    assertThat(read(SOON)).isEqualTo(parked);
    assertThat(executions).hasSize(2);
  }

  @Test
  void onceReadsAreQuickAgainTheMarksAreGone() throws SQLException {
    List<Long> parked = add(1, "PARKED", 5);
    findTheMarks();
    page = Duration.ofNanos(1);
    read(LATER);
    execute(rows, "UPDATE inbox_stored SET status = 'PENDING'");

    assertThat(read(SOON)).isEqualTo(parked);
    assertThat(executions).hasSize(2);
  }
}
