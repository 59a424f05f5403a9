package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.common.Page;
import io.postbox.common.testing.SampleCipher;
import io.postbox.outbox.DeadLetter;
import io.postbox.outbox.DeadLetterFilter;
import io.postbox.outbox.DeadLetterPlan;
import io.postbox.outbox.DeadLetterPlan.ForDestination;
import io.postbox.outbox.store.StoredErrors;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DeadLetterQueriesTest {
  private static final DeadLetterFilter ALL = DeadLetterFilter.all();

  @ParameterizedTest
  @EnumSource
  void aLetterTellsAllButItsPayload(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("DEAD", 1, "d", "'k'");
    DeadLetter letter = fixture.queries.find(ALL, Page.first(10)).get(0);

    assertThat(letter.id()).isEqualTo(id(1));
    assertThat(letter.destination()).isEqualTo("d");
    assertThat(letter.orderingKey()).contains("k");
    assertThat(letter.aggregateType()).contains("Order");
    assertThat(letter.aggregateId()).contains("1");
    assertThat(letter.eventType()).contains("OrderPlaced");
    assertThat(letter.schemaVersion()).contains("1");
    assertThat(letter.contentType()).isEqualTo("text/plain");
    assertThat(letter.traceParent()).contains("trace");
    assertThat(letter.attempts()).isEqualTo(3);
    assertThat(letter.lastError()).isEqualTo("AMQ229032: 100% refused_");
    assertThat(letter.enqueuedAt()).isBetween(Instant.now().minusSeconds(60), Instant.MAX);
    assertThat(letter.diedAt()).isAfterOrEqualTo(letter.enqueuedAt());
    assertThat(fixture.queries.get(letter.id())).contains(letter);
  }

  @ParameterizedTest
  @EnumSource
  void onlyDeadLettersAreFound(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    for (String status : List.of("PENDING", "HELD", "DELAYED", "SENT")) {
      fixture.insert(status, 1, "d", "'k'");
    }
    assertThat(fixture.queries.find(ALL, Page.first(10))).isEmpty();
    assertThat(fixture.queries.get(id(1))).isEmpty();
    assertThat(fixture.queries.get(UUID.randomUUID())).isEmpty();
    assertThat(fixture.queries.plan(ALL).letters()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void eachPageIsOneStatementAndNothingIsLeftOutOrComesTwice(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.dead(950, "d");
    fixture.dead(50, "e");
    int before = fixture.counting.statements();
    List<Long> seqs = new ArrayList<>();
    int pages = 0;
    List<DeadLetter> page = fixture.queries.find(ALL, Page.first(100));
    while (!page.isEmpty()) {
      pages++;
      page.forEach(letter -> seqs.add(letter.seq()));
      page = fixture.queries.find(ALL, Page.after(page.get(page.size() - 1).seq(), 100));
    }

    assertThat(pages).isEqualTo(10);
    assertThat(fixture.counting.statements() - before).isEqualTo(11);
    assertThat(seqs).hasSize(1_000).isSorted().doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void everyCriterionChoosesTheSameForReadingAndForActing(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("DEAD", 3, "d", "'k' || i");
    fixture.dead(2, "e");
    String table = "UPDATE shop.pb_outbox_message SET ";
    fixture.rows.execute(table + "event_type = 'Odd' WHERE id = '" + id(2) + "'");
    fixture.rows.execute(
        table + "last_error = '100x refused-', signature = '0dd0' WHERE id = '" + id(3) + "'");
    fixture.rows.execute(table + "created_at = '2020-01-01T00:00:00Z' WHERE id = '" + id(4) + "'");
    Instant year2021 = Instant.parse("2021-01-01T00:00:00Z");

    assertChosen(fixture, ALL, 1, 2, 3, 4, 5);
    assertChosen(fixture, ALL.destination("d"), 1, 2, 3);
    assertChosen(fixture, ALL.destination("D"));
    assertChosen(fixture, ALL.id(id(5)), 5);
    assertChosen(fixture, ALL.ids(Set.of(id(1), id(4), id(9))), 1, 4);
    assertChosen(fixture, ALL.event("Odd"), 2);
    assertChosen(fixture, ALL.aggregate("Order", 2), 2, 5);
    assertChosen(fixture, ALL.aggregate("Order", 2).destination("e"), 5);
    assertChosen(fixture, ALL.orderedBy("k3"), 3);
    assertChosen(fixture, ALL.errorContains("100% refused_"), 1, 2, 4, 5);
    assertChosen(fixture, ALL.signature("0dd0"), 3);
    assertChosen(fixture, ALL.signature("5ef"));
    assertChosen(fixture, ALL.errorContains("refused"), 1, 2, 3, 4, 5);
    assertChosen(fixture, ALL.enqueuedBefore(year2021), 4);
    assertChosen(fixture, ALL.enqueuedFrom(year2021), 1, 2, 3, 5);
    assertChosen(fixture, ALL.enqueuedFrom(Instant.parse("2020-01-01T00:00:00Z")), 1, 2, 3, 4, 5);
  }

  private static void assertChosen(DeadLetterFixture fixture, DeadLetterFilter filter, int... ids)
      throws SQLException {
    List<UUID> wanted = java.util.Arrays.stream(ids).mapToObj(DeadLetterQueriesTest::id).toList();
    assertThat(fixture.queries.find(filter, Page.first(100)))
        .as(filter.toString())
        .extracting(DeadLetter::id)
        .isEqualTo(wanted);
    assertThat(fixture.queries.plan(filter).letters()).isEqualTo(wanted.size());
    assertThat(fixture.redrive(fixture.plan(filter))).as(filter.toString()).isEqualTo(ids.length);
    assertThat(fixture.column("SELECT id FROM shop.pb_outbox_message WHERE status <> 'DEAD'"))
        .as(filter.toString())
        .containsExactlyInAnyOrderElementsOf(wanted.stream().map(UUID::toString).toList());
    fixture.rows.execute("UPDATE shop.pb_outbox_message SET status = 'DEAD'");
    fixture.rows.execute("DELETE FROM shop.pb_outbox_held_key");
  }

  @ParameterizedTest
  @EnumSource
  void aPlanCountsLettersKeysAndFollowers(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("DEAD", 4, "d", "'k' || i");
    fixture.insert("HELD", 4, "d", "'k' || i");
    fixture.insert("HELD", 3, "d", "'k' || i");
    fixture.insert("HELD", 3, "f", "'k' || i");
    fixture.dead(996, "d");
    fixture.dead(1, "e");
    DeadLetterPlan plan = fixture.queries.plan(ALL);

    assertThat(plan.destinations())
        .extracting(
            ForDestination::destination,
            ForDestination::letters,
            ForDestination::orderingKeys,
            ForDestination::followers)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("d", 1_000L, 4L, 7L),
            org.assertj.core.groups.Tuple.tuple("e", 1L, 0L, 0L));
    assertThat(plan.letters()).isEqualTo(1_001);
    assertThat(plan.followers()).isEqualTo(7);
    assertThat(plan.takes()).isEqualTo(Duration.ofSeconds(3));
    assertThat(plan.atRate(100).takes()).isEqualTo(Duration.ofSeconds(11));
    ForDestination d = plan.destinations().get(0);
    assertThat(d.oldest()).isBeforeOrEqualTo(d.newest());
    assertThat(plan.asOf()).isAfter(d.newest());
    assertThat(fixture.queries.plan(ALL.destination("e")).letters()).isEqualTo(1);
  }

  @Test
  void onPostgresqlPagesOfADestinationAreReadByTheirIndexes() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL);
    fixture.insert("SENT", 20_000, "d", "'k'");
    fixture.dead(5_000, "other");
    fixture.dead(5_000, "d");
    fixture.rows.execute("ANALYZE shop.pb_outbox_message");
    for (DeadLetterFilter filter : List.of(ALL.destination("d"), ALL)) {
      ExplainingDataSource explaining = new ExplainingDataSource(fixture.counting.dataSource());
      DeadLetterQueries queries =
          new DeadLetterQueries(fixture.config, explaining.dataSource(), StoredErrors.CLEAR);
      List<DeadLetter> page = queries.find(filter, Page.first(100));
      queries.find(filter, Page.after(page.get(99).seq(), 100));

      assertThat(explaining.plans())
          .hasSize(2)
          .allMatch(plan -> plan.contains("Index Scan using pb_outbox_message_dead_"), "index")
          .noneMatch(plan -> plan.contains("Seq Scan") || plan.contains("Sort"));
    }
  }

  @Test
  void onPostgresqlALetterIsFoundAndAPlanIsCountedByIndexesOnly() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL);
    fixture.insert("SENT", 20_000, "d", "'k'");
    fixture.insert("PENDING", 5_000, "d", "'k' || i");
    fixture.insert("DEAD", 200, "d", "'k' || i");
    fixture.insert("HELD", 400, "d", "'k' || MOD(i, 100)");
    UUID dead =
        UUID.fromString(
            fixture.column("SELECT id FROM shop.pb_outbox_message WHERE status = 'DEAD'").get(0));
    fixture.rows.execute("ANALYZE shop.pb_outbox_message");
    ExplainingDataSource explaining = new ExplainingDataSource(fixture.counting.dataSource());
    DeadLetterQueries queries =
        new DeadLetterQueries(fixture.config, explaining.dataSource(), StoredErrors.CLEAR);
    int before = fixture.counting.statements();
    assertThat(queries.get(dead)).isPresent();
    assertThat(queries.plan(ALL.id(dead)).letters()).isEqualTo(1);
    assertThat(queries.plan(ALL.destination("d").event("OrderPlaced")).letters()).isEqualTo(200);
    assertThat(queries.plan(ALL).letters()).isEqualTo(200);
    assertThat(fixture.counting.statements() - before).isEqualTo(2 * (1 + 3 * 2)); // each explained

    assertThat(explaining.plans())
        .hasSize(1 + 3 * 2)
        .allMatch(plan -> plan.contains("Index"))
        .noneMatch(plan -> plan.contains("Seq Scan"));
    assertThat(explaining.plans().get(0)).contains("Index Scan using pb_outbox_message_id_uq");
  }

  @Test
  void encryptedErrorsAreNotSearched() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.H2);
    fixture.dead(1, "d");
    StoredErrors errors = new StoredErrors(Optional.of(new SampleCipher("k")));
    DeadLetterQueries queries =
        new DeadLetterQueries(fixture.config, fixture.counting.dataSource(), errors);
    assertThat(queries.find(ALL, Page.first(9)).get(0).lastError()).contains("AMQ229032");
    assertThatThrownBy(() -> queries.find(ALL.errorContains("AMQ"), Page.first(9)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("DeadLetterFilter.signature");
    assertThatThrownBy(() -> queries.plan(ALL.errorContains("AMQ")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aPageHasBounds() {
    assertThatThrownBy(() -> Page.first(0)).hasMessage("A page has 1 to 1000 messages, and not 0");
    assertThatThrownBy(() -> new Page(7, 1_001)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ALL.ids(Set.of())).isInstanceOf(IllegalArgumentException.class);
  }

  private static UUID id(int number) {
    return UUID.fromString(String.format(Locale.ROOT, "00000000-0000-0000-0000-%012d", number));
  }
}
