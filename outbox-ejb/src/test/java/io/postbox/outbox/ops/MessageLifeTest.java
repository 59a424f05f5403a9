package io.postbox.outbox.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.postbox.common.LookupPage;
import io.postbox.common.config.TableNames;
import io.postbox.common.log.RecordedError;
import io.postbox.common.testing.SampleCipher;
import io.postbox.outbox.FailedAttempt;
import io.postbox.outbox.FoundMessage;
import io.postbox.outbox.FoundMessage.Status;
import io.postbox.outbox.HeldOrderingKey;
import io.postbox.outbox.MessageLife;
import io.postbox.outbox.MessageLife.Event;
import io.postbox.outbox.MessageLife.Kind;
import io.postbox.outbox.config.OutboxConfig.AfterSending;
import io.postbox.outbox.message.Lane;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.ClaimStore;
import io.postbox.outbox.store.ClaimStore.Failure;
import io.postbox.outbox.store.StoredErrors;
import io.postbox.outbox.testing.PlanRecorder;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The life of one message in order of time, and the keys that are held. */
class MessageLifeTest {
  private static final RecordedError REFUSED =
      new RecordedError("refused", "jakarta.jms.JMSException", "", "aa");

  private final StoredErrors errors = new StoredErrors(Optional.of(new SampleCipher("k")));

  private LookupQueries queries(DeadLetterFixture fixture) {
    return new LookupQueries(
        fixture.database.dialect(),
        DeadLetterFixture.calls(fixture.counting.dataSource()),
        fixture.config,
        errors);
  }

  private static UUID id(int number) {
    return UUID.fromString(String.format(Locale.ROOT, "00000000-0000-0000-0000-%012d", number));
  }

  private static List<Kind> kinds(MessageLife life) {
    return life.events().stream().map(Event::kind).toList();
  }

