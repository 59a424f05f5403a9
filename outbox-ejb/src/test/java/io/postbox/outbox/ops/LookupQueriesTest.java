package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.postbox.common.LookupPage;
import io.postbox.common.store.SlicedSearch;
import io.postbox.outbox.FoundMessage;
import io.postbox.outbox.FoundMessage.Status;
import io.postbox.outbox.LookupFilter;
import io.postbox.outbox.OutboxException;
import io.postbox.outbox.config.OutboxConfig.ArchivePartitions;
import io.postbox.outbox.config.OutboxConfig.Retention;
import io.postbox.outbox.message.Partitioning;
import io.postbox.outbox.store.StoredErrors;
import io.postbox.outbox.testing.PlanRecorder;
import io.postbox.outbox.testing.PlanRecorder.Execution;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages are found wherever they are, and no search reads a whole table. */
class LookupQueriesTest {
  private static final LookupFilter ALL = LookupFilter.all();
  private static final String NO_KEY = "CAST(NULL AS VARCHAR)";

  static LookupQueries queries(DeadLetterFixture fixture, DataSource dataSource) {
    return new LookupQueries(
        fixture.database.dialect(),
        DeadLetterFixture.calls(dataSource),
        fixture.config,
        StoredErrors.CLEAR);
  }

  private static LookupQueries queries(DeadLetterFixture fixture) {
    return queries(fixture, fixture.counting.dataSource());
  }

