package io.postbox.outbox.store;

import static io.postbox.outbox.store.StoreFixture.PARTITION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.postbox.outbox.MessageRefusedException;
import io.postbox.outbox.OutboxMessage;
import io.postbox.outbox.enqueue.Enqueuer;
import io.postbox.outbox.message.Envelope;
import io.postbox.outbox.message.StoredMessage;
import io.postbox.outbox.store.MessageStore.Placed;
import io.postbox.outbox.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MessageStoreTest {

  @ParameterizedTest
  @EnumSource
  void whatIsInsertedIsReadAsItWas(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    Envelope full =
        new Envelope(
            UUID.randomUUID(),
            "lager-süd",
            "Größe/✓ 😀",
            "Order",
            "7 ",
            "OrderPlaced",
            "2",
            "application/json",
            "{\"a\":1}",
            null,
            "{\"correlationId\":\"c\"}");
    Envelope bare =
        new Envelope(
            UUID.randomUUID(), "d", null, null, null, null, null, "text/plain", "", null, "{}");
    try (Connection connection = store.begin()) {
      assertThat(store.messages.insert(connection, new Placed(PARTITION, full))).isTrue();
      assertThat(store.messages.insert(connection, new Placed(PARTITION, bare))).isTrue();
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
        store.messages.insert(connection, new Placed(PARTITION, envelope));
      }
      connection.commit();
    }

    List<StoredMessage> due = store.due();
    assertThat(due.get(0).envelope().bytes()).isEqualTo(octets);
    assertThat(due.get(0).envelope().text()).isNull();
    assertThat(due.get(1).envelope().bytes()).isNotNull().isEmpty();
    assertThat(text.equals(due.get(2).envelope().text())).isTrue();
    assertThat(due.get(2).envelope().bytes()).isNull();
    assertThat(due.get(3).envelope().text()).hasSize(1 << 20);
  }

  @ParameterizedTest
  @EnumSource
  void anIdThatIsThereAlreadyIsNotInsertedAndTheTransactionGoesOn(TestDatabase database)
      throws SQLException {
    StoreFixture store = new StoreFixture(database);
    Envelope first = store.insert("d", "k");
    Envelope same = StoreFixture.text(first.id(), "e", null, "other");
    Envelope next = StoreFixture.text(UUID.randomUUID(), "d", "k", "next");
    try (Connection connection = store.begin()) {
      assertThat(store.messages.insert(connection, new Placed(PARTITION, same))).isFalse();
      assertThat(store.messages.insert(connection, new Placed(5, same))).isFalse();
      assertThat(store.messages.insert(connection, new Placed(PARTITION, next))).isTrue();
      assertThat(store.messages.insert(connection, new Placed(PARTITION, next))).isFalse();
      connection.commit();
    }
    assertThat(store.due()).extracting(StoredMessage::envelope).containsExactly(first, next);
  }

  @ParameterizedTest
  @EnumSource
  void aBatchKeepsTheOrderOfTheList(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    List<Placed> batch = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      batch.add(new Placed(PARTITION, StoreFixture.text(UUID.randomUUID(), "d", "k" + i % 7, "x")));
    }
    try (Connection connection = store.begin()) {
      store.messages.insertFresh(connection, batch);
      connection.commit();
    }
    assertThat(store.dueIds())
        .isEqualTo(batch.stream().map(placed -> placed.envelope().id()).toList());
  }

  @ParameterizedTest
  @EnumSource
  void whatIsRolledBackWasNeverThere(TestDatabase database) throws SQLException {
    StoreFixture store = new StoreFixture(database);
    Envelope envelope = StoreFixture.text(UUID.randomUUID(), "d", "k", "x");
    try (Connection connection = store.begin()) {
      store.messages.insert(connection, new Placed(PARTITION, envelope));
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
        new Enqueuer(store.messages, InstantSource.system(), 16, 1 << 20, String::valueOf);
    OutboxMessage natural = OutboxMessage.to("d").text("x").id(new UUID(7, 7));
    try (Connection connection = store.begin()) {
      enqueuer.write(connection, List.of(enqueuer.place(natural)), false);
      assertThatThrownBy(() -> enqueuer.write(connection, List.of(enqueuer.place(natural)), false))
          .isInstanceOf(MessageRefusedException.class)
          .hasMessage(
              "message 00000000-0000-0007-0000-000000000007 to d is refused: its id is still in the"
                  + " outbox. The transaction is still usable; send it again once it has left, or"
                  + " give it another id.");
      Placed fresh = enqueuer.place(OutboxMessage.to("d").text("y"));
      enqueuer.write(connection, List.of(fresh), true);
      enqueuer.write(connection, List.of(), true);
      connection.commit();
    }
    assertThat(store.rows.messages()).hasSize(2);
  }
}