  /** Has the relay fail with the first message of partition 1. */
  private void fail(DeadLetterFixture fixture, AfterSending after, boolean dead, int times)
      throws SQLException {
    TableNames tables = fixture.config.tables();
    ClaimStore store =
        new ClaimStore(fixture.database.dialect(), tables, after, Duration.ofMinutes(1), "node");
    for (int attempt = 1; attempt <= times; attempt++) {
      try (Connection connection = fixture.counting.dataSource().getConnection()) {
        connection.setAutoCommit(false);
        StoredMessage message = store.read(connection, new Lane(1, "d"), 0, 1).messages().get(0);
        boolean last = dead && attempt == times;
        store.fail(
            connection,
            1,
            List.of(new Failure(message, 1, last, Duration.ofHours(last ? 0 : 1), REFUSED)),
            Map.of(REFUSED, errors.seal("d", REFUSED)));
        connection.commit();
      }
      if (!dead || attempt < times) {
        fixture.rows.execute(
            "UPDATE shop.pb_outbox_message SET status = 'PENDING' WHERE status = 'DELAYED'");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDeadLetterWithFollowersTellsOfItsFailuresAndWhoWaits(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("PENDING", 1, "d", "'k'");
    fixture.insert("HELD", 1, "d", "'k'");
    fixture.insert("PENDING", 1, "d", "'k'");
    fixture.rows.execute("UPDATE shop.pb_outbox_message SET partition_no = 1, attempts = 0");
    fail(fixture, AfterSending.DELETE, true, 3);
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_outbox_held_key (partition_no, destination, ordering_key, head_id)
        SELECT partition_no, destination, ordering_key, id
        FROM shop.pb_outbox_message WHERE status = 'DEAD'
        """);
    LookupQueries queries = queries(fixture);

    MessageLife head = queries.life(id(1));
    assertThat(head.message().orElseThrow().status()).isEqualTo(Status.DEAD);
    assertThat(head.message().orElseThrow().lastError()).contains("refused");
    assertThat(head.note()).isEmpty();
    assertThat(kinds(head)).contains(Kind.HOLDS);
    assertThat(kinds(head).stream().filter(kind -> kind != Kind.HOLDS))
        .containsExactly(Kind.ENQUEUED, Kind.FAILED, Kind.FAILED, Kind.DIED);
    assertThat(head.events()).isSortedAccordingTo((a, b) -> a.at().compareTo(b.at()));
    assertThat(head.events().stream().flatMap(event -> event.failure().stream()))
        .hasSize(3)
        .allMatch(failure -> failure.error().equals("refused"))
        .extracting(FailedAttempt::node)
        .containsOnly("node");
    HeldOrderingKey key = head.heldKey().orElseThrow();
    assertThat(key)
        .isEqualTo(
            new HeldOrderingKey(
                "d",
                "k",
                id(1),
                Optional.of(Status.DEAD),
                Optional.of("aa"),
                key.since(),
                false,
                1));

    MessageLife held = queries.life(id(2));
    assertThat(kinds(held)).containsExactly(Kind.ENQUEUED, Kind.HELD);
    assertThat(held.events().get(1).other()).contains(id(1));
    assertThat(held.heldKey()).contains(key);
    assertThat(kinds(queries.life(id(3))))
        .as("pending, and behind it all the same")
        .containsExactly(Kind.ENQUEUED, Kind.HELD);
  }

  @ParameterizedTest
  @EnumSource
  void aMessageThatWasSentAndDeletedHasItsFailuresAndANote(TestDatabase database)
      throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("PENDING", 1, "d", "CAST(NULL AS VARCHAR)");
    fixture.rows.execute("UPDATE shop.pb_outbox_message SET partition_no = 1, attempts = 0");
    fail(fixture, AfterSending.DELETE, false, 2);
    fixture.rows.execute("DELETE FROM shop.pb_outbox_message");
    LookupQueries queries = queries(fixture);

    MessageLife life = queries.life(id(1));
    assertThat(life.message()).isEmpty();
    assertThat(kinds(life)).containsExactly(Kind.FAILED, Kind.FAILED);
    assertThat(life.note())
        .contains(
            "The outbox keeps no row of this message but its failures. It was enqueued here, and it"
                + " was sent and deleted (postbox.outbox.after-sending=delete), or discarded longer"
                + " ago than the retention of 7d (postbox.outbox.retention).");
    MessageLife unknown = queries.life(id(7));
    assertThat(unknown.events()).isEmpty();
    assertThat(unknown.note().orElseThrow())
        .startsWith(
            "The outbox keeps no row of this message. Either it was never enqueued here, or its"
                + " transaction rolled back; or it was sent and deleted");
  }

  @ParameterizedTest
  @EnumSource
  void aLifeEndsWithItsOutcomeWhereThatIsKept(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.sent(1, "CURRENT_TIMESTAMP");
    LookupQueriesTest.archive(fixture, "SENT", "SENT");
    fixture.rows.execute("UPDATE shop.pb_outbox_archive SET id = '" + id(11) + "'");
    fixture.dead(1, "d");
    LookupQueriesTest.archive(fixture, "DEAD", "DISCARDED");
    fixture.rows.execute(
        "UPDATE shop.pb_outbox_archive SET id = '" + id(12) + "' WHERE outcome = 'DISCARDED'");
    fixture.sent(1, "CURRENT_TIMESTAMP");
    fixture.insert("DELAYED", 1, "d", "CAST(NULL AS VARCHAR)");
    fixture.dead(1, "d");
    LookupQueries queries = queries(fixture);

    assertThat(kinds(queries.life(id(11)))).containsExactly(Kind.ENQUEUED, Kind.SENT);
    assertThat(kinds(queries.life(id(12)))).containsExactly(Kind.ENQUEUED, Kind.DISCARDED);
    assertThat(kinds(queries.life(id(1)))).containsExactly(Kind.ENQUEUED, Kind.SENT);
    assertThat(kinds(queries.life(id(2)))).containsExactly(Kind.ENQUEUED, Kind.DUE);
    assertThat(kinds(queries.life(id(3))))
        .as("retention has deleted its failures")
        .containsExactly(Kind.ENQUEUED, Kind.DIED);
  }

  @ParameterizedTest
  @EnumSource
  void heldKeysAreListedWithTheirHeadsAndHowManyWait(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("DEAD", 3, "d", "'k' || i");
    fixture.insert("HELD", HeldOrderingKey.MOST_COUNTED + 5, "d", "'k1'");
    fixture.insert("HELD", 2, "d", "'k2'");
    fixture.rows.execute("UPDATE shop.pb_outbox_message SET partition_no = 1");
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_outbox_held_key
          (partition_no, destination, ordering_key, head_id, released_to)
        SELECT partition_no, destination, ordering_key, id,
          CASE ordering_key WHEN 'k3' THEN seq ELSE 0 END
        FROM shop.pb_outbox_message WHERE status = 'DEAD'
        """);
    LookupQueries queries = queries(fixture);

    LookupPage<HeldOrderingKey> page = queries.heldKeys("", 2);
    assertThat(page.items())
        .extracting(HeldOrderingKey::orderingKey, HeldOrderingKey::waiting)
        .containsExactly(tuple("k1", (long) HeldOrderingKey.MOST_COUNTED), tuple("k2", 2L));
    LookupPage<HeldOrderingKey> rest = queries.heldKeys(page.next().orElseThrow(), 2);
    assertThat(rest.items())
        .singleElement()
        .matches(HeldOrderingKey::draining)
        .matches(key -> key.waiting() == 0)
        .matches(key -> key.headStatus().equals(Optional.of(Status.DEAD)));
    assertThat(rest.next()).isEmpty();
  }

  /** A draining key's head is the last of a slice: those in front of it do not wait. */
  @ParameterizedTest
  @EnumSource
  void aMessageBeforeADrainingKeysHeadIsNotHeld(TestDatabase database) throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(database);
    fixture.insert("PENDING", 3, "d", "'k'");
    fixture.rows.execute("UPDATE shop.pb_outbox_message SET partition_no = 1");
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_outbox_held_key
          (partition_no, destination, ordering_key, head_id, released_to)
        SELECT partition_no, destination, ordering_key, id, seq
        FROM shop.pb_outbox_message WHERE id = '%s'
        """
            .formatted(id(2)));
    LookupQueries queries = queries(fixture);

    assertThat(kinds(queries.life(id(1)))).containsExactly(Kind.ENQUEUED);
    assertThat(kinds(queries.life(id(2)))).containsExactly(Kind.ENQUEUED, Kind.HOLDS);
    assertThat(kinds(queries.life(id(3)))).containsExactly(Kind.ENQUEUED, Kind.HELD);
  }

  @Test
  void onPostgresqlALifeIsReadByLookUpsOnly() throws SQLException {
    DeadLetterFixture fixture = new DeadLetterFixture(TestDatabase.POSTGRESQL);
    fixture.insert("DEAD", 20_000, "d", "'k' || i");
    fixture.insert("HELD", 20_000, "d", "'k' || i");
    fixture.rows.execute(
        """
        INSERT INTO shop.pb_outbox_held_key (partition_no, destination, ordering_key, head_id)
        SELECT partition_no, destination, ordering_key, id
        FROM shop.pb_outbox_message WHERE status = 'DEAD'
        """);
    FailureQueriesTest.fail(fixture, 20_000, "aa");
    fixture.rows.execute("ANALYZE");
    PlanRecorder recorder = new PlanRecorder(fixture.counting.dataSource(), "");
    LookupQueries queries =
        new LookupQueries(
            fixture.database.dialect(),
            DeadLetterFixture.calls(recorder.dataSource()),
            fixture.config,
            errors);

    assertThat(queries.life(id(20_017)).message()).map(FoundMessage::status).contains(Status.HELD);
    assertThat(recorder.take())
        .hasSize(4)
        .allSatisfy(
            execution -> {
              assertThat(execution.steps()).noneMatch(step -> step.startsWith("Seq Scan"));
              assertThat(execution.pages()).as(execution.sql()).isLessThan(40);
            });
    assertThat(queries.heldKeys("", 10).items()).hasSize(10);
    assertThat(recorder.take())
        .hasSize(11)
        .allSatisfy(
            execution -> {
              assertThat(execution.steps()).noneMatch(step -> step.startsWith("Seq Scan"));
              assertThat(execution.pages()).as(execution.sql()).isLessThan(150);
            });
  }
}
