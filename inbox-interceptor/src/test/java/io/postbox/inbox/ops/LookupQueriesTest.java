package io.postbox.inbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.postbox.common.LookupPage;
import io.postbox.common.log.RecordedError;
import io.postbox.common.store.Dialect;
import io.postbox.common.store.SlicedSearch;
import io.postbox.common.testing.SampleCipher;
import io.postbox.inbox.FailedAttempt;
import io.postbox.inbox.FoundMessage;
import io.postbox.inbox.FoundMessage.Outcome;
import io.postbox.inbox.FoundMessage.Place;
import io.postbox.inbox.FoundMessage.Status;
import io.postbox.inbox.InboxException;
import io.postbox.inbox.LookupFilter;
import io.postbox.inbox.MessageLife;
import io.postbox.inbox.MessageLife.Event;
import io.postbox.inbox.MessageLife.Kind;
import io.postbox.inbox.message.Aggregate;
import io.postbox.inbox.message.Failure;
import io.postbox.inbox.message.TestDelivery;
import io.postbox.inbox.store.FailureStore;
import io.postbox.inbox.store.KeptContents;
import io.postbox.inbox.store.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Messages are found wherever they are, and no search reads a whole table. */
class LookupQueriesTest {
  private static final int ROWS = Integer.getInteger("postbox.rows", 270_000);
  private static final LookupFilter ALL = LookupFilter.all();
  private static final RecordedError NO_STOCK =
      new RecordedError("no stock of 7", "com.shop.NoStock", "", "aa");

  private static LookupQueries queries(KeptFixture fixture) {
    return fixture.lookup(fixture.dataSource);
  }

  /** Has a consumer be done with messages, one after another by the second. */
  private static void handle(KeptFixture fixture, String consumer, String prefix, int howMany) {
    fixture.run(
        """
        INSERT INTO shop.pb_inbox_message
          (consumer, message_id, source, received_at, processed_at, fingerprint,
           fingerprint_version, headers, outcome)
        SELECT '%s', '%s' || i, 'shop', %3$s, %3$s, %4$s, 1, '{}', 'PROCESSED'
        FROM %5$s n ORDER BY i
        """
            .formatted(
                consumer,
                prefix,
                "CURRENT_TIMESTAMP - INTERVAL '10' DAY + i * INTERVAL '1' SECOND",
                fixture.fingerprint(),
                fixture.numbers(howMany)));
  }

  /** Captures messages: every fourth one has failed and is delayed, every other one is held. */
  private static String captured(KeptFixture fixture, String consumer, String prefix, int howMany) {
    return """
    INSERT INTO shop.pb_inbox_stored
      (consumer, message_id, captured, status, precedence, ordering_key, due_at, waited_for, source,
       event_type, aggregate_type, aggregate_id, aggregate_version, fingerprint,
       fingerprint_version, headers, destination, size, body_type, properties, stored_at)
    SELECT '%s', '%s' || i, TRUE,
      CASE MOD(i, 4) WHEN 0 THEN 'DELAYED' WHEN 1 THEN 'PENDING' ELSE 'HELD' END, 5, 'key',
      CASE MOD(i, 4) WHEN 0 THEN CURRENT_TIMESTAMP + INTERVAL '1' HOUR END,
      CASE MOD(i, 4) WHEN 0 THEN 2 ELSE 0 END, 'shop', 'OrderPlaced', 'Order', i, 7, %s, 1,
      '{}', 'queue:ORDERS', 0, 'TEXT', '{}', CURRENT_TIMESTAMP - i * INTERVAL '1' SECOND
    FROM %s n ORDER BY i
    """
        .formatted(consumer, prefix, fixture.fingerprint(), fixture.numbers(howMany));
  }

  private static void fail(KeptFixture fixture, String node, String id, RecordedError error)
      throws SQLException {
    try (Connection connection = fixture.dataSource.getConnection()) {
      connection.setAutoCommit(true);
      new FailureStore(
              Dialect.of(connection, "inbox"),
              fixture.config.tables(),
              new KeptContents(() -> fixture.cipher).texts())
          .insert(
              connection,
              node,
              new Failure("shipping", id, 1, Failure.Kind.FAILED, null, error, 0, false));
    }
  }

