package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.postbox.common.Page;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.LocalTransactions;
import io.postbox.inbox.FoundMessage;
import io.postbox.inbox.FoundMessage.Place;
import io.postbox.inbox.KeptFilter;
import io.postbox.inbox.LookupFilter;
import io.postbox.inbox.MessageLife;
import io.postbox.inbox.MessageLife.Event;
import io.postbox.inbox.ReplyOnRedrive;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.ParkReason;
import io.postbox.inbox.message.Standing;
import io.postbox.inbox.message.StoredRow;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.ops.HandBack.NotHandedBack;
import io.postbox.inbox.store.TestDatabase;
import io.postbox.inbox.store.VersionStore;
import io.postbox.inbox.store.VersionStore.Release;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The messages that wait for earlier versions, from the mark that releases them to their sending.
 */
class VersionReleaseTest {
  private static final String WAITING =
      "SELECT message_id FROM shop.pb_inbox_stored WHERE status IN ('EARLY', 'PARKED') ORDER BY message_id";
  private static final String RELEASED =
      "SELECT message_id FROM shop.pb_inbox_stored WHERE status = 'HANDED_BACK' ORDER BY message_id";
  private static final String AWAITED =
      "SELECT aggregate_id || ' ' || version FROM shop.pb_inbox_aggregate"
          + " WHERE waiting_since IS NOT NULL";

  private KeptFixture fixture;
  private VersionStore versions;

  private void on(TestDatabase database) throws SQLException {
    fixture = new KeptFixture(database);
    versions =
        new VersionStore(
            database == TestDatabase.H2 ? Dialect.H2 : Dialect.POSTGRESQL, fixture.config.tables());
  }

  private static Aggregate order(String id, long version) {
    return new Aggregate("Order", id, version);
  }

  /** As the transaction does that keeps an early version. */
  private void early(String id, Aggregate aggregate, ParkReason reason) throws SQLException {
    transactions()
        .commit(
            connection -> {
              Standing place = versions.lock(connection, "ordered", aggregate, 1);
              if (!place.isAwaited()) {
                versions.await(connection, "ordered", aggregate);
              }
              return true;
            });
    fixture.park(TestDelivery.of(id).to("ordered").with(aggregate), reason);
  }

  private void early(String order, long version) throws SQLException {
    early(order + "@" + version, order(order, version), ParkReason.EARLY);
  }

  private LocalTransactions transactions() {
    return new LocalTransactions(fixture.dataSource);
  }

  /** As the transaction does that handles a version. */
  private boolean handle(Connection connection, Aggregate aggregate) throws SQLException {
    Standing place = versions.lock(connection, "ordered", aggregate, 1);
    Release released =
        place.isAwaited()
            ? versions.release(connection, "ordered", aggregate)
            : new Release(false, false);
    versions.moveOn(connection, "ordered", aggregate, released.isAwaited());
    return released.any();
  }

  private boolean handle(String order, long version) throws SQLException {
    return transactions().commit(connection -> handle(connection, order(order, version)));
  }

  private List<String> sent() {
    return fixture.sent.stream().map(Outgoing::id).toList();
  }

  private static void handBack(HandBack release, long id) throws SQLException {
    try {
      release.handBack(id);
    } catch (NotHandedBack notSent) {
      throw new IllegalStateException(notSent);
    }
  }

  /** Each copy that was sent is handled. */
  private void sendAll() throws SQLException {
    HandBack release = fixture.release(fixture.dataSource);
    for (long id : release.due("ordered", 100)) {
      handBack(release, id);
    }
    fixture.handleAll();
  }

  @ParameterizedTest
  @EnumSource
  void eachVersionReleasesTheNextOneAndOnlyThat(TestDatabase database) throws SQLException {
    on(database);
    for (long version : List.of(5L, 3L, 2L)) {
      early("a", version);
    }
    early("b", 2);

    assertThat(handle("a", 1)).isTrue();
    assertThat(fixture.column(RELEASED)).containsExactly("a@2");
    sendAll();
    assertThat(handle("a", 2)).isTrue();
    sendAll();
    assertThat(handle("a", 3)).as("4 is missing").isFalse();
    sendAll();

    assertThat(sent()).containsExactly("a@2", "a@3");
    assertThat(fixture.column(WAITING)).containsExactly("a@5", "b@2");
    assertThat(fixture.column(AWAITED)).containsExactlyInAnyOrder("a 3", "b 0");
    handle("a", 4);
    sendAll();
    handle("a", 5);
    assertThat(fixture.column(AWAITED)).containsExactly("b 0");
    assertThat(fixture.column(WAITING)).containsExactly("b@2");
  }

