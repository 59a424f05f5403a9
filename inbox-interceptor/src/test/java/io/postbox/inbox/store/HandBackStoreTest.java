package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.inbox.KeptMessage;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.jms.StoredMessage;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Captured;
import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.Quarantined;
import io.postbox.inbox.message.Schedule;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.store.KeptContentsTest.Turning;
import io.postbox.inbox.store.KeptRow.Spot;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A message that has its turn stays in its row, and copies of it are sent until one has come. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class HandBackStoreTest {
  private static final TableNames TABLES = new TableNames("", "");
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration NONE = Duration.ZERO;
  private static final Aggregate ORDER = new Aggregate("Order", "7", 3);

  private final KeptContents contents = new KeptContents(() -> Optional.of(new Turning("key-1")));

  @Parameter TestDatabase database;
  private String url;
  private Dialect dialect;
  private Stores stores;
  private HandBackStore store;

  @BeforeEach
  void makeTheTables() throws SQLException {
    url = database.freshUrl();
    try (Connection start = TestDatabase.connect(url)) {
      dialect = Dialect.of(start, "inbox");
      new Schema(dialect, TestConfig.of("shop", TABLES, true)).prepare(start);
    }
    stores = Stores.of(dialect, TABLES, contents);
    store = new HandBackStore(dialect, TABLES, contents);
  }

  private interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  private <T> T commit(Work<T> work) throws SQLException {
    try (Connection connection = begin()) {
      T result = work.on(connection);
      connection.commit();
      return result;
    }
  }

  private boolean is(Work<Boolean> work) throws SQLException {
    return commit(work);
  }

  private boolean isClaimed(StoredRow copy) throws SQLException {
    return is(connection -> stores.kept().claim(connection, copy).isPresent());
  }

  private Connection begin() throws SQLException {
    Connection connection = TestDatabase.connect(url);
    connection.setAutoCommit(false);
    return connection;
  }

  private List<String> column(String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      List<String> values = new ArrayList<>();
      while (row.next()) {
        values.add(row.getString(1));
      }
      return values;
    }
  }

  private int execute(String sql) throws SQLException {
    try (Connection connection = TestDatabase.connect(url);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(true);
      return statement.executeUpdate(sql);
    }
  }

  /** Id, status, generation, and how often a copy was sent. */
  private List<String> rows() throws SQLException {
    return column(
        "SELECT message_id || ' ' || status || ' ' || generation || ' ' || setbacks"
            + " FROM inbox_stored ORDER BY id");
  }

  private long rowOf(String id) throws SQLException {
    return Long.parseLong(
        column("SELECT id FROM inbox_stored WHERE message_id = '%s'".formatted(id)).get(0));
  }

  private StoredRow park(String id) throws SQLException {
    Delivery delivery = TestDelivery.of(id).with(ORDER).askedFor("queue:REPLIES").delivery();
    commit(
        connection ->
            stores
                .kept()
                .park(
                    connection,
                    new Parked(delivery, id, ParkReason.REJECTED, "bad", "5ef0", 3),
                    true));
    return new StoredRow(rowOf(id), 0);
  }

  private StoredRow handBack(String id, ReplyOnRedrive replies, Duration patience)
      throws SQLException {
    StoredRow row = park(id);
    handBack(Kind.PARKED, row.id(), null, replies, patience);
    return new StoredRow(row.id(), 1);
  }

  private void handBack(
      Kind kind, long row, String releasedAs, ReplyOnRedrive replies, Duration patience)
      throws SQLException {
    KeptRows rows = new KeptRows(kind, TABLES);
    commit(
        connection -> {
          rows.handBack(
              connection,
              rows.lock(connection, row).orElseThrow().at(),
              releasedAs,
              replies,
              patience);
          return true;
        });
  }

  /** A message whose copy was claimed, and whose handler failed. */
  private long retry(String id, Duration delay) throws SQLException {
    StoredRow copy = handBack(id, ReplyOnRedrive.KEEP, LONG);
    commit(
        connection -> {
          assertThat(stores.kept().claim(connection, copy)).isPresent();
          return stores
              .kept()
              .delay(
                  connection,
                  TestDelivery.of(id).with(copy).delivery(),
                  new DelayedRetry(id, delay, 2, 0),
                  false);
        });
    return copy.id();
  }

  private List<Long> due(String consumer, int limit) throws SQLException {
    return commit(connection -> store.due(connection, consumer, limit));
  }

  private KeptRow claimed(long row) throws SQLException {
    return commit(connection -> store.claim(connection, row)).orElseThrow();
  }

  private KeptRow sent(long id, Duration patience) throws SQLException {
    return commit(
        connection -> {
          KeptRow row = store.claim(connection, id).orElseThrow();
          store.send(connection, row, patience);
          return row;
        });
  }

  private void capture(String id, String key) throws SQLException {
    Delivery plain = TestDelivery.of(id).with(ORDER).delivery();
    Delivery delivery =
        new Delivery(
            plain.consumer(),
            plain.id(),
            plain.fingerprint(),
            plain.source(),
            plain.eventType(),
            plain.subject(),
            null,
            plain.destination(),
            plain.replyTo(),
            plain.headers(),
            plain.history(),
            plain.body(),
            plain.content(),
            plain.metadata(),
            new Schedule(key, Schedule.NORMAL_PRIORITY, null),
            null);
    commit(
        connection -> {
          stores.messages().insertIfAbsent(connection, delivery, id, Outcome.CAPTURED);
          return stores.captured().capture(connection, delivery, id, false);
        });
  }

  /** Has a captured message wait for the versions before it, and then has its turn come. */
  private void releaseCaptured(String id) throws SQLException {
    long row = rowOf(id);
    commit(
        connection -> {
          assertThat(stores.captured().claim(connection, row, LONG)).isTrue();
          Captured captured = stores.captured().read(connection, row);
          stores
              .kept()
              .park(
                  connection,
                  new Parked(captured.delivery(), id, ParkReason.EARLY, "", "", 0),
                  false);
          stores.captured().keepAside(connection, captured, false);
          return true;
        });
    assertThat(rows()).contains(id + " EARLY 0 0");
    int released = commit(connection -> stores.versions().mark(connection, "shipping", ORDER));
    assertThat(released).isEqualTo(1);
    assertThat(rows()).contains(id + " HANDED_BACK 1 0");
  }

  /** Handlers of copies may take long, and their rows are the first ones. */
  @Test
  void thoseThatOthersHaveHideNobody() throws SQLException {
    StoredRow handled = handBack("handled", ReplyOnRedrive.KEEP, NONE);
    long next = retry("next", NONE);
    execute(
        "UPDATE inbox_stored SET due_at = due_at - INTERVAL '1' MINUTE WHERE id = " + handled.id());
    assertThat(due("shipping", 1)).containsExactly(handled.id());

    commit(
        handler -> {
          assertThat(stores.kept().claim(handler, handled)).isPresent();
          assertThat(due("shipping", 1)).containsExactly(next);
          return true;
        });
  }

  @Test
  void messagesAndRetriesAreDueInTheOrderOfTheirTimesButNoCapturedOnes() throws SQLException {
    handBack("not yet", ReplyOnRedrive.KEEP, LONG);
    long second = handBack("second", ReplyOnRedrive.KEEP, NONE).id();
    long first = handBack("first", ReplyOnRedrive.KEEP, NONE).id();
    execute("UPDATE inbox_stored SET due_at = due_at - INTERVAL '1' MINUTE WHERE id = " + first);
    long retry = retry("retry", NONE);
    retry("later", LONG);
    park("parked");
    capture("captured", "k");
    execute(
        "UPDATE inbox_stored SET status = 'DELAYED', due_at = CURRENT_TIMESTAMP"
            + " WHERE message_id = 'captured'");

    assertThat(due("shipping", 10)).containsExactly(first, second, retry);
    assertThat(due("shipping", 1)).containsExactly(first);
    assertThat(due("billing", 10)).isEmpty();
  }

  @Test
  void aMessageIsClaimedByOneAndReadAsItIsToBeSent() throws SQLException {
    long id = handBack("id-1", ReplyOnRedrive.KEEP, NONE).id();

    try (Connection one = begin();
        Connection other = begin()) {
      KeptRow row = store.claim(one, id).orElseThrow();
      assertThat(row)
          .usingRecursiveComparison()
          .ignoringFields("content")
          .isEqualTo(
              new KeptRow(
                  new Spot(id, "shipping", "id-1", false, null, false),
                  "queue:Q.shipping",
                  TestDelivery.FINGERPRINT,
                  row.content(),
                  "HANDED_BACK",
                  null,
                  false,
                  1,
                  0,
                  1,
                  ReplyOnRedrive.KEEP,
                  true,
                  false));
      assertThat(row.content().encrypted()).isTrue();
      assertThat(contents.open(row.place(), row.content()))
          .isEqualTo(TestDelivery.of("id-1").content());
      assertThat(store.claim(other, id)).as("another transaction has it").isEmpty();
      one.rollback();
      other.rollback();
    }
    assertThat(claimed(handBack("id-2", ReplyOnRedrive.DROP, NONE).id()).replies())
        .isEqualTo(ReplyOnRedrive.DROP);
  }

  @Test
  void aMessageIsSentAgainUnderItsGenerationUntilItHasCome() throws SQLException {
    StoredRow copy = handBack("id-1", ReplyOnRedrive.KEEP, NONE);

    assertThat(sent(copy.id(), NONE).sent()).isEqualTo(1);
    assertThat(rows()).containsExactly("id-1 HANDED_BACK 1 2");
    assertThat(sent(copy.id(), LONG).sent()).isEqualTo(2);
    assertThat(rows()).containsExactly("id-1 HANDED_BACK 1 3");
    assertThat(is(on -> store.claim(on, copy.id()).isPresent())).as("not due").isFalse();
    assertThat(due("shipping", 10)).isEmpty();
    assertThat(isClaimed(copy)).as("any of the copies").isTrue();
  }

  @Test
  void aRetryIsSentUnderTheNextGeneration() throws SQLException {
    long id = retry("id-1", NONE);
    assertThat(rows()).containsExactly("id-1 DELAYED 1 0");

    KeptRow row = sent(id, LONG);
    assertThat(row.nextGeneration()).isEqualTo(2);
    assertThat(row.waitedFor()).isEqualTo(2);
    assertThat(row.sent()).isZero();
    assertThat(rows()).containsExactly("id-1 HANDED_BACK 2 1");
    assertThat(isClaimed(new StoredRow(id, 1))).isFalse();
    assertThat(isClaimed(new StoredRow(id, 2))).isTrue();
  }

  /** Stores a message whose handler failed at its first delivery, and returns its row. */
  private long store(String id, Duration delay) throws SQLException {
    Delivery delivery = TestDelivery.of(id).askedFor("queue:REPLIES").delivery();
    commit(
        connection ->
            stores.kept().delay(connection, delivery, new DelayedRetry(id, delay, 2, 0), true));
    return rowOf(id);
  }

  @Test
  void aStoredRetryIsHandedBackAtItsTimeAndExpiresAsTheMessageDoes() throws SQLException {
    long later = store("later", LONG);
    long id = store("id-1", NONE);
    assertThat(due("shipping", 10)).containsExactly(id);
    assertThat(is(on -> store.claim(on, later).isPresent())).as("not due").isFalse();

    KeptRow row = sent(id, LONG);
    assertThat(row)
        .usingRecursiveComparison()
        .ignoringFields("content")
        .isEqualTo(
            new KeptRow(
                new Spot(id, "shipping", "id-1", false, null, false),
                "queue:Q.shipping",
                TestDelivery.FINGERPRINT,
                row.content(),
                "DELAYED",
                null,
                true,
                0,
                2,
                0,
                ReplyOnRedrive.KEEP,
                true,
                true));
    assertThat(row.nextGeneration()).isEqualTo(1);
    assertThat(contents.open(row.place(), row.content()))
        .isEqualTo(TestDelivery.of("id-1").content());
    assertThat(rows()).containsExactly("later DELAYED 0 0", "id-1 HANDED_BACK 1 1");
    assertThat(isClaimed(new StoredRow(id, 0))).isFalse();
    assertThat(isClaimed(new StoredRow(id, 1))).isTrue();

    execute("UPDATE inbox_stored SET due_at = CURRENT_TIMESTAMP WHERE message_id = 'later'");
    assertThat(due("shipping", 10)).containsExactly(later);
  }

  @Test
  void aStoredRetryThatFailsAgainIsDelayedInItsRow() throws SQLException {
    long id = store("id-1", NONE);
    sent(id, LONG);
    StoredRow copy = new StoredRow(id, 1);
    commit(
        connection -> {
          assertThat(stores.kept().claim(connection, copy)).isPresent();
          Delivery delivery = TestDelivery.of("id-1").with(copy).delivery();
          DelayedRetry retry = new DelayedRetry("id-1", NONE, 3, 0);
          return stores.kept().delay(connection, delivery, retry, false);
        });

    assertThat(rows()).containsExactly("id-1 DELAYED 1 0");
    KeptRow row = sent(id, LONG);
    assertThat(List.of(row.nextGeneration(), row.waitedFor(), row.sent())).containsExactly(2, 3, 0);
    assertThat(row.expires()).isTrue();
    assertThat(row.mayReply()).as("a copy does not show that").isTrue();
  }

  /** An operator has it handled although its time has passed. */
  @Test
  void aStoredRetryThatWasParkedOnceDoesNotExpire() throws SQLException {
    long id = store("id-1", NONE);
    assertThat(sent(id, NONE).expires()).isTrue();
    KeptRow again = sent(id, LONG);
    assertThat(again.expires()).as("another copy").isTrue();
    park(again);
    handBack(Kind.PARKED, id, null, ReplyOnRedrive.KEEP, NONE);
    assertThat(rows()).containsExactly("id-1 HANDED_BACK 2 1");

    KeptRow redriven = sent(id, LONG);
    assertThat(redriven.expires()).isFalse();
    assertThat(redriven.mayReply()).isTrue();
    StoredRow copy = new StoredRow(id, 2);
    commit(
        connection -> {
          assertThat(stores.kept().claim(connection, copy)).isPresent();
          Delivery delivery = TestDelivery.of("id-1").with(copy).delivery();
          DelayedRetry retry = new DelayedRetry("id-1", NONE, 1, 0);
          return stores.kept().delay(connection, delivery, retry, true);
        });
    assertThat(claimed(id).expires()).as("nor does its next retry").isFalse();
  }

  @Test
  void aStoredRetryThatCannotBeSentIsParkedAndDoesNotExpireAnyMore() throws SQLException {
    long id = store("id-1", NONE);
    KeptRow row = sent(id, LONG);
    assertThat(is(on -> store.giveUp(on, row, "its time to live ended"))).isTrue();
    assertThat(rows()).containsExactly("id-1 PARKED 1 1");

    handBack(Kind.PARKED, id, null, ReplyOnRedrive.KEEP, NONE);
    assertThat(claimed(id).expires()).isFalse();
  }

  @Test
  void whatWasNotSentHasItsTurnAgainAtOnceUnlessItIsHandledMeanwhile() throws SQLException {
    long id = retry("id-1", NONE);
    KeptRow row = sent(id, LONG);
    notSent(row);
    assertThat(rows()).containsExactly("id-1 HANDED_BACK 2 0");
    assertThat(due("shipping", 10)).containsExactly(id);

    KeptRow again = sent(id, LONG);
    assertThat(again.generation()).isEqualTo(2);
    park(again);
    notSent(again);
    assertThat(rows()).containsExactly("id-1 PARKED 2 0");
    handBack(Kind.PARKED, id, null, ReplyOnRedrive.KEEP, LONG);
    notSent(again);
    assertThat(rows()).containsExactly("id-1 HANDED_BACK 3 1");
  }

  private void notSent(KeptRow row) throws SQLException {
    commit(
        connection -> {
          store.notSent(connection, row);
          return true;
        });
  }

  private void park(KeptRow row) throws SQLException {
    StoredRow copy = new StoredRow(row.at().id(), row.nextGeneration());
    Delivery delivery = TestDelivery.of("id-1").with(copy).delivery();
    commit(
        connection -> {
          assertThat(stores.kept().claim(connection, copy)).isPresent();
          return stores
              .kept()
              .park(
                  connection,
                  new Parked(delivery, "id-1", ParkReason.REJECTED, "no", "5ef0", 4),
                  false);
        });
  }

  @Test
  void whatCannotBeSentIsLeftToAnOperatorUnlessItIsHandledMeanwhile() throws SQLException {
    KeptRow row = sent(handBack("id-1", ReplyOnRedrive.KEEP, NONE).id(), LONG);
    assertThat(is(on -> store.giveUp(on, row, "no such queue"))).isTrue();

    assertThat(rows()).containsExactly("id-1 PARKED 1 2");
    KeptMessage view =
        commit(
            on ->
                new KeptViews(Kind.PARKED, TABLES, contents, StoredMessage::text)
                    .one(on, row.at().id())
                    .orElseThrow());
    assertThat(view.reason()).isEqualTo("NOT_RELEASED");
    assertThat(view.error()).isEqualTo("no such queue");
    assertThat(column("SELECT error FROM inbox_stored WHERE due_at IS NULL")).containsExactly("");
    assertThat(is(on -> store.giveUp(on, row, "again"))).as("it is already").isFalse();

    handBack(Kind.PARKED, row.at().id(), null, ReplyOnRedrive.KEEP, LONG);
    assertThat(is(on -> store.giveUp(on, row, "of before"))).isFalse();
    assertThat(rows()).containsExactly("id-1 HANDED_BACK 2 1");
  }

  @Test
  void aReleasedOneThatCannotBeSentIsQuarantinedAsBefore() throws SQLException {
    commit(
        connection ->
            stores
                .kept()
                .quarantine(
                    connection,
                    new Quarantined(
                        TestDelivery.of("unused").delivery(),
                        "id-1",
                        QuarantineReason.OTHER_CONTENT,
                        null)));
    long id = rowOf("id-1");
    handBack(Kind.QUARANTINED, id, "new-1", ReplyOnRedrive.KEEP, NONE);

    KeptRow row = sent(id, LONG);
    assertThat(row.releasedAs()).isEqualTo("new-1");
    assertThat(contents.open(row.place(), row.content()))
        .isEqualTo(TestDelivery.of("id-1").content());
    assertThat(is(on -> store.giveUp(on, row, "no such queue"))).isTrue();
    assertThat(rows()).containsExactly("id-1 QUARANTINED 1 2");
    assertThat(column("SELECT released_as FROM inbox_stored")).containsExactly("new-1");
  }

  @Test
  void aCapturedMessageIsWokenInItsRow() throws SQLException {
    capture("a1", "a");
    releaseCaptured("a1");
    long id = rowOf("a1");

    assertThat(due("shipping", 10)).containsExactly(id);
    assertThat(claimed(id).at().isCaptured()).isTrue();
    assertThat(rows()).containsExactly("a1 PENDING 1 0");
    assertThat(column("SELECT ordering_key FROM inbox_key")).containsExactly("a");
    assertThat(due("shipping", 10)).isEmpty();
    commit(
        connection -> {
          assertThat(stores.captured().claim(connection, id, LONG)).isTrue();
          assertThat(stores.captured().read(connection, id).content().get())
              .isEqualTo(TestDelivery.of("a1").content());
          return true;
        });
  }

  @Test
  void aCapturedMessageIsWokenBehindTheOneThatHasItsKey() throws SQLException {
    capture("a1", "a");
    releaseCaptured("a1");
    capture("a2", "a");
    assertThat(rows()).containsExactly("a1 HANDED_BACK 1 0", "a2 PENDING 0 0");

    assertThat(claimed(rowOf("a1")).at().isCaptured()).isTrue();
    assertThat(rows()).containsExactly("a1 HELD 1 0", "a2 PENDING 0 0");
  }

  /** Both are asked for again and again, beside very many that are not due. */
  @Test
  void whatIsDueIsFoundByItsIndex() throws Exception {
    park("id-1");
    String numbers =
        dialect == Dialect.H2 ? "SYSTEM_RANGE(1, 20000) n(i)" : "generate_series(1, 20000) n(i)";
    execute(
        """
        INSERT INTO inbox_stored (consumer, message_id, status, captured, precedence, due_at,
          fingerprint, fingerprint_version, headers, size, body_type, properties)
        SELECT consumer, 'many ' || i,
          CASE MOD(i, 4) WHEN 0 THEN 'HANDED_BACK' WHEN 1 THEN 'DELAYED' WHEN 2 THEN 'PARKED'
            ELSE 'PROCESSED' END,
          FALSE, precedence, CURRENT_TIMESTAMP + i * INTERVAL '1' MINUTE, fingerprint,
          fingerprint_version, headers, size, body_type, properties
        FROM inbox_stored CROSS JOIN %s
        """
            .formatted(numbers));
    long due = retry("id-2", NONE);
    long back = handBack("id-3", ReplyOnRedrive.KEEP, NONE).id();
    if (dialect == Dialect.H2) {
      execute("ANALYZE");
      assertThat(
              column(
                      """
                      EXPLAIN SELECT id FROM inbox_stored
                      WHERE consumer = 'shipping'
                        AND (status = 'HANDED_BACK' OR (status = 'DELAYED' AND NOT captured))
                        AND due_at <= CURRENT_TIMESTAMP ORDER BY due_at FETCH FIRST 10 ROWS ONLY
                      """)
                  .get(0)
                  .toLowerCase(Locale.ROOT))
          .contains("inbox_stored_due_ix", "due_at <= ");
      assertThat(due("shipping", 10)).containsExactly(due, back);
      return;
    }
    execute("VACUUM ANALYZE inbox_stored");
    for (String plans : List.of("force_custom_plan", "force_generic_plan")) {
      try (Connection real = TestDatabase.connect(url)) {
        real.setAutoCommit(true);
        PlanRecorder recorder = new PlanRecorder(real, "SET plan_cache_mode = " + plans);
        assertThat(store.due(recorder.connection(), "shipping", 10)).containsExactly(due, back);
        List<PlanRecorder.Execution> executions = recorder.take();
        assertThat(executions)
            .extracting(execution -> execution.searches().keySet())
            .containsExactly(Set.of("inbox_stored_back_ix"));
        assertThat(executions)
            .allSatisfy(
                execution -> {
                  assertThat(execution.text()).doesNotContain("Sort");
                  assertThat(execution.pages()).isLessThan(10);
                });
      }
    }
  }
}