  private static List<String> ids(LookupPage<FoundMessage> page) {
    return page.items().stream().map(it -> it.messageId().orElse("none")).toList();
  }

  private static List<FoundMessage> all(LookupQueries queries, LookupFilter filter, int size) {
    LookupPage<FoundMessage> page = queries.find(filter, "", size);
    List<FoundMessage> found = new ArrayList<>(page.items());
    while (page.next().isPresent()) {
      page = queries.find(filter, page.next().get(), size);
      found.addAll(page.items());
    }
    return found;
  }

  @ParameterizedTest
  @EnumSource
  void itSaysWhetherAConsumerIsDoneWithAMessageAndWhen(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    handle(fixture, "shipping", "m-", 3);
    fixture.run("UPDATE shop.pb_inbox_message SET outcome = 'STALE' WHERE message_id = 'm-2'");
    fixture.run(
        "UPDATE shop.pb_inbox_message SET headers = '{\"offset\":\"42\"}' WHERE message_id ="
            + " 'm-2'");
    LookupQueries queries = queries(fixture);

    FoundMessage handled = queries.handled("shipping", "m-1").orElseThrow();
    assertThat(handled.place()).isEqualTo(Place.HANDLED);
    assertThat(handled.outcome()).contains(Outcome.PROCESSED);
    assertThat(handled.source()).contains("shop");
    assertThat(Duration.between(handled.at(), Instant.now()))
        .isBetween(Duration.ofDays(9), Duration.ofDays(11));
    assertThat(queries.handled("shipping", "m-2").orElseThrow().outcome()).contains(Outcome.STALE);
    assertThat(queries.handled("shipping", "m-2").orElseThrow().headers())
        .contains("{\"offset\":\"42\"}");
    assertThat(queries.handled("shipping", "m-9")).isEmpty();
    assertThat(queries.handled("billing", "m-1")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void messagesAreFoundByEachCriterionWhereverTheyAre(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    handle(fixture, "shipping", "id-", 4);
    handle(fixture, "billing", "id-", 4);
    fixture.park("shipping", "p-", 2);
    fixture.park("billing", "id-", 2);
    fixture.quarantine("shipping", 4);
    fixture.run(
        "UPDATE shop.pb_inbox_stored SET signature = 'aa', aggregate_id = '8', event_type = 'e'"
            + " WHERE message_id = 'p-2'");
    LookupQueries queries = queries(fixture);

    assertThat(queries.find(ALL.messageId("id-2"), "", 9).items())
        .extracting(FoundMessage::place, FoundMessage::consumer)
        .containsExactly(
            tuple(Place.PARKED, "billing"),
            tuple(Place.QUARANTINED, "shipping"),
            tuple(Place.HANDLED, "billing"),
            tuple(Place.HANDLED, "shipping"));
    assertThat(queries.find(ALL.messageId("id-2").consumer("shipping"), "", 9).items())
        .extracting(FoundMessage::place)
        .containsExactly(Place.QUARANTINED, Place.HANDLED);
    assertThat(ids(queries.find(ALL.consumer("shipping"), "", 20)))
        .containsExactly(
            "p-1", "p-2", "none", "id-2", "none", "id-4", "id-4", "id-3", "id-2", "id-1");
    for (LookupFilter filter :
        List.of(
            ALL.signature("aa"),
            ALL.aggregate("Order", 8),
            ALL.aggregateId(8),
            ALL.event("e"),
            ALL.event("e").consumer("shipping").reason("REJECTED"))) {
      assertThat(ids(queries.find(filter, "", 9))).as("%s", filter).containsExactly("p-2");
    }
    assertThat(ids(queries.find(ALL.aggregate("Invoice", 8), "", 9))).isEmpty();
    assertThat(ids(queries.find(ALL.reason("MISSING_ID"), "", 9))).containsExactly("none", "none");
    assertThat(
            ids(
                queries.find(
                    ALL.from(Instant.now().minus(Duration.ofDays(1))).consumer("billing"), "", 9)))
        .containsExactly("id-1", "id-2");
    assertThat(
            ids(
                queries.find(
                    ALL.before(Instant.now().minus(Duration.ofDays(1))).consumer("billing"),
                    "",
                    9)))
        .containsExactly("id-4", "id-3", "id-2", "id-1");
  }

  @ParameterizedTest
  @EnumSource
  void aParkedMessageIsDescribedAndItsErrorDecrypted(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.cipher = Optional.of(new SampleCipher("k"));
    fixture.park(TestDelivery.of("m-1"));

    assertThat(fixture.column("SELECT error FROM shop.pb_inbox_stored")).containsExactly("");
    FoundMessage parked = queries(fixture).find(ALL.messageId("m-1"), "", 9).items().get(0);
    assertThat(parked.place()).isEqualTo(Place.PARKED);
    assertThat(parked.error()).contains("why");
    assertThat(parked.signature()).contains("5ef0");
    assertThat(parked.reason()).contains("REJECTED");
    assertThat(parked.attempts()).hasValue(1);
    assertThat(parked.row()).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void aMessageThatIsToBeRetriedIsFoundWithItsTimeAndThenOnItsWay(TestDatabase database)
      throws Exception {
    KeptFixture fixture = new KeptFixture(database);
    fixture.delay(TestDelivery.of("m-1").with(new Aggregate("Order", "7", 1)), Duration.ZERO);
    LookupQueries queries = queries(fixture);

    for (LookupFilter filter :
        List.of(
            ALL.messageId("m-1"),
            ALL.place(Place.RETRIED),
            ALL.consumer("shipping").place(Place.RETRIED, Place.PARKED),
            ALL.aggregate("Order", 7))) {
      assertThat(queries.find(filter, "", 9).items())
          .singleElement()
          .satisfies(
              found -> {
                assertThat(found.place()).isEqualTo(Place.RETRIED);
                assertThat(found.status()).contains(Status.DELAYED);
                assertThat(found.dueAt()).isPresent();
                assertThat(found.attempts()).hasValue(1);
              });
    }
    assertThat(queries.find(ALL.place(Place.CAPTURED, Place.PARKED), "", 9).items()).isEmpty();
    assertThat(queries.handled("shipping", "m-1")).isEmpty();
    assertThat(queries.life(Optional.of("shipping"), "m-1").toString())
        .contains("RETRIED", "It is not handled yet, and goes back to its queue");

    HandBack handBack = fixture.release(fixture.dataSource);
    handBack.handBack(handBack.due("shipping", 1).get(0));
    FoundMessage sent = queries.find(ALL.messageId("m-1"), "", 9).items().get(0);
    assertThat(sent.place()).isEqualTo(Place.RETRIED);
    assertThat(sent.status()).contains(Status.HANDED_BACK);
    assertThat(sent.dueAt()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aCapturedMessageIsFoundWithWhatItWaitsForAndIsNotHandled(TestDatabase database)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.run(captured(fixture, "shipping", "c-", 4));
    handle(fixture, "shipping", "c-", 4);
    fixture.run("UPDATE shop.pb_inbox_message SET outcome = 'CAPTURED'");
    fail(fixture, "n1", "c-4", NO_STOCK);
    LookupQueries queries = queries(fixture);

    for (LookupFilter filter :
        List.of(
            ALL.consumer("shipping"),
            ALL.event("OrderPlaced"),
            ALL.place(Place.CAPTURED),
            ALL.consumer("shipping").place(Place.CAPTURED, Place.HANDLED))) {
      assertThat(all(queries, filter, 3))
          .extracting(it -> it.messageId().orElseThrow(), it -> it.status().orElseThrow())
          .containsExactly(
              tuple("c-1", Status.PENDING),
              tuple("c-2", Status.HELD),
              tuple("c-3", Status.HELD),
              tuple("c-4", Status.DELAYED));
    }
    assertThat(queries.find(ALL.aggregate("Order", 2), "", 9).items())
        .singleElement()
        .extracting(FoundMessage::place, FoundMessage::status)
        .containsExactly(Place.CAPTURED, Optional.of(Status.HELD));
    FoundMessage delayed = queries.find(ALL.messageId("c-4"), "", 9).items().get(0);
    assertThat(delayed.place()).isEqualTo(Place.CAPTURED);
    assertThat(delayed.attempts()).hasValue(2);
    assertThat(delayed.error()).contains("no stock of 7");
    assertThat(delayed.signature()).contains("aa");
    assertThat(delayed.dueAt().orElseThrow()).isAfter(Instant.now());
    assertThat(queries.handled("shipping", "c-4")).isEmpty();

    MessageLife life = queries.life(Optional.of("shipping"), "c-4");
    assertThat(life.events())
        .extracting(Event::kind)
        .containsExactly(Kind.CAPTURED, Kind.FAILED, Kind.DUE);
    assertThat(life.note().orElseThrow()).startsWith("It is captured and not handled yet");

    fixture.run("UPDATE shop.pb_inbox_message SET outcome = 'PROCESSED'");
    fixture.run("DELETE FROM shop.pb_inbox_stored");
    assertThat(queries.handled("shipping", "c-4")).isPresent();
    assertThat(queries.life(Optional.of("shipping"), "c-4").note()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void handledMessagesAreFoundOnlyByIdOrWithinAConsumer(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    handle(fixture, "shipping", "m-", 1);
    LookupQueries queries = queries(fixture);

    LookupPage<FoundMessage> page = queries.find(ALL, "", 9);
    assertThat(page.items()).isEmpty();
    assertThat(page.note())
        .contains(
            "The inbox cannot be searched for these by all, and they are left out: handled. Handled"
                + " messages are found by their id, or by consumer and time.");
    for (LookupFilter filter :
        List.of(ALL.place(Place.HANDLED), ALL.place(Place.QUARANTINED).aggregateId(7))) {
      assertThatThrownBy(() -> queries.find(filter, "", 9))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("are left out");
    }
    assertThatThrownBy(() -> queries.failures(ALL.aggregateId(7), "", 9))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Failures cannot be found by aggregate-id=7: the inbox stores their consumer, message"
                + " id, signature and time.");
  }

  @ParameterizedTest
  @CsvSource({"H2, 1", "H2, 7", "POSTGRESQL, 1", "POSTGRESQL, 7"})
  void pagesFollowOneAnotherWithoutGapOrRepeat(TestDatabase database, int size)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    handle(fixture, "shipping", "m-", 10);
    fixture.run("UPDATE shop.pb_inbox_message SET processed_at = received_at"); // in other places
    fixture.run("UPDATE shop.pb_inbox_message SET processed_at = CURRENT_TIMESTAMP");
    fixture.park("shipping", "p-", 10);
    fixture.park("billing", "p-", 5);
    fixture.quarantine("shipping", 10);
    LookupQueries queries = queries(fixture);

    assertThat(all(queries, ALL.consumer("shipping"), size)).hasSize(30).doesNotHaveDuplicates();
    assertThat(all(queries, ALL, size)).hasSize(25).doesNotHaveDuplicates();
    assertThat(all(queries, ALL.aggregate("Order", 7), size)).hasSize(15).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void aPageExaminesABoundedNumberOfRows(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fixture.park("shipping", "m-", SlicedSearch.MOST_EXAMINED + 500);
    fixture.park("shipping", "last-", 1);
    fixture.run("UPDATE shop.pb_inbox_stored SET event_type = 'e' WHERE message_id = 'last-1'");
    LookupQueries queries = queries(fixture);

    LookupPage<FoundMessage> first = queries.find(ALL.event("e"), "", 50);
    assertThat(first.items()).isEmpty();
    assertThat(ids(queries.find(ALL.event("e"), first.next().orElseThrow(), 50)))
        .containsExactly("last-1");
  }

  @ParameterizedTest
  @EnumSource
  void failuresAreFoundByMessageConsumerSignatureAndTime(TestDatabase database)
      throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fail(fixture, "one", "m-1", NO_STOCK);
    fail(fixture, "two", "m-1", RecordedError.of("timed out"));
    fail(fixture, "one", "m-2", NO_STOCK);
    LookupQueries queries = queries(fixture);
    Instant hourAgo = Instant.now().minus(Duration.ofHours(1));

    assertThat(queries.failures(ALL.messageId("m-1"), "", 9).items())
        .extracting(FailedAttempt::node)
        .containsExactly("one", "two");
    assertThat(queries.failures(ALL.messageId("m-1").consumer("shipping"), "", 9).items())
        .hasSize(2);
    assertThat(queries.failures(ALL.messageId("m-1").consumer("billing"), "", 9).items()).isEmpty();
    assertThat(queries.failures(ALL.signature("aa"), "", 9).items())
        .extracting(FailedAttempt::messageId)
        .containsExactly("m-2", "m-1");
    assertThat(queries.failures(ALL.consumer("shipping").from(hourAgo), "", 9).items()).hasSize(3);
    assertThat(queries.failures(ALL.consumer("shipping").before(hourAgo), "", 9).items()).isEmpty();
    LookupPage<FailedAttempt> page = queries.failures(ALL, "", 2);
    assertThat(page.items()).hasSize(2);
    assertThat(queries.failures(ALL, page.next().orElseThrow(), 2).items())
        .extracting(FailedAttempt::messageId, FailedAttempt::node)
        .containsExactly(tuple("m-1", "one"));
  }

  @ParameterizedTest
  @EnumSource
  void aLifeIsListedInOrderOfTime(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    fail(fixture, "one", "p-1", NO_STOCK);
    fail(fixture, "two", "p-1", NO_STOCK);
    fixture.park("shipping", "p-", 1);
    handle(fixture, "billing", "p-", 1);
    fixture.run(
        "INSERT INTO shop.pb_inbox_attempt (consumer, message_id, node, alone) VALUES ('returns',"
            + " 'p-1', 'dead', TRUE)");
    LookupQueries queries = queries(fixture);

    MessageLife life = queries.life(Optional.empty(), "p-1");
    assertThat(life.events())
        .extracting(Event::kind, Event::consumer)
        .containsExactly(
            tuple(Kind.PROCESSED, "billing"),
            tuple(Kind.FAILED, "shipping"),
            tuple(Kind.FAILED, "shipping"),
            tuple(Kind.PARKED, "shipping"),
            tuple(Kind.BEGUN, "returns"));
    assertThat(life.note()).isEmpty();
    assertThat(life.rows()).hasSize(2);
    MessageLife parked = queries.life(Optional.of("shipping"), "p-1");
    assertThat(parked.events()).hasSize(3);
    assertThat(parked.note())
        .contains("It is parked and not handled: it waits until somebody redrives or discards it.");
    fixture.quarantine("audit", 2);
    assertThat(queries.life(Optional.of("audit"), "id-2").note())
        .contains(
            "It is in quarantine and not handled: it waits until somebody releases or discards"
                + " it.");
    assertThat(queries.life(Optional.of("shipping"), "p-9").note())
        .contains(
            "The inbox keeps no row of this message: it was not delivered here, its delivery has"
                + " not ended, or it was handled longer ago than the consumer's retention"
                + " (postbox.inbox.retention).");
  }

  /**
   * Each search with what it may be read by; the statements that look for consumers, too.
   * -Dpostbox.rows=10000000 tries it among so many.
   */
  @ParameterizedTest
  @Tag("full")
  @EnumSource(names = "POSTGRESQL")
  void everySearchReadsItsIndex(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    int tenth = ROWS / 10;
    handle(fixture, "shipping", "m-", tenth);
    handle(fixture, "billing", "m-", tenth);
    fixture.park("shipping", "m-", 3 * tenth);
    fixture.run(
        "UPDATE shop.pb_inbox_stored SET aggregate_id = id, signature = 's' || id WHERE MOD(id, 2)"
            + " = 1");
    fixture.quarantine("shipping", 3 * tenth);
    fixture.run(
        "INSERT INTO shop.pb_inbox_failure (consumer, message_id, attempt, kind, reason, signature)"
            + " SELECT 'shipping', 'm-' || i, 1, 'FAILED', 'x', 'aa'"
            + " FROM generate_series(1, %s) i".formatted(tenth));
    fixture.run(
        "INSERT INTO shop.pb_inbox_attempt (consumer, message_id, node, alone)"
            + " SELECT 'shipping', 'm-' || i, 'n', TRUE FROM generate_series(1, %s) i"
                .formatted(tenth / 5));
    fixture.run(captured(fixture, "shipping", "c-", tenth));
    for (String table : List.of("message", "stored", "failure", "attempt")) {
      fixture.run("VACUUM ANALYZE shop.pb_inbox_" + table);
    }
    Explaining explaining = new Explaining(fixture.dataSource);
    LookupQueries queries = fixture.lookup(explaining.dataSource());
    Instant dayAgo = Instant.now().minus(Duration.ofDays(1));
    Map<Consumer<LookupQueries>, List<String>> searches = new HashMap<>();
    searches.put(
        it -> it.find(ALL.place(Place.CAPTURED).consumer("shipping"), "", 50),
        List.of("stored_message_uk", "failure_message_ix"));
    searches.putAll(
        Map.of(
            it -> it.handled("shipping", "m-17"), List.of("message_pk"),
            it -> it.find(ALL.messageId("m-17"), "", 50),
                List.of(
                    "message_pk",
                    "failure_message_ix",
                    "attempt_message_ix",
                    "stored_message_ix",
                    "stored_message_uk"),
            it -> it.find(ALL.consumer("shipping").place(Place.HANDLED).before(dayAgo), "", 50),
                List.of("message_processed_ix"),
            it -> it.find(ALL.aggregate("Order", 17), "", 50),
                List.of("stored_aggregate_ix", "stored_pk"),
            it -> it.find(ALL.signature("s17"), "", 50), List.of("stored_signature_ix"),
            it -> it.find(ALL.event("rare"), "", 50), List.of("stored_person_ix", "stored_pk"),
            it -> it.find(ALL.reason("rare"), "", 50), List.of("stored_person_ix"),
            it -> it.failures(ALL.signature("aa"), "", 50), List.of("failure_signature_ix"),
            it -> it.failures(ALL.consumer("shipping").from(dayAgo), "", 50),
                List.of("failure_failed_ix"),
            it -> it.life(Optional.of("shipping"), "m-17"),
                List.of(
                    "message_pk",
                    "failure_message_ix",
                    "attempt_message_ix",
                    "stored_message_ix",
                    "stored_message_uk")));

    searches.forEach(
        (search, indexes) -> {
          explaining.plans().clear();
          search.accept(queries);
          assertThat(explaining.plans())
              .isNotEmpty()
              .allSatisfy(
                  plan -> {
                    assertThat(plan).contains("Scan").doesNotContain("Seq Scan");
                    assertThat(
                            plan.lines()
                                .filter(line -> line.contains("Scan"))
                                .filter(line -> line.contains("pb_inbox"))
                                .filter(line -> !line.contains("Bitmap Heap Scan")))
                        .as(plan)
                        .isNotEmpty()
                        .allMatch(
                            line ->
                                indexes.stream()
                                    .anyMatch(index -> line.contains("pb_inbox_" + index + " ")));
                  });
        });
  }

  @ParameterizedTest
  @EnumSource(names = "H2")
  void aPageHasBoundsAndADatabaseThatFailsIsReported(TestDatabase database) throws SQLException {
    KeptFixture fixture = new KeptFixture(database);
    for (int size : List.of(-1, 0, 101)) {
      assertThatThrownBy(() -> queries(fixture).find(ALL, "", size))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("A page has 1 to 100 items, and not " + size);
    }
    fixture.run("DROP TABLE shop.pb_inbox_stored");
    assertThatThrownBy(() -> queries(fixture).find(ALL, "", 9))
        .isInstanceOf(InboxException.class)
        .hasMessageStartingWith("Messages cannot be looked up: ");
  }
}
