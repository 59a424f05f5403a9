package io.postbox.outbox.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.enqueue.Enqueuer;
import io.postbox.outbox.enqueue.PayloadEncoder;
import io.postbox.outbox.message.Body;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.MessageStore.NewMessage;
import io.postbox.outbox.testing.CountingDataSource;
import io.postbox.outbox.testing.PayloadEncoders;
import io.postbox.outbox.testing.PlanRecorder;
import io.postbox.outbox.testing.PlanRecorder.Execution;
import io.postbox.outbox.testing.Rows.Row;
import io.postbox.outbox.testing.TestDatabase;
import jakarta.json.JsonObject;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageStoreTest {

  @ParameterizedTest
  @EnumSource
  void anInsertedMessageIsReadAsItWas(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    Envelope full =
        new Envelope(
            UUID.randomUUID(),
            "d",
            "Größe/✓ 😀",
            "Order",
            "7 ",
            "digest",
            "OrderPlaced",
            "2",
            "application/json",
            new Body.Text("{\"a\":1}"),
            "{\"correlationId\":\"c\"}",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    Envelope bare =
        new Envelope(
            UUID.randomUUID(),
            "d",
            null,
            null,
            null,
            null,
            null,
            null,
            "text/plain",
            new Body.Text(""),
            "{}",
            null);
    try (Connection connection = store.begin()) {
      assertThat(store.messages.insert(connection, StoreFixture.prepared(full))).isTrue();
      assertThat(store.messages.insert(connection, StoreFixture.prepared(bare))).isTrue();
      connection.commit();
    }

    List<StoredMessage> due = store.due();
    assertThat(due).extracting(StoredMessage::envelope).containsExactly(full, bare);
    assertThat(due.get(0).attempts()).isZero();
    assertThat(due.get(0).heldBy()).isNull();
    assertThat(due.get(0).waited()).isBetween(Duration.ZERO, Duration.ofMinutes(5));
    assertThat(due.get(1).seq()).isGreaterThan(due.get(0).seq());
  }

  @ParameterizedTest
  @EnumSource
  void everyOctetAndEveryCharacterComesBack(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    byte[] octets = new byte[1 << 20]; // the default of max-payload
    new Random(1).nextBytes(octets);
    StringBuilder characters = new StringBuilder();
    for (int point = 1; characters.length() < 300_000; point = point % 0x10FFFF + 1) {
      if (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE) {
        characters.appendCodePoint(point);
      }
    }
    String text = characters.toString();
    List<Envelope> all =
        List.of(
            StoreFixture.bytes(UUID.randomUUID(), octets),
            StoreFixture.bytes(UUID.randomUUID(), new byte[0]),
            StoreFixture.text(UUID.randomUUID(), "d", null, text),
            StoreFixture.text(UUID.randomUUID(), "d", null, "x".repeat(1 << 20)));
    try (Connection connection = store.begin()) {
      for (Envelope envelope : all) {
        store.messages.insert(connection, StoreFixture.prepared(envelope));
      }
      connection.commit();
    }

    List<StoredMessage> due = store.due();
    assertThat(((Body.Bytes) due.get(0).envelope().body()).value()).isEqualTo(octets);
    assertThat(((Body.Bytes) due.get(1).envelope().body()).value()).isEmpty();
    assertThat(due.get(2).envelope().body().equals(new Body.Text(text))).isTrue();
    assertThat(((Body.Text) due.get(3).envelope().body()).value()).hasSize(1 << 20);
  }

  @ParameterizedTest
  @EnumSource
  void anIdThatIsThereAlreadyIsNotInsertedAndTheTransactionGoesOn(TestDatabase database)
      throws SQLException {
    StoreFixture store = new StoreFixture(database);
    Envelope first = store.insert("d", "k");
    Envelope same = StoreFixture.text(first.id(), "d", null, "other");
    Envelope next = StoreFixture.text(UUID.randomUUID(), "d", "k", "next");
    try (Connection connection = store.begin()) {
      assertThat(store.messages.insert(connection, StoreFixture.prepared(same))).isFalse();
      assertThat(store.messages.insert(connection, new NewMessage(5, same, null, null))).isFalse();
      assertThat(store.messages.insert(connection, StoreFixture.prepared(next))).isTrue();
      assertThat(store.messages.insert(connection, StoreFixture.prepared(next))).isFalse();
      connection.commit();
    }
    assertThat(store.due()).extracting(StoredMessage::envelope).containsExactly(first, next);
  }

  @ParameterizedTest
  @EnumSource
  void aBatchKeepsTheOrderOfTheList(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    List<NewMessage> batch = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      batch.add(StoreFixture.prepared(StoreFixture.text(UUID.randomUUID(), "d", "k" + i % 7, "x")));
    }
    try (Connection connection = store.begin()) {
      store.messages.insertFresh(connection, batch);
      connection.commit();
    }
    assertThat(store.dueIds())
        .isEqualTo(batch.stream().map(prepared -> prepared.envelope().id()).toList());
  }

  @ParameterizedTest
  @CsvSource({"H2, 1", "H2, 500", "POSTGRESQL, 1", "POSTGRESQL, 2", "POSTGRESQL, 500"})
  void aListIsOneStatement(TestDatabase database, int messages) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    List<NewMessage> list = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      list.add(StoreFixture.prepared(StoreFixture.text(UUID.randomUUID(), "d", null, "x")));
    }

    CountingDataSource counting = insertFresh(store, list);

    assertThat(counting.statements()).isOne();
    assertThat(counting.changes()).isEqualTo(messages);
    // in a process of its own, PostgreSQL executes it once and not for each row
    assertThat(counting.mostChangedAtOnce())
        .isEqualTo(database == TestDatabase.POSTGRESQL ? messages : 1);
    assertThat(store.dueIds()).isEqualTo(list.stream().map(it -> it.envelope().id()).toList());
  }

  /**
   * The transaction gets its number in the lower step and a row its sequence number above that, so
   * that {@link OutboxDialect#writers} misses no row.
   */
  @ParameterizedTest
  @ValueSource(strings = {"force_custom_plan", "force_generic_plan"})
  void aListIsReadInItsOrderWithoutASort(String planned) throws SQLException {
    StoreFixture store = new StoreFixture(TestDatabase.POSTGRESQL);
    PlanRecorder recorder =
        new PlanRecorder(
            store.dataSource,
            "SET plan_cache_mode = %s; SET auto_explain.log_verbose = on".formatted(planned));
    try (Connection connection = recorder.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      store.messages.insertFresh(
          connection,
          List.of(
              StoreFixture.prepared(StoreFixture.text(UUID.randomUUID(), "d", null, "x")),
              StoreFixture.prepared(StoreFixture.text(UUID.randomUUID(), "d", null, "y"))));
      connection.commit();
    }

    List<Execution> executions = recorder.take();
    assertThat(executions).hasSize(1);
    assertThat(executions.get(0).steps())
        .containsExactly("ModifyTable pb_outbox_message", "Subquery Scan", "Function Scan");
    JsonObject above = executions.get(0).plan().getJsonArray("Plans").getJsonObject(0);
    JsonObject below = above.getJsonArray("Plans").getJsonObject(0);
    assertThat(above.get("Output").toString())
        .contains("nextval(")
        .doesNotContain("pg_current_xact_id()");
    assertThat(below.get("Output").toString())
        .contains("pg_current_xact_id()")
        .doesNotContain("nextval(");
  }

  @Test
  void oneExecutionInsertsNoMoreThanAboutAMebibyte() throws SQLException {
    StoreFixture store = new StoreFixture(TestDatabase.POSTGRESQL);
    List<NewMessage> list = new ArrayList<>();
    for (int size : List.of(1, 2_000_000, 1, 1, 800_000, 800_000, 1)) {
      list.add(StoreFixture.prepared(StoreFixture.bytes(UUID.randomUUID(), new byte[size])));
    }

    CountingDataSource counting = insertFresh(store, list);

    assertThat(counting.statements()).isEqualTo(4);
    assertThat(counting.mostChangedAtOnce()).isEqualTo(3);
    assertThat(store.dueIds()).isEqualTo(list.stream().map(it -> it.envelope().id()).toList());
  }

  /** The driver's error for a batch quotes the values, unless the driver is configured not to. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aRefusedListIsNotQuoted(int messages) throws SQLException {
    StoreFixture store = new StoreFixture(TestDatabase.POSTGRESQL);
    store.rows.execute("ALTER TABLE shop.pb_outbox_message ADD CONSTRAINT no CHECK (seq < 0)");
    List<NewMessage> list = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      list.add(StoreFixture.prepared(StoreFixture.text(UUID.randomUUID(), "d", null, "secret")));
    }
    assertThatThrownBy(() -> insertFresh(store, list))
        .isInstanceOf(SQLException.class)
        .isNotInstanceOf(BatchUpdateException.class)
        .hasMessageContaining("violates check constraint \"no\"");
  }

  /** Every column of a list is what it is of a single message. */
  @ParameterizedTest
  @EnumSource
  void aListIsStoredAsItsMessagesAreOneByOne(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    Instant later = store.clock().toInstant().plus(Duration.ofHours(2));
    Envelope full =
        new Envelope(
            UUID.randomUUID(),
            "d",
            "\"Größe\"/{✓}, 😀\\",
            "Order",
            "NULL",
            "digest",
            "{OrderPlaced}",
            "2",
            "application/json",
            new Body.Text("{\"a\":[1,null,\"\\\"\"]}"),
            "{\"correlationId\":\"c\"}",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    byte[] octets = new byte[256];
    for (int i = 0; i < octets.length; i++) {
      octets[i] = (byte) i;
    }
    List<NewMessage> list = new ArrayList<>();
    list.add(new NewMessage(1, full, later, Duration.ofDays(1)));
    list.add(new NewMessage(2, full.carrying("x/y", new Body.Bytes(octets), "{}"), null, null));
    list.add(
        new NewMessage(
            3, full.carrying("x/y", new Body.Encrypted(octets, "key"), "{}"), later, null));
    list.add(
        new NewMessage(
            4,
            full.carrying("x/y", new Body.Reference("t", "\"", null), "{}"),
            Instant.EPOCH.plusSeconds(1),
            Duration.ofMillis(1)));
    list.add(new NewMessage(5, full.carrying("x/y", new Body.Text(""), "{}"), null, null));
    for (int i = 6; i < 9; i++) {
      Envelope bare = StoreFixture.text(UUID.randomUUID(), "d", null, "x");
      list.add(new NewMessage(i, bare, null, null));
    }
    List<NewMessage> all = list.stream().map(MessageStoreTest::withNewId).toList();

    insertFresh(store, all);
    List<List<Object>> together = contents(store);
    store.rows.execute("DELETE FROM shop.pb_outbox_message");
    try (Connection connection = store.begin()) {
      for (NewMessage message : all) {
        assertThat(store.messages.insert(connection, message)).isTrue();
      }
      connection.commit();
    }

    assertThat(together).hasSize(8).isEqualTo(contents(store));
  }

  /**
   * All that is stored of messages, in order; times of the database only as far as they are given.
   */
  private static List<List<Object>> contents(StoreFixture store) throws SQLException {
    List<List<Object>> contents = new ArrayList<>();
    try (Connection connection = store.begin();
        PreparedStatement statement =
            connection.prepareStatement(
                """
                SELECT partition_no, id, destination, ordering_key, aggregate_type, aggregate_id,
                  event_type, schema_version, content_type, payload_text, payload_bytes,
                  reference_table, reference_id, payload_key, headers, trace_parent, status,
                  row_bytes, due_at, expires_at, created_at
                FROM shop.pb_outbox_message ORDER BY seq
                """);
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        List<Object> values = new ArrayList<>();
        for (int column = 1; column <= 18; column++) {
          Object value = row.getObject(column);
          values.add(value instanceof byte[] octets ? HexFormat.of().formatHex(octets) : value);
        }
        values.add("DELAYED".equals(row.getString("status")) ? row.getString("due_at") : null);
        OffsetDateTime expires = row.getObject("expires_at", OffsetDateTime.class);
        OffsetDateTime created = row.getObject("created_at", OffsetDateTime.class);
        values.add(
            expires == null
                ? null
                : Math.round(Duration.between(created, expires).toMillis() / 1e4));
        contents.add(values);
      }
      connection.rollback();
    }
    return contents;
  }

  private static NewMessage withNewId(NewMessage message) {
    Envelope old = message.envelope();
    Envelope renamed =
        new Envelope(
            UUID.randomUUID(),
            old.destination(),
            old.orderingKey(),
            old.aggregateType(),
            old.aggregateId(),
            old.dataSubject(),
            old.eventType(),
            old.schemaVersion(),
            old.contentType(),
            old.body(),
            old.headers(),
            old.traceParent());
    return new NewMessage(
        message.partition(), renamed, message.notBefore(), message.expiresAfter());
  }

  private static CountingDataSource insertFresh(StoreFixture store, List<NewMessage> messages)
      throws SQLException {
    CountingDataSource counting = new CountingDataSource(store.dataSource);
    try (Connection connection = counting.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      store.messages.insertFresh(connection, messages);
      connection.commit();
    }
    return counting;
  }

  @ParameterizedTest
  @EnumSource
  void aRolledBackInsertLeavesNothing(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    Envelope envelope = StoreFixture.text(UUID.randomUUID(), "d", "k", "x");
    try (Connection connection = store.begin()) {
      store.messages.insert(connection, StoreFixture.prepared(envelope));
      connection.rollback();
    }
    assertThat(store.rows.messages()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void enqueuingAnIdTwiceNamesItAndLeavesTheTransactionUsable(TestDatabase database)
      throws SQLException {
    StoreFixture store = new StoreFixture(database);
    Enqueuer enqueuer =
        new Enqueuer(
            store.messages,
            InstantSource.system(),
            16,
            PayloadEncoders.plain(1 << 20, String::valueOf));
    OutboxMessage natural = OutboxMessage.to("d").text("x").id(new UUID(7, 7));
    try (Connection connection = store.begin()) {
      enqueuer.write(connection, List.of(enqueuer.prepare(natural)), false);
      assertThatThrownBy(
              () -> enqueuer.write(connection, List.of(enqueuer.prepare(natural)), false))
          .isInstanceOf(MessageRefusedException.class)
          .hasMessage(
              "message 00000000-0000-0007-0000-000000000007 to d is refused: its id is still in the"
                  + " outbox. The transaction is still usable; send it again once it has left, or"
                  + " give it another id.");
      NewMessage fresh = enqueuer.prepare(OutboxMessage.to("d").text("y"));
      enqueuer.write(connection, List.of(fresh), true);
      enqueuer.write(connection, List.of(), true);
      connection.commit();
    }
    assertThat(store.rows.messages()).hasSize(2);
  }

  /** A node whose clock runs an hour ahead, or behind. */
  @ParameterizedTest
  @CsvSource({
    "H2, PT1H, DELAYED",
    "H2, PT-1H, PENDING",
    "POSTGRESQL, PT1H, DELAYED",
    "POSTGRESQL, PT-1H, PENDING"
  })
  void theDatabasesClockDecidesWhetherAMomentIsOver(
      TestDatabase database, Duration ahead, String status) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    Instant now = store.clock().toInstant();
    Enqueuer enqueuer =
        new Enqueuer(
            store.messages,
            InstantSource.fixed(now.plus(ahead)),
            16,
            new PayloadEncoder(1_000, 1_000, String::valueOf, Optional.empty(), false));
    Instant moment = now.plus(ahead.dividedBy(2));
    OutboxMessage message = OutboxMessage.to("d").text("x").notBefore(moment);
    try (Connection connection = store.begin()) {
      enqueuer.write(connection, List.of(enqueuer.prepare(message)), true);
      connection.commit();
    }

    assertThat(store.rows.messages()).extracting(Row::status).containsExactly(status);
    OffsetDateTime due = store.time("SELECT due_at FROM shop.pb_outbox_message");
    assertThat(due.toInstant()).isAfterOrEqualTo(moment.truncatedTo(ChronoUnit.MICROS));
  }
}