  /** Moves the messages with a status to the archive. */
  static void archive(DeadLetterFixture fixture, String status, String outcome) {
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_outbox_archive
          (ended_at, seq, outcome, partition_no, id, destination, ordering_key, aggregate_type,
           aggregate_id, event_type, content_type, headers, attempts, created_at, last_error,
           signature)
        SELECT CURRENT_TIMESTAMP, seq, '%s', partition_no, id, destination, ordering_key,
          aggregate_type, aggregate_id, event_type, content_type, headers, attempts, created_at,
          last_error, signature
        FROM shop.pb_outbox_message WHERE status = '%s'
        """
            .formatted(outcome, status));
    fixture.rows.execute("DELETE FROM shop.pb_outbox_message WHERE status = '" + status + "'");
  }

  /** One message after another in each status, to d; and all of that once more, to other. */
  private static DeadLetterFixture withOneOfEach(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.sent(1, "CURRENT_TIMESTAMP");
    archive(fixture, "SENT", "SENT"); // 1
    fixture.rows.execute(
        "UPDATE shop.pb_outbox_archive SET ended_at = ended_at - INTERVAL '1' DAY");
    int before = 0;
    for (String destination : List.of("d", "other")) {
      for (String status : List.of("PENDING", "DELAYED", "HELD", "DEAD")) {
        fixture.insert(status, 1, destination, "'k" + before + "'");
        rename(fixture, ++before);
      }
    }
    fixture.sent(1, "CURRENT_TIMESTAMP");
    rename(fixture, ++before);
    return fixture;
  }

  /** Gives the message that was inserted last an id, an aggregate and a type by its number. */
  private static void rename(DeadLetterFixture fixture, int number) {
    fixture.rows.execute(
        """
        UPDATE shop.pb_outbox_message
        SET id = CAST('%s' AS UUID), aggregate_id = 'o%s', event_type = 'e%s', signature = 's%s',
          partition_no = CASE WHEN destination = 'd' AND ordering_key = 'k0' THEN %s ELSE 3 END
        WHERE seq = (SELECT MAX(seq) FROM shop.pb_outbox_message)
        """
            .formatted(id(number), number, number, number, new Partitioning(16).of("d", "k0")));
  }

  private static UUID id(int number) {
    return new UUID(7, number);
  }

  private static List<UUID> ids(LookupPage<FoundMessage> page) {
    return page.items().stream().map(FoundMessage::id).toList();
  }

  private static List<FoundMessage> all(LookupQueries queries, LookupFilter filter, int size) {
    List<FoundMessage> found = new ArrayList<>();
    LookupPage<FoundMessage> page = queries.find(filter, "", size);
    found.addAll(page.items());
    while (page.next().isPresent()) {
      page = queries.find(filter, page.next().get(), size);
      found.addAll(page.items());
    }
    return found;
  }

  @ParameterizedTest
  @EnumSource
  void messagesAreFoundByEachCriterionWhereverTheyAre(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = withOneOfEach(database);
    LookupQueries queries = queries(fixture);
    UUID archived = UUID.fromString("00000000-0000-0000-0000-000000000001");

    assertThat(ids(queries.find(ALL.ids(List.of(id(1), id(9), archived)), "", 9)))
        .containsExactly(id(1), id(9), archived);
    for (int number : List.of(2, 3, 4, 9)) {
      Map<String, LookupFilter> filters =
          Map.of(
              "aggregate", ALL.aggregate("Order", "o" + number),
              "order number", ALL.aggregateId("o" + number),
              "event", ALL.event("e" + number),
              "signature", ALL.signature("s" + number));
      filters.forEach(
          (name, filter) ->
              assertThat(ids(queries.find(filter, "", 9)))
                  .as("%s of %s", name, number)
                  .containsExactly(id(number)));
    }
    assertThat(ids(queries.find(ALL.orderedBy("k2"), "", 9))).containsExactly(id(3));
    assertThat(ids(queries.find(ALL.destination("other"), "", 9)))
        .containsExactly(id(8), id(7), id(6), id(5));
    assertThat(ids(queries.find(ALL.destination("d").aggregateId("o1"), "", 9)))
        .containsExactly(id(1));
    assertThat(ids(queries.find(ALL.status(Status.HELD, Status.DEAD), "", 9)))
        .containsExactly(id(4), id(8), id(3), id(7));
    assertThat(ids(queries.find(ALL.status(Status.SENT), "", 9))).containsExactly(id(9), archived);
    assertThat(ids(queries.find(ALL.aggregate("Order", "1"), "", 9))).containsExactly(archived);
    assertThat(ids(queries.find(ALL.aggregate("Invoice", "1"), "", 9))).isEmpty();
    assertThat(ids(queries.find(ALL.aggregateId("o4").destination("other"), "", 9))).isEmpty();
    assertThat(ids(queries.find(ALL, "", 99)))
        .containsExactly(id(4), id(8), id(3), id(7), id(2), id(6), id(9), archived);
  }

  @ParameterizedTest
  @EnumSource
  void messagesAreFoundByTheTimesOfTheirLives(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = withOneOfEach(database);
    LookupQueries queries = queries(fixture);
    Instant now = queries.get(id(9)).orElseThrow().enqueuedAt();
    Instant hourAgo = now.minus(Duration.ofHours(1));

    assertThat(ids(queries.find(ALL.endedBefore(hourAgo), "", 9)))
        .containsExactly(UUID.fromString("00000000-0000-0000-0000-000000000001"));
    assertThat(ids(queries.find(ALL.endedFrom(hourAgo), "", 9)))
        .containsExactly(id(4), id(8), id(9));
    assertThat(ids(queries.find(ALL.enqueuedBefore(hourAgo), "", 9))).isEmpty();
    assertThat(ids(queries.find(ALL.enqueuedFrom(now).status(Status.SENT), "", 9)))
        .containsExactly(id(9));
  }

  @ParameterizedTest
  @EnumSource
  void aFoundMessageSaysWhereItIsOnItsWay(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = withOneOfEach(database);
    LookupQueries queries = queries(fixture);

    FoundMessage dead = queries.get(id(4)).orElseThrow();
    assertThat(dead.status()).isEqualTo(Status.DEAD);
    assertThat(dead.archived()).isFalse();
    assertThat(dead.destination()).isEqualTo("d");
    assertThat(dead.orderingKey()).contains("k3");
    assertThat(dead.aggregateType()).contains("Order");
    assertThat(dead.aggregateId()).contains("o4");
    assertThat(dead.eventType()).contains("e4");
    assertThat(dead.schemaVersion()).contains("1");
    assertThat(dead.contentType()).isEqualTo("text/plain");
    assertThat(dead.traceParent()).contains("trace");
    assertThat(dead.attempts()).isEqualTo(3);
    assertThat(dead.lastError()).contains("AMQ229032: 100% refused_");
    assertThat(dead.signature()).contains("s4");
    assertThat(dead.dueAt()).isEmpty();
    assertThat(dead.endedAt()).isPresent();
    assertThat(queries.get(id(2)).orElseThrow())
        .extracting(FoundMessage::status, found -> found.dueAt().isPresent(), FoundMessage::endedAt)
        .containsExactly(Status.DELAYED, true, Optional.empty());
    assertThat(queries.get(UUID.fromString("00000000-0000-0000-0000-000000000001")).orElseThrow())
        .extracting(
            FoundMessage::status, FoundMessage::archived, found -> found.endedAt().isPresent())
        .containsExactly(Status.SENT, true, true);
    assertThat(queries.get(new UUID(1, 1))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"H2, 1", "H2, 7", "POSTGRESQL, 1", "POSTGRESQL, 7"})
  void pagesFollowOneAnotherWithoutGapOrRepeat(TestDatabase database, int size)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.sent(5, "CURRENT_TIMESTAMP"); // all at once
    archive(fixture, "SENT", "SENT");
    fixture.insert("PENDING", 20, "d", NO_KEY);
    fixture.insert("DELAYED", 5, "d", NO_KEY);
    fixture.insert("HELD", 20, "d", "'key ' || MOD(i, 3)");
    fixture.dead(5, "d");
    fixture.dead(5, "e");
    fixture.sent(5, "CURRENT_TIMESTAMP");
    fixture.rows.execute(
        "UPDATE shop.pb_outbox_message SET event_type = 'odd' WHERE MOD(seq, 2) = 1");
    LookupQueries queries = queries(fixture);

    for (LookupFilter filter :
        List.of(ALL.destination("d"), ALL.signature("5ef0").destination("d"))) {
      assertThat(all(queries, filter, size))
          .as("%s", filter)
          .hasSize(60)
          .extracting(FoundMessage::seq)
          .doesNotHaveDuplicates();
    }
    assertThat(all(queries, ALL, size)).hasSize(45).doesNotHaveDuplicates();
    assertThat(all(queries, ALL.event("odd"), size))
        .hasSize(20)
        .allMatch(found -> found.seq() % 2 == 1)
        .doesNotHaveDuplicates();
    assertThat(all(queries, ALL.destination("d").event("odd"), size)).hasSize(28);
  }

  /** A column without an index is searched part by part, and the caller decides how far. */
  @ParameterizedTest
  @EnumSource
  void aPageExaminesABoundedNumberOfRows(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(1, "d");
    fixture.rows.execute("UPDATE shop.pb_outbox_message SET event_type = 'first'");
    fixture.dead(SlicedSearch.MOST_EXAMINED + 3_000, "d");
    fixture.dead(1, "d");
    fixture.rows.execute(
        "UPDATE shop.pb_outbox_message SET event_type = 'last' WHERE seq = (SELECT MAX(seq) FROM"
            + " shop.pb_outbox_message)");
    LookupQueries queries = queries(fixture);
    int before = fixture.counting.statements();

    LookupPage<FoundMessage> first = queries.find(ALL.event("last"), "", 50);
    assertThat(first.items()).isEmpty();
    assertThat(first.next()).isPresent();
    assertThat(fixture.counting.statements() - before).isEqualTo(2);
    assertThat(queries.find(ALL.event("last"), first.next().get(), 50).items()).hasSize(1);
    assertThat(queries.find(ALL.event("first"), "", 50).items()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void pendingMessagesAreFoundOnlyByIdOrWithinADestination(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = withOneOfEach(database);
    LookupQueries queries = queries(fixture);

    assertThatThrownBy(
            () -> queries.find(ALL.status(Status.PENDING).aggregate("Order", "o1"), "", 9))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Pending messages are left out: they cannot be searched by status=[PENDING],"
                + " aggregate-type=Order, aggregate-id=o1. Name their destination, or the message's"
                + " id.");
    LookupPage<FoundMessage> without = queries.find(ALL.aggregate("Order", "o1"), "", 9);
    assertThat(without.items()).isEmpty();
    assertThat(without.note().orElseThrow()).startsWith("Pending messages are left out");

    LookupPage<FoundMessage> with =
        queries.find(ALL.aggregate("Order", "o1").destination("d"), "", 9);
    assertThat(ids(with)).containsExactly(id(1));
    assertThat(with.note()).isEmpty();
    assertThat(ids(queries.find(ALL.id(id(1)), "", 9))).containsExactly(id(1));
    int before = fixture.counting.statements();
    assertThat(
            ids(queries.find(ALL.status(Status.PENDING).destination("d").orderedBy("k0"), "", 9)))
        .containsExactly(id(1));
    assertThat(fixture.counting.statements() - before).as("of one lane").isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nowhere.MQ", "dead.x", "dead.MQ.MQ", "dead.YWJj", "."})
  void aPlaceOfAnotherSearchIsRefused(String after) throws SQLException {
    LookupQueries queries = queries(new DeadLetterFixture(TestDatabase.H2));

    assertThatThrownBy(() -> queries.find(ALL, after, 9))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "The place to continue is not one of this search: it belongs to another filter, or was"
                + " changed. Begin with the first page.");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 101})
  void aPageHasBounds(int size) throws SQLException {
    LookupQueries queries = queries(new DeadLetterFixture(TestDatabase.H2));

    assertThatThrownBy(() -> queries.find(ALL, "", size))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("A page has 1 to 100 items, and not " + size);
    assertThatThrownBy(() -> queries.heldKeys("", size))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aDatabaseThatFailsIsReported() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.H2);
    LookupQueries queries = queries(fixture);
    fixture.rows.execute("DROP TABLE shop.pb_outbox_archive");

    assertThatThrownBy(() -> queries.get(id(1)))
        .isInstanceOf(OutboxException.class)
        .hasMessageStartingWith("Messages cannot be looked up: ");
  }

  @Test
  void inADividedArchiveMessagesAreFoundToo() throws SQLException {
    DeadLetterFixture fixture =
        new DeadLetterFixture(
            TestDatabase.POSTGRESQL, new Retention(Duration.ofDays(7), ArchivePartitions.DAILY));
    fixture.dead(40, "d");
    archive(fixture, "DEAD", "DISCARDED");
    LookupQueries queries = queries(fixture);

    assertThat(all(queries, ALL, 9)).hasSize(40).allMatch(FoundMessage::archived);
    assertThat(queries.find(ALL.aggregateId("7"), "", 9).items())
        .extracting(FoundMessage::id, FoundMessage::status)
        .containsExactly(
            tuple(UUID.fromString("00000000-0000-0000-0000-000000000007"), Status.DISCARDED));
    assertThat(
            fixture.column(
                "SELECT indexname FROM pg_indexes WHERE schemaname = 'shop' AND tablename LIKE"
                    + " 'pb_outbox_archive_2%'"))
        .as("of each day")
        .hasSize(2 * 6);
  }

  private static final int DEFAULT_ROWS = 168_000;
  private static final int ROWS = Integer.getInteger("postbox.rows", DEFAULT_ROWS);
  private static final String MESSAGE = "pb_outbox_message_";
  private static final String ARCHIVE = "pb_outbox_archive_";

  private static Stream<Arguments> searches() {
    Instant hourAgo = Instant.now().minus(Duration.ofHours(1));
    return Stream.of("", "SET plan_cache_mode = force_generic_plan")
        .flatMap(
            settings ->
                Stream.of(
                        tuple(ALL.id(new UUID(1, 1)), Set.of(MESSAGE + "id_uq", ARCHIVE + "id_ix")),
                        tuple(
                            ALL.aggregate("Order", 17),
                            Set.of(MESSAGE + "aggregate_ix", ARCHIVE + "aggregate_ix")),
                        tuple(
                            ALL.aggregateId(17),
                            Set.of(MESSAGE + "aggregate_ix", ARCHIVE + "aggregate_ix")),
                        tuple(ALL.orderedBy("k17"), Set.of(MESSAGE + "key_ix", ARCHIVE + "key_ix")),
                        tuple(
                            ALL.orderedBy("k").event("rare"),
                            Set.of(MESSAGE + "key_ix", ARCHIVE + "key_ix")),
                        tuple(
                            ALL.signature("rare"),
                            Set.of(
                                MESSAGE + "dead_signature_ix",
                                MESSAGE + "delayed_signature_ix",
                                MESSAGE + "held_ix",
                                MESSAGE + "sent_ix",
                                ARCHIVE + "signature_ix")),
                        tuple(
                            ALL.destination("d").status(Status.DEAD).event("rare"),
                            Set.of(MESSAGE + "dead_destination_ix")),
                        tuple(
                            ALL.destination("d").status(Status.PENDING).aggregate("Order", 17),
                            Set.of(MESSAGE + "due_ix")),
                        tuple(
                            ALL.destination("d").status(Status.HELD).event("rare"),
                            Set.of(MESSAGE + "held_ix")),
                        tuple(ALL.event("rare").status(Status.DEAD), Set.of(MESSAGE + "dead_ix")),
                        tuple(
                            ALL.event("rare").status(Status.DELAYED),
                            Set.of(MESSAGE + "delayed_ix")),
                        tuple(
                            ALL.event("rare").status(Status.SENT).endedFrom(hourAgo),
                            Set.of(MESSAGE + "sent_ix", ARCHIVE + "pk")),
                        tuple(ALL.event("rare").status(Status.DISCARDED), Set.of(ARCHIVE + "pk")))
                    .map(
                        search ->
                            Arguments.of(
                                settings, search.toList().get(0), search.toList().get(1))));
  }

  /**
   * Each by the index that was made for it, and no page of it reads more than a slice.
   * -Dpostbox.rows=10000000 tries it among so many.
   */
  @Test
  @Tag("full")
  void onPostgresqlEverySearchReadsItsIndexAndABoundedNumberOfPages() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL);
    int most = Math.toIntExact(30_000L * ROWS / DEFAULT_ROWS);
    fixture.sent(most, "CURRENT_TIMESTAMP - i * INTERVAL '1 second'");
    fixture.rows.execute("UPDATE shop.pb_outbox_message SET ordering_key = 'k' || seq");
    archive(fixture, "SENT", "SENT");
    fixture.sent(most, "CURRENT_TIMESTAMP - i * INTERVAL '1 second'");
    fixture.insert("PENDING", most, "d", "'k' || i");
    fixture.insert("HELD", most / 2, "d", "'k'");
    fixture.insert("HELD", most / 2, "d", "'k' || i");
    fixture.insert("DELAYED", most / 2, "d", "'k' || i");
    fixture.insert("DEAD", most, "d", "'k' || i");
    fixture.insert("DEAD", most / 10, "e", "'k' || i");
    fixture.rows.execute("VACUUM ANALYZE shop.pb_outbox_message");
    fixture.rows.execute("VACUUM ANALYZE shop.pb_outbox_archive");

    searches()
        .forEach(
            search -> {
              PlanRecorder recorder =
                  new PlanRecorder(fixture.counting.dataSource(), (String) search.get()[0]);
              LookupFilter filter = (LookupFilter) search.get()[1];
              Set<?> indexes = (Set<?>) search.get()[2];
              queries(fixture, recorder.dataSource()).find(filter, "", 50);
              List<Execution> executions = recorder.take();
              assertThat(executions).as("%s", filter).isNotEmpty();
              for (Execution execution : executions) {
                assertThat(
                        execution.steps().stream()
                            .filter(step -> step.contains("Scan") && step.contains("pb_outbox"))
                            .filter(step -> !step.startsWith("Bitmap Heap Scan")) // of an index
                            .map(step -> step.substring(step.lastIndexOf(' ') + 1)))
                    .as("%s: %s", filter, execution.sql())
                    .isNotEmpty()
                    .allMatch(indexes::contains);
                assertThat(execution.pages()).as("%s: %s", filter, execution).isLessThan(12_000);
              }
            });
  }
}
