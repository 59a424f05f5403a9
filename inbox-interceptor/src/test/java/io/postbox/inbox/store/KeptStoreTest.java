package io.postbox.inbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.config.TableNames;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.Sql;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.KeptPlan.ForConsumer;
import io.postbox.inbox.KeptPlan.Kind;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.config.TestConfig;
import io.postbox.inbox.jms.StoredMessage;
import io.postbox.inbox.message.Content;
import io.postbox.inbox.message.DelayedRetry;
import io.postbox.inbox.message.Delivery;
import io.postbox.inbox.message.Fingerprint;
import io.postbox.inbox.message.MessageId.Known;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.Parked;
import io.postbox.inbox.message.QuarantineReason;
import io.postbox.inbox.message.Quarantined;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.store.KeptContentsTest.Turning;
import io.postbox.inbox.store.KeptRow.Spot;
import io.postbox.inbox.store.KeptViews.Counted;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A message that has a row keeps it, whatever becomes of it, and its content stays readable. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class KeptStoreTest {
  private static final TableNames TABLES = new TableNames("", "");
  private static final Duration LONG = Duration.ofHours(1);
  private static final Fingerprint OTHER = new Fingerprint(1, "ee".repeat(32));

  private final KeptContents contents = new KeptContents(() -> Optional.of(new Turning("key-1")));
  private final KeptRows parked = new KeptRows(Kind.PARKED, TABLES);
  private final KeptRows quarantined = new KeptRows(Kind.QUARANTINED, TABLES);

  @Parameter TestDatabase database;
  private String url;
  private Stores stores;
  private KeptStore store;

  @BeforeEach
  void makeTheTables() throws SQLException {
    url = database.freshUrl();
    try (Connection start = TestDatabase.connect(url)) {
      Dialect dialect = Dialect.of(start, "inbox");
      new Schema(dialect, TestConfig.of("shop", TABLES, true)).prepare(start);
      stores = Stores.of(dialect, TABLES, contents);
      store = stores.kept();
    }
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

  private List<String> rows() throws SQLException {
    return column(
        "SELECT message_id || ' ' || status || ' ' || generation FROM inbox_stored ORDER BY id");
  }

  private Optional<Fingerprint> park(TestDelivery delivery) throws SQLException {
    return commit(connection -> park(connection, delivery));
  }

  private Optional<Fingerprint> park(Connection connection, TestDelivery delivery)
      throws SQLException {
    return store.park(
        connection,
        new Parked(
            delivery.delivery(),
            ((Known) delivery.id()).value(),
            ParkReason.TOO_MANY_FAILURES,
            "no stock",
            "5ef0",
            3),
        false);
  }

  private boolean quarantine(TestDelivery delivery, @Nullable String id) throws SQLException {
    return commit(
        connection ->
            store.quarantine(
                connection,
                new Quarantined(delivery.delivery(), id, QuarantineReason.OTHER_CONTENT, OTHER)));
  }

  private long lastRow() throws SQLException {
    return Long.parseLong(column("SELECT MAX(id) FROM inbox_stored").get(0));
  }

  private void handBack(KeptRows rows, long row, @Nullable String releasedAs) throws SQLException {
    commit(
        connection -> {
          KeptRow kept = rows.lock(connection, row).orElseThrow();
          rows.handBack(connection, kept.at(), releasedAs, ReplyOnRedrive.KEEP, LONG);
          return true;
        });
  }

  /** Parks a message and hands it back; its copy has generation 1. */
  private StoredRow copyOf(String id) throws SQLException {
    park(TestDelivery.of(id));
    handBack(parked, lastRow(), null);
    return new StoredRow(lastRow(), 1);
  }

  /** Quarantines a message and has it sent under another id. */
  private StoredRow copyUnder(String newId) throws SQLException {
    assertThat(quarantine(TestDelivery.of("unused"), "id-1")).isTrue();
    handBack(quarantined, lastRow(), newId);
    return new StoredRow(lastRow(), 1);
  }

  private Optional<String> claimed(StoredRow copy) throws SQLException {
    return commit(connection -> store.claim(connection, copy));
  }

  @Test
  void aCopyIsClaimedByWhoeverTakesItUntilItsTransactionEnds() throws SQLException {
    StoredRow copy = copyOf("id-1");

    try (Connection first = begin();
        Connection second = begin()) {
      assertThat(store.claim(first, copy)).contains("shipping");
      assertThat(store.claim(second, copy)).as("another transaction has it").isEmpty();
      first.rollback();
      assertThat(store.claim(second, copy)).contains("shipping");
      second.rollback();
    }
  }

  @Test
  void aCopyOfAnotherGenerationOrOfNoRowIsNotClaimed() throws SQLException {
    StoredRow copy = copyOf("id-1");

    assertThat(claimed(new StoredRow(copy.id(), 0))).isEmpty();
    assertThat(claimed(new StoredRow(copy.id(), 2))).isEmpty();
    assertThat(claimed(new StoredRow(copy.id() + 1, 1))).isEmpty();
    assertThat(claimed(copy)).isPresent();
  }

  @Test
  void aCopyOfWhatHasAnotherStatusIsNotClaimed() throws SQLException {
    StoredRow copy = copyOf("id-1");
    for (StoredStatus status : StoredStatus.values()) {
      commit(
          connection -> {
            try (Statement statement = connection.createStatement()) {
              return statement.executeUpdate(
                  "UPDATE inbox_stored SET status = '%s'".formatted(status));
            }
          });
      assertThat(claimed(copy).isPresent())
          .as("%s", status)
          .isEqualTo(status == StoredStatus.HANDED_BACK);
    }
  }

  /** It is handled in its row, and no copy of it was ever sent. */
  @Test
  void aCopyOfACapturedMessageIsNotClaimed() throws SQLException {
    StoredRow copy = copyOf("id-1");
    commit(
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate("UPDATE inbox_stored SET captured = TRUE");
          }
        });

    assertThat(claimed(copy)).isEmpty();
  }

  @Test
  void aClaimedMessageIsDoneDelayedOrParkedInItsRow() throws SQLException {
    StoredRow copy = copyOf("id-1");
    commit(
        connection -> {
          assertThat(store.claim(connection, copy)).isPresent();
          return store.delay(
              connection,
              TestDelivery.of("id-1").with(copy).delivery(),
              new DelayedRetry("id-1", LONG, 2, 0),
              false);
        });
    assertThat(rows()).containsExactly("id-1 DELAYED 1");
    assertThat(column("SELECT waited_for FROM inbox_stored")).containsExactly("2");
    assertThat(claimed(copy)).as("a second one").isEmpty();

    StoredRow other = copyOf("id-2");
    assertThat(park(TestDelivery.of("id-2").with(other))).isEmpty();
    assertThat(rows()).containsExactly("id-1 DELAYED 1", "id-2 PARKED 1");
    assertThat(opened(other.id(), "id-2")).isEqualTo(TestDelivery.of("id-2").content());

    StoredRow third = copyOf("id-3");
    commit(
        connection -> {
          assertThat(store.claim(connection, third)).isPresent();
          store.delete(connection, third.id());
          return true;
        });
    assertThat(rows()).containsExactly("id-1 DELAYED 1", "id-2 PARKED 1");
  }

  private static DelayedRetry after(Duration delay, int waitedFor) {
    return new DelayedRetry("id-1", delay, waitedFor, 0);
  }

  private Optional<Fingerprint> delay(TestDelivery delivery, DelayedRetry retry, boolean mayReply)
      throws SQLException {
    return commit(connection -> store.delay(connection, delivery.delivery(), retry, mayReply));
  }

  @Test
  void aFailingMessageIsStoredUntilItsRetryIsDueByTheDatabasesClock() throws SQLException {
    TestDelivery asking = TestDelivery.of("id-1").askedFor("queue:REPLIES");
    String before = column("SELECT CURRENT_TIMESTAMP").get(0);
    assertThat(delay(asking, after(LONG, 2), true)).isEmpty();

    assertThat(rows()).containsExactly("id-1 DELAYED 0");
    assertThat(
            column(
                """
                SELECT message_id FROM inbox_stored
                WHERE due_at - INTERVAL '1' HOUR
                  BETWEEN TIMESTAMP WITH TIME ZONE '%s' AND CURRENT_TIMESTAMP
                """
                    .formatted(before)))
        .containsExactly("id-1");
    assertThat(column("SELECT waited_for FROM inbox_stored")).containsExactly("2");
    assertThat(column("SELECT reply_to FROM inbox_stored WHERE reply_allowed AND NOT captured"))
        .containsExactly("queue:REPLIES");
    assertThat(
            column(
                "SELECT message_id FROM inbox_stored WHERE kept_at IS NULL AND reason IS NULL"
                    + " AND ordering_key IS NULL AND setbacks = 0"))
        .as("nobody has to decide about it, and nothing waits behind it")
        .containsExactly("id-1");
    assertThat(opened(lastRow(), "id-1")).isEqualTo(asking.content());
    assertThat(claimed(new StoredRow(lastRow(), 0))).as("no copy is on its way").isEmpty();
  }

  /** Each delivery of a message that a broker has twice comes here. */
  @Test
  void aFailingMessageIsStoredOnceAndTellsWhichIsThere() throws SQLException {
    assertThat(delay(TestDelivery.of("id-1"), after(LONG, 2), true)).isEmpty();
    String due = column("SELECT due_at FROM inbox_stored").get(0);

    TestDelivery other = TestDelivery.of("id-1").with(OTHER);
    assertThat(delay(other, after(Duration.ZERO, 7), false)).contains(TestDelivery.FINGERPRINT);
    assertThat(rows()).containsExactly("id-1 DELAYED 0");
    assertThat(column("SELECT due_at FROM inbox_stored WHERE reply_allowed AND waited_for = 2"))
        .containsExactly(due);
    assertThat(park(other)).as("nor is it parked beside").contains(TestDelivery.FINGERPRINT);
    assertThat(rows()).containsExactly("id-1 DELAYED 0");
    assertThat(delay(TestDelivery.of("id-1").to("billing"), after(LONG, 1), false))
        .as("another consumer's")
        .isEmpty();
  }

  @Test
  void aFailingMessageThatIsParkedIsNotStoredBesideIt() throws SQLException {
    assertThat(park(TestDelivery.of("id-1").with(OTHER))).isEmpty();

    assertThat(delay(TestDelivery.of("id-1"), after(LONG, 1), true)).contains(OTHER);
    assertThat(rows()).containsExactly("id-1 PARKED 0");
  }

  @Test
  void aFailingMessageWithARowKeepsItAndWhetherAReplyIsAllowed() throws SQLException {
    assertThat(delay(TestDelivery.of("id-1"), after(LONG, 1), true)).isEmpty();
    StoredRow row = new StoredRow(lastRow(), 0);

    assertThat(delay(TestDelivery.of("id-1").with(row), after(LONG, 2), false)).isEmpty();
    assertThat(rows()).containsExactly("id-1 DELAYED 0");
    assertThat(
            column("SELECT waited_for FROM inbox_stored WHERE kept_at IS NULL AND reply_allowed"))
        .containsExactly("2");

    assertThat(park(TestDelivery.of("id-1").with(row))).isEmpty();
    assertThat(
            column(
                "SELECT message_id || ' ' || status || ' ' || waited_for FROM inbox_stored"
                    + " WHERE kept_at IS NOT NULL AND due_at IS NULL AND reply_allowed"))
        .containsExactly("id-1 PARKED 0");
    assertThat(opened(lastRow(), "id-1")).isEqualTo(TestDelivery.of("id-1").content());
  }

  @Test
  void aParkedMessageSaysWhetherAReplyIsAllowed() throws SQLException {
    for (boolean mayReply : List.of(true, false)) {
      String id = "may reply: " + mayReply;
      Parked one =
          new Parked(TestDelivery.of(id).delivery(), id, ParkReason.REJECTED, "no", "5ef0", 1);
      Optional<Fingerprint> there = commit(connection -> store.park(connection, one, mayReply));
      assertThat(there).isEmpty();
      KeptRow row = commit(connection -> parked.lock(connection, lastRow())).orElseThrow();
      assertThat(row.mayReply()).isEqualTo(mayReply);
    }
  }

  @Test
  void aMessageThatIsParkedTwiceWithOtherContentTellsWhichIsStored() throws SQLException {
    assertThat(park(TestDelivery.of("id-1"))).isEmpty();
    assertThat(park(TestDelivery.of("id-1").with(OTHER))).contains(TestDelivery.FINGERPRINT);
    assertThat(rows()).containsExactly("id-1 PARKED 0");
    assertThat(opened(lastRow(), "id-1")).isEqualTo(TestDelivery.of("id-1").content());
  }

  @Test
  void aReleasedMessageThatIsParkedTakesItsNewId() throws SQLException {
    StoredRow copy = copyUnder("new-1");
    assertThat(opened(copy.id(), "id-1")).as("still as it came").isNotNull();

    assertThat(park(TestDelivery.of("new-1").with(copy))).isEmpty();
    assertThat(rows()).containsExactly("new-1 PARKED 1");
    assertThat(
            column(
                "SELECT message_id FROM inbox_stored WHERE released_as IS NULL AND variant = ''"))
        .containsExactly("new-1");
    assertThat(opened(copy.id(), "new-1")).isEqualTo(TestDelivery.of("new-1").content());
    assertThatThrownBy(() -> opened(copy.id(), "id-1")).isInstanceOf(InboxException.class);
    assertThat(park(TestDelivery.of("new-1").with(OTHER)))
        .as("from then on that id is its own")
        .contains(TestDelivery.FINGERPRINT);
  }

  /** How a released message's row may be written, which then takes the new id. */
  private List<Optional<Fingerprint>> writtenInEachWay(StoredRow copy, String id)
      throws SQLException {
    Delivery delivery = TestDelivery.of(id).with(copy).delivery();
    return List.of(
        park(TestDelivery.of(id).with(copy)),
        delay(copy, id),
        commit(connection -> stores.captured().capture(connection, delivery, id, true)));
  }

  /** It is for its caller to keep it aside there. */
  @Test
  void aReleasedMessageStaysWhereOtherContentHasItsNewId() throws SQLException {
    StoredRow copy = copyUnder("new-1");
    assertThat(park(TestDelivery.of("new-1").with(OTHER))).isEmpty();

    assertThat(writtenInEachWay(copy, "new-1")).containsOnly(Optional.of(OTHER)).hasSize(3);
    assertThat(rows()).containsExactly("id-1 HANDED_BACK 1", "new-1 PARKED 0");
    assertThat(opened(copy.id(), "id-1")).isNotNull();
  }

  @Test
  void aReleasedMessageGoesWhereItIsStoredUnderItsNewId() throws SQLException {
    StoredRow copy = copyUnder("new-1");
    assertThat(park(TestDelivery.of("new-1"))).isEmpty();

    assertThat(delay(copy, "new-1")).contains(TestDelivery.FINGERPRINT);
    assertThat(rows()).containsExactly("new-1 PARKED 0");
    assertThat(column("SELECT id FROM inbox_stored")).doesNotContain("" + copy.id());
  }

  /** As when its quota was full: the body is in the released row alone. */
  @Test
  void aReleasedMessageTakesThePlaceOfOneThatWasStoredWithoutItsBody() throws SQLException {
    StoredRow copy = copyUnder("new-1");
    Delivery empty = TestDelivery.of("new-1").delivery().withoutBody();
    Parked without = new Parked(empty, "new-1", ParkReason.TOO_MANY_FAILURES, "", "", 3);
    commit(connection -> store.park(connection, without, false));

    assertThat(delay(copy, "new-1")).isEmpty();
    assertThat(rows()).containsExactly("new-1 DELAYED 1");
    assertThat(opened(copy.id(), "new-1")).isEqualTo(TestDelivery.of("new-1").content());
  }

  private Optional<Fingerprint> delay(StoredRow copy, String id) throws SQLException {
    Delivery delivery = TestDelivery.of(id).with(copy).delivery();
    DelayedRetry retry = new DelayedRetry(id, LONG, 2, 0);
    return commit(connection -> store.delay(connection, delivery, retry, false));
  }

  @Test
  void aReleasedMessageThatIsDelayedTakesItsNewId() throws SQLException {
    StoredRow copy = copyUnder("new-1");
    commit(connection -> Sql.update(connection, "UPDATE inbox_stored SET size = 1"));

    assertThat(delay(copy, "new-1")).isEmpty();
    assertThat(rows()).containsExactly("new-1 DELAYED 1");
    assertThat(
            column(
                "SELECT waited_for FROM inbox_stored WHERE released_as IS NULL AND variant = ''"))
        .containsExactly("2");
    Content now = opened(copy.id(), "new-1");
    assertThat(now).isEqualTo(TestDelivery.of("new-1").content());
    assertThat(column("SELECT size FROM inbox_stored"))
        .as("as many bytes as it has since")
        .containsExactly("" + now.size());
  }

  /** Whatever id its row had, and whatever else has the new one. */
  @Test
  void aReleasedMessageThatIsQuarantinedAgainTakesItsNewId() throws SQLException {
    StoredRow copy = copyUnder("new-1");
    assertThat(park(TestDelivery.of("new-1").with(OTHER))).isEmpty();

    assertThat(quarantine(TestDelivery.of("new-1").with(copy), "new-1")).isTrue();
    assertThat(rows()).containsExactly("new-1 QUARANTINED 1", "new-1 PARKED 0");
    assertThat(opened(copy.id(), "new-1")).isEqualTo(TestDelivery.of("new-1").content());

    StoredRow again = copyUnder("new-1");
    assertThat(quarantine(TestDelivery.of("new-1").with(again), "new-1"))
        .as("this content is quarantined under this id")
        .isFalse();
    assertThat(rows()).containsExactly("new-1 QUARANTINED 1", "new-1 PARKED 0");
  }

  @Test
  void aHandedBackMessageIsCapturedInItsRow() throws SQLException {
    StoredRow copy = copyUnder("new-1");
    commit(
        connection ->
            stores
                .captured()
                .capture(
                    connection, TestDelivery.of("new-1").with(copy).delivery(), "new-1", true));

    assertThat(rows()).containsExactly("new-1 PENDING 1");
    commit(
        connection -> {
          assertThat(stores.captured().claim(connection, copy.id(), LONG)).isTrue();
          assertThat(stores.captured().read(connection, copy.id()).content().get())
              .isEqualTo(TestDelivery.of("new-1").content());
          return true;
        });
  }

  @Test
  void aMessageThatIsTakenBackWaitsAsBeforeOrGoesOnByItselfUnlessItIsHandledMeanwhile()
      throws SQLException {
    StoredRow parkedOne = copyOf("id-1");
    commit(
        connection ->
            store.park(
                connection,
                new Parked(TestDelivery.of("id-2").delivery(), "id-2", ParkReason.EARLY, "", "", 0),
                false));
    handBack(parked, lastRow(), null);
    StoredRow early = new StoredRow(lastRow(), 1);
    commit(
        connection ->
            store.park(
                connection,
                new Parked(
                    TestDelivery.of("id-3").delivery(),
                    "id-3",
                    ParkReason.VERSION_MISSING,
                    "",
                    "",
                    0),
                false));
    handBack(parked, lastRow(), null);
    StoredRow behindAGap = new StoredRow(lastRow(), 1);
    assertThat(rows())
        .containsExactly("id-1 HANDED_BACK 1", "id-2 HANDED_BACK 1", "id-3 HANDED_BACK 1");

    for (StoredRow each : List.of(parkedOne, early, behindAGap)) {
      assertThat(isTakenBack(each.id(), 0)).as("another copy").isFalse();
      assertThat(isTakenBack(each.id(), 1)).isTrue();
      assertThat(isTakenBack(each.id(), 1)).isFalse();
    }
    assertThat(rows())
        .as("the version before the early one may have been handled meanwhile")
        .containsExactly("id-1 PARKED 1", "id-2 DELAYED 1", "id-3 DELAYED 1");
    assertThat(column("SELECT id FROM inbox_stored WHERE kept_at IS NULL")).isEmpty();
    assertThat(column("SELECT message_id FROM inbox_stored WHERE due_at IS NOT NULL ORDER BY id"))
        .containsExactly("id-2", "id-3");
  }

  private boolean isTakenBack(long row, int generation) throws SQLException {
    return commit(connection -> parked.takeBack(connection, row, generation));
  }

  /** A plan says until when its messages were kept aside: their rows say no longer which. */
  @Test
  void aFilterWithATimeLeavesOutWhatIsParkedAgainLater() throws SQLException {
    StoredRow first = copyOf("id-1");
    assertThat(park(TestDelivery.of("id-1").with(first))).isEmpty();
    park(TestDelivery.of("id-2"));
    KeptViews views = new KeptViews(Kind.PARKED, TABLES, contents, StoredMessage::text);
    Counted counted = commit(connection -> views.count(connection, KeptFilter.all()));
    ForConsumer planned = counted.consumers().get(0);
    assertThat(planned.messages()).isEqualTo(2);
    KeptFilter plan = KeptFilter.all().keptBefore(planned.newest().plusNanos(1_000));
    assertThat(candidates(plan, counted.upTo())).hasSize(2);

    handBack(parked, first.id(), null);
    assertThat(candidates(plan, counted.upTo())).as("it is on its way").hasSize(1);
    StoredRow again = new StoredRow(first.id(), 2);
    assertThat(claimed(again)).isPresent();
    assertThat(park(TestDelivery.of("id-1").with(again))).isEmpty();
    assertThat(candidates(plan, counted.upTo())).doesNotContain(first.id()).hasSize(1);
    List<Long> page = List.of(first.id(), counted.upTo());
    try (Connection connection = begin()) {
      assertThat(parked.lock(connection, plan, first.id())).isEmpty();
      assertThat(parked.lock(connection, plan, page, false))
          .extracting(Spot::id)
          .containsExactly(counted.upTo());
      assertThat(parked.existing(connection, plan, page)).containsExactly(counted.upTo());
      assertThat(parked.deleteThese(connection, plan, List.of(first.id()))).isZero();
    }
    assertThat(candidates(KeptFilter.all(), counted.upTo())).contains(first.id()).hasSize(2);
  }

  private List<Long> candidates(KeptFilter filter, long upTo) throws SQLException {
    return commit(connection -> parked.candidates(connection, filter, 0, upTo, 100));
  }

  /** A kept or handed back content, as that of the message with an id. */
  private Content opened(long row, String id) throws SQLException {
    return commit(
        connection -> {
          try (Statement statement = connection.createStatement();
              ResultSet found =
                  statement.executeQuery(
                      "SELECT fingerprint, fingerprint_version, %s FROM inbox_stored WHERE id = %s"
                          .formatted(KeptContents.Columns.NAMES, row))) {
            found.next();
            assertThat(found.getBoolean("encrypted")).isTrue();
            return contents.open(
                Place.stored("shipping", id, Fingerprinted.get(found, 1)),
                KeptContents.Columns.of(found));
          }
        });
  }
}
