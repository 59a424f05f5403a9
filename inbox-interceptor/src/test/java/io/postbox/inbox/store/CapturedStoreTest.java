package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.postbox.common.ErasureTarget;
import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.ErasurePlace;
import io.postbox.common.store.ErasureQuery;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.message.Captured;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.Content.BodyType;
import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Delivery.History;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.Outcome;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.Quarantined;
import io.postbox.inbox.message.Schedule;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.message.Subject;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.store.KeptRow.Spot;
import io.postbox.inbox.store.KeptRows.Fate;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class CapturedStoreTest {
  private static final TableNames TABLES = new TableNames("", "");
  private static final Duration SILENCE = Duration.ofMinutes(1);
  private static final KeptRows KEPT = new KeptRows(Kind.PARKED, TABLES);

  @Parameter TestDatabase database;
  private String url;
  private Stores stores;
  private CapturedStore store;

  @BeforeEach
  void makeTheTables() throws SQLException {
    url = database.freshUrl();
    try (Connection start = TestDatabase.connect(url)) {
      Dialect dialect = Dialect.of(start, "inbox");
      new Schema(dialect, TestConfig.of("shop", TABLES, true)).prepare(start);
      stores = Stores.of(dialect, TABLES, KeptContents.CLEAR);
      store = stores.captured();
    }
  }

  @AfterEach
  void noKeyWithoutUnfinishedMessagesStays() throws SQLException {
    assertThat(
            column(
                """
                SELECT ordering_key FROM inbox_key k WHERE NOT EXISTS
                  (SELECT 1 FROM inbox_stored c WHERE c.consumer = k.consumer
                   AND c.ordering_key = k.ordering_key AND c.status <> 'PROCESSED')
                """))
        .isEmpty();
  }

  private Dialect dialect() {
    return database == TestDatabase.H2 ? Dialect.H2 : Dialect.POSTGRESQL;
  }

  private interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  private boolean committed(Work<Boolean> work) throws SQLException {
    return commit(work);
  }

  private Optional<Fingerprint> completed(String id) throws SQLException {
    return commit(connection -> store.completedFingerprint(connection, "shipping", id));
  }

  private <T> T commit(Work<T> work) throws SQLException {
    try (Connection connection = begin()) {
      T result = work.on(connection);
      connection.commit();
      return result;
    }
  }

  private Connection begin() throws SQLException {
    Connection connection = TestDatabase.connect(url);
    connection.setAutoCommit(false);
    return connection;
  }

  private boolean capture(String id, Schedule schedule) throws SQLException {
    return commit(connection -> capture(connection, id, schedule));
  }

  private boolean capture(Connection connection, String id, Schedule schedule) throws SQLException {
    Delivery delivery = delivery(id, schedule);
    stores.messages().insertIfAbsent(connection, delivery, id, Outcome.CAPTURED);
    return store.capture(connection, delivery, id, true).isEmpty();
  }

  private static Delivery delivery(String id, Schedule schedule) {
    Delivery plain =
        TestDelivery.of(id)
            .with(new Subject("Order", "7", 3L))
            .askedFor("queue:REPLIES")
            .delivery();
    return new Delivery(
        plain.consumer(),
        plain.id(),
        plain.fingerprint(),
        plain.source(),
        plain.eventType(),
        plain.subject(),
        plain.dataSubject(),
        plain.destination(),
        plain.replyTo(),
        plain.headers(),
        plain.history(),
        plain.body(),
        plain.content(),
        plain.metadata(),
        schedule,
        null);
  }

  private static Schedule key(String key) {
    return new Schedule(key, Schedule.NORMAL_PRIORITY, null);
  }

  /** The ids of the messages that may be handled, in the order of their turns. */
  private List<String> candidates() throws SQLException {
    try (Connection connection = TestDatabase.connect(url)) {
      connection.setAutoCommit(true);
      List<String> found = new ArrayList<>();
      List<Long> ids =
          new CapturedCandidates("shipping", System::nanoTime).read(store, connection, true, 10);
      for (long id : ids) {
        found.addAll(column("SELECT message_id FROM inbox_stored WHERE id = " + id));
      }
      return found;
    }
  }

  private long rowOf(String messageId) throws SQLException {
    return Long.parseLong(
        column(
                "SELECT id FROM inbox_stored WHERE variant = '' AND message_id = '"
                    + messageId
                    + "'")
            .get(0));
  }

  private Captured claimed(Connection connection, String messageId) throws SQLException {
    assertThat(store.claim(connection, rowOf(messageId), SILENCE)).as(messageId).isTrue();
    return store.read(connection, rowOf(messageId));
  }

  private void finish(String messageId) throws SQLException {
    commit(
        connection -> {
          Captured captured = claimed(connection, messageId);
          assertThat(store.complete(connection, "shipping", messageId, Outcome.PROCESSED.name()))
              .isTrue();
          store.finish(connection, captured, false);
          return true;
        });
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

  private List<String> statuses() throws SQLException {
    return column("SELECT message_id || ' ' || status FROM inbox_stored ORDER BY id");
  }

  @Test
  void aMessageIsReadAsItWasCaptured() throws SQLException {
    assertThat(capture("id-1", new Schedule("k", 7, null))).isTrue();
    assertThat(capture("id-1", new Schedule("k", 7, null))).as("once").isFalse();

    try (Connection connection = begin()) {
      Captured captured = claimed(connection, "id-1");
      Delivery expected = delivery("id-1", new Schedule("k", 7, null));
      assertThat(captured.delivery())
          .usingRecursiveComparison()
          .ignoringFields("content", "metadata", "history", "stored")
          .isEqualTo(expected);
      assertThat(captured.content().get()).isEqualTo(expected.content().get());
      assertThat(captured.delivery().stored()).isEqualTo(new StoredRow(rowOf("id-1"), 0));
      assertThat(captured.delivery().history()).isEqualTo(new History(false, 0, 0));
      assertThat(captured.mayReply()).isTrue();
      assertThat(captured.isHandled()).isFalse();
      connection.rollback();
    }
    finish("id-1");
  }

  @Test
  void aClaimedMessageIsNobodyElses() throws SQLException {
    capture("id-1", Schedule.PLAIN);
    long row = rowOf("id-1");

    try (Connection one = begin();
        Connection other = begin()) {
      assertThat(store.claim(one, row, SILENCE)).isTrue();
      assertThat(store.claim(other, row, SILENCE)).isFalse();
      one.rollback();
      assertThat(store.claim(other, row, SILENCE)).as("after the rollback").isTrue();
      other.rollback();
    }
  }

  @Test
  void messagesOfOneKeyTakeTurnsAndOthersDoNotWait() throws SQLException {
    capture("a1", key("a"));
    capture("a2", key("a"));
    capture("b1", key("b"));
    capture("a3", key("a"));
    capture("n1", Schedule.PLAIN);

    assertThat(candidates()).containsExactly("a1", "b1", "n1");
    finish("a1");
    assertThat(candidates()).containsExactly("a2", "b1", "n1");
    finish("b1");
    finish("a2");
    finish("n1");
    assertThat(statuses()).containsExactly("a3 PENDING");
    finish("a3");
    assertThat(statuses()).isEmpty();
    assertThat(column("SELECT DISTINCT outcome FROM inbox_message")).containsExactly("PROCESSED");
  }

  @Test
  void oneThatIsCapturedWhileTheLastOfItsKeyEndsIsNotForgotten() throws Exception {
    capture("a1", key("a"));

    try (Connection worker = begin()) {
      Captured first = claimed(worker, "a1");
      try (Connection listener = begin()) {
        capture(listener, "a2", key("a")); // sees the key, and locks it
        Thread end =
            new Thread(
                () -> {
                  try {
                    store.finish(worker, first, false); // waits for that lock
                    worker.commit();
                  } catch (SQLException failed) {
                    throw new IllegalStateException(failed);
                  }
                });
        end.start();
        try (Connection observer = TestDatabase.connect(url)) {
          await().until(() -> database.waitingSessions(observer) == 1);
        }
        listener.commit();
        end.join();
      }
    }

    assertThat(statuses()).containsExactly("a2 PENDING");
    finish("a2");
  }

  @Test
  void workThatIsDoneWaitsForNobodyWhoHasItsKey() throws SQLException {
    capture("a1", key("a"));

    try (Connection caller = begin()) {
      capture(caller, "a2", key("a")); // in a transaction that goes on for long
      assertThat(committed(worker -> store.finishUnlessBusy(worker, claimed(worker, "a1"), false)))
          .isFalse();
      assertThat(statuses()).as("only its end is left").containsExactly("a1 PENDING");
      assertThat(column("SELECT message_id FROM inbox_stored WHERE handled")).containsExactly("a1");
      caller.commit();
    }
    assertThat(committed(worker -> store.finishUnlessBusy(worker, claimed(worker, "a1"), false)))
        .isTrue();
    assertThat(statuses()).containsExactly("a2 PENDING");
    finish("a2");
  }

  @Test
  void aDiscardOfSeveralWaitsForNobodyWhoHasAKey() throws SQLException {
    capture("a1", key("a"));
    park("a1", true);

    try (Connection caller = begin()) {
      capture(caller, "a2", key("a"));
      assertThat(committed(on -> discard(on, "a1", false))).isFalse();
      caller.commit();
    }
    assertThat(statuses()).containsExactly("a1 PARKED", "a2 HELD");
    assertThat(committed(on -> discard(on, "a1", false))).isTrue();
    assertThat(statuses()).containsExactly("a2 PENDING");
  }

  @Test
  void anErasureLeavesWhatIsInWorkToALaterStep() throws SQLException {
    for (String id : List.of("a1", "a2", "b1", "n1")) {
      capture(id, id.startsWith("n") ? Schedule.PLAIN : key(id.substring(0, 1)));
    }
    List<Long> all = List.of(rowOf("a1"), rowOf("a2"), rowOf("b1"), rowOf("n1"));
    ErasurePlace<Long> place =
        new ErasureStore(dialect(), TABLES, KeptContents.CLEAR, consumer -> false)
            .captured(new ErasureQuery(ErasureTarget.messages(List.of("a1")), "", Instant.EPOCH));
    try (Connection worker = begin();
        Connection caller = begin()) {
      assertThat(store.claim(worker, rowOf("a1"), SILENCE)).isTrue();
      capture(caller, "b2", key("b"));

      int erased = commit(erasure -> place.erase(erasure, all));
      assertThat(erased).as("a2 and n1").isEqualTo(2);
      assertThat(statuses()).containsExactly("a1 PENDING", "b1 PENDING");
      worker.rollback();
      caller.rollback();
    }
    int erased = commit(erasure -> place.erase(erasure, all));
    assertThat(erased).isEqualTo(2);
    assertThat(statuses()).isEmpty();
  }

  @Test
  void anErasureThatWaitsForAMessageHasNoOther() throws SQLException {
    capture("a1", key("a"));
    capture("b1", key("b"));
    ErasurePlace<Long> place =
        new ErasureStore(dialect(), TABLES, KeptContents.CLEAR, consumer -> false)
            .captured(new ErasureQuery(ErasureTarget.messages(List.of("a1")), "", Instant.EPOCH));
    int[] waits = {0};
    try (Connection caller = begin();
        Connection worker = begin();
        Connection erasure = begin()) {
      capture(caller, "a2", key("a"));
      capture(caller, "b2", key("b"));
      Connection watched =
          (Connection)
              Proxy.newProxyInstance(
                  Connection.class.getClassLoader(),
                  new Class<?>[] {Connection.class},
                  (proxy, method, arguments) -> {
                    if (arguments != null
                        && arguments[0] instanceof String sql
                        && sql.contains("inbox_key")
                        && sql.endsWith("FOR UPDATE")) {
                      waits[0]++;
                      assertThat(store.claim(worker, rowOf("b1"), SILENCE)).isTrue();
                      worker.rollback();
                      caller.rollback();
                    }
                    return method.invoke(erasure, arguments);
                  });
      assertThat(place.erase(watched, List.of(rowOf("a1"), rowOf("b1")))).isEqualTo(1);
      assertThat(waits[0]).isEqualTo(1);
      erasure.commit();
    }
    assertThat(statuses()).containsExactly("b1 PENDING");
    finish("b1");
  }

  /** Its followers are locked out as long as that takes. */
  @Test
  void whatHappensToAParkedHeadReadsNoneOfItsManyFollowers() throws SQLException {
    Assumptions.assumeTrue(database == TestDatabase.POSTGRESQL, "it tells what it reads");
    capture("a1", key("a"));
    capture("a2", key("a"));
    park("a1", true);
    commit(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(
                """
                INSERT INTO inbox_stored (consumer, message_id, status, captured, precedence,
                  ordering_key, fingerprint, fingerprint_version, headers, size, body_type,
                  properties)
                SELECT consumer, 'follower-' || i, 'HELD', TRUE, precedence, ordering_key,
                  fingerprint, fingerprint_version, headers, size, body_type, properties
                FROM inbox_stored, generate_series(1, 20000) i WHERE message_id = 'a2'
                """);
          }
        });
    PlanRecorder recorder = new PlanRecorder(TestDatabase.connect(url), "");
    try (Connection connection = recorder.connection()) {
      connection.setAutoCommit(false);
      recorder.take();
      long row = rowOf("a1");
      assertThat(restore(connection, row)).isTrue();
      connection.rollback();
      assertThat(discard(connection, row, false)).isTrue();
      connection.rollback();
    }
    assertThat(recorder.take())
        .hasSizeGreaterThan(4)
        .allSatisfy(one -> assertThat(one.pages()).as(one.text()).isLessThan(100));
  }

  @Test
  void aHigherPriorityGoesFirst() throws SQLException {
    capture("low", new Schedule(null, 1, null));
    capture("normal", Schedule.PLAIN);
    capture("high", new Schedule(null, 9, null));

    assertThat(candidates()).containsExactly("high", "normal", "low");
  }

  @Test
  void aDelayedMessageWaitsAndHoldsItsKey() throws SQLException {
    capture("a1", key("a"));
    capture("a2", key("a"));
    commit(
        connection -> {
          Captured captured = claimed(connection, "a1");
          return stores
              .kept()
              .delay(
                  connection,
                  captured.delivery(),
                  new DelayedRetry("a1", Duration.ofHours(1), 2, 0),
                  false);
        });

    assertThat(candidates()).isEmpty();
    assertThat(statuses()).containsExactly("a1 DELAYED", "a2 HELD");
    try (Connection connection = begin()) {
      assertThat(store.claim(connection, rowOf("a1"), SILENCE)).as("not due").isFalse();
      connection.rollback();
    }
    commit(
        connection -> {
          StoredRow row = new StoredRow(rowOf("a1"), 0);
          return stores
              .kept()
              .delay(
                  connection,
                  TestDelivery.of("a1").with(row).delivery(),
                  new DelayedRetry("a1", Duration.ZERO, 2, 0),
                  false);
        });
    assertThat(candidates()).containsExactly("a1");
    try (Connection connection = begin()) {
      assertThat(claimed(connection, "a1").delivery().history())
          .isEqualTo(new History(false, 2, 0));
      connection.rollback();
    }
  }

  @Test
  void notBeforeIsKept() throws SQLException {
    capture("later", new Schedule(null, 4, Instant.now().plusSeconds(3600)));
    capture("past", new Schedule(null, 4, Instant.now().minusSeconds(3600)));

    assertThat(candidates()).containsExactly("past");
  }

  @Test
  void aRecordedFailureShowsInTheHistory() throws SQLException {
    capture("id-1", Schedule.PLAIN);
    commit(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            statement.execute(
                "INSERT INTO inbox_failure (consumer, message_id, attempt, kind, reason)"
                    + " VALUES ('shipping', 'id-1', 1, 'FAILED', 'x')");
          }
          return true;
        });

    try (Connection connection = begin()) {
      assertThat(claimed(connection, "id-1").delivery().history().mayHaveFailed()).isTrue();
      connection.rollback();
    }
  }

  @Test
  void aParkedMessageHoldsItsKeyOrNot() throws SQLException {
    capture("a1", key("a"));
    capture("a2", key("a"));
    capture("b1", key("b"));
    capture("b2", key("b"));
    park("a1", true);
    park("b1", false);

    assertThat(statuses()).containsExactly("a1 PARKED", "a2 HELD", "b1 PARKED", "b2 PENDING");
    assertThat(
            column(
                "SELECT payload_text || ' ' || reason || ' ' || error || ' ' || attempts"
                    + " FROM inbox_stored WHERE status = 'PARKED' AND kept_at IS NOT NULL"))
        .as("each stays in its row")
        .containsOnly("hello TOO_MANY_FAILURES no stock 3")
        .hasSize(2);
  }

  /** The version that it waits for may be behind it, with the same key. */
  @Test
  void aBufferedMessageHoldsNoKeyAndIsRestoredBehindTheOneInWork() throws SQLException {
    capture("version 3", key("a"));
    capture("version 2", key("a"));
    capture("version 1", key("a"));
    for (String early : List.of("version 3", "version 2")) {
      keepAside(early, ParkReason.EARLY, "", false);
    }
    assertThat(statuses())
        .containsExactly("version 3 EARLY", "version 2 EARLY", "version 1 PENDING");

    assertThat(restore("version 2")).isTrue();
    assertThat(statuses()).contains("version 2 HELD");
    commit(
        connection -> {
          store.finish(connection, claimed(connection, "version 1"), false);
          return true;
        });
    assertThat(statuses()).containsExactly("version 3 EARLY", "version 2 PENDING");
  }

  private void park(String messageId, boolean holds) throws SQLException {
    keepAside(messageId, ParkReason.TOO_MANY_FAILURES, "no stock", holds);
  }

  private void keepAside(String messageId, ParkReason reason, String error, boolean holds)
      throws SQLException {
    commit(
        connection -> {
          Captured claimed = claimed(connection, messageId);
          Parked parked = new Parked(claimed.delivery(), messageId, reason, error, "5ef0", 3);
          assertThat(stores.kept().park(connection, parked, false)).isEmpty();
          store.keepAside(connection, claimed, holds);
          return true;
        });
  }

  private boolean restore(String messageId) throws SQLException {
    long row = rowOf(messageId);
    return commit(connection -> restore(connection, row));
  }

  /** Has a message handled as an operator's redrive does; false if it is not kept aside. */
  private boolean restore(Connection connection, long row) throws SQLException {
    Optional<KeptRow> kept = KEPT.lock(connection, row);
    if (kept.isPresent()) {
      Spot at = kept.get().at();
      store.wake(connection, at.id(), at.consumer(), at.key(), at.holds());
    }
    return kept.isPresent();
  }

  private boolean discard(Connection connection, String messageId, boolean waits)
      throws SQLException {
    return discard(connection, rowOf(messageId), waits);
  }

  /** Discards a message as an operator's discard does. */
  private boolean discard(Connection connection, long row, boolean waits) throws SQLException {
    Spot at = KEPT.lock(connection, KeptFilter.all(), List.of(row), waits).get(0);
    return store.discard(connection, at.consumer(), at.messageId(), at.key(), at.holds(), waits)
        && KEPT.delete(connection, List.of(row)) == 1;
  }

  @Test
  void aRestoredMessageKeepsItsPlace() throws SQLException {
    capture("a1", key("a"));
    capture("a2", key("a"));
    park("a1", true);

    assertThat(restore("a1")).isTrue();
    assertThat(restore("a1")).as("no more").isFalse();
    assertThat(statuses()).containsExactly("a1 PENDING", "a2 HELD");
    finish("a1");
    assertThat(candidates()).containsExactly("a2");
    finish("a2");
  }

  @Test
  void aParkedMessageIsHandledWithItsEditedContentIfThereIsOne() throws SQLException {
    capture("a1", key("a"));
    park("a1", true);
    assertThat(restored("a1")).isEqualTo(TestDelivery.of("a1").content());

    park("a1", true);
    Content edited = new Content(BodyType.TEXT, "edited", null, "{}");
    commit(
        connection -> {
          KeptRow row = KEPT.lock(connection, rowOf("a1")).orElseThrow();
          KEPT.replace(connection, row, edited, KeptContents.CLEAR);
          return true;
        });
    assertThat(restored("a1").text()).isEqualTo("edited");
    finish("a1");
  }

  @Test
  void aRedrivenMessageHasNoErrorAnyMore() throws SQLException {
    capture("a1", key("a"));
    park("a1", true);
    restore("a1");

    assertThat(
            column(
                "SELECT message_id FROM inbox_stored WHERE reason IS NULL AND error = ''"
                    + " AND signature = '' AND attempts = 0 AND kept_at IS NULL AND NOT holds"))
        .containsExactly("a1");
    finish("a1");
  }

  @Test
  void aQuarantinedMessageStaysInItsRowAndHasNoPlace() throws SQLException {
    capture("a1", key("a"));
    capture("a2", key("a"));
    commit(
        connection -> {
          Captured claimed = claimed(connection, "a1");
          assertThat(
                  stores
                      .kept()
                      .quarantine(
                          connection,
                          new Quarantined(
                              claimed.delivery(),
                              "a1",
                              QuarantineReason.OTHER_CONTENT,
                              TestDelivery.FINGERPRINT)))
              .isTrue();
          store.forget(connection, claimed);
          return true;
        });

    assertThat(statuses()).containsExactly("a1 QUARANTINED", "a2 PENDING");
    assertThat(
            column(
                "SELECT payload_text FROM inbox_stored"
                    + " WHERE NOT captured AND ordering_key IS NULL AND variant <> ''"))
        .containsExactly("hello");
    assertThat(column("SELECT message_id FROM inbox_message")).containsExactly("a2");
    assertThat(capture("a1", key("a"))).as("as one that never came").isTrue();
    finish("a2");
    finish("a1");
  }

  @Test
  void theRedriveOfAHandledMessageIsDoneOnceItsReplyIsSent() throws SQLException {
    capture("id-1", Schedule.PLAIN);
    commit(
        connection -> {
          store.complete(connection, "shipping", "id-1", Outcome.PROCESSED.name());
          return store.handled(connection, claimed(connection, "id-1"));
        });
    park("id-1", true);
    assertThat(fate("id-1")).isEqualTo(Fate.FAILED);
    restore("id-1");
    assertThat(fate("id-1")).isEqualTo(Fate.WAITING);

    commit(
        connection -> {
          store.finish(connection, claimed(connection, "id-1"), true);
          return true;
        });
    assertThat(fate("id-1")).isEqualTo(Fate.DONE);
  }

  private Fate fate(String messageId) throws SQLException {
    long row = rowOf(messageId);
    return commit(connection -> KEPT.fates(connection, List.of(row))).get(0);
  }

  @Test
  void erasingAHandledMessageDoesNotDiscardItsVersion() throws SQLException {
    capture("id-1", Schedule.PLAIN);
    commit(
        connection -> {
          store.complete(connection, "shipping", "id-1", Outcome.PROCESSED.name());
          return store.handled(connection, claimed(connection, "id-1"));
        });

    ErasureQuery target =
        new ErasureQuery(ErasureTarget.messages(List.of("id-1")), "", Instant.EPOCH);
    ErasurePlace<Long> place =
        new ErasureStore(dialect(), TABLES, KeptContents.CLEAR, consumer -> true).captured(target);
    int erased = commit(connection -> place.erase(connection, List.of(rowOf("id-1"))));
    assertThat(erased).isEqualTo(1);
    assertThat(column("SELECT version FROM inbox_discarded")).isEmpty();
  }

  private Content restored(String messageId) throws SQLException {
    assertThat(restore(messageId)).isTrue();
    return commit(connection -> claimed(connection, messageId).content().get());
  }

  @Test
  void aRestoredMessageWaitsForTheOneInWork() throws SQLException {
    capture("a1", key("a"));
    capture("a2", key("a"));
    capture("a3", key("a"));
    park("a1", false);

    assertThat(restore("a1")).isTrue();
    assertThat(statuses()).containsExactly("a1 HELD", "a2 PENDING", "a3 HELD");
    finish("a2");
    assertThat(candidates()).containsExactly("a1");
  }

  @Test
  void oneThatIsRestoredAfterTheLastOfItsKeyIsHandledAtOnce() throws SQLException {
    capture("a1", key("a"));
    capture("a2", key("a"));
    park("a1", false);
    finish("a2");

    assertThat(restore("a1")).isTrue();
    assertThat(candidates()).containsExactly("a1");
    finish("a1");
  }

  @Test
  void aDiscardedMessageLetsTheNextGoOnUnlessOneIsInWork() throws SQLException {
    for (String key : List.of("a", "b")) {
      capture(key + 1, key(key));
      capture(key + 2, key(key));
      capture(key + 3, key(key));
    }
    park("a1", true);
    park("b1", false);

    for (String first : List.of("a1", "b1")) {
      assertThat(committed(connection -> discard(connection, first, true))).isTrue();
    }
    assertThat(statuses()).containsExactly("a2 PENDING", "a3 HELD", "b2 PENDING", "b3 HELD");
    assertThat(column("SELECT message_id FROM inbox_message WHERE outcome = 'DISCARDED'"))
        .containsExactlyInAnyOrder("a1", "b1");
  }

  @Test
  void aProcessedRowMayBeKept() throws SQLException {
    capture("a1", key("a"));
    commit(
        connection -> {
          store.finish(connection, claimed(connection, "a1"), true);
          return true;
        });

    assertThat(statuses()).containsExactly("a1 PROCESSED");
    assertThat(candidates()).isEmpty();
  }

  @Test
  void aMessageIsCompletedOnce() throws SQLException {
    capture("id-1", Schedule.PLAIN);

    assertThat(completed("id-1")).isEmpty();
    assertThat(committed(connection -> store.complete(connection, "shipping", "id-1", "PROCESSED")))
        .isTrue();
    assertThat(committed(connection -> store.complete(connection, "shipping", "id-1", "PROCESSED")))
        .isFalse();
    assertThat(completed("id-1")).contains(TestDelivery.FINGERPRINT);
  }
}