  @ParameterizedTest
  @EnumSource
  void onlyAnAggregateForWhichVersionsWaitCostsMoreStatements(TestDatabase database)
      throws SQLException {
    on(database);
    handle("a", 1);
    int before = fixture.statements.size();
    handle("a", 2);
    assertThat(fixture.statements.size() - before).as("lock, move on").isEqualTo(2);

    early("a", 4);
    before = fixture.statements.size();
    handle("a", 3);
    assertThat(fixture.statements.size() - before)
        .as("lock, the next, its mark, one behind it, move on")
        .isEqualTo(5);
    before = fixture.statements.size();
    sendAll();
    assertThat(fixture.statements.size() - before)
        .as("those due, claim, the note that it is sent")
        .isEqualTo(3);
    before = fixture.statements.size();
    handle("a", 4);
    assertThat(fixture.statements.size() - before).as("as before").isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void aMarkThatIsNotCommittedReleasesNothing(TestDatabase database) throws SQLException {
    on(database);
    early("a", 2);
    try (Connection connection = fixture.dataSource.getConnection()) {
      connection.setAutoCommit(false);
      assertThat(handle(connection, order("a", 1))).isTrue();
      assertThat(fixture.release(fixture.dataSource).due("ordered", 10)).isEmpty();
      connection.rollback();
    }
    sendAll();

    assertThat(sent()).isEmpty();
    assertThat(fixture.column(AWAITED)).containsExactly("a 0");
  }

  @ParameterizedTest
  @EnumSource
  void allMessagesOfAVersionAndThoseThatBecameStaleAreReleased(TestDatabase database)
      throws SQLException {
    on(database);
    early("a", 3);
    early("another", order("a", 3), ParkReason.VERSION_MISSING);
    early("late", order("a", 1), ParkReason.VERSION_MISSING);
    fixture.run("UPDATE shop.pb_inbox_aggregate SET version = 1");

    handle("a", 2);

    assertThat(fixture.column(RELEASED)).containsExactly("a@3", "another", "late");
  }

  @ParameterizedTest
  @EnumSource
  void aMessageParkedForAnotherReasonIsNotReleased(TestDatabase database) throws SQLException {
    on(database);
    early("a", 3);
    fixture.park(TestDelivery.of("failed").to("ordered").with(order("a", 2)));

    assertThat(handle("a", 1)).isFalse();
    assertThat(fixture.column(AWAITED)).containsExactly("a 1");
  }

  @ParameterizedTest
  @EnumSource
  void beforeItIsCommittedNothingIsSentAndAfterACrashItIsSentAgain(TestDatabase database)
      throws Exception {
    on(database);
    early("a", 2);
    handle("a", 1);
    HandBack release = fixture.release(fixture.dataSource);
    long id = release.due("ordered", 10).get(0);
    fixture.commitsUntilLoss = 0;

    assertThatThrownBy(() -> release.handBack(id)).isInstanceOf(SQLException.class);
    assertThat(sent()).isEmpty();
    assertThat(release.due("ordered", 10)).containsExactly(id);
    fixture.broker =
        message -> {
          throw new IllegalStateException("the process is gone");
        };
    assertThatThrownBy(() -> release.handBack(id)).isInstanceOf(IllegalStateException.class);
    assertThat(release.due("ordered", 10)).as("its copy may be on its way").isEmpty();
    fixture.broker = message -> {};
    pass("1 minute");
    assertThat(release.handBack(id)).isEqualTo(HandBack.Result.SENT);
    assertThat(release.handBack(id)).isEqualTo(HandBack.Result.GONE);
    pass("1 minute");
    assertThat(release.due("ordered", 10)).as("longer each time").isEmpty();
    pass("1 minute");
    assertThat(release.handBack(id)).isEqualTo(HandBack.Result.SENT);

    assertThat(sent()).as("two copies, of which one is handled").containsExactly("a@2", "a@2");
    assertThat(fixture.sent).extracting(Outgoing::stored).containsOnly(new StoredRow(id, 1));
  }

  private void pass(String time) {
    fixture.run(
        "UPDATE shop.pb_inbox_stored SET due_at = due_at - INTERVAL '%s' %s"
            .formatted(time.split(" ")[0], time.split(" ")[1].toUpperCase(Locale.ROOT)));
  }

  @ParameterizedTest
  @EnumSource
  void aMessageThatTheBrokerRefusesStaysReleased(TestDatabase database) throws SQLException {
    on(database);
    early("a", 2);
    handle("a", 1);
    fixture.broker =
        message -> {
          throw new NotSentException("no broker", true, null);
        };
    HandBack release = fixture.release(fixture.dataSource);
    long id = release.due("ordered", 10).get(0);

    NotHandedBack failed = catchThrowableOfType(NotHandedBack.class, () -> release.handBack(id));
    assertThat(failed.why()).hasMessage("no broker");
    release.again(failed);
    fixture.broker = message -> {};
    sendAll();

    assertThat(sent()).containsExactly("a@2");
  }

  @ParameterizedTest
  @EnumSource
  void anUnsendableMessageIsLeftToAPerson(TestDatabase database) throws SQLException {
    on(database);
    early("a", 2);
    handle("a", 1);
    HandBack release = fixture.release(fixture.dataSource);
    long id = release.due("ordered", 10).get(0);

    fixture.broker =
        message -> {
          throw new NotSentException("it came without JMS", false, null);
        };
    NotHandedBack failed = catchThrowableOfType(NotHandedBack.class, () -> release.handBack(id));
    assertThat(release.giveUp(failed)).isTrue();
    assertThat(release.giveUp(failed)).as("it was given up").isFalse();
    fixture.broker = message -> {};

    assertThat(release.due("ordered", 10)).isEmpty();
    assertThat(fixture.parked.find(KeptFilter.all(), Page.first(10)))
        .singleElement()
        .satisfies(
            message -> {
              assertThat(message.reason()).isEqualTo("NOT_RELEASED");
              assertThat(message.error()).isEqualTo("it came without JMS");
            });
    assertThat(
            fixture
                .onParked()
                .redrive(fixture.plan(), ReplyOnRedrive.KEEP, KeptFixture.WHO, "x")
                .messages())
        .isOne();
  }

  /** No database stores half a character. */
  @ParameterizedTest
  @EnumSource
  void aLongReasonIsCutBetweenCharacters(TestDatabase database) throws SQLException {
    on(database);
    early("a", 2);
    handle("a", 1);
    HandBack release = fixture.release(fixture.dataSource);
    long id = release.due("ordered", 10).get(0);
    String most = "x".repeat(1_999);

    fixture.broker =
        message -> {
          throw new NotSentException(most + "\uD83D\uDE00", false, null);
        };
    NotHandedBack failed = catchThrowableOfType(NotHandedBack.class, () -> release.handBack(id));
    assertThat(release.giveUp(failed)).isTrue();

    assertThat(fixture.parked.find(KeptFilter.all(), Page.first(10)))
        .singleElement()
        .satisfies(message -> assertThat(message.error()).isEqualTo(most));
  }

  @ParameterizedTest
  @EnumSource
  void twoNodesDoNotSendOneMessage(TestDatabase database) throws Exception {
    on(database);
    early("a", 2);
    handle("a", 1);
    HandBack release = fixture.release(fixture.dataSource);
    long id = release.due("ordered", 10).get(0);
    CountDownLatch sending = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    fixture.broker =
        message -> {
          sending.countDown();
          await(goOn);
        };
    CompletableFuture<HandBack.Result> first =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return release.handBack(id);
              } catch (SQLException | NotHandedBack failed) {
                throw new IllegalStateException(failed);
              }
            });
    await(sending);

    assertThat(fixture.release(fixture.dataSource).handBack(id))
        .as("at once, although the first has not sent it")
        .isEqualTo(HandBack.Result.GONE);
    goOn.countDown();

    assertThat(first.get(20, TimeUnit.SECONDS)).isEqualTo(HandBack.Result.SENT);
    assertThat(sent()).containsExactly("a@2");
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  @ParameterizedTest
  @EnumSource
  void bufferedMessagesAreFoundByNameOnly(TestDatabase database) throws SQLException {
    on(database);
    early("a", 2);
    early("missing", order("b", 2), ParkReason.VERSION_MISSING);
    long row = Long.parseLong(fixture.column("SELECT MIN(id) FROM shop.pb_inbox_stored").get(0));

    assertThat(fixture.parked.find(KeptFilter.all().consumer("ordered"), Page.first(10)))
        .extracting(it -> it.messageId().orElseThrow())
        .containsExactly("missing");
    assertThat(fixture.plan().messages()).isOne();
    assertThat(fixture.parked.find(KeptFilter.all().reason("EARLY"), Page.first(10))).hasSize(1);
    assertThat(fixture.parked.get(row)).isPresent();

    assertThat(
            fixture
                .onParked()
                .redrive(fixture.plan(), ReplyOnRedrive.KEEP, KeptFixture.WHO, "x")
                .messages())
        .isOne();
    assertThat(sent()).containsExactly("missing");
  }

  @ParameterizedTest
  @EnumSource
  void aLookUpTellsBufferedMessagesFromParkedOnes(TestDatabase database) throws SQLException {
    on(database);
    early("a", 2);
    early("missing", order("a", 3), ParkReason.VERSION_MISSING);
    LookupQueries lookup = fixture.lookup(fixture.dataSource);
    LookupFilter all = LookupFilter.all().aggregate("Order", "a");

    for (LookupFilter filter : List.of(all, LookupFilter.all().consumer("ordered"))) {
      assertThat(lookup.find(filter, "", 10).items())
          .extracting(FoundMessage::place)
          .containsExactlyInAnyOrder(Place.BUFFERED, Place.PARKED);
      for (Place place : List.of(Place.BUFFERED, Place.PARKED)) {
        assertThat(lookup.find(filter.place(place), "", 10).items())
            .extracting(FoundMessage::place)
            .containsExactly(place);
      }
    }
    MessageLife life = lookup.life(Optional.of("ordered"), "a@2");
    assertThat(life.events()).extracting(Event::kind).containsExactly(MessageLife.Kind.BUFFERED);
    assertThat(life.note().orElseThrow()).contains("released when they have been handled");
  }

  @ParameterizedTest
  @EnumSource
  void aDiscardThatClosesAGapReleasesWhatIsBehindIt(TestDatabase database) throws SQLException {
    on(database);
    handle("a", 1);
    for (long version : List.of(3L, 4L, 6L)) {
      early("a", version);
    }
    fixture.park(TestDelivery.of("failed").to("ordered").with(order("a", 2)));

    discard(KeptFilter.all().messageId("failed"));
    assertThat(fixture.column(RELEASED)).containsExactly("a@3");
    discard(KeptFilter.all().reason("EARLY").messageId("a@4"));
    sendAll();
    assertThat(handle("a", 3)).as("5 is missing").isFalse();

    discard(KeptFilter.all().reason("EARLY").messageId("a@6"));
    assertThat(fixture.column(AWAITED)).isEmpty();
    assertThat(fixture.column("SELECT version FROM shop.pb_inbox_aggregate")).containsExactly("3");
  }

  @ParameterizedTest
  @EnumSource
  void anInventedAggregateIsForgottenWithItsLastMessage(TestDatabase database) throws SQLException {
    on(database);
    early("invented", 7);
    early("invented", 8);

    discard(KeptFilter.all().reason("EARLY").messageId("invented@7"));
    assertThat(fixture.column(AWAITED)).containsExactly("invented 0");
    discard(KeptFilter.all().reason("EARLY"));

    assertThat(fixture.count("inbox_aggregate")).isZero();
  }

  private void discard(KeptFilter filter) {
    assertThat(fixture.onParked().discard(fixture.planParked(filter), KeptFixture.WHO, "x"))
        .isOne();
  }

  /** A thousand others, because a table of a few rows needs no index. */
  @ParameterizedTest
  @Tag("full")
  @EnumSource(value = TestDatabase.class, names = "POSTGRESQL")
  void manyBufferedMessagesAreNoneToSearchThrough(TestDatabase database) throws SQLException {
    on(database);
    fixture.park("ordered", "m-", Integer.getInteger("postbox.rows", 50_000));
    fixture.run("UPDATE shop.pb_inbox_stored SET reason = 'EARLY'");
    fixture.run("INSERT INTO shop.pb_inbox_aggregate VALUES ('ordered', 'Order', '7', 0)");
    fixture.run("UPDATE shop.pb_inbox_aggregate SET waiting_since = CURRENT_TIMESTAMP");
    fixture.park("shipping", "p-", 10);
    fixture.run("ANALYZE");
    Explaining explaining = new Explaining(fixture.dataSource);

    try (Connection connection = explaining.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      handle(connection, order("7", 1));
      assertThat(versions.fingerprintOfWaiting(connection, "ordered", "m-3")).isPresent();
      connection.commit();
    }
    HandBack release = fixture.release(explaining.dataSource());
    for (long id : release.due("ordered", 10)) {
      handBack(release, id);
    }
    assertThat(fixture.parked(explaining.dataSource()).find(KeptFilter.all(), Page.first(5)))
        .hasSize(5);
    assertThat(explaining.plans()).noneMatch(plan -> plan.contains("Seq Scan on pb_inbox_stored"));
    assertThat(explaining.plans())
        .filteredOn(plan -> plan.contains("m.reason <> 'EARLY'"))
        .as("a page")
        .noneMatch(plan -> plan.contains("inbox_stored_pk"));
    assertThat(explaining.plans())
        .filteredOn(plan -> plan.contains("aggregate_version"))
        .hasSize(4);
    assertThat(sent()).as("the stale one and the next").containsExactly("m-1", "m-2");
  }
}
